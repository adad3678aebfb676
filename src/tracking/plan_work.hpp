#pragma once
// A plan opened for change: the one pipeline lock -> load -> reconcile -> append -> save (spec 6, 8, 16) that
// every changing use case goes through.
//
//   PlanWork work(context, location);               // or the FoundPlan, with what was opened to find it
//   TRY(work.open(PlanWork::Create::if_plan));
//   TRY_ASSIGN(bool same, work.unchanged());        // optional: leave without ever taking the lock
//   TRY(work.lock(kTimeout));
//   TRY(work.sync({.actor = "external"}));          // what happened before we came
//   ... work.plan(), work.bytes() -> new bytes ...
//   TRY(work.replace(bytes));                       // conflict: somebody wrote meanwhile; sync and try again
//   TRY(work.sync_replaced({.actor = "main", .announced = true}));
//   return work.take_outcome();
//
// The lock is held until the object is destroyed. `now` is read once, when the lock was had, and is the time
// of every event. After a crash anywhere the files are as store/state_store and store/plan_file say; a box
// that was ticked before the process died is recorded by the next sync, as `external`.

#include <chrono>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "model/plan.hpp"
#include "project/context.hpp"
#include "project/git_directory.hpp"
#include "project/plan_location.hpp"
#include "project/project_plans.hpp"
#include "rules/attribution.hpp"
#include "store/plan_file.hpp"
#include "system/file_system.hpp"
#include "tracking/loaded_state.hpp"
#include "tracking/outcome.hpp"

namespace plankeep::app {

/// How long a command waits for the lock.
inline constexpr std::chrono::milliseconds kTimeout{10000};

/// Who changed the plan's text, and whether anybody said so before we looked.
struct Edit {
  std::string actor = "external";
  /// False: an edit from outside, worth a checksum_mismatch, unless a command in an agent's shell made it
  /// (tracking/edit_author): then it is that agent's.
  bool announced = false;
  bool accept_empty = false;  // a plan without any task left is meant so
  std::string agent{};        // the subagent's id, where one made the edit
  std::int64_t new_box = 0;   // the line of a box that is certainly new, even if its title is not; 0: none
  bool in_shell = false;      // by a command in the shell, which does not say what it wrote
  bool unheard = false;       // no agent is told what this sync finds: losses wait (State::unsaid_since)
  /// Announced: what the edit says it wrote; only that is the actor's (rules/attribution). Null: it does not
  /// say, and all that changed is taken for the actor's.
  const core::EditedLines* lines = nullptr;
  /// The same as it was said, for when the plan cannot be read now.
  std::span<const core::TextEdit> said{};
  /// Announced: the state that belongs to this text, if it is an earlier one. What is done in both keeps its
  /// time and actor (tracking/restored_times). Null: the text is new.
  const core::State* then = nullptr;
};

/// not_found: this file is not tracked, and tracking does not begin with it unasked.
base::Error not_tracked(const Context& context, const PlanLocation& plan);

/// Whether a changing command may work on this plan: it is tracked, or a plan.md with at least one marker
/// (spec 2). `conflict` when its folder tracks another file that is gone.
[[nodiscard]] base::Status require_trackable(const Context& context, const PlanLocation& plan);
/// The same of a plan that was just found, by what was opened for it.
[[nodiscard]] base::Status require_trackable(const Context& context, const FoundPlan& found);

/// Whether the plan is tracked already: not_tracked() if not.
[[nodiscard]] base::Status require_tracked(const Context& context, const PlanLocation& plan);

/// Whether the plan's file is missing and no sync has recorded that yet: before one does, it may be looked
/// for elsewhere. Costs a stat where the file is there.
bool is_newly_missing(const Context& context, const PlanLocation& plan);

class PlanWork {
 public:
  /// What tracking may begin with: a plan.md with a marker (spec 2); any file with a marker and a box; any
  /// file with a box; any file.
  enum class Create { if_plan, if_marked, if_boxes, always };

  PlanWork(const Context& context, PlanLocation location);
  /// Goes on with what the search opened, which therefore has to be recent.
  PlanWork(const Context& context, FoundPlan found);

  /// Opens the folders and makes the tracking folder where it is missing and allowed. Where it is missing, a
  /// file with at least half of the boxes of a missing plan of the project goes on with that plan's records
  /// (tracking/predecessor), and one that was asked for (always) also with those of the only missing plan of
  /// its folder; not with if_plan, whose callers may hold the lock of the missing one. Errors as
  /// require_trackable; `conflict` also when it may be several missing plans.
  [[nodiscard]] base::Status open(Create create);

  /// Whether there is nothing to do: state.json is fine and as long as the history, and the plan has the
  /// stamp, or at least the bytes, that it knows. Needs no lock and writes nothing. For edits that nobody
  /// announced: one that was may have to be given to its author though nothing changed.
  [[nodiscard]] base::Result<bool> unchanged();
  /// The same for callers that need no tasks: if the brief of a large state (store/brief_state) can answer,
  /// only that is read, and state() has no tasks until read_whole() or lock().
  [[nodiscard]] base::Result<bool> unchanged_in_brief();
  [[nodiscard]] base::Status read_whole();
  bool whole() const { return !brief_; }

  [[nodiscard]] base::Status lock(std::chrono::milliseconds timeout);
  bool locked() const { return lock_ != nullptr; }
  /// What was read stays readable; nothing may be saved any more.
  void unlock() { lock_.reset(); }

  /// Reads the plan, reconciles and saves what changed. `need_plan`: plan() is wanted even when nothing
  /// changed.
  [[nodiscard]] base::Status sync(const Edit& edit, bool need_plan = true);

  /// After lock(): whether nothing has to be repaired, so that save() is allowed without a sync. A later sync
  /// then records edits of the plan.
  bool records_whole() const;
  /// If so: reads the plan, unless it has been edited since the last save. Records nothing. False: it has
  /// been edited.
  [[nodiscard]] base::Result<bool> read_known();

  /// Events that belong to the edit that is made next, for what the reading of a plan does not tell. They are
  /// saved with it, before its own; setting them again replaces them.
  void tell_with_edit(std::vector<core::Event> events) { with_edit_ = std::move(events); }

  /// Writes new bytes over the ones that the last sync read. `conflict` when the file has others by now. If
  /// the history cannot be appended to, or no file be made in the tracking folder, nothing is changed.
  /// `permissions` as store/plan_file takes them.
  [[nodiscard]] base::Status replace(std::string bytes,
                                     std::optional<std::uint32_t> permissions = std::nullopt);
  /// The same for a plan that is to be missing. A sync records it.
  [[nodiscard]] base::Status remove();
  /// Reconciles and saves the bytes that replace() wrote.
  [[nodiscard]] base::Status sync_replaced(const Edit& edit);

  /// Saves `state` (made from state()) with these events; `recovery`: and a recovery copy for that reason.
  [[nodiscard]] base::Status save(core::State state, std::vector<core::Event> events,
                                  std::optional<std::string> recovery = std::nullopt);
  /// Writes what no event tells (bookkeeping of sessions, see model/state) into state.json: no event, no
  /// sync, and the revision stays. Does nothing while there is no sound state on disk. After a sync only.
  [[nodiscard]] base::Status keep_bookkeeping(core::State state);
  /// Saves the current state with a recovery copy, for the given reason.
  [[nodiscard]] base::Status save_copy(std::string reason);

  /// After a sync that found the plan readable: the text, the plan with its ids kept, and the same plan with
  /// the ids that its text alone gives.
  const std::string& bytes() const { return bytes_; }
  const core::Plan& plan() const { return plan_; }
  const core::Plan& plan_as_written() const { return as_written_ ? *as_written_ : plan_; }
  bool readable() const { return outcome_.readable; }
  /// After a sync that did not: why the file cannot be read at all (not_found: it is missing). nullopt: it
  /// can, and bytes() are what is in it.
  const std::optional<base::Error>& text_problem() const { return text_problem_; }
  /// Nothing was recorded before this call.
  bool first_seen() const { return first_seen_; }
  /// The missing file whose records open() took over: a name in this folder, else a whole path; mostly empty.
  const std::string& continued() const { return continued_; }

  const Context& context() const { return context_; }
  const core::State& state() const;
  base::Instant now() const { return now_; }
  const Outcome& outcome() const { return outcome_; }
  /// The last thing to be asked: state and plan go with it.
  Outcome take_outcome();
  void warn(std::string warning) { outcome_.warnings.push_back(std::move(warning)); }
  system::Folder& tracking() { return *tracking_; }

 private:
  struct FirstReading;
  [[nodiscard]] base::Result<FirstReading> read_new(Create create);
  [[nodiscard]] base::Result<bool> take_over(Create create, const std::string& top, const core::Plan& plan,
                                             const std::string& bytes);
  [[nodiscard]] base::Result<bool> take_over_moved(const core::Plan& plan, const std::string& bytes);
  [[nodiscard]] base::Status load();
  [[nodiscard]] base::Status check_recordable();
  [[nodiscard]] base::Status require_recordable();
  bool known_in_brief();
  [[nodiscard]] base::Status set_foreign_history_aside();
  [[nodiscard]] base::Status take_text(std::string bytes, std::optional<core::PlanStamp> stamp,
                                       const Edit& edit, bool need_plan);
  bool may_be_half_written(std::string_view bytes) const;
  [[nodiscard]] base::Result<store::PlanText> read_written();
  Edit with_author(const Edit& given) const;
  void keep_text(core::State& state);
  void tell_project(const core::State& saved);
  /// For a plan that the project's list does not have yet.
  ProjectPlans::Tracked why_tracked() const;
  void note_lint_errors(const std::vector<std::string>& before, core::State& state);
  [[nodiscard]] base::Status first_sight(const Edit& edit);
  [[nodiscard]] base::Status reconcile(const core::State& before, const Edit& edit);
  [[nodiscard]] base::Status keep_last(const base::Error& error, const std::string& reason, const Edit& edit);
  [[nodiscard]] base::Status commit(core::State state, std::vector<core::Event> events,
                                    std::optional<std::string> recovery = std::nullopt);
  system::FileInfo keep_for_next(const core::State& saved);
  std::vector<core::Event> repair_events() const;
  core::Event event(core::EventKind kind) const;
  std::optional<core::PlanStamp> trusted(std::optional<core::PlanStamp> stamp) const;

  const Context& context_;
  PlanLocation location_;
  OpenedPlan opened_;  // until open()
  std::unique_ptr<system::Folder> folder_;
  std::shared_ptr<system::Folder> tracking_;
  std::unique_ptr<system::Lock> lock_;
  std::optional<store::PlanFile> file_;
  std::optional<LoadedState> loaded_;
  std::optional<core::State> brief_;               // until loaded_ is there
  std::optional<system::FileContent> state_text_;  // read on the way here, until loaded_ is made from it
  base::Instant now_;
  std::string bytes_;
  std::string checksum_;  // of bytes_; empty when it was not asked for yet
  std::optional<core::PlanStamp> stamp_;
  std::optional<base::Error> text_problem_;
  // What was read to see whether it can be a plan, so that it is not read twice.
  struct FirstReading {
    std::string bytes;
    core::Plan plan;
  };
  std::optional<FirstReading> first_reading_;
  core::Plan plan_;
  bool has_plan_ = false;
  std::optional<core::Plan> as_written_;
  std::vector<core::Event> with_edit_;
  Outcome outcome_;
  Create create_ = Create::if_plan;
  bool first_seen_ = false;
  bool announced_ = false;  // the edit at first sight
  bool looked_ = false;     // at the plan's text, under the lock
  std::string continued_;
};

}  // namespace plankeep::app

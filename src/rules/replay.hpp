#pragma once
// fold: what the history says of a plan (spec 1: state = fold(plan, history)).
//
// Two uses. After a save that died half-way, the events behind state.history_offset go on top of the state
// that was read:
//
//   Ledger ledger(state);
//   for (each line behind state.history_offset) ledger.apply(event);
//   state = ledger.state();
//
// After the loss of state and recovery, the state is rebuilt from plan and whole history:
//
//   Ledger ledger;
//   for (each line of history.jsonl) ledger.apply(event);
//   State believed = ledger.rebuild(plan, id, path);             // also gives boxes without a marker their
//   ids back Reconciled r = reconcile(believed, plan, "external", now);   // what changed since the last
//   event, if anything
//
// checkpoint_created says what stood in the plan at first sight and every later event what changed, so a
// whole history gives back exactly what was believed. If that first event is lost, the plan speaks where the
// history is silent.
//
// Replaying is idempotent: a history that is replayed from its beginning onto a ledger or a state that
// already holds it changes nothing. checkpoint_created clears what comes from the history; what only the
// state knows (titles, bookkeeping, unknown fields) is put back where the same thing appears again.
//
// Lines need not say more than spec 4 asks for. An event without a phase is about the task or criterion of
// that id, wherever it stands; one that nothing is known of yet waits in a phase without an id until a plan
// says where it belongs. A checkpoint_created that does not say what stood there clears nothing.
//
// Memory: one record per task ever seen, whatever the length of the history. Order of tasks: that in which
// they came into their phase, or what tasks_ordered says.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "model/event.hpp"
#include "model/plan.hpp"
#include "model/state.hpp"
#include "rules/matching/renumbering.hpp"

namespace plankeep::core {

/// Event::via of an event that is repeated with its old time and actor, because an earlier text of the plan
/// was put back.
inline constexpr std::string_view kGivenBack = "restored";
/// Of one that another work tree of the repository recorded at that time, and that git brought here later.
inline constexpr std::string_view kFromWorkTree = "work-tree";
/// Event::via of what came undone because git wrote another text of the plan: that of another branch, mostly.
inline constexpr std::string_view kByGit = "git";

class Ledger {
 public:
  Ledger() = default;
  explicit Ledger(const State& state);

  void apply(const Event& event);

  /// Events applied so far.
  std::int64_t events() const { return events_; }

  /// What is believed after the last event. Progress, current phase and task are those of the state it began
  /// with: reconciling sets them.
  State state() const;

  /// The same for a ledger that began empty, completed from the plan where the history is silent. Its boxes
  /// get their ids (rules/match). Tasks the history knows and the plan does not are in it, so that
  /// reconciling can tell that they vanished.
  State rebuild(Plan& plan, std::string plan_id, std::string plan_path) const;

 private:
  struct Book {
    PhaseState phase;  // tasks and acceptance: every one ever seen, see `gone`
    bool gone = false;
    bool status_known = false;
    std::vector<char> task_gone;
    std::vector<std::int64_t> task_order;  // as they came, or as it was told
    std::vector<char> done_known;
    std::vector<char> criterion_gone;
    std::vector<char> met_known;
    std::unordered_map<TaskId, std::size_t> task_at;
    std::unordered_map<CriterionId, std::size_t> criterion_at;
  };

  Book& book(const PhaseId& phase);
  PhaseId home_of(const Event& event) const;
  void apply_placed(const Event& event);
  void restore_unknown(State& state) const;
  void place(Book& into, std::size_t at, const Task& task);
  void place(Book& into, std::size_t at, const Criterion& criterion);
  std::size_t task(Book& book, const TaskId& id);
  std::size_t criterion(Book& book, const CriterionId& id);
  void take_inventory(const Event& event);
  void begin_anew(const Event& event);
  void apply_to_task(const Event& event);
  void set_order(Book& holder, const std::vector<TaskId>& tasks, const TaskId& before_task);
  void take_over(const Event& event);
  void apply_to_criterion(const Event& event);
  void apply_to_phase(const Event& event);
  void apply_to_records(const Event& event);

  State base_;
  std::vector<Book> books_;
  std::unordered_map<PhaseId, std::size_t> book_at_;
  Renumbering renumbering_;
  std::optional<State> before_;  // what was believed when telling began anew
  std::int64_t events_ = 0;
  std::int64_t next_order_ = 0;
  bool inventory_ = false;  // what stood there at first sight is known
};

}  // namespace plankeep::core

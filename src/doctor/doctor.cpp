#include "doctor/doctor.hpp"

#include <algorithm>
#include <optional>
#include <string>

#include "base/sha256.hpp"
#include "base/text.hpp"
#include "checkpoints/kept_checkpoints.hpp"
#include "doctor/checkpoint_health.hpp"
#include "doctor/obstacles.hpp"
#include "doctor/rewind_health.hpp"
#include "doctor/state_health.hpp"
#include "markdown/conflicts.hpp"
#include "markdown/parse_plan.hpp"
#include "model/json/state_json.hpp"
#include "project/known_folders.hpp"
#include "render/recorded/chain.hpp"
#include "rewind/restore.hpp"
#include "rules/reconcile.hpp"
#include "rules/recovery_policy.hpp"
#include "store/journal.hpp"
#include "store/paths.hpp"
#include "store/plan_file.hpp"
#include "store/plan_texts.hpp"
#include "store/tracking_folder.hpp"
#include "system/atomic_file.hpp"
#include "tracking/kept_copies.hpp"
#include "tracking/loaded_state.hpp"
#include "tracking/memory_copy.hpp"
#include "tracking/plan_work.hpp"
#include "tracking/predecessor.hpp"
#include "tracking/project_tree.hpp"
#include "tracking/workspace.hpp"
#include "verify/command_trust.hpp"

namespace plankeep::app {
namespace {

using base::ErrorKind;
using base::Result;
using base::Status;

using base::counted;

constexpr std::string_view kRepair = "plankeep doctor --repair";
constexpr std::string_view kCheckDisk = "check the disk and the folder's permissions";

Finding finding_of(const core::ChainReport& report) {
  Finding finding;
  finding.name = "history chain";
  finding.message = render::chain_words(report);
  if (report.holds()) return finding;
  finding.condition = Condition::attention;
  finding.remedy =
      "compare history.jsonl with a backup from that line on; plankeep uses the lines as they are";
  return finding;
}

class Examination {
 public:
  Examination(const Context& context, const PlanLocation& plan) : context_(context), plan_(plan) {}

  Result<std::vector<Finding>> run() {
    TRY_ASSIGN(folder_, context_.files.open_folder(plan_.folder));
    auto tracking = store::open_tracking(*folder_, plan_.name);
    inspect_plan(tracking.has_value());
    inspect_set_aside();
    if (!tracking) {
      const bool none = tracking.error().kind == ErrorKind::not_found;
      if (none) {
        inspect_memory();
        add(std::string(store::kTrackingFolder), Condition::attention, "not tracked yet",
            "plankeep init " + shown_path(context_, plan_.path()));
      } else if (tracking.error().kind == ErrorKind::io) {
        refused(store::kTrackingFolder, tracking.error());
      } else {
        add(std::string(store::kTrackingFolder), Condition::broken, tracking.error().message,
            "move it away; plankeep needs a folder with this name");
      }
      return std::move(findings_);
    }
    tracking_ = std::move(*tracking);
    inspect_files();
    inspect_state();
    inspect_recovery();
    inspect_history();
    inspect_memory();
    inspect_texts();
    inspect_proof();
    for (Finding& finding : inspect_checkpoints(context_, plan_, *tracking_))
      findings_.push_back(std::move(finding));
    inspect_lock();
    inspect_writing();
    inspect_leftovers();
    for (Finding& finding : inspect_snapshots(context_, plan_)) findings_.push_back(std::move(finding));
    return std::move(findings_);
  }

 private:
  void add(std::string name, Condition condition, std::string message, std::string remedy = {}) {
    findings_.push_back({std::move(name), condition, std::move(message), std::move(remedy)});
  }
  void fine(std::string_view name, std::string message) {
    add(std::string(name), Condition::fine, std::move(message));
  }
  void broken(std::string_view name, std::string message, std::string_view remedy = kRepair) {
    add(std::string(name), Condition::broken, std::move(message), std::string(remedy));
  }

  // What the system refuses, with what it says can be done about it. The same is told once.
  void refused(std::string_view name, const base::Error& error) {
    const auto same = [&error](const Finding& told) { return told.message == error.message; };
    if (std::any_of(findings_.begin(), findings_.end(), same)) return;
    broken(name, error.message, error.hint.empty() ? kCheckDisk : std::string_view(error.hint));
  }

  void inspect_plan(bool tracked) {
    std::string restore = tracked
                              ? "to list earlier versions: plankeep restore; the recorded progress is kept"
                              : "restore the file";
    if (const std::string renamed = renamed_words(context_, plan_); !renamed.empty())
      restore = renamed + "; " + restore;
    store::PlanFile file(context_.files, *folder_, plan_.name);
    const auto text = file.read();
    if (!text && text.error().kind == ErrorKind::io) return refused(plan_.name, text.error());
    if (!text) return broken(plan_.name, text.error().message, restore);
    auto plan = markdown::parse_plan(text->bytes);
    if (!plan) return broken(plan_.name, plan.error().message, restore);
    // No sync records that.
    if (const auto conflict = tracked ? markdown::unresolved_conflict(*plan, text->bytes) : std::nullopt)
      return broken(plan_.name,
                    "has an unresolved merge conflict in line " + std::to_string(*conflict) +
                        "; the last recorded state is kept",
                    markdown::kResolveConflict);
    checksum_ = base::short_checksum(text->bytes);
    std::int64_t errors = 0;
    for (const core::Diagnostic& diagnostic : plan->diagnostics) {
      if (core::severity_of(diagnostic.code) == core::Severity::error) ++errors;
    }
    const core::Progress progress = core::progress_of(*plan);
    std::string message = std::to_string(progress.completed) + " of " + std::to_string(progress.total) +
                          (progress.total == 1 ? " task done" : " tasks done");
    read_ = std::move(*plan);
    if (errors == 0) return fine(plan_.name, std::move(message));
    add(plan_.name, Condition::attention,
        message + ", " + std::to_string(errors) + (errors == 1 ? " error" : " errors") + " in the plan",
        "plankeep lint " + shown_path(context_, plan_.path()));
  }

  // Tracking folders that were not believed.
  void inspect_set_aside() {
    const auto name = set_aside_tracking(*folder_);
    if (!name || name->empty()) return;
    if (const std::string command = replaced_by(*folder_, *name); !command.empty()) {
      return add(
          "set aside", Condition::attention,
          *name + " was replaced by " + command + "; it is kept but not used",
          "to go back to it, with the present one set aside: plankeep init --adopt; otherwise delete it");
    }
    add("set aside", Condition::attention, *name + " came from elsewhere; it is kept but not used",
        "to use it: plankeep init --adopt; otherwise delete it");
  }

  // What stands in the place of our files and is no file.
  void inspect_files() {
    for (const std::string& name : needed_files()) {
      if (name.starts_with(store::kCheckpoints)) continue;  // doctor/checkpoint_health tells of them
      const auto info = tracking_->info(name);
      if (!info) {
        refused(name, info.error());
        continue;
      }
      const bool wrong = info->kind != system::FileKind::missing && info->kind != system::FileKind::regular;
      if (wrong) broken(name, "is not a regular file");
      history_told_ = history_told_ || (wrong && name == store::kHistory);
    }
    const auto top = store::open_top_tracking(*folder_);
    const auto ignore = top ? (*top)->info(store::kGitignore) : base::fail(top.error());
    if (ignore && ignore->kind == system::FileKind::missing) {
      add(std::string(store::kGitignore), Condition::attention,
          "missing: git status would list the files in this folder", std::string(kRepair));
    }
  }

  void inspect_state() {
    auto loaded = load_state(*tracking_, plan_);
    if (!loaded && history_told_) return;
    if (!loaded) return refused(store::kState, loaded.error());
    // No sync records that: it has to be said what is meant.
    if (read_ && loaded->state && core::emptied(*loaded->state, *read_)) {
      findings_.front() = {plan_.name, Condition::broken,
                           "has no tasks any more; the last recorded state is kept",
                           "plankeep restore; if this is intended: plankeep sync --accept-empty"};
      checksum_.clear();
    }
    bool damaged = false;
    for (const store::Damage& damage : loaded->damaged) {
      if (damage.name == store::kHistory) {
        history_told_ = true;
        return broken(damage.name, damage.reason);
      }
      if (damage.name != store::kState) continue;  // recovery copies are looked at one by one
      damaged = true;
      broken(damage.name, "damaged: " + damage.reason);
    }
    if (loaded->state) confirmed_ = loaded->state->history_offset;
    if (!damaged && loaded->state_missing) return broken(store::kState, "missing");
    if (damaged) return;
    if (!loaded->state) {
      return add(std::string(store::kState), Condition::attention, "nothing recorded yet", "plankeep sync");
    }
    if (loaded->history_short) {
      add(std::string(store::kState), Condition::attention,
          "is ahead of the history: " + std::string(kHistoryCut),
          "restore the longer history if you have it; what the state still knows, plankeep sync writes into "
          "the history again");
    }
    if (!loaded->moved_from.empty()) {
      return add(std::string(store::kState), Condition::attention,
                 "was saved for " + loaded->moved_from + ": the folder was moved, copied or renamed",
                 "plankeep sync");
    }
    if (loaded->advanced) {
      return add(std::string(store::kState), Condition::attention,
                 "behind the history: a save was interrupted; no data was lost", "plankeep sync");
    }
    if (!checksum_.empty() && loaded->state->checksum != checksum_) {
      return add(std::string(store::kState), Condition::attention,
                 "the plan changed since it was last recorded", "plankeep sync");
    }
    if (loaded->history_short) return;
    if (!checksum_.empty() && read_) {
      const auto wrong = state_disagreement(*tracking_, plan_, *loaded->state, *read_);
      if (!wrong) return refused(store::kHistory, wrong.error());
      if (*wrong) return broken(store::kState, "disagrees with the history: " + **wrong);
    }
    fine(store::kState, "revision " + std::to_string(loaded->state->revision) +
                            (checksum_.empty() ? ", matches the history" : ", matches plan and history"));
  }

  void inspect_recovery() {
    int copies = 0;
    bool damaged = false;
    for (int generation = 0; generation < core::kRecoveryGenerations; ++generation) {
      const std::string name = store::recovery_name(generation);
      const auto info = tracking_->info(name);
      if (!info || info->kind != system::FileKind::regular) continue;
      const auto text = tracking_->read(name, store::kJsonLimit);
      if (!text) {
        damaged = true;
        broken(name, text.error().message);
        continue;
      }
      const auto copy = core::decode_recovery(*text);
      if (copy) {
        ++copies;
      } else {
        damaged = true;
        broken(name, "damaged: " + copy.error().message);
      }
    }
    if (damaged) return;
    fine(store::kRecovery, copies == 0 ? "no copy yet (one is made at every 5th save)"
                                       : std::to_string(copies) + (copies == 1 ? " copy" : " copies"));
  }

  void inspect_history() {
    if (history_told_) return;
    core::ChainCheck chain;
    const auto all = [&chain](const core::Event& event, const store::HistoryLine& line) {
      chain.take(line.text, line.number, event.batch);
      return true;
    };
    const auto scan = store::read_events(*tracking_, 0, all);
    if (!scan) return refused(store::kHistory, scan.error());
    if (scan->damaged_count > 0) {
      const store::DamagedLine& first = scan->damaged.front();
      add(std::string(store::kHistory), Condition::attention,
          std::to_string(scan->damaged_count) +
              (scan->damaged_count == 1 ? " damaged line" : " damaged lines") +
              " skipped, the first at line " + std::to_string(first.number) + ": " + first.reason,
          "no action needed: the other lines are used, and the file is never rewritten");
    }
    if (const core::ChainReport report = chain.report(); !report.holds() || report.unchained > 0)
      findings_.push_back(finding_of(report));
    const std::uint64_t torn = scan->file_size - scan->end;
    if (torn > 0 && (confirmed_ > scan->end || has_nul(scan->end))) {
      return broken(store::kHistory, "damaged: " + std::to_string(torn) +
                                         " bytes at the end cannot be read; they are set aside, and what the "
                                         "state knows is recorded again");
    }
    if (torn > 0) {
      return broken(store::kHistory, "incomplete last line: " + std::to_string(torn) +
                                         " bytes of an interrupted save (it was never confirmed)");
    }
    if (!can_append()) return;
    if (scan->damaged_count == 0)
      fine(store::kHistory, std::to_string(scan->lines) + (scan->lines == 1 ? " event" : " events"));
  }

  // Copies in the git directory that hold more than the history.
  void inspect_memory() {
    if (history_told_) return;  // the history has to be repaired first
    const auto offer = memory_offer(context_, plan_);
    if (!offer) return;
    add("second copy", Condition::attention, memory_facts(*offer), memory_remedy(*offer));
  }

  // What `restore` could put back.
  void inspect_texts() {
    const auto texts = store::kept_texts(*tracking_);
    if (!texts && texts.error().kind == ErrorKind::io) return refused(store::kPlanTexts, texts.error());
    if (!texts) return broken(store::kPlanTexts, texts.error().message, "move it away, then: plankeep sync");
    std::size_t damaged = 0;
    for (const store::KeptText& text : *texts) {
      if (!store::read_text(*tracking_, text)) ++damaged;
    }
    if (damaged > 0) {
      return add(std::string(store::kPlanTexts), Condition::attention,
                 std::to_string(damaged) + " of " +
                     counted(texts->size(), "earlier version", "earlier versions") + " of the plan damaged",
                 "no action needed: restore ignores damaged ones");
    }
    // Some of them differ from the text that is there now in nothing but ticks that are recorded.
    const auto earlier = earlier_texts(context_, plan_);
    if (!earlier && history_told_) return;
    if (!earlier) return refused(store::kPlanTexts, earlier.error());
    if (!earlier->texts.empty())
      fine(store::kPlanTexts,
           counted(earlier->texts.size(), "earlier version", "earlier versions") + " of the plan");
  }

  // Ticks that their commands do not prove, and whether trust in commands can be read at all.
  void inspect_proof() {
    const std::string shown = shown_path(context_, plan_.path());
    const std::vector<core::Diagnostic> unproven = unproven_criteria(context_, plan_);
    if (!unproven.empty()) {
      add("evidence", Condition::attention,
          counted(unproven.size(), "criterion is", "criteria are") + " ticked but not proven, the first at " +
              "line " + std::to_string(unproven.front().line),
          "plankeep verify --stale --plan " + shown);
    }
    const CommandTrust trust = CommandTrust::read(context_, command_root(context_, plan_));
    if (!trust.warning().empty()) {
      add("trusted commands", Condition::attention, trust.warning(),
          "until this is fixed, plankeep verify asks before every command");
    }
  }

  void inspect_lock() {
    const auto info = tracking_->info(store::kLock);
    // Taking a lock creates its file, and this only looks.
    if (!info || info->kind != system::FileKind::regular) return;
    const auto lock = store::lock_tracking(*tracking_, std::chrono::milliseconds{0});
    if (lock) return fine(store::kLock, "free");
    if (lock.error().kind == ErrorKind::busy) {
      return add(std::string(store::kLock), Condition::attention, "currently held by another process",
                 "the lock ends with its process; wait, or stop that process");
    }
    refused(store::kLock, lock.error());
  }

  // A power loss that left them, or a bad disk: no save of ours writes one.
  bool has_nul(std::uint64_t from) const {
    constexpr std::uint64_t kLooked = 64 << 10;
    const auto bytes = tracking_->read_range(store::kHistory, from, kLooked);
    return bytes && bytes->find('\0') != std::string::npos;
  }

  // A change is appended to the history. One that is missing is made then.
  bool can_append() {
    const auto info = tracking_->info(store::kHistory);
    if (!info || info->kind != system::FileKind::regular) return true;
    const auto opened = tracking_->open_append(store::kHistory);
    if (!opened) refused(store::kHistory, opened.error());
    return opened.has_value();
  }

  // And it replaces files in the folder.
  void inspect_writing() {
    const std::string tried = system::temporary_name("doctor");
    if (const auto made = tracking_->create(tried); !made)
      return refused(store::kTrackingFolder, made.error());
    (void)tracking_->remove(tried);
  }

  void inspect_leftovers() {
    const auto names = tracking_->list();
    if (!names) return;
    std::size_t quarantined = 0;
    for (const std::string& name : *names) {
      if (name.find(".damaged-") != std::string::npos) ++quarantined;
    }
    if (quarantined == 0) return;
    fine("set aside", std::to_string(quarantined) +
                          (quarantined == 1 ? " damaged file was" : " damaged files were") +
                          " kept for inspection (*.damaged-*)");
  }

  const Context& context_;
  const PlanLocation& plan_;
  std::unique_ptr<system::Folder> folder_;
  std::unique_ptr<system::Folder> tracking_;
  std::optional<core::Plan> read_;
  std::string checksum_;         // empty: the plan cannot be read, or is not to be compared
  std::uint64_t confirmed_ = 0;  // bytes of the history that the state holds
  bool history_told_ = false;    // a finding already says that history.jsonl is not usable
  std::vector<Finding> findings_;
};

// Recovery copies that the loading chain had no need to look at.
Result<std::vector<store::Damage>> damaged_copies(system::Folder& tracking) {
  std::vector<store::Damage> damaged;
  for (int generation = 0; generation < core::kRecoveryGenerations; ++generation) {
    const std::string name = store::recovery_name(generation);
    TRY_ASSIGN(const system::FileInfo info, tracking.info(name));
    if (info.kind != system::FileKind::regular) continue;
    const auto text = tracking.read(name, store::kJsonLimit);
    if (!text) {
      if (text.error().kind == ErrorKind::io) return base::fail(text.error());
      damaged.push_back({name, text.error().message});
      continue;
    }
    const auto copy = core::decode_recovery(*text);
    if (!copy) damaged.push_back({name, copy.error().message});
  }
  return damaged;
}

// A next text of the plan that a killed writer left. Under the lock nobody is writing one.
Status remove_leftover(const Context& context, const PlanLocation& plan) {
  TRY_ASSIGN(const auto folder, context.files.open_folder(plan.folder));
  Status removed = folder->remove(system::temporary_name(plan.name));
  if (!removed && removed.error().kind != ErrorKind::not_found) return removed;
  return {};
}

}  // namespace

Result<Finding> examine_chain(const Context& context, const PlanLocation& plan) {
  TRY_ASSIGN(const auto folder, context.files.open_folder(plan.folder));
  auto tracking = store::open_tracking(*folder, plan.name);
  if (!tracking && tracking.error().kind == ErrorKind::not_found)
    return base::fail(not_tracked(context, plan));
  if (!tracking) return base::fail(std::move(tracking.error()));
  TRY_ASSIGN(const core::ChainReport report, store::check_chain(**tracking));
  Finding finding = finding_of(report);
  // It was asked about this and nothing else.
  if (!report.holds()) finding.condition = Condition::broken;
  return finding;
}

Result<std::vector<Finding>> examine(const Context& context, const PlanLocation& plan) {
  return Examination(context, plan).run();
}

Result<Outcome> repair(const Context& context, const PlanLocation& plan) {
  // Before the plan is looked at: it may be of another time than the files.
  std::vector<std::string> repaired = repair_snapshots(context, plan);
  for (std::string& line : repair_rewind(context, plan)) repaired.push_back(std::move(line));
  PlanWork work(context, plan);
  TRY(work.open(PlanWork::Create::if_plan));
  TRY_ASSIGN(const std::vector<std::string> obstacles,
             set_aside_obstacles(work.tracking(), context.clock.now()));
  repaired.insert(repaired.end(), obstacles.begin(), obstacles.end());
  bool put_back = false;
  {
    // sync() restores lines only if the plan or the records have changed.
    TRY_ASSIGN(const auto lock, store::lock_tracking(work.tracking(), kTimeout));
    TRY_ASSIGN(put_back, put_kept_lines_back(context, plan, work.tracking()));
    TRY_ASSIGN(const bool wrong, set_aside_wrong_state(context, plan, work.tracking()));
    if (wrong)
      repaired.push_back("state.json disagreed with the history; it is rebuilt from plan and history");
  }
  TRY(work.lock(kTimeout));
  if (put_back) work.warn(std::string(kPutBack));
  TRY(work.sync(Edit{}));
  for (const std::string& line : repaired) work.warn(line);
  store::StateStore states(work.tracking(), plan.plan_id(), plan.path());
  TRY_ASSIGN(const auto damaged, damaged_copies(work.tracking()));
  TRY(states.quarantine_damaged(damaged, work.now()));
  TRY(set_aside_damaged_checkpoints(work.tracking(), work.now()));
  TRY_ASSIGN(const bool mended, put_kept_checkpoints_back(context, plan, work.tracking(), work.now()));
  if (mended) work.warn(std::string(kCheckpointsPutBack));
  TRY(remove_leftover(context, plan));
  if (const auto scanned = rescan(context, plan.folder, LostPlans::keep); !scanned)
    work.warn("the project's list of plans could not be made anew: " + scanned.error().message);
  TRY_ASSIGN(const std::uint64_t size, store::history_size(work.tracking()));
  TRY_ASSIGN(const std::uint64_t end, store::history_end(work.tracking()));
  // An append sets a torn end aside; a fresh recovery copy is worth one after a repair.
  if ((end < size || !damaged.empty()) && !work.state().checksum.empty()) TRY(work.save_copy("repair"));
  return work.take_outcome();
}

}  // namespace plankeep::app

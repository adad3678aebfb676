#include "render/recorded/log.hpp"

#include <algorithm>
#include <array>

#include "base/utf8.hpp"
#include "model/item_key.hpp"
#include "render/progress/leases.hpp"
#include "rules/lease.hpp"
#include "rules/replay.hpp"
#include "rules/rewind_steps.hpp"

namespace plankeep::render {
namespace {

constexpr std::size_t kMostActorColumns = 24;  // "subagent:general-purpose"

std::string named(std::string_view what, std::string_view id, std::string_view verb, std::string_view title) {
  std::string text(what);
  text += ' ';
  text += safe_line(id);
  text += ' ';
  text += verb;
  // A title that is the id, or begins with it, does not say it again.
  const std::string_view beside = core::title_beside_id(title, id);
  if (!beside.empty() && title != id) {
    text += ": ";
    text += safe_line(beside);
  }
  return text;
}

std::string with_reason(std::string text, std::string_view reason) {
  if (!reason.empty()) text += " (" + safe_line(reason) + ")";
  return text;
}

std::string of_client(std::string text, const core::Event& event) {
  if (!event.client.empty()) text += ": " + safe_line(event.client);
  return text;
}

std::string with_list(std::string text, const std::vector<core::TaskId>& tasks) {
  if (!tasks.empty()) text += ": " + safe_list(tasks);
  return text;
}

std::string subagent(const core::Event& event, std::string_view verb) {
  std::string text = "subagent ";
  if (!event.agent_type.empty()) text += safe_line(event.agent_type) + " ";
  text += verb;
  return with_list(std::move(text), event.tasks);
}

using core::Event;

std::string unknown(const Event& event) {
  if (event.name == "checkpoints_cleaned") return "old checkpoints deleted";
  std::string text = safe_line(event.name);
  if (!event.task.empty()) text += " " + safe_line(event.task.text);
  return text;
}

std::string tracking_started(const Event& event) {
  if (!event.total_tasks) return "tracking started";
  return "tracking started: " + counted(*event.total_tasks, "task", "tasks");
}

std::string task_added(const Event& event) {
  if (!event.from.empty())
    return with_reason(named("task", event.task.text, "has a new id", event.title), "was: " + event.from);
  return named("task", event.task.text, event.done ? "added, done" : "added", event.title);
}

std::string task_renamed(const Event& event) {
  return with_reason(named("task", event.task.text, "renamed", event.title),
                     event.from.empty() ? "" : "was: " + event.from);
}

std::string moved(std::string text, const Event& event) {
  if (event.from == event.phase.text && !event.parent.empty())
    return text + " below task " + safe_line(event.parent.text);
  if (event.from == event.phase.text) return text + " out of the task around it";
  if (!event.from.empty()) text += " from phase " + safe_line(event.from);
  if (!event.phase.empty()) text += " to phase " + safe_line(event.phase.text);
  return text;
}

std::string task_moved(const Event& event) {
  return moved(named("task", event.task.text, "moved", {}), event);
}

std::string tasks_ordered(const Event& event) {
  return counted(event.tasks.size(), "task", "tasks") + " in another place";
}

std::string boxes_found(const Event& event) {
  return counted(event.boxes, "box counts", "boxes count") + " as tasks now";
}

std::string boxes_skipped(const Event& event) {
  return counted(event.boxes, "box is", "boxes are") + " left out (SKIP)";
}

std::string phase_added(const Event& event) {
  return with_reason(named("phase", event.phase.text, "added", {}),
                     event.from.empty() ? "" : "was: " + event.from);
}

// The event also comes when the only tick of a phase is taken back that was never completed.
std::string phase_reopened(const Event& event) {
  return named("phase", event.phase.text,
               event.status == core::PhaseStatus::pending ? "no longer started" : "reopened", {});
}

std::string criterion_moved(const Event& event) {
  return moved(named("criterion", event.criterion.text, "moved", {}), event);
}

std::string criterion_met(const Event& event) {
  return named("criterion", event.criterion.text,
               event.via == core::kGivenBack ? "met again, as restored"
               : event.evidence              ? "met, its command passed"
                                             : "met",
               event.title);
}

std::string criterion_unmet(const Event& event) {
  std::string verb = event.via == core::kByGit ? "no longer met, by git" : "no longer met";
  if (event.evidence) {
    verb = event.evidence->timed_out
               ? "not met, its command timed out"
               : "not met, its command failed with status " + std::to_string(event.evidence->status);
  }
  return named("criterion", event.criterion.text, verb, event.title);
}

std::string criterion_added(const Event& event) {
  return named("criterion", event.criterion.text, event.met ? "added, met" : "added", event.title);
}

// "decision", with how it came or went where that was no edit.
std::string with_via(std::string words, const Event& event) {
  if (event.via == core::kGivenBack) words += " again, as restored";
  if (event.via == core::kByGit) words += " by git";
  if (event.via == core::kFromWorkTree) words += " in another work tree";
  return words;
}

std::string task_removed(const Event& event) {
  return named("task", event.task.text, event.skipped ? "left out (SKIP)" : with_via("removed", event),
               event.title);
}

std::string criterion_removed(const Event& event) {
  return named("criterion", event.criterion.text,
               event.skipped ? "left out (SKIP)" : with_via("removed", event), event.title);
}

std::string decided(const Event& event) {
  return with_reason(with_via("decision", event) + ": " + safe_line(event.decision), event.reason);
}

std::string decision_removed(const Event& event) {
  return with_via("decision removed", event) + ": " + safe_line(event.decision);
}
std::string blocked(const Event& event) {
  return with_via("blocked", event) + ": " + safe_line(event.blocker);
}
std::string unblocked(const Event& event) {
  return with_via("blocker resolved", event) + ": " + safe_line(event.blocker);
}

std::string session_started(const Event& event) {
  return with_reason(of_client("session started", event), event.source);
}

std::string session_ended(const Event& event) {
  return with_reason(of_client("session ended", event), event.reason);
}

std::string session_recovered(const Event& event) {
  return "restored from " + safe_line(event.from) + ": " + counted(event.tasks_restored, "task", "tasks") +
         " done";
}

std::string subagent_started(const Event& event) {
  return subagent(event, "started");
}

std::string subagent_stopped(const Event& event) {
  std::string text = subagent(event, "stopped");
  if (!event.unverified.empty()) text += "; reported done while unticked: " + safe_list(event.unverified);
  return text;
}

std::string noted(const Event& event) {
  return event.note.empty() ? "note removed" : "note: " + safe_line(event.note);
}

std::string claimed(const Event& event) {
  const bool renewed = event.reason == core::kRenewed;
  std::string text = named("task", event.task.text, renewed ? "claim renewed" : "claimed", event.title);
  if (event.until) text += ", until " + minute_of(*event.until);
  // Each machine numbers its own; the fleet's is the one that another machine can compare.
  text += event.fleet_fence > 0 ? ", fleet fence " + std::to_string(event.fleet_fence)
                                : ", fence " + std::to_string(event.fence);
  if (!event.from.empty())
    text += (renewed ? "; held before by " : "; taken over from ") + safe_line(event.from);
  return with_reason(std::move(text), renewed ? std::string_view() : event.reason);
}

std::string released(const Event& event) {
  std::string text = named("task", event.task.text, "released", event.title);
  if (!event.from.empty()) text += "; held by " + safe_line(event.from);
  return with_reason(std::move(text), event.reason);
}

std::string unreadable(const Event& event) {
  return with_reason("the plan could not be read; keeping the last state", event.reason);
}

std::string state_restored(const Event& event) {
  return "state.json was damaged or missing: restored from " + safe_line(event.restored_from);
}

std::string rebuilt(const Event& event) {
  return event.source == "state.json" ? "lost records of the history restored from the state"
                                      : "state rebuilt from plan and history";
}

std::string recovery_saved(const Event& event) {
  return with_reason("recovery copy saved", event.reason);
}

std::string checkpoint_saved(const Event& event) {
  std::string text = "checkpoint " + safe_line(event.checkpoint);
  if (!event.phase.empty()) text += " of phase " + safe_line(event.phase.text);
  return with_reason(std::move(text), event.checkpoint_type);
}

std::string commit_bound(const Event& event) {
  std::string text =
      "commit " + safe_line(short_commit(event.commit)) + " is milestone " + std::to_string(event.milestone);
  if (!event.phase.empty()) text += ", phase " + safe_line(event.phase.text);
  if (!event.sidecar_written) text += "; could not write its sidecar";
  return with_reason(std::move(text), event.tier);
}

std::string rewound(const Event& event) {
  if (event.what == "lost_tasks") return "restored what the plan had lost";
  if (event.what == "plan" && event.to.starts_with("sha256:")) return "restored an earlier version";
  const std::string what = event.what == "all"                 ? "plan and files"
                           : event.what == "head"              ? "plan, files and HEAD"
                           : event.what == core::kFilesAndHead ? "files and HEAD"
                           : event.what == core::kSomePaths    ? "some files"
                                                               : safe_line(event.what);
  return what + " restored to " + safe_line(event.to);
}

std::string drifted(const Event& event) {
  return "plan and last phase commit differ: the plan is at " + safe_line(event.plan_says) +
         ", the commit at " + safe_line(event.checkpoint_says) + " (" + safe_line(event.source) + ")";
}

std::string session_linked(const Event& event) {
  std::string text = "commit " + safe_line(short_commit(event.commit)) + " has session checkpoint " +
                     safe_line(event.session_checkpoint);
  if (!event.phase.empty()) text += ", phase " + safe_line(event.phase.text);
  return text;
}

std::string plan_archived(const Event& event) {
  return event.undo ? "plan taken out of the archive" : "plan archived";
}

// The folders that both paths are in. Which of them is the project's, an event does not say.
std::size_t shared_folders(std::string_view a, std::string_view b) {
  std::size_t end = 0;
  for (std::size_t i = 0; i < a.size() && i < b.size() && a[i] == b[i]; ++i)
    if (a[i] == '/') end = i + 1;
  return end > 1 ? end : 0;  // what shares only "/" stays absolute
}

std::string plan_moved(const Event& event) {
  if (event.from == event.to) return "plan is now called " + safe_line(event.plan_id);
  const std::size_t shared = shared_folders(event.from, event.to);
  return "plan moved from " + safe_line(std::string_view(event.from).substr(shared)) + " to " +
         safe_line(std::string_view(event.to).substr(shared));
}

std::string replica_created(const Event& event) {
  return "this copy of the plan is known to the fleet as " + safe_line(event.replica);
}

// What people are told of an event: "task ID done: TITLE" of `subject` and `words`; the words alone where
// there is no subject; where that is not enough, what `phrase` makes of it.
struct Words {
  core::EventKind kind;
  Paint paint;
  std::string_view subject;
  std::string_view words;
  std::string (*phrase)(const Event&) = nullptr;
};

using Kind = core::EventKind;
constexpr std::array kWords{
    Words{Kind::unknown, Paint::dim, {}, {}, unknown},
    Words{Kind::checkpoint_created, Paint::plain, {}, {}, tracking_started},
    Words{Kind::task_completed, Paint::good, "task", "done"},
    Words{Kind::task_reopened, Paint::warning, "task", "reopened"},
    Words{Kind::task_started, Paint::plain, "task", "started"},
    Words{Kind::task_added, Paint::plain, {}, {}, task_added},
    Words{Kind::task_removed, Paint::warning, {}, {}, task_removed},
    Words{Kind::task_renamed, Paint::plain, {}, {}, task_renamed},
    Words{Kind::task_moved, Paint::plain, {}, {}, task_moved},
    Words{Kind::task_attributed, Paint::plain, "task", "attributed"},
    Words{Kind::tasks_ordered, Paint::plain, {}, {}, tasks_ordered},
    Words{Kind::boxes_found, Paint::plain, {}, {}, boxes_found},
    Words{Kind::boxes_skipped, Paint::plain, {}, {}, boxes_skipped},
    Words{Kind::acceptance_met, Paint::good, {}, {}, criterion_met},
    Words{Kind::acceptance_unmet, Paint::warning, {}, {}, criterion_unmet},
    Words{Kind::acceptance_added, Paint::plain, {}, {}, criterion_added},
    Words{Kind::acceptance_removed, Paint::warning, {}, {}, criterion_removed},
    Words{Kind::acceptance_moved, Paint::plain, {}, {}, criterion_moved},
    Words{Kind::phase_started, Paint::plain, "phase", "started"},
    Words{Kind::phase_completed, Paint::good, "phase", "completed"},
    Words{Kind::phase_reopened, Paint::warning, {}, {}, phase_reopened},
    Words{Kind::phase_added, Paint::plain, {}, {}, phase_added},
    Words{Kind::phase_removed, Paint::warning, "phase", "removed"},
    Words{Kind::decision_recorded, Paint::plain, {}, {}, decided},
    Words{Kind::decision_removed, Paint::warning, {}, {}, decision_removed},
    Words{Kind::blocker_raised, Paint::bad, {}, {}, blocked},
    Words{Kind::blocker_resolved, Paint::good, {}, {}, unblocked},
    Words{Kind::session_started, Paint::plain, {}, {}, session_started},
    Words{Kind::session_ended, Paint::plain, {}, {}, session_ended},
    Words{Kind::session_crash, Paint::bad, {}, "session ended unexpectedly"},
    Words{Kind::session_recovered, Paint::plain, {}, {}, session_recovered},
    Words{Kind::subagent_started, Paint::plain, {}, {}, subagent_started},
    Words{Kind::subagent_stopped, Paint::plain, {}, {}, subagent_stopped},
    Words{Kind::note_saved, Paint::plain, {}, {}, noted},
    Words{Kind::task_claimed, Paint::plain, {}, {}, claimed},
    Words{Kind::task_released, Paint::plain, {}, {}, released},
    Words{Kind::checksum_mismatch, Paint::dim, {}, "plan changed outside plankeep"},
    Words{Kind::parse_error, Paint::bad, {}, {}, unreadable},
    Words{Kind::state_corrupted, Paint::bad, {}, {}, state_restored},
    Words{Kind::full_recovery, Paint::bad, {}, {}, rebuilt},
    Words{Kind::recovery_saved, Paint::dim, {}, {}, recovery_saved},
    Words{Kind::checkpoint_saved, Paint::plain, {}, {}, checkpoint_saved},
    Words{Kind::checkpoint_complete, Paint::good, {}, {}, commit_bound},
    Words{Kind::rewound, Paint::warning, {}, {}, rewound},
    Words{Kind::drift_detected, Paint::warning, {}, {}, drifted},
    Words{Kind::checkpoint_linked, Paint::plain, {}, {}, session_linked},
    Words{Kind::plan_archived, Paint::plain, {}, {}, plan_archived},
    Words{Kind::plan_moved, Paint::plain, {}, {}, plan_moved},
    Words{Kind::replica_created, Paint::dim, {}, {}, replica_created},
};

constexpr bool in_order() {
  for (std::size_t i = 0; i < kWords.size(); ++i) {
    if (static_cast<std::size_t>(kWords[i].kind) != i) return false;
  }
  return kWords.back().kind == Kind::replica_created;
}
static_assert(in_order(), "every event has its words, in the order of the enumeration");

std::string_view id_of(const Event& event, std::string_view subject) {
  if (subject == "task") return event.task.text;
  return subject == "criterion" ? event.criterion.text : event.phase.text;
}

const Words& words_of(Kind kind) {
  return kWords[static_cast<std::size_t>(kind)];
}

}  // namespace

std::string describe(const core::Event& event) {
  const Words& words = words_of(event.kind);
  if (words.phrase != nullptr) return words.phrase(event);
  if (words.subject.empty()) return std::string(words.words);
  return named(words.subject, id_of(event, words.subject), with_via(std::string(words.words), event),
               event.title);
}

std::string describe(const core::Event& event, std::size_t columns) {
  std::string whole = describe(event);
  std::size_t width = base::display_width(whole);
  if (width <= columns) return whole;
  core::Event shorter = event;
  for (std::string Event::*const words :
       {&Event::title, &Event::decision, &Event::blocker, &Event::note, &Event::from}) {
    if (width <= columns) break;
    // Only of a task with other words it is a title.
    if (words == &Event::from && event.kind != Kind::task_renamed) break;
    const std::string line = safe_line(event.*words);
    const std::size_t all = base::display_width(line);
    const std::size_t left = all - std::min(all, width - columns);
    shorter.*words = base::fit_to_width(line, std::max(left, kNarrowTitle));
    whole = describe(shorter);
    width = base::display_width(whole);
  }
  return whole;
}

std::size_t actor_columns(const core::Event& event, std::size_t width) {
  return std::max(width, std::min(base::display_width(safe_line(event.by)), kMostActorColumns));
}

std::string log_line(const core::Event& event, const Style& style, std::size_t actors) {
  const std::size_t columns = std::max(style.columns, kNarrowest);
  std::string time = base::to_iso8601(event.time).substr(0, 19);
  if (time.size() == 19) time[10] = ' ';
  const std::size_t most = columns == kUnlimited ? kUnlimited : columns / 4;
  const std::string by = pad_right(safe_line(event.by), std::min(actors, most));
  const std::size_t used = base::display_width(time) + 2 + base::display_width(by) + 2;
  const std::string what = describe(event, used < columns ? columns - used : 0);
  std::string line = paint(style, Paint::dim, time);
  line += "  ";
  line += by;
  line += "  ";
  line += paint(style, words_of(event.kind).paint, what);
  line += '\n';
  return line;
}

}  // namespace plankeep::render

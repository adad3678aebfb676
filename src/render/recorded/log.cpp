#include "render/recorded/log.hpp"

#include <algorithm>

#include "base/utf8.hpp"
#include "render/progress/leases.hpp"
#include "render/short_commit.hpp"
#include "rules/lease.hpp"

namespace plankeep::render {
namespace {

constexpr std::size_t kActorColumns = 8;  // "external" fits, so most lines are aligned

std::string named(std::string_view what, std::string_view id, std::string_view verb, std::string_view title) {
  std::string text(what);
  text += ' ';
  text += safe_line(id);
  text += ' ';
  text += verb;
  // Plans without titles use the id as title: saying it twice helps nobody.
  if (!title.empty() && title != id) {
    text += ": ";
    text += safe_line(title);
  }
  return text;
}

std::string moved(std::string_view what, std::string_view id, const core::Event& event) {
  std::string text = named(what, id, "moved", {});
  if (!event.from.empty()) text += " from phase " + safe_line(event.from);
  if (!event.phase.empty()) text += " to phase " + safe_line(event.phase.text);
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

template <class Names>
std::string list_of(const Names& names) {
  std::string text;
  for (const auto& name : names) {
    if (!text.empty()) text += ", ";
    if constexpr (requires { name.text; }) {
      text += safe_line(name.text);
    } else {
      text += safe_line(name);
    }
  }
  return text;
}

std::string with_list(std::string text, const std::vector<core::TaskId>& tasks) {
  if (!tasks.empty()) text += ": " + list_of(tasks);
  return text;
}

std::string subagent(const core::Event& event, std::string_view verb) {
  std::string text = "subagent ";
  if (!event.agent_type.empty()) text += safe_line(event.agent_type) + " ";
  text += verb;
  return with_list(std::move(text), event.tasks);
}

std::string stopped(const core::Event& event) {
  std::string text = subagent(event, "stopped");
  if (!event.unverified.empty()) text += "; reported done but not ticked: " + list_of(event.unverified);
  return text;
}

std::string unmet_words(const core::Event& event) {
  if (!event.evidence) return "no longer met";
  if (event.evidence->timed_out) return "not met, its command timed out";
  return "not met, its command failed with status " + std::to_string(event.evidence->status);
}

std::string claimed(const core::Event& event) {
  const bool renewed = event.reason == core::kRenewed;
  std::string text = named("task", event.task.text, renewed ? "claim renewed" : "claimed", event.title);
  if (event.until) text += ", until " + minute_of(*event.until);
  text += ", fence " + std::to_string(event.fence);
  if (!event.from.empty()) text += "; taken over from " + safe_line(event.from);
  return with_reason(std::move(text), renewed ? std::string_view() : event.reason);
}

std::string released(const core::Event& event) {
  std::string text = named("task", event.task.text, "released", event.title);
  if (!event.from.empty()) text += "; held by " + safe_line(event.from);
  return with_reason(std::move(text), event.reason);
}

std::string checkpoint_words(const core::Event& event) {
  std::string text = "checkpoint " + safe_line(event.checkpoint);
  if (!event.phase.empty()) text += " of phase " + safe_line(event.phase.text);
  return with_reason(std::move(text), event.detail);
}

// So much of a commit's id tells it from others for people.

std::string commit_words(const core::Event& event) {
  std::string text = "commit " + safe_line(event.commit.substr(0, kShortCommit)) + " is milestone " +
                     std::to_string(event.count);
  if (!event.phase.empty()) text += ", phase " + safe_line(event.phase.text);
  if (!event.done) text += "; could not write its sidecar";
  return with_reason(std::move(text), event.detail);
}

std::string rewound_words(const core::Event& event) {
  if (event.detail == "lost_tasks") return "restored lost tasks";
  if (event.detail == "plan" && event.text.starts_with("sha256:")) return "restored an earlier version";
  const std::string what = event.detail == "all"    ? "plan and files"
                           : event.detail == "head" ? "plan, files and HEAD"
                                                    : safe_line(event.detail);
  return what + " restored to " + safe_line(event.text);
}

Paint paint_of(core::EventKind kind) {
  switch (kind) {
    case core::EventKind::task_completed:
    case core::EventKind::acceptance_met:
    case core::EventKind::phase_completed:
    case core::EventKind::blocker_resolved:
    case core::EventKind::checkpoint_complete:
      return Paint::good;
    case core::EventKind::task_reopened:
    case core::EventKind::task_removed:
    case core::EventKind::acceptance_unmet:
    case core::EventKind::acceptance_removed:
    case core::EventKind::decision_removed:
    case core::EventKind::phase_reopened:
    case core::EventKind::phase_removed:
    case core::EventKind::checksum_mismatch:
    case core::EventKind::rewound:
    case core::EventKind::drift_detected:
      return Paint::warning;
    case core::EventKind::blocker_raised:
    case core::EventKind::parse_error:
    case core::EventKind::state_corrupted:
    case core::EventKind::full_recovery:
    case core::EventKind::session_crash:
      return Paint::bad;
    case core::EventKind::recovery_saved:
    case core::EventKind::unknown:
      return Paint::dim;
    default:
      return Paint::plain;
  }
}

}  // namespace

std::string describe(const core::Event& event) {
  const std::string& task = event.task.text;
  const std::string& phase = event.phase.text;
  const std::string& criterion = event.criterion.text;
  switch (event.kind) {
    case core::EventKind::unknown: {
      std::string text = safe_line(event.name);
      if (!task.empty()) text += " " + safe_line(task);
      return text;
    }
    case core::EventKind::checkpoint_created:
      return "tracking started: " + counted(event.count, "task", "tasks");
    case core::EventKind::task_completed:
      return named("task", task, "done", event.title);
    case core::EventKind::task_reopened:
      return named("task", task, "reopened", event.title);
    case core::EventKind::task_started:
      return named("task", task, "started", event.title);
    case core::EventKind::plan_moved:
      return "plan moved from " + safe_line(event.from) + " to " + safe_line(event.text);
    case core::EventKind::task_added:
      return named("task", task, event.done ? "added, done" : "added", event.title);
    case core::EventKind::task_removed:
      return named("task", task, "removed", event.title);
    case core::EventKind::task_renamed:
      return with_reason(named("task", task, "renamed", event.title),
                         event.from.empty() ? "" : "was: " + event.from);
    case core::EventKind::task_moved:
      return moved("task", task, event);
    case core::EventKind::checkpoint_saved:
      return checkpoint_words(event);
    case core::EventKind::checkpoint_complete:
      return commit_words(event);
    case core::EventKind::rewound:
      return rewound_words(event);
    case core::EventKind::drift_detected:
      return "plan and last phase commit differ: the plan is at " + safe_line(event.text) +
             ", the commit at " + safe_line(event.checkpoint) + " (" + safe_line(event.detail) + ")";
    case core::EventKind::task_attributed:
      return named("task", task, "attributed", event.title);
    case core::EventKind::acceptance_met:
      return named("criterion", criterion, event.evidence ? "met, its command passed" : "met", event.title);
    case core::EventKind::acceptance_unmet:
      return named("criterion", criterion, unmet_words(event), event.title);
    case core::EventKind::acceptance_added:
      return named("criterion", criterion, event.done ? "added, met" : "added", event.title);
    case core::EventKind::acceptance_removed:
      return named("criterion", criterion, "removed", event.title);
    case core::EventKind::acceptance_moved:
      return moved("criterion", criterion, event);
    case core::EventKind::phase_added:
      return named("phase", phase, "added", event.title);
    case core::EventKind::phase_started:
      return named("phase", phase, "started", event.title);
    case core::EventKind::phase_completed:
      return named("phase", phase, "completed", event.title);
    case core::EventKind::phase_reopened:
      return named("phase", phase, "reopened", event.title);
    case core::EventKind::phase_removed:
      return named("phase", phase, "removed", event.title);
    case core::EventKind::decision_recorded:
      return with_reason("decision: " + safe_line(event.text), event.reason);
    case core::EventKind::decision_removed:
      return "decision removed: " + safe_line(event.text);
    case core::EventKind::blocker_raised:
      return "blocked: " + safe_line(event.text);
    case core::EventKind::blocker_resolved:
      return "blocker resolved: " + safe_line(event.text);
    case core::EventKind::session_started:
      return with_reason(of_client("session started", event), event.detail);
    case core::EventKind::session_ended:
      return with_reason(of_client("session ended", event), event.reason);
    case core::EventKind::session_crash:
      return "session ended unexpectedly";
    case core::EventKind::session_recovered:
      return "restored from " + safe_line(event.from) + ": " + counted(event.count, "task", "tasks") +
             " done";
    case core::EventKind::subagent_started:
      return subagent(event, "started");
    case core::EventKind::subagent_stopped:
      return stopped(event);
    case core::EventKind::note_saved:
      return event.text.empty() ? "note removed" : "note: " + safe_line(event.text);
    case core::EventKind::task_claimed:
      return claimed(event);
    case core::EventKind::task_released:
      return released(event);
    case core::EventKind::checksum_mismatch:
      return "plan changed outside plankeep";
    case core::EventKind::parse_error:
      return with_reason("the plan could not be read; keeping the last state", event.reason);
    case core::EventKind::state_corrupted:
      return "state.json was damaged or missing: restored from " + safe_line(event.detail);
    case core::EventKind::full_recovery:
      return event.detail == "state.json" ? "history was lost; rebuilt from the state"
                                          : "state rebuilt from plan and history";
    case core::EventKind::recovery_saved:
      return with_reason("recovery copy saved", event.reason);
  }
  return safe_line(event.name);
}

std::string log_line(const core::Event& event, const Style& style) {
  const std::size_t columns = std::max(style.columns, kNarrowest);
  std::string time = base::to_iso8601(event.time).substr(0, 19);
  if (time.size() == 19) time[10] = ' ';
  const std::string by =
      pad_right(safe_line(event.by, std::min<std::size_t>(columns / 4, 24)), kActorColumns);
  const std::size_t used = base::display_width(time) + 2 + base::display_width(by) + 2;
  const std::string what = base::fit_to_width(describe(event), used < columns ? columns - used : 0);
  std::string line = paint(style, Paint::dim, time);
  line += "  ";
  line += by;
  line += "  ";
  line += paint(style, paint_of(event.kind), what);
  line += '\n';
  return line;
}

}  // namespace plankeep::render

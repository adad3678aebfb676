#include "fleet/fleet_text.hpp"

#include <algorithm>

#include "base/json_reader.hpp"
#include "base/json_writer.hpp"
#include "base/text.hpp"
#include "model/item_key.hpp"
#include "model/json/event_json.hpp"
#include "render/recorded/log.hpp"

namespace plankeep::fleet {
namespace {

using base::JsonWriter;
using render::safe_line;

constexpr std::size_t kMachineShown = 8;
constexpr std::size_t kReplicaShown = 8;
constexpr std::int64_t kStale = 14 * base::kDay;
constexpr std::size_t kTasksShown = 20;

void write_replica(JsonWriter& out, const ReplicaName& replica) {
  out.key("replica").value(replica.id);
  out.key("login").value(replica.login);
  out.key("machine").value(replica.machine);
}

// As the server gave it; what is no JSON would spoil ours.
void write_json(JsonWriter& out, std::string_view name, std::string_view json) {
  base::JsonReader in(json);
  const bool sound = in.skip() && in.end() && json.find('\n') == std::string_view::npos;
  out.key(name);
  if (sound) {
    out.raw(json);
  } else {
    out.value(json);
  }
}

std::string clock_time(base::Instant time) {
  std::string text = base::to_iso8601(time).substr(0, 19);
  std::replace(text.begin(), text.end(), 'T', ' ');
  return text;
}

std::int64_t tenths(std::int64_t part, std::int64_t whole) {
  return whole == 0 ? 0 : part * 1000 / whole;
}

bool is_stale(const FleetSight& sight, const PlanSight& plan) {
  const bool open = plan.done() < static_cast<std::int64_t>(plan.tasks.size());
  return open && plan.last_push && plan.last_push->milliseconds + kStale < sight.now.milliseconds;
}

std::string named(const std::string& task, const std::string& title) {
  const std::string_view rest = core::title_beside_id(title, task);
  return safe_line(task) + (rest.empty() ? "" : "  " + safe_line(rest));
}

}  // namespace

std::string shown_replica(const ReplicaName& replica) {
  return safe_line(replica.login) + " on " + safe_line(replica.machine.substr(0, kMachineShown));
}

std::string shown_checkpoint(const ReplicaName& replica, const std::string& id) {
  return safe_line(replica.id.substr(0, kReplicaShown) + ":" + id);
}

std::string push_text(const std::vector<PushReport>& pushed) {
  std::string text;
  for (const PushReport& one : pushed) {
    text += safe_line(one.path) + ": ";
    std::string what;
    if (one.sent > 0) base::append_listed(what, base::counted(one.sent, "line", "lines"));
    if (one.text_sent) base::append_listed(what, "the plan's text");
    if (one.checkpoints > 0)
      base::append_listed(what, base::counted(one.checkpoints, "checkpoint", "checkpoints"));
    text += what.empty() ? "nothing new" : "sent " + what;
    const ToldClaims& claims = one.claims;
    if (claims.renewed > 0) text += "; " + base::counted(claims.renewed, "claim", "claims") + " renewed";
    if (claims.ended > 0) text += "; " + base::counted(claims.ended, "claim", "claims") + " ended";
    if (one.redacted > 0) text += "; " + base::counted(one.redacted, "secret", "secrets") + " redacted";
    text += "\n";
  }
  return text;
}

std::string push_json(const std::vector<PushReport>& pushed) {
  JsonWriter out(JsonWriter::Layout::indented);
  out.begin_object();
  out.key("pushed").begin_array();
  for (const PushReport& one : pushed) {
    out.begin_object();
    out.key("plan").value(one.path);
    out.key("replica").value(one.replica);
    out.key("sent").value(one.sent);
    out.key("lines").value(one.lines);
    out.key("conflict");
    if (one.conflict) {
      out.value(*one.conflict);
    } else {
      out.null();
    }
    out.key("textSent").value(one.text_sent);
    out.key("checkpoints").value(one.checkpoints);
    out.key("renewed").value(one.claims.renewed);
    out.key("ended").value(one.claims.ended);
    out.key("redacted").value(one.redacted);
    out.end_object();
  }
  out.end_array();
  out.end_object();
  return out.finish();
}

std::string status_text(const FleetSight& sight, const render::Style& style) {
  if (sight.plans.empty()) return "no plan has been pushed yet\n";
  std::string text;
  std::string project;
  for (const PlanSight& plan : sight.plans) {
    if (plan.project != project) {
      project = plan.project;
      text +=
          (text.empty() ? "" : "\n") + render::paint(style, render::Paint::strong, safe_line(project)) + "\n";
    }
    const auto total = static_cast<std::int64_t>(plan.tasks.size());
    text += "  " + safe_line(plan.path) + "  " + render::percent(tenths(plan.done(), total)) + "%  " +
            std::to_string(plan.done()) + " of " + base::counted(total, "task", "tasks") + "  " +
            base::counted(plan.replicas, "replica", "replicas");
    if (plan.last_push) text += ", last push " + base::ago(*plan.last_push, sight.now);
    if (is_stale(sight, plan)) text += render::paint(style, render::Paint::warning, "  stale");
    if (!plan.blockers.empty()) text += render::paint(style, render::Paint::bad, "  blocked");
    text += "\n";
    for (const FleetLease& lease : plan.leases) {
      text += "    claimed   " + safe_line(lease.task) + "  by " + safe_line(lease.holder) + " (" +
              shown_replica(lease.replica) + ")" +
              (lease.stands ? " until " + clock_time(lease.until) : ", expired") + ", fence " +
              std::to_string(lease.fence) + "\n";
    }
    std::size_t active = 0;
    for (const TaskWord& word : plan.tasks) {
      if (word.state != "active" || ++active > kTasksShown) continue;
      text += "    active    " + named(word.task, word.title) + "  " + safe_line(word.by) + " (" +
              shown_replica(word.replica) + ")\n";
    }
    std::size_t differ = 0;
    for (const TaskWord& word : plan.tasks) {
      if (word.disagree.empty() || ++differ > kTasksShown) continue;
      text += render::paint(style, render::Paint::warning, "    disagree  ") + named(word.task, word.title);
      const bool alike =
          std::any_of(word.disagree.begin(), word.disagree.end(), [&](const TaskWord::Other& other) {
            return shown_replica(other.replica) == shown_replica(word.replica);
          });
      const auto said_by = [&](const ReplicaName& replica) {
        return shown_replica(replica) +
               (alike ? " in " + safe_line(replica.id.substr(0, kReplicaShown)) : "");
      };
      text += "  " + word.state + " says " + said_by(word.replica);
      for (const TaskWord::Other& other : word.disagree)
        text += ", " + safe_line(other.state) + " says " + said_by(other.replica) +
                (other.replicas > 1 ? " and " + std::to_string(other.replicas - 1) + " more" : "");
      text += "\n";
    }
    if (differ > kTasksShown) text += "    and " + std::to_string(differ - kTasksShown) + " more disagree\n";
    for (const std::string& blocker : plan.blockers)
      text += render::paint(style, render::Paint::bad, "    blocker   ") + safe_line(blocker) + "\n";
  }
  return text;
}

std::string status_json(const FleetSight& sight) {
  JsonWriter out(JsonWriter::Layout::indented);
  out.begin_object();
  out.key("now").value(base::to_iso8601(sight.now));
  out.key("plans").begin_array();
  for (const PlanSight& plan : sight.plans) {
    out.begin_object();
    out.key("project").value(plan.project);
    out.key("path").value(plan.path);
    out.key("replicas").value(plan.replicas);
    out.key("lines").value(plan.lines);
    out.key("lastPush");
    if (plan.last_push) {
      out.value(base::to_iso8601(*plan.last_push));
    } else {
      out.null();
    }
    out.key("totalTasks").value(plan.tasks.size());
    out.key("completedTasks").value(plan.done());
    out.key("stale").value(is_stale(sight, plan));
    out.key("tasks").begin_array();
    for (const TaskWord& word : plan.tasks) {
      out.begin_object();
      out.key("id").value(word.task);
      out.key("phaseId").value(word.phase);
      out.key("title").value(word.title);
      out.key("state").value(word.state);
      out.key("by").value(word.by);
      out.key("ts").value(base::to_iso8601(word.time));
      write_replica(out, word.replica);
      out.key("replicas").value(word.replicas);
      out.key("disagree").begin_array();
      for (const TaskWord::Other& other : word.disagree) {
        out.begin_object();
        out.key("state").value(other.state);
        out.key("ts").value(base::to_iso8601(other.time));
        write_replica(out, other.replica);
        out.key("replicas").value(other.replicas);
        out.end_object();
      }
      out.end_array();
      out.end_object();
    }
    out.end_array();
    out.key("claims").begin_array();
    for (const FleetLease& lease : plan.leases) {
      out.begin_object();
      out.key("taskId").value(lease.task);
      out.key("by").value(lease.holder);
      out.key("fence").value(lease.fence);
      out.key("claimedAt").value(base::to_iso8601(lease.since));
      out.key("until").value(base::to_iso8601(lease.until));
      out.key("stands").value(lease.stands);
      write_replica(out, lease.replica);
      out.end_object();
    }
    out.end_array();
    out.key("blockers").strings(plan.blockers);
    out.end_object();
  }
  out.end_array();
  out.end_object();
  return out.finish();
}

std::string log_line_text(const LogLine& line, const render::Style& style) {
  auto event = core::decode_event(line.body);
  const std::string who = render::pad_right(shown_replica(line.replica), 20) + "  ";
  if (!event) return who + "a line that is no event\n";
  if (!event->checkpoint.empty()) event->checkpoint = shown_checkpoint(line.replica, event->checkpoint);
  return who + render::log_line(*event, style);
}

std::string log_line_json(const LogLine& line) {
  JsonWriter out(JsonWriter::Layout::compact);
  out.begin_object();
  write_replica(out, line.replica);
  out.key("line").value(line.line);
  write_json(out, "event", line.body);
  out.end_object();
  std::string text = out.finish();
  while (text.ends_with('\n')) text.pop_back();
  return text + "\n";
}

std::string checkpoints_text(const std::vector<CheckpointSight>& found, base::Instant now,
                             const render::Style& style) {
  (void)style;
  if (found.empty()) return "no checkpoint has been pushed yet\n";
  std::string text;
  for (const CheckpointSight& one : found) {
    text += render::pad_right(shown_checkpoint(one.replica, one.id), 24) + "  " +
            render::pad_right(safe_line(one.type), 16) + "  " +
            render::pad_right(base::ago(one.time, now), 12) + "  " + shown_replica(one.replica) +
            (one.phase.empty() ? "" : "  " + safe_line(one.phase)) + "\n";
  }
  return text;
}

std::string checkpoints_json(const std::vector<CheckpointSight>& found) {
  JsonWriter out(JsonWriter::Layout::indented);
  out.begin_object();
  out.key("checkpoints").begin_array();
  for (const CheckpointSight& one : found) {
    out.begin_object();
    write_replica(out, one.replica);
    out.key("id").value(one.id);
    out.key("type").value(one.type);
    out.key("timestamp").value(base::to_iso8601(one.time));
    out.key("phaseId").value(one.phase);
    if (!one.body.empty()) write_json(out, "checkpoint", one.body);
    out.end_object();
  }
  out.end_array();
  out.end_object();
  return out.finish();
}

namespace {

std::string shown_holder(const FleetHolder& holder) {
  std::string text = holder.holder.empty() ? "somebody" : safe_line(holder.holder);
  return text + " (" + shown_replica({{}, holder.login, holder.machine}) + ")";
}

void write_holder(JsonWriter& out, std::string_view name, const std::optional<FleetHolder>& holder) {
  out.key(name);
  if (!holder) {
    out.null();
    return;
  }
  out.begin_object();
  out.key("by").value(holder->holder);
  out.key("login").value(holder->login);
  out.key("machine").value(holder->machine);
  if (holder->fence > 0) out.key("fence").value(holder->fence);
  if (!holder->since.empty()) out.key("since").value(holder->since);
  if (!holder->until.empty()) out.key("until").value(holder->until);
  out.end_object();
}

}  // namespace

std::string claim_text(const FleetClaim& claim) {
  const std::string task = named(claim.task, claim.title);
  if (claim.verdict == FleetVerdict::released) return "released for the whole fleet: " + task + "\n";
  if (!claim.own) return "";
  return std::string(claim.verdict == FleetVerdict::renewed ? "renewed" : "claimed") +
         " for the whole fleet: " + task + "\nuntil " + safe_line(claim.own->until) +
         " (the server's clock), fence " + std::to_string(claim.own->fence) + "\n";
}

std::string claim_json(const FleetClaim& claim) {
  JsonWriter out(JsonWriter::Layout::indented);
  out.begin_object();
  out.key("result").value(name_of(claim.verdict));
  out.key("task");
  if (claim.task.empty()) {
    out.null();
  } else {
    out.begin_object();
    out.key("id").value(claim.task);
    out.key("phaseId").value(claim.phase);
    out.key("title").value(claim.title);
    out.end_object();
  }
  write_holder(out, "claim", claim.own);
  write_holder(out, "other", claim.other);
  out.key("why");
  if (claim.verdict == FleetVerdict::local && claim.answer) {
    out.value(app::name_of(claim.answer->result));
  } else {
    out.null();
  }
  out.end_object();
  return out.finish();
}

base::Error claim_refusal(const FleetClaim& claim) {
  const std::string task = safe_line(claim.task);
  const auto no = [](std::string message, std::string hint = {}) {
    return base::Error{base::ErrorKind::conflict, std::move(message), {}, std::move(hint)};
  };
  switch (claim.verdict) {
    case FleetVerdict::held:
      if (!claim.other) return no(task + " was taken a moment ago");
      return no(
          task + " is claimed by " + shown_holder(*claim.other) + " until " + safe_line(claim.other->until),
          "take another: plankeep fleet next");
    case FleetVerdict::done:
      return no(task + " is done: " + shown_holder(*claim.other) + ", " + safe_line(claim.other->since),
                "bring your plan up to date");
    case FleetVerdict::none_left:
      return no("no task is available: every open one is claimed or waits for another",
                "plankeep fleet status shows who has what");
    case FleetVerdict::nothing:
      if (claim.other)
        return no(task + " is claimed by " + shown_holder(*claim.other) + ", not by this folder");
      return no(task + " is not claimed in the fleet");
    default:
      break;
  }
  const std::string why = claim.answer ? std::string(app::name_of(claim.answer->result)) : "refused";
  return no(task + " cannot be claimed here: " + why, "plankeep show " + task);
}

}  // namespace plankeep::fleet

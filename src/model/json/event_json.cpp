#include "model/json/event_json.hpp"

#include <charconv>

#include "base/instant.hpp"
#include "base/json_reader.hpp"
#include "base/json_writer.hpp"
#include "model/json/evidence_json.hpp"
#include "model/json/json_fields.hpp"
#include "model/json/removed_json.hpp"
#include "model/progress.hpp"

namespace plankeep::core {
namespace {

using base::JsonReader;
using base::JsonWriter;
using base::Status;

// What an event can carry. The same name may mean different things in different events ("tasks" is a count
// here and a list there), so a field is read only where it belongs.
enum Field : unsigned {
  kTask = 1U << 0U,
  kCriterion = 1U << 1U,
  kPhase = 1U << 2U,
  kBy = 1U << 3U,
  kTitle = 1U << 4U,
  kFrom = 1U << 5U,
  kReason = 1U << 6U,
  kDone = 1U << 7U,
  kMet = 1U << 8U,
  kPlan = 1U << 9U,  // planId, tasks, ids, phases
  kStatus = 1U << 10U,
  kSession = 1U << 11U,
  kClient = 1U << 12U,
  kAgent = 1U << 13U,     // agentType, agentId
  kAgentId = 1U << 14U,   // agentId alone
  kAssigned = 1U << 15U,  // tasks: a list
  kFinished = 1U << 16U,  // completed, completedTasks, claimed, unverified
  kRestored = 1U << 17U,  // tasksRestored
  kEvidence = 1U << 18U,
  kLease = 1U << 19U,       // fence; until, host, process
  kCheckpoint = 1U << 20U,  // checkpointId
  kMilestone = 1U << 21U,   // milestone_index, commit_sha, sidecar_written
  kDrift = 1U << 22U,       // checkpoint
  kPlanId = 1U << 23U,      // planId alone
  kByKnown = 1U << 24U,     // by, where it is known
};

struct Shape {
  unsigned fields = 0;
  std::string_view text;    // the name under which Event::text stands
  std::string_view detail;  // the name under which Event::detail stands
  bool has(Field field) const { return (fields & field) != 0; }
};

Shape shape_of(EventKind kind) {
  constexpr unsigned kOfTask = kTask | kPhase | kBy | kTitle;
  switch (kind) {
    case EventKind::unknown:
      return {};
    case EventKind::checkpoint_created:
      return {kPlan, {}, {}};
    case EventKind::task_completed:
      return {kOfTask | kAgentId, {}, {}};
    case EventKind::task_reopened:
    case EventKind::task_started:
    case EventKind::task_removed:
      return {kOfTask, {}, {}};
    case EventKind::task_added:
      return {kOfTask | kDone, {}, {}};
    case EventKind::task_renamed:
    case EventKind::task_moved:
      return {kOfTask | kFrom, {}, {}};
    case EventKind::task_attributed:
      return {kOfTask | kFrom | kAgentId, {}, {}};
    case EventKind::acceptance_met:
    case EventKind::acceptance_unmet:
      return {kCriterion | kPhase | kBy | kEvidence, {}, {}};
    case EventKind::acceptance_removed:
      return {kCriterion | kPhase | kBy, {}, {}};
    case EventKind::acceptance_added:
      return {kCriterion | kPhase | kBy | kMet, {}, {}};
    case EventKind::acceptance_moved:
      return {kCriterion | kPhase | kBy | kFrom, {}, {}};
    case EventKind::phase_started:
    case EventKind::phase_completed:
    case EventKind::phase_removed:
      return {kPhase, {}, {}};
    case EventKind::phase_reopened:
    case EventKind::phase_added:
      return {kPhase | kStatus, {}, {}};
    case EventKind::decision_recorded:
      return {kReason | kByKnown, "decision", {}};
    case EventKind::decision_removed:
      return {kByKnown, "decision", {}};
    case EventKind::blocker_raised:
    case EventKind::blocker_resolved:
      return {kByKnown, "blocker", {}};
    case EventKind::session_started:
      return {kSession | kClient, {}, "source"};
    case EventKind::session_ended:
      return {kSession | kClient | kReason, {}, {}};
    case EventKind::session_crash:
      return {kSession, {}, "lastKnownState"};
    case EventKind::session_recovered:
      return {kSession | kFrom | kRestored, {}, {}};
    case EventKind::subagent_started:
      return {kAgent | kSession | kAssigned, {}, {}};
    case EventKind::subagent_stopped:
      return {kAgent | kSession | kFinished, {}, {}};
    case EventKind::note_saved:
      return {kReason | kByKnown, "note", {}};
    case EventKind::task_claimed:
      return {kOfTask | kSession | kFrom | kReason | kLease, {}, {}};
    case EventKind::task_released:
      return {kOfTask | kFrom | kReason | kLease, {}, {}};
    case EventKind::checksum_mismatch:
      return {0, {}, "action"};
    case EventKind::parse_error:
      return {kReason, {}, "fallback"};
    case EventKind::state_corrupted:
      return {0, {}, "restored_from"};
    case EventKind::full_recovery:
      return {0, {}, "source"};
    case EventKind::recovery_saved:
      return {kReason, {}, {}};
    case EventKind::checkpoint_saved:
      return {kCheckpoint | kPhase, {}, "type"};
    case EventKind::checkpoint_complete:
      return {kMilestone | kPhase, {}, "tier"};
    case EventKind::rewound:
      return {kFrom | kBy, "to", "what"};
    case EventKind::drift_detected:
      return {kDrift, "plan", "source"};
    case EventKind::plan_moved:
      return {kPlanId | kFrom, "to", {}};
  }
  return {};
}

void optional_text(JsonWriter& out, std::string_view name, std::string_view text) {
  if (!text.empty()) out.key(name).value(text);
}

template <class Name>
void write_names(JsonWriter& out, std::string_view key, const std::vector<Name>& names) {
  if (names.empty()) return;
  out.key(key).begin_array();
  for (const Name& name : names) out.value(name.text);
  out.end_array();
}

void write_texts(JsonWriter& out, std::string_view key, const std::vector<std::string>& texts) {
  if (texts.empty()) return;
  out.key(key).begin_array();
  for (const std::string& text : texts) out.value(text);
  out.end_array();
}

// What the events about sessions and subagents have.
void write_session(JsonWriter& out, const Event& event, const Shape& shape) {
  if (shape.has(kAgent)) {
    out.key("agentType").value(event.agent_type);
    out.key("agentId").value(event.agent);
  }
  if (shape.has(kAgentId)) optional_text(out, "agentId", event.agent);
  if (shape.has(kAssigned)) {
    out.key("tasks").begin_array();
    for (const TaskId& id : event.tasks) out.value(id.text);
    out.end_array();
  }
  if (shape.has(kFinished)) {
    out.key("completed").value(event.tasks.size());
    write_names(out, "completedTasks", event.tasks);
    write_texts(out, "claimed", event.claimed);
    write_texts(out, "unverified", event.unverified);
  }
  if (shape.has(kSession)) optional_text(out, "sessionId", event.session);
  if (shape.has(kClient)) optional_text(out, "client", event.client);
  if (shape.has(kRestored)) out.key("tasksRestored").value(event.count);
}

void write_lease(JsonWriter& out, const Event& event) {
  if (event.until) out.key("until").value(base::to_iso8601(*event.until));
  out.key("fence").value(event.fence);
  optional_text(out, "host", event.host);
  optional_text(out, "process", event.process);
}

void write_plan(JsonWriter& out, const Event& event) {
  out.key("planId").value(event.plan_id);
  if (event.count >= 0) out.key("tasks").value(event.count);
  if (!event.ids.empty()) {
    out.key("ids").begin_array();
    for (const GivenId& given : event.ids) {
      out.begin_object();
      out.key("id").value(given.id.text);
      out.key("title").value(given.title);
      optional_text(out, "phaseId", given.phase.text);
      out.end_object();
    }
    out.end_array();
  }
  if (event.fence > 0) out.key("fence").value(event.fence);
  if (!event.removed.empty()) {
    out.key("removed").begin_array();
    for (const RemovedTask& removed : event.removed) write_removed(out, removed);
    out.end_array();
  }
  if (event.phases.empty()) return;
  out.key("phases").begin_array();
  for (const PhaseInventory& phase : event.phases) {
    out.begin_object();
    out.key("id").value(phase.id.text);
    out.key("status").value(name_of(phase.status));
    write_names(out, "tasks", phase.tasks);
    write_names(out, "done", phase.done);
    write_names(out, "acceptance", phase.criteria);
    write_names(out, "met", phase.met);
    out.end_object();
  }
  out.end_array();
}

Status read_batch(JsonReader& in, Batch& batch) {
  std::string text;
  TRY(in.string(text));
  const char* const last = text.data() + text.size();
  Batch read;
  const auto index = std::from_chars(text.data(), last, read.index);
  if (index.ec == std::errc{} && index.ptr != last && *index.ptr == '/') {
    const auto size = std::from_chars(index.ptr + 1, last, read.size);
    if (size.ec == std::errc{} && size.ptr == last && read.index >= 1 && read.index <= read.size) {
      batch = read;
      return {};
    }
  }
  return in.error("a place in a batch like \"2/3\"");
}

Status read_ids(JsonReader& in, std::vector<GivenId>& ids) {
  ids.clear();
  return in.array([&]() -> Status {
    GivenId& given = ids.emplace_back();
    return in.object([&](std::string_view key) -> Status {
      if (key == "id") return in.string(given.id.text);
      if (key == "title") return in.string(given.title);
      if (key == "phaseId") return in.string(given.phase.text);
      return in.skip();
    });
  });
}

template <class Name>
Status read_names(JsonReader& in, std::vector<Name>& names) {
  names.clear();
  return in.array([&]() -> Status { return in.string(names.emplace_back().text); });
}

Status read_inventory(JsonReader& in, std::vector<PhaseInventory>& phases) {
  phases.clear();
  return in.array([&]() -> Status {
    PhaseInventory& phase = phases.emplace_back();
    return in.object([&](std::string_view key) -> Status {
      if (key == "id") return in.string(phase.id.text);
      if (key == "status") return read_status(in, phase.status);
      if (key == "tasks") return read_names(in, phase.tasks);
      if (key == "done") return read_names(in, phase.done);
      if (key == "acceptance") return read_names(in, phase.criteria);
      if (key == "met") return read_names(in, phase.met);
      return in.skip();
    });
  });
}

Status read_texts(JsonReader& in, std::vector<std::string>& texts) {
  texts.clear();
  return in.array([&]() -> Status { return in.string(texts.emplace_back()); });
}

// A field of the events about sessions and subagents; `known` says whether it was one.
Status read_session_field(JsonReader& in, std::string_view key, const Shape& shape, Event& event,
                          bool& known) {
  known = true;
  if (shape.has(kSession) && key == "sessionId") return in.string(event.session);
  if (shape.has(kClient) && key == "client") return in.string(event.client);
  if (shape.has(kAgent) && key == "agentType") return in.string(event.agent_type);
  if ((shape.has(kAgent) || shape.has(kAgentId)) && key == "agentId") return in.string(event.agent);
  if (shape.has(kAssigned) && key == "tasks") return read_names(in, event.tasks);
  if (shape.has(kFinished)) {
    if (key == "completedTasks") return read_names(in, event.tasks);
    if (key == "claimed") return read_texts(in, event.claimed);
    if (key == "unverified") return read_texts(in, event.unverified);
  }
  if (shape.has(kRestored) && key == "tasksRestored") return in.integer(event.count);
  known = false;
  return {};
}

Status read_fence(JsonReader& in, std::int64_t& fence) {
  TRY(in.integer(fence));
  if (fence < 0 || fence > kLargestFence) return in.error("a number from 0 to 9007199254740991");
  return {};
}

// A field of the events about leases; `known` says whether it was one.
Status read_lease_field(JsonReader& in, std::string_view key, Event& event, bool& known) {
  known = true;
  if (key == "until") return read_time(in, event.until.emplace());
  if (key == "fence") return read_fence(in, event.fence);
  if (key == "host") return in.string(event.host);
  if (key == "process") return in.string(event.process);
  known = false;
  return {};
}

// A field of the events about checkpoints and commits; `known` says whether it was one.
Status read_checkpoint_field(JsonReader& in, std::string_view key, const Shape& shape, Event& event,
                             bool& known) {
  known = true;
  if (shape.has(kCheckpoint) && key == "checkpointId") return in.string(event.checkpoint);
  if (shape.has(kDrift) && key == "checkpoint") return in.string(event.checkpoint);
  if (shape.has(kMilestone)) {
    if (key == "milestone_index") return in.integer(event.count);
    if (key == "commit_sha") return in.string(event.commit);
    if (key == "sidecar_written") return in.boolean(event.done);
    if (key == "last" || key == "phaseComplete") {
      bool yes = false;
      TRY(in.boolean(yes));
      if (key == "last") event.passed_by = !yes;
      if (key == "phaseComplete" && yes) event.status = PhaseStatus::completed;
      return {};
    }
  }
  known = false;
  return {};
}

// One field that is neither `ts` nor `event`.
Status read_field(JsonReader& in, std::string_view key, const Shape& shape, Event& event) {
  if (key == "batch") return read_batch(in, event.batch);
  constexpr unsigned kOfSessions = kSession | kClient | kAgent | kAgentId | kAssigned | kFinished | kRestored;
  if ((shape.fields & kOfSessions) != 0) {
    bool known = false;
    TRY(read_session_field(in, key, shape, event, known));
    if (known) return {};
  }
  if (shape.has(kLease)) {
    bool known = false;
    TRY(read_lease_field(in, key, event, known));
    if (known) return {};
  }
  if ((shape.fields & (kCheckpoint | kMilestone | kDrift)) != 0) {
    bool known = false;
    TRY(read_checkpoint_field(in, key, shape, event, known));
    if (known) return {};
  }
  if (shape.has(kTask) && key == "taskId") return in.string(event.task.text);
  if (shape.has(kCriterion) && key == "criteriaId") return in.string(event.criterion.text);
  if (shape.has(kPhase) && key == "phaseId") return in.string(event.phase.text);
  if ((shape.fields & (kBy | kByKnown)) != 0 && key == "by") return in.string(event.by);
  if (shape.has(kTitle) && key == "title") return in.string(event.title);
  if (shape.has(kFrom) && key == "from") return in.string(event.from);
  if (shape.has(kReason) && key == "reason") return in.string(event.reason);
  if (shape.has(kDone) && key == "done") return in.boolean(event.done);
  if (shape.has(kMet) && key == "met") return in.boolean(event.done);
  if (shape.has(kEvidence) && key == "evidence") return read_evidence(in, event.evidence.emplace());
  if (shape.has(kStatus) && key == "status") return read_status(in, event.status);
  if (!shape.text.empty() && key == shape.text) return in.string(event.text);
  if (!shape.detail.empty() && key == shape.detail) return in.string(event.detail);
  if (shape.has(kPlanId) && key == "planId") return in.string(event.plan_id);
  if (shape.has(kPlan)) {
    if (key == "planId") return in.string(event.plan_id);
    if (key == "tasks") return in.integer(event.count);
    if (key == "ids") return read_ids(in, event.ids);
    if (key == "phases") return read_inventory(in, event.phases);
    if (key == "fence") return read_fence(in, event.fence);
    if (key == "removed") {
      event.removed.clear();
      return in.array([&]() -> Status { return read_removed(in, event.removed.emplace_back()); });
    }
  }
  return in.skip();
}

struct Seen {
  bool time = false;
  bool name = false;
  bool early = false;  // a field came before the event's name, when it could not be told what it means
};

// One pass over the line. `kind_known`: event.kind and event.name stand already.
Status read_line(std::string_view line, bool kind_known, Event& event, Seen& seen) {
  JsonReader in(line);
  Shape shape = kind_known ? shape_of(event.kind) : Shape{};
  bool named = false;
  TRY(in.object([&](std::string_view key) -> Status {
    if (key == "ts") {
      seen.time = true;
      return read_time(in, event.time);
    }
    if (key == "event") {
      // Two names would leave open what the fields between them mean.
      if (named) return in.error("one \"event\"");
      named = true;
      if (kind_known) return in.skip();
      seen.name = true;
      std::string name;
      TRY(in.string(name));
      event.kind = event_kind(name);
      if (event.kind == EventKind::unknown) event.name = std::move(name);
      shape = shape_of(event.kind);
      if (shape.has(kPlan)) event.count = -1;  // until the line says it
      return {};
    }
    if (kind_known || named) return read_field(in, key, shape, event);
    seen.early = true;
    return in.skip();
  }));
  TRY(in.end());
  if (!seen.time) return in.error("a \"ts\"");
  if (!seen.name) return in.error("an \"event\"");
  return {};
}

}  // namespace

std::string encode_event(const Event& event) {
  const Shape shape = shape_of(event.kind);
  JsonWriter out(JsonWriter::Layout::compact);
  out.begin_object();
  out.key("ts").value(base::to_iso8601(event.time));
  out.key("event").value(event.kind == EventKind::unknown ? std::string_view(event.name)
                                                          : name_of(event.kind));
  if (shape.has(kPlan)) write_plan(out, event);
  if (shape.has(kTask)) out.key("taskId").value(event.task.text);
  if (shape.has(kCriterion)) out.key("criteriaId").value(event.criterion.text);
  if (shape.has(kPhase)) {
    // Of an event about a phase it is the whole content, of others a help.
    if ((shape.fields & ~kStatus) == kPhase || !event.phase.empty())
      out.key("phaseId").value(event.phase.text);
  }
  if (shape.has(kPlanId)) out.key("planId").value(event.plan_id);
  if (shape.has(kBy)) out.key("by").value(event.by);
  if (shape.has(kByKnown)) optional_text(out, "by", event.by);
  if (shape.has(kTitle)) optional_text(out, "title", event.title);
  write_session(out, event, shape);
  if (shape.has(kLease)) write_lease(out, event);
  if (shape.has(kCheckpoint)) out.key("checkpointId").value(event.checkpoint);
  if (shape.has(kMilestone)) {
    out.key("milestone_index").value(event.count);
    out.key("commit_sha").value(event.commit);
    out.key("sidecar_written").value(event.done);
    if (event.status == PhaseStatus::completed) out.key("phaseComplete").value(true);
    if (event.passed_by) out.key("last").value(false);
  }
  if (shape.has(kDrift)) out.key("checkpoint").value(event.checkpoint);
  if (shape.has(kFrom)) {
    // A lease was mostly nobody's before; in the other events it is what they are about.
    if (!shape.has(kLease) || !event.from.empty()) out.key("from").value(event.from);
  }
  if (!shape.text.empty()) out.key(shape.text).value(event.text);
  // Not every client says how a session began.
  if (!shape.detail.empty() && (event.kind != EventKind::session_started || !event.detail.empty())) {
    out.key(shape.detail).value(event.detail);
  }
  if (event.kind == EventKind::recovery_saved) {
    out.key("reason").value(event.reason);
  } else if (shape.has(kReason)) {
    optional_text(out, "reason", event.reason);
  }
  if (shape.has(kDone) && event.done) out.key("done").value(true);
  if (shape.has(kMet) && event.done) out.key("met").value(true);
  if (shape.has(kStatus)) out.key("status").value(name_of(event.status));
  if (shape.has(kEvidence) && event.evidence) {
    out.key("evidence");
    write_evidence(out, *event.evidence);
  }
  if (event.batch.size > 1) {
    out.key("batch").value(std::to_string(event.batch.index) + "/" + std::to_string(event.batch.size));
  }
  out.end_object();
  return out.finish();
}

base::Result<Event> decode_event(std::string_view line) {
  Event event;
  Seen seen;
  TRY(read_line(line, false, event, seen));
  // Our own lines begin with ts and event, so this second look is for the lines of others.
  if (seen.early) TRY(read_line(line, true, event, seen));
  return event;
}

}  // namespace plankeep::core

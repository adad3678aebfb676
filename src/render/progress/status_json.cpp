#include "base/json_writer.hpp"
#include "model/progress.hpp"
#include "render/json_parts.hpp"
#include "render/progress/forecast.hpp"
#include "render/progress/leases.hpp"
#include "render/progress/status.hpp"
#include "render/progress/vanished.hpp"

namespace plankeep::render {
namespace {

void write_id(base::JsonWriter& out, std::string_view name, const std::string* id) {
  out.key(name);
  if (id == nullptr) {
    out.null();
  } else {
    out.value(*id);
  }
}

void write_ids_of(base::JsonWriter& out, std::string_view key, const core::PhaseRow& phase,
                  core::Proof proof) {
  out.key(key).begin_array();
  for (const core::CriterionRow& criterion : phase.acceptance) {
    if (criterion.proof == proof) out.value(criterion.id.text);
  }
  out.end_array();
}

// Open tasks whose `after` is open.
void write_waiting(base::JsonWriter& out, const core::StatusView& view) {
  out.key("waiting").begin_array();
  for (const core::PhaseRow& phase : view.phases) {
    for (const core::TaskRow& task : phase.tasks) {
      if (task.state == core::BoxState::done || task.waiting_for.empty()) continue;
      out.begin_object();
      out.key("id").value(task.id.text);
      out.key("phaseId").value(phase.id.text);
      out.key("waitingFor").begin_array();
      for (const core::TaskId& id : task.waiting_for) out.value(id.text);
      out.end_array();
      out.end_object();
    }
  }
  out.end_array();
}

// Only for phases whose criteria have commands.
void write_proof(base::JsonWriter& out, const core::PhaseRow& phase) {
  if (phase.proof.commands == 0) return;
  out.key("proven").value(phase.proof.all_proven());
  out.key("proof").begin_object();
  out.key("commands").value(phase.proof.commands);
  write_ids_of(out, "proven", phase, core::Proof::proven);
  write_ids_of(out, "unproven", phase, core::Proof::unproven);
  write_ids_of(out, "stale", phase, core::Proof::stale);
  write_ids_of(out, "failed", phase, core::Proof::failed);
  write_ids_of(out, "unknown", phase, core::Proof::unknown);
  out.key("why").begin_object();
  for (const core::CriterionRow& criterion : phase.acceptance) {
    if (!criterion.why.empty()) out.key(criterion.id.text).value(criterion.why);
  }
  out.end_object();
  out.end_object();
}

void write_leases(base::JsonWriter& out, const core::StatusView& view) {
  out.key("leases").begin_array();
  for (const core::PhaseRow& phase : view.phases) {
    for (const core::TaskRow& task : phase.tasks) {
      if (!task.lease) continue;
      out.begin_object();
      out.key("id").value(task.id.text);
      out.key("phaseId").value(phase.id.text);
      write_lease_fields(out, *task.lease);
      out.end_object();
    }
  }
  out.end_array();
}

void write_status(base::JsonWriter& out, const core::StatusView& view) {
  write_plan_reference(out, view.plan_id, view.path, view.title);
  out.key("source").value(name_of(view.source));
  write_progress_with_optional(out, view.progress);
  out.key("skipped").value(view.skipped);
  out.key("phases").begin_array();
  for (const core::PhaseRow& phase : view.phases) {
    out.begin_object();
    out.key("id").value(phase.id.text);
    out.key("title").value(phase.title);
    out.key("status").value(core::name_of(phase.status));
    out.key("total").value(phase.total);
    out.key("done").value(phase.done);
    out.key("acceptanceTotal").value(phase.acceptance_total);
    out.key("acceptanceMet").value(phase.acceptance_met);
    write_proof(out, phase);
    out.end_object();
  }
  out.end_array();
  const core::PhaseRow* phase = view.phase();
  const core::TaskRow* task = view.task();
  write_id(out, "currentPhase", phase == nullptr ? nullptr : &phase->id.text);
  write_id(out, "currentTask", task == nullptr ? nullptr : &task->id.text);
  write_strings(out, "blockers", view.blockers);
  out.key("decisions").begin_array();
  for (const core::DecisionRow& decision : view.decisions) {
    out.begin_object();
    if (decision.time) out.key("time").value(base::to_iso8601(*decision.time));
    out.key("decision").value(decision.decision);
    write_optional(out, "reason", decision.reason);
    out.end_object();
  }
  out.end_array();
  write_strings(out, "warnings", view.warnings);
  out.key("lastCheckpoint");
  if (view.last_saved) {
    out.value(base::to_iso8601(*view.last_saved));
  } else {
    out.null();
  }
  out.key("revision").value(view.revision);
  if (view.archived_at) out.key("archivedAt").value(base::to_iso8601(*view.archived_at));
  if (view.latest_checkpoint) {
    const core::SavedCheckpoint& newest = *view.latest_checkpoint;
    out.key("newestCheckpoint").begin_object();
    out.key("id").value(newest.id);
    write_optional(out, "type", newest.type);
    write_optional(out, "phaseId", newest.phase.text);
    out.key("time").value(base::to_iso8601(newest.time));
    out.end_object();
  }
  write_vanished(out, view.vanished);
  write_waiting(out, view);
  write_leases(out, view);
}

}  // namespace

std::string status_json(const core::StatusView& view, const CheckpointCheckView* check,
                        const core::Forecast* forecast) {
  base::JsonWriter out(base::JsonWriter::Layout::indented);
  out.begin_object();
  write_status(out, view);
  if (check != nullptr) {
    write_checkpoint(out, *check);
  } else if (view.last_commit) {
    write_checkpoint(out, *view.last_commit, view.drift);
  }
  if (forecast != nullptr) {
    out.key("forecast");
    write_forecast(out, *forecast);
  }
  out.end_object();
  return out.finish();
}

std::string init_json(const core::StatusView& view, bool created, const std::string& continued) {
  base::JsonWriter out(base::JsonWriter::Layout::indented);
  out.begin_object();
  out.key("created").value(created);
  if (!continued.empty()) out.key("continued").value(continued);
  write_status(out, view);
  out.end_object();
  return out.finish();
}

}  // namespace plankeep::render

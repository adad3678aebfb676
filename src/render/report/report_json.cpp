#include "base/json_writer.hpp"
#include "render/json_parts.hpp"
#include "render/progress/forecast.hpp"
#include "render/recorded/log.hpp"
#include "render/report/report.hpp"

namespace plankeep::render {
namespace {

using base::JsonWriter;

void write_time(JsonWriter& out, std::string_view name, const std::optional<base::Instant>& time) {
  if (time) out.key(name).value(base::to_iso8601(*time));
}

void write_burn_up(JsonWriter& out, const app::PlanReport& report) {
  out.key("burnUp").begin_object();
  out.key("phases").begin_array();
  for (const core::PhaseId& phase : report.burn_phases) out.value(phase.text);
  out.end_array();
  out.key("samples").begin_array();
  for (const core::BurnSample& sample : report.burn) {
    out.begin_object();
    out.key("time").value(base::to_iso8601(sample.time));
    out.key("total").value(sample.total);
    out.key("done").value(sample.done);
    out.key("doneInPhases").begin_array();
    for (const std::int64_t done : sample.done_in) out.value(done);
    out.end_array();
    out.end_object();
  }
  out.end_array();
  out.end_object();
}

void write_phases(JsonWriter& out, const app::PlanReport& report) {
  out.key("phases").begin_array();
  for (std::size_t i = 0; i < report.view.phases.size(); ++i) {
    const core::PhaseRow& phase = report.view.phases[i];
    out.begin_object();
    out.key("id").value(phase.id.text);
    out.key("title").value(phase.title);
    out.key("status").value(name_of(phase.status));
    write_time(out, "startedAt", report.times[i].started_at);
    write_time(out, "completedAt", report.times[i].completed_at);
    out.key("total").value(phase.total);
    out.key("done").value(phase.done);
    out.key("criteria").value(phase.acceptance_total);
    out.key("criteriaMet").value(phase.acceptance_met);
    out.key("criteriaWithCommand").value(phase.proof.commands);
    out.key("criteriaProven").value(phase.proof.proven);
    out.end_object();
  }
  out.end_array();
}

void write_actors(JsonWriter& out, const app::PlanReport& report) {
  out.key("actors").begin_array();
  for (const core::ActorFacts& actor : report.facts.actors) {
    out.begin_object();
    out.key("name").value(actor.name);
    out.key("tasksDone").value(actor.done);
    out.key("takenBack").value(actor.taken_back);
    out.key("claimsRefused").value(actor.refused);
    out.key("criteriaMet").value(actor.criteria);
    out.key("criteriaProven").value(actor.proven);
    out.end_object();
  }
  out.end_array();
}

// All of them, unlike the page.
void write_tasks(JsonWriter& out, const app::PlanReport& report) {
  out.key("tasks").begin_array();
  for (const core::PhaseRow& phase : report.view.phases) {
    for (const core::TaskRow& task : phase.tasks) {
      out.begin_object();
      out.key("id").value(task.id.text);
      out.key("phaseId").value(phase.id.text);
      out.key("title").value(task.title);
      out.key("state").value(name_of(task.state));
      if (task.optional) out.key("optional").value(true);
      write_optional(out, "parent", task.parent.text);
      if (!task.after.empty()) {
        out.key("after").begin_array();
        for (const core::TaskId& id : task.after) out.value(id.text);
        out.end_array();
      }
      write_time(out, "completedAt", task.completed_at);
      write_optional(out, "completedBy", task.completed_by);
      if (task.held()) out.key("claimedBy").value(task.lease->by);
      const auto earlier = report.facts.earlier_titles.find(core::report_key(phase.id, task.id));
      if (earlier != report.facts.earlier_titles.end()) write_strings(out, "earlierTitles", earlier->second);
      out.end_object();
    }
  }
  out.end_array();
}

void write_decisions(JsonWriter& out, const app::PlanReport& report) {
  out.key("decisions").begin_array();
  for (const core::DecisionRow& decision : report.view.decisions) {
    out.begin_object();
    write_time(out, "time", decision.time);
    out.key("decision").value(decision.decision);
    write_optional(out, "reason", decision.reason);
    out.end_object();
  }
  out.end_array();
  out.key("blockers").begin_array();
  for (const core::BlockerFacts& blocker : report.facts.blockers) {
    out.begin_object();
    out.key("text").value(blocker.text);
    out.key("from").value(base::to_iso8601(blocker.from));
    write_time(out, "to", blocker.to);
    out.end_object();
  }
  out.end_array();
}

void write_marks(JsonWriter& out, std::string_view name, const core::Marks& marks,
                 const std::optional<base::Instant>& since) {
  out.key(name).begin_array();
  for (const core::Mark& mark : marks.newest) {
    if (since && mark.time < *since) continue;
    out.begin_object();
    out.key("time").value(base::to_iso8601(mark.time));
    out.key("text").value(describe(mark.event));
    write_optional(out, "phaseId", mark.event.phase.text);
    write_optional(out, "checkpointId", mark.event.checkpoint);
    write_optional(out, "sha", mark.event.commit);
    write_optional(out, "sessionId", mark.event.session);
    out.end_object();
  }
  out.end_array();
}

void write_report(JsonWriter& out, const app::PlanReport& report) {
  const core::StatusView& view = report.view;
  out.begin_object();
  write_plan_reference(out, view.plan_id, view.path, view.title);
  out.key("time").value(base::to_iso8601(view.now));
  write_time(out, "since", report.since);
  write_progress_with_optional(out, view.progress);
  out.key("events").value(report.facts.events);
  write_time(out, "firstEvent", report.facts.first);
  write_burn_up(out, report);
  out.key("forecast");
  write_forecast(out, report.forecast);
  write_phases(out, report);
  write_actors(out, report);
  write_tasks(out, report);
  write_decisions(out, report);
  write_marks(out, "checkpoints", report.facts.checkpoints, report.since);
  write_marks(out, "commits", report.facts.commits, report.since);
  write_marks(out, "sessions", report.facts.sessions, report.since);
  write_marks(out, "incidents", report.facts.incidents, report.since);
  write_strings(out, "warnings", report.warnings);
  out.end_object();
}

}  // namespace

std::string report_json(const std::vector<app::PlanReport>& reports, bool all) {
  JsonWriter out(JsonWriter::Layout::indented);
  if (!all && reports.size() == 1) {
    write_report(out, reports.front());
    return out.finish();
  }
  out.begin_object();
  out.key("plans").begin_array();
  for (const app::PlanReport& report : reports) write_report(out, report);
  out.end_array();
  out.end_object();
  return out.finish();
}

}  // namespace plankeep::render

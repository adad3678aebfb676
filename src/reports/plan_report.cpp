#include "reports/plan_report.hpp"

#include "base/text.hpp"
#include "store/journal.hpp"
#include "store/tracking_folder.hpp"
#include "tracking/plan_work.hpp"
#include "tracking/project_tree.hpp"
#include "tracking/show.hpp"

namespace plankeep::app {
namespace {

void add_records(const core::State& state, PlanReport& report) {
  std::unordered_map<std::string, PhaseTimes> times;
  for (const core::PhaseState& phase : state.phases) {
    times[phase.id.text] = {phase.started_at, phase.completed_at};
    for (const core::CriterionState& criterion : phase.acceptance) {
      if (criterion.evidence)
        report.evidence.emplace(core::report_key(phase.id, criterion.id), *criterion.evidence);
    }
  }
  for (const core::PhaseRow& row : report.view.phases) report.times.push_back(times[row.id.text]);
}

}  // namespace

base::Result<PlanReport> plan_report(const Context& context, const PlanLocation& plan,
                                     std::optional<base::Instant> since) {
  TRY_ASSIGN(Shown shown, load_shown(context, plan, 0));
  if (!shown.state) return base::fail(not_tracked(context, plan));
  inspect_tree(context, shown);
  TRY_ASSIGN(auto folder, context.files.open_folder(plan.folder));
  TRY_ASSIGN(auto tracking, store::open_tracking(*folder, plan.name));

  core::ReportRecorder recorder(*shown.state, shown.now);
  TRY_ASSIGN(
      const auto scan,
      store::read_events(*tracking, 0, [&recorder](const core::Event& event, const store::HistoryLine&) {
        recorder.apply(event);
        return true;
      }));
  PlanReport report;
  report.view = view_of(shown);
  report.since = since;
  report.facts = recorder.facts();
  report.burn = core::burn_samples(recorder.work(), since, shown.now, kBurnSamples);
  report.burn_phases = recorder.work().phases();
  const core::Progress& progress = shown.state->progress;
  report.forecast = core::forecast_of(progress.total - progress.completed,
                                      core::work_past(recorder.work().steps(), shown.now), shown.now,
                                      shown.state->checksum);
  add_records(*shown.state, report);
  report.warnings = report.view.warnings;
  if (scan.damaged_count > 0) {
    report.warnings.push_back(
        base::counted(scan.damaged_count, "line", "lines") +
        " of the history left out, because it cannot be read; for details: plankeep doctor");
  }
  return report;
}

}  // namespace plankeep::app

#include "reports/work_forecast.hpp"

#include "base/text.hpp"
#include "store/journal.hpp"
#include "store/tracking_folder.hpp"
#include "tracking/plan_work.hpp"

namespace plankeep::app {

base::Result<WorkForecast> work_forecast(const Context& context, const Shown& shown) {
  if (!shown.state) return base::fail(not_tracked(context, shown.location));
  TRY_ASSIGN(auto folder, context.files.open_folder(shown.location.folder));
  TRY_ASSIGN(auto tracking, store::open_tracking(*folder, shown.location.name));

  core::WorkRecorder recorder(*shown.state, shown.now);
  TRY_ASSIGN(
      const auto scan,
      store::read_events(*tracking, 0, [&recorder](const core::Event& event, const store::HistoryLine&) {
        recorder.apply(event);
        return true;
      }));
  const core::Progress& progress = shown.state->progress;
  WorkForecast made;
  made.forecast =
      core::forecast_of(progress.total - progress.completed, core::work_past(recorder.steps(), shown.now),
                        shown.now, shown.state->checksum);
  if (scan.damaged_count > 0) {
    made.warnings.push_back(
        base::counted(scan.damaged_count, "line", "lines") +
        " of the history left out, because it cannot be read; for details: plankeep doctor");
  }
  return made;
}

}  // namespace plankeep::app

#pragma once
// The facts of `plankeep report`: a plan with everything that its history tells. Reads only.

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/result.hpp"
#include "model/evidence.hpp"
#include "project/context.hpp"
#include "project/plan_location.hpp"
#include "rules/forecast/forecast.hpp"
#include "rules/report/report_facts.hpp"
#include "rules/view.hpp"

namespace plankeep::app {

struct PhaseTimes {
  std::optional<base::Instant> started_at;
  std::optional<base::Instant> completed_at;
};

struct PlanReport {
  core::StatusView view;
  std::optional<base::Instant> since;  // pictures and marks begin here; none: with the history
  core::ReportFacts facts;
  std::vector<core::BurnSample> burn;
  std::vector<core::PhaseId> burn_phases;  // whose counts the samples hold
  core::Forecast forecast;
  std::vector<PhaseTimes> times;                             // of the view's phases
  std::unordered_map<std::string, core::Evidence> evidence;  // of criteria, by core::report_key
  std::vector<std::string> warnings;                         // unsafe to print
};

/// Moments that the burn-up is drawn from, at most.
inline constexpr std::size_t kBurnSamples = 400;

/// not_found when the plan is not tracked, or is gone and nothing was recorded; io. The same plan, history
/// and time give the same report.
[[nodiscard]] base::Result<PlanReport> plan_report(const Context& context, const PlanLocation& plan,
                                                   std::optional<base::Instant> since);

}  // namespace plankeep::app

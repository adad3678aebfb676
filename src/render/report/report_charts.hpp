#pragma once
// A report's numbers as what its pictures are drawn from (charts/). Private to render/report.

#include <string>

#include "reports/plan_report.hpp"

namespace plankeep::render {

// Each an SVG element; empty where there is nothing to draw.
std::string burn_up_picture(const app::PlanReport& report);
std::string phases_picture(const app::PlanReport& report);
std::string work_picture(
    const app::PlanReport& report);  // checkpoints, commits, sessions, blockers on a time axis
std::string layers_picture(const app::PlanReport& report);

/// Phases that have bands of their own; the rest is one band.
inline constexpr std::size_t kMostBands = 5;

struct BandName {
  std::string label;                // a phase's title, or "3 other phases"
  std::vector<std::size_t> phases;  // indices into report.burn_phases
};
/// The phases with most done last, in the order of the plan; at most kMostBands, and the rest.
std::vector<BandName> band_names(const app::PlanReport& report);

/// Tasks that wait for others, or that others wait for; at most so many are drawn.
inline constexpr std::size_t kMostNodes = 120;
std::size_t linked_tasks(const app::PlanReport& report);

/// "2026-11-20 15:43"
std::string minute(base::Instant time);

}  // namespace plankeep::render

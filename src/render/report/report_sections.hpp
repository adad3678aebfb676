#pragma once
// The parts of a report's page below its head. Private to render/report.

#include <string>

#include "reports/plan_report.hpp"

namespace plankeep::render {

/// One plan, all of it. `number` makes its anchors unique in the page; `level`: 1 where it is the page's only
/// plan, 2 below an overview.
std::string plan_section(const app::PlanReport& report, std::size_t number, int level);

/// A row for each plan, linked to its section.
std::string overview(const std::vector<app::PlanReport>& reports);

}  // namespace plankeep::render

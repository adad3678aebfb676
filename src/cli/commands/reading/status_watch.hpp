#pragma once
// `plankeep status --watch`: the status again whenever the plan or its history changes (spec 28.4).
//
// On a terminal it is drawn in place until `q` or Ctrl-C, on the alternate screen; what is longer than the
// screen is cut as `status` cuts it. Behind a pipe each new status is printed once, an empty line between
// two, without escapes, until the reader goes away or an interrupt. Reads only.

#include <cstddef>
#include <string>

#include "cli/program.hpp"
#include "project/plan_location.hpp"
#include "render/progress/status.hpp"

namespace plankeep::cli {

/// So many of the newest events are shown.
inline constexpr std::size_t kRecentEvents = 20;

ExitCode watch_status(Program& program, const app::PlanLocation& plan, const std::string& phase,
                      render::StatusDetail detail);

}  // namespace plankeep::cli

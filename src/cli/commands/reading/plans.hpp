#pragma once
// What `plans` and `status --all` share.

#include <cstddef>
#include <string>

#include "cli/program.hpp"

namespace plankeep::cli {

ExitCode show_plans(Program& program, const std::string& folder, std::size_t stale_days, bool json);

}  // namespace plankeep::cli

#pragma once
// What `plankeep git-setup` did, or found.

#include <string>

#include "commits/git_setup.hpp"
#include "render/style.hpp"

namespace plankeep::render {

/// Everything is in place, and nothing stronger stands in the way.
bool complete(const app::GitSetupReport& report);
std::string git_setup_text(const app::GitSetupReport& report, bool dry_run, const Style& style);
std::string git_setup_json(const app::GitSetupReport& report);

}  // namespace plankeep::render

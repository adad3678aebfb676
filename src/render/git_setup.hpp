#pragma once
// What `plankeep git-setup` did, or found.

#include <string>
#include <vector>

#include "render/style.hpp"

namespace plankeep::render {

struct GitSetupView {
  enum class Action { install, undo, check };
  Action action = Action::install;
  bool dry_run = false;
  bool written = false;
  std::string top;
  std::string effective;  // git's own answer for plan.md
  struct Step {
    std::string what;
    std::string path;   // absolute
    std::string shown;  // the same, as short as it is right
    std::string state;
  };
  std::vector<Step> steps;
};

/// Everything is in place, and no stronger line takes it back.
bool complete(const GitSetupView& view);
std::string git_setup_text(const GitSetupView& view, const Style& style);
std::string git_setup_json(const GitSetupView& view);

}  // namespace plankeep::render

#pragma once
// What a use case that changes something did, for whoever tells it on: the command line, later hooks and
// tools.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/event.hpp"
#include "model/plan.hpp"
#include "model/state.hpp"
#include "project/plan_location.hpp"
#include "rules/reconcile.hpp"
#include "system/file_system.hpp"

namespace plankeep::app {

struct Outcome {
  PlanLocation plan;
  std::shared_ptr<system::Folder> tracking;  // its tracking folder, open
  core::State state;                         // as it is on disk now
  std::optional<core::Plan> read;     // as it was read last, with its ids kept; absent when it was not read
  std::string text{};                 // its bytes, likewise; they may be no plan
  std::vector<core::Event> events;    // recorded by this call, in order; empty when nothing changed
  std::vector<core::Notice> notices;  // what a person should be told at once
  std::vector<std::string> warnings;
  std::vector<std::string> new_errors;  // of the plan's text, that it did not have before (model/diagnostics)
  bool edited = false;                  // we changed the plan's text
  /// False: the plan could not be read as a plan, and the last state was kept (spec 6.5).
  bool readable = true;
  /// Then: why, and what to do about it where that is known without a look around. The last warning says
  /// both.
  std::string why_unreadable{};
  std::string remedy{};
};

}  // namespace plankeep::app

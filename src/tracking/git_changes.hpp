#pragma once
// What git did to a plan's text, told apart from what people did. Used where a change is recorded and where
// one that is not recorded yet is shown, so that both say the same.

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/instant.hpp"
#include "base/result.hpp"
#include "model/event.hpp"
#include "project/context.hpp"
#include "project/plan_location.hpp"
#include "rules/reconcile.hpp"
#include "system/file_system.hpp"

namespace plankeep::app {

/// The newest event about the plan's text; of an inventory only its time and kind. `end`: where the history
/// ends, if known.
[[nodiscard]] base::Result<std::optional<core::Event>> newest_of_plan(system::Folder& tracking,
                                                                      std::optional<std::uint64_t> end = {});

struct ChangedText {
  std::string_view text;                       // the plan's, as it is now
  base::Instant since;                         // when it was last seen as it was recorded
  bool announced = false;                      // by a hook: then git did not write it
  std::optional<std::uint64_t> history_end{};  // if known
};

/// Corrects the result of a reconciliation with a text that differs from the recorded one. If git wrote it,
/// what came undone is marked (Event::via: core::kByGit), and what is done again, or was done in another work
/// tree, gets its time and actor (tracking/restored_times). Reads git's directory, and the history only where
/// it may matter; starts no process.
[[nodiscard]] base::Status credit_git(const Context& context, system::Folder& tracking,
                                      const PlanLocation& location, const ChangedText& changed,
                                      core::Reconciled& result, base::Instant now);

}  // namespace plankeep::app

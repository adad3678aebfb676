#pragma once
// What `plankeep rewind` can go back to, for whoever chooses: `rewind --list`, and `rewind` without a target.
// Reads only.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "model/checkpoint.hpp"
#include "project/context.hpp"
#include "project/plan_location.hpp"

namespace plankeep::app {

struct RewindChoice {
  core::ListedCheckpoint checkpoint;
  /// The number of files that differ from the checkpoint before it; nullopt: not known (no snapshot, the
  /// first of all, git has one of them no more).
  std::optional<std::int64_t> files;
  /// It had a snapshot, and git has it no more: only the plan can go back to it.
  bool gone = false;
};

struct RewindChoices {
  std::vector<RewindChoice> choices;  // newest first
  std::vector<std::string> warnings;
};

/// At most `count`; those that a rewind took are left out, since --undo goes back to them. None when there
/// are no checkpoints yet. Without git the numbers of files are not known. Errors as of list_checkpoints.
[[nodiscard]] base::Result<RewindChoices> rewind_choices(const Context& context, const PlanLocation& plan,
                                                         std::size_t count);

}  // namespace plankeep::app

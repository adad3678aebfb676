#pragma once
// What every engine's add() (checkpoint_db/checkpoint_store) does to a checkpoint before it numbers it. Pure.

#include <optional>
#include <string_view>

#include "base/result.hpp"
#include "model/checkpoint.hpp"

namespace plankeep::records {

/// Fits the work state to its limits, sets its size, limits the context window to 0 to 100 % and clears the
/// turn number. invalid_input: `plan_text` does not match moment.plan_digest.
[[nodiscard]] base::Result<core::Checkpoint> as_kept(core::Checkpoint checkpoint,
                                                     std::optional<std::string_view> plan_text);

}  // namespace plankeep::records

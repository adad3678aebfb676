#pragma once
// What every engine of the checkpoint store does with a checkpoint before it gives it its numbers
// (checkpoint_db/checkpoint_store, add). Pure.

#include <optional>
#include <string_view>

#include "base/result.hpp"
#include "model/checkpoint.hpp"

namespace plankeep::records {

/// The checkpoint with its work state fitted, its size told and its context window at most full; without a
/// turn's number. invalid_input: `plan_text` is not the one of moment.plan_digest.
[[nodiscard]] base::Result<core::Checkpoint> as_kept(core::Checkpoint checkpoint,
                                                     std::optional<std::string_view> plan_text);

}  // namespace plankeep::records

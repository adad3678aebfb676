#pragma once
// A checkpoint of the work that a decision asks for; checkpoints/job has it made.

#include <optional>

#include "model/checkpoint.hpp"
#include "model/ids.hpp"

namespace plankeep::core {

/// One checkpoint to be made.
struct WantedCheckpoint {
  CheckpointType type = CheckpointType::turn;
  PhaseId phase{};               // epic_completion: the one that was completed
  std::optional<int> percent{};  // of the context window that is used; context_window, turn
  bool before_prompt = false;    // turn: not its end, but what changed since the last one ended
  bool operator==(const WantedCheckpoint&) const = default;
};

}  // namespace plankeep::core

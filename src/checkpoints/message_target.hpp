#pragma once
// The checkpoint that stands for a message of a conversation: the newest that was made at it or before.

#include <string>

#include "checkpoints/find_checkpoint.hpp"

namespace plankeep::app {

/// `message`: any id in a transcript of a session that the plan knows: of a prompt, an answer, a tool's use.
/// A checkpoint knows the last message of its moment; the transcript's order tells which of them is meant.
/// What was kept when a prompt was sent (core::kBeforePrompt) stands for that prompt. not_found when no
/// checkpoint is as old as the message, or no transcript has it.
[[nodiscard]] base::Result<core::Checkpoint> checkpoint_at_message(const Context& context,
                                                                   const PlanLocation& plan,
                                                                   const OpenedCheckpoints& checkpoints,
                                                                   const std::string& message);

}  // namespace plankeep::app

#pragma once
// How much of its context window a conversation has used, from the end of its transcript. Pure.
//
// What the last answer had before it counts; what was used before a compaction says nothing of what is used
// now. Formats: Claude Code 2.1 (seen; it does not say how large the window is), Codex 0.169 (its rollouts'
// token_count), Gemini CLI 0.61 (tokens of a message, without a window), Qwen Code 0.24 (usageMetadata of a
// record; from its source). GitHub Copilot CLI's events and opencode, which names no transcript, do not say.

#include <cstdint>
#include <optional>
#include <string_view>

namespace plankeep::clients {

struct ContextUse {
  std::int64_t tokens = 0;
  std::optional<std::int64_t> window;  // where the transcript says it
  bool operator==(const ContextUse&) const = default;
};

/// nullopt when the piece does not say. Lines that are cut, broken or a subagent's are passed over.
std::optional<ContextUse> context_use(std::string_view tail);

}  // namespace plankeep::clients

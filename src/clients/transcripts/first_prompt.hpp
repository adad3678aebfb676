#pragma once
// The prompt that began a conversation, from the first lines of its transcript. Pure: the caller reads them.
//
// A subagent's own transcript begins with what it was asked to do. Format: Claude Code 2.1 (seen). Not so for
// an agent of the type "fork", whose transcript begins with its parent's conversation.

#include <cstdint>
#include <string>
#include <string_view>

namespace plankeep::clients {

/// As much of a transcript's beginning as is looked at.
inline constexpr std::uint64_t kFirstPromptHead = std::uint64_t{64} << 10;

/// Empty when the piece holds none.
std::string first_prompt(std::string_view head);

/// Where Claude Code keeps a subagent's transcript: "<session transcript without
/// .jsonl>/subagents/agent-<id>.jsonl"; empty when the id is no plain name.
std::string agent_transcript_path(std::string_view session_transcript, std::string_view agent_id);

}  // namespace plankeep::clients

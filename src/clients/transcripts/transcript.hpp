#pragma once
// What the end of a client's transcript says. Pure: the caller reads the bytes.
//
// Transcripts are large (they hold whole prompts and files) and private: they are read from their end, in one
// bounded piece, and nothing of them is kept but what stands here. Formats: Claude Code 2.1 (JSON lines, seen
// by running it). Lines that are cut, broken or of unknown types are passed over.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/checkpoint.hpp"

namespace plankeep::clients {

/// As much of a transcript's end as is looked at.
inline constexpr std::uint64_t kTranscriptTail = std::uint64_t{256} << 10;

struct TranscriptEnd {
  std::string last_message;                    // of the assistant; empty when the piece holds none
  std::optional<std::int64_t> context_tokens;  // what the last answer had before it
};

/// `subagent`: the transcript is a subagent's own; otherwise lines of subagents do not count.
TranscriptEnd read_transcript_end(std::string_view tail, bool subagent);

/// The last uses of tools, oldest first, at most `count`; those of subagents do not count. `target` is the
/// file, folder or address that a tool was given; else `message` is the command, question or description, in
/// one line.
std::vector<core::CommandUsed> last_tool_uses(std::string_view tail, std::size_t count);

/// The call that started a subagent, from the small file beside its transcript; empty when it does not say.
std::string tool_use_of_agent(std::string_view meta_json);

/// Where that file stands: "<session transcript without .jsonl>/subagents/agent-<id>.meta.json"; empty when
/// the id is no plain name.
std::string agent_meta_path(std::string_view session_transcript, std::string_view agent_id);

}  // namespace plankeep::clients

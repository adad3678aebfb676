#pragma once
// A transcript cut into pieces that a repository's host takes, and what is stored beside it.
//
// Entire's tools store a transcript of more than 50 MiB as full.jsonl, full.jsonl.001, full.jsonl.002 ...:
// lines are packed into a piece while they and their line feeds fit, and each piece is stored without its
// last line feed. So the pieces joined with a line feed are the transcript, byte for byte. A transcript that
// is at most as large as the limit is one piece as it is.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace plankeep::clients {

inline constexpr std::size_t kTranscriptChunk = 52428800;

/// Views into `transcript`, at least one. nullopt: a line with its line feed is longer than the limit.
std::optional<std::vector<std::string_view>> transcript_chunks(std::string_view transcript,
                                                               std::size_t limit = kTranscriptChunk);

/// The same for one that is to be cut whatever its size.
std::optional<std::vector<std::string_view>> cut_between_lines(std::string_view transcript,
                                                               std::size_t limit);

/// "full.jsonl" for 0, "full.jsonl.001" for 1.
std::string chunk_name(std::size_t number);

}  // namespace plankeep::clients

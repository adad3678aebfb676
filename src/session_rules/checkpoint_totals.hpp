#pragma once
// What the root file of a session checkpoint says of its sessions: their sums, and where their files are.
// Private to this room.

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "model/session.hpp"
#include "model/session_row.hpp"

namespace plankeep::core {

/// As a Go program writes a list: an empty one is null.
std::optional<Strings> sorted_list(const std::set<std::string>& files);

/// `usage` with the counters of `counted`; the rest of it stays.
TokenUsage with_counts(TokenUsage usage, const TokenUsage& counted);

/// "/a1/b2c3d4e5f6/0/" on the branch, "/0/" of a ref.
std::string slot_folder(SessionLayout layout, const std::string& id, std::size_t slot);

/// The paths of a slot that has these files. On the branch those of the transcript are always stated.
SlotPaths paths_of(SlotPaths paths, SessionLayout layout, const std::string& folder, bool has_transcript,
                   bool has_prompt);

struct SessionTotals {
  std::int64_t checkpoints = 0;
  std::set<std::string> files;
  std::optional<TokenUsage> tokens;
};

SessionTotals totals_of(const std::map<std::size_t, SessionMetadata>& sessions);

/// Adds what the root said of the slots that cannot be read: its numbers less those of the readable slots.
void add_unreadable(SessionTotals& totals, const SessionRoot& before, const SessionTotals& readable_before);

}  // namespace plankeep::core

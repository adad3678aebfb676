#pragma once
// One session checkpoint out of two versions of it: its sessions are matched by their ids, never by number or
// path, and no line of a transcript is lost.
//
//   const CheckpointVersion merged = merge_checkpoints(remote, local);
//
// Sessions of the remote keep their numbers; those that only we have follow them. If both have a session and
// one transcript begins with the other, the longer one stays. Else the later one stays (the metadata's
// created_at, then the greater blob id), and what the other has after their common lines is a conflict: it is
// stored as plankeep/conflicts/<number>-<8 digits of its blob>.jsonl.
//
// Whichever side is the remote, the transcripts and conflicts are the same; only the numbers differ. Merging
// the result with either side again changes nothing.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/instant.hpp"

namespace plankeep::core {

/// A session of a checkpoint as one side has it.
struct SessionSlot {
  std::size_t number = 0;
  std::string session;
  base::Instant created_at;
  std::string transcript;       // whole, not in pieces
  std::string transcript_blob;  // its id in git; of one in pieces the id of the list of their ids
  bool operator==(const SessionSlot&) const = default;
};

/// What a transcript that did not stay has beyond the one that did.
struct TranscriptConflict {
  std::string session;
  std::string blob;  // the first 8 digits of the id of the whole transcript that it is from
  std::string text;
  auto operator<=>(const TranscriptConflict&) const = default;
};

struct CheckpointVersion {
  std::vector<SessionSlot> slots;             // by number; a session once
  std::vector<TranscriptConflict> conflicts;  // sorted, one a session and blob
  bool operator==(const CheckpointVersion&) const = default;
};

CheckpointVersion merge_checkpoints(const CheckpointVersion& remote, const CheckpointVersion& local);

// "plankeep/conflicts/2-0a1b2c3d.jsonl": the slot's number and the first digits of the blob's id.
inline constexpr std::string_view kConflictFolder = "plankeep/conflicts/";
inline constexpr std::string_view kConflictEnd = ".jsonl";
inline constexpr std::size_t kConflictDigits = 8;
std::string conflict_path(std::size_t slot_number, const TranscriptConflict& conflict);

}  // namespace plankeep::core

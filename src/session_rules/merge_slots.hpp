#pragma once
// One session checkpoint out of two versions of it: its sessions are matched by their ids, never by number or
// path, and no line of a transcript is lost.
//
//   MergedCheckpoint merged = merge_checkpoints(remote, local);
//
// Sessions of the remote keep their numbers; those that only we have come behind them. Of a session that both
// have, the transcript that begins with the other one stays. Where neither does, the later one stays (the
// metadata's created_at, then the greater blob id), and what the other has beyond their common lines is a
// conflict: it is stored as plankeep/conflicts/<number>-<8 digits of its blob>.jsonl.
//
// Whichever is the remote, the same transcripts and conflicts come out, only numbers differ. Merging what was
// merged with either side again changes nothing.

#include <cstddef>
#include <map>
#include <string>
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
  std::string metadata_blob;
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

/// Where the metadata of a session is from; summary, attribution and unknown keys that only the other side
/// has are to be taken over from there.
struct MergedCheckpoint {
  CheckpointVersion version;
  struct Metadata {
    std::string newer;  // blob ids
    std::string older;  // empty: one side only has it, or both the same
    bool operator==(const Metadata&) const = default;
  };
  std::map<std::string, Metadata> metadata;  // by session
};

MergedCheckpoint merge_checkpoints(const CheckpointVersion& remote, const CheckpointVersion& local);

/// "plankeep/conflicts/2-0a1b2c3d.jsonl".
std::string conflict_path(std::size_t slot_number, const TranscriptConflict& conflict);

}  // namespace plankeep::core

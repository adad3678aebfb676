#pragma once
// What a checkpoint of the work (model/checkpoint) tells of a client's session: the part of it that session
// checkpoints are made from when the client's transcript is not there, or does not say enough.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/instant.hpp"
#include "model/checkpoint.hpp"

namespace plankeep::core {

/// CheckpointMetadata::trigger of one that was made from another tool's snapshot.
inline constexpr std::string_view kImported = "import";

struct WorkMoment {
  std::string id;  // of the checkpoint
  base::Instant time;
  std::string session;         // the client's; kOutsideSessions for the command line
  bool before_prompt = false;  // taken because something had changed when a prompt was sent
  bool late = false;           // likewise, but with files in it that were changed after the prompt
  bool turn_end = false;
  bool imported = false;             // from another tool's snapshot: the work tree never was like that then
  std::string prompt;                // the first words of the turn's prompt, redacted; empty: not known
  std::string head;                  // the commit that HEAD was at; empty: none
  std::string tree;                  // of the work tree's snapshot; empty: none was taken
  bool whole = true;                 // the snapshot left no file out
  std::vector<CommandUsed> tools;    // the last ones, oldest first
  std::vector<std::string> changed;  // files that differed from HEAD; relative to the top of the work tree
};

WorkMoment work_moment(const Checkpoint& checkpoint);

/// The newest moment in the second of a commit at which HEAD was still at a parent of it; nullopt: none is
/// known. `moments`: oldest first. `time`: of the commit, which git tells in whole seconds.
std::optional<base::Instant> seen_before_commit(const std::vector<WorkMoment>& moments,
                                                const std::string& commit,
                                                const std::vector<std::string>& parents, base::Instant time);

}  // namespace plankeep::core

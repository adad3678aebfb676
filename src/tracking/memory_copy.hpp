#pragma once
// A second copy of what a plan's .checkpoint folder remembers, in the git directory of its work tree: `git
// clean -xfd` wipes the folder, and the snapshots of the files stay there without the records that name them.
//
//   keep_memory(context, plan);                              // in the background, behind a checkpoint
//   if (const auto offer = memory_offer(context, plan)) ...  // the folder is gone, or is a new one
//   TRY_ASSIGN(const auto put, restore_memory(context, plan, actor));
//
// Held: history.jsonl, state.json, recovery.json, checkpoints.db with its log, and the plan's text (the last
// one, if its file is gone by then). Not held: earlier texts of the plan (they are in checkpoints.db where
// there is one of a turn), sidecars of commits (`plankeep doctor --repair` finds the commits again), logs.
//
// No git process is started: the git directory is the .git of the project, or what a .git file names. Without
// one there is no copy.
//
// On disk: <git-dir>/plankeep/memory/<plan>-<8 digits>-<8 digits>/: the first digits are of the plan's path
// from the project, the others of the history's first line, so that a history that begins anew never takes
// the place of an old one; the three newest of a plan are kept. In it `1/` and `2/`, and `current`, which
// says which of the two counts and is replaced last: whoever dies before leaves the former copy whole. A
// history that is shorter than its copy (cut, damaged) is not copied.
//
// Cost: every byte is written and synced, so a copy is made only when so many seconds have gone by since the
// last one as the files have megabytes. Files over 256 MiB are left out. Read under the plan's lock, written
// without it.

#include <cstdint>
#include <optional>
#include <string>

#include "base/instant.hpp"
#include "base/result.hpp"
#include "project/context.hpp"
#include "project/plan_location.hpp"
#include "tracking/outcome.hpp"

namespace plankeep::app {

/// Never for a hook's own time. Nothing to do is fine; errors are io, and busy when the plan is locked.
[[nodiscard]] base::Status keep_memory(const Context& context, const PlanLocation& plan);

struct MemoryOffer {
  base::Instant kept;       // when the copy was made
  std::uint64_t bytes = 0;  // of all files
  std::string folder;       // of the files
  bool goes_on = false;     // it holds what the history that is there lacks: a sync puts that back
  bool operator==(const MemoryOffer&) const = default;
};
/// The copy that has more lines of the present history (tracking/kept_copies), else the newest copy of an
/// earlier history. If there is a present history, the copy must have been made in the week before it began.
/// Reads a few small files.
std::optional<MemoryOffer> memory_offer(const Context& context, const PlanLocation& plan);
/// For people: what there is, how to restore it, and both in one line.
std::string memory_facts(const MemoryOffer& offer);
std::string memory_remedy(const MemoryOffer& offer);
std::string memory_words(const MemoryOffer& offer);

struct RestoredMemory {
  MemoryOffer from;
  std::string quarantined;  // the folder that was there, by its new name; empty: there was none
  bool text = false;        // the plan's file was gone, and was written too
  std::string text_remedy;  // the file is still gone: the command that gets it out of git; empty: none
  Outcome outcome;          // of the sync behind it
};
/// Puts the copy back by one rename: killed before, nothing has changed but for the plan's file, which is
/// written first if it is gone, with the folders above it. Overwrites nothing: a tracking folder that is
/// there is renamed (project/known_folders). What was done to the plan since is recorded by
/// `actor`. not_found: there is no copy, or what is there is what the copies are of.
[[nodiscard]] base::Result<RestoredMemory> restore_memory(const Context& context, const PlanLocation& plan,
                                                          const std::string& actor);

}  // namespace plankeep::app

#pragma once
// Whether a shadow branch can go: only when it is certain that nothing on it is still needed. Pure.
//
// Others have lost work by cleaning: branches of the user's that were only called like shadow branches, and
// snapshots of sessions that had never been committed. So everything has to be known, and the first thing
// that speaks for the branch keeps it.

#include <optional>
#include <string>

namespace plankeep::core {

/// What is known of a branch whose name fits (model/session: shadow_branch).
struct ShadowFacts {
  bool only_snapshots = false;  // every commit is a snapshot of a session, from a root on, without merges
  bool checked_out = false;     // in some work tree
  bool running = false;         // one of its sessions runs, as far as the hooks have seen
  bool open_in_entire = false;  // Entire's own state has one of them as not ended
  bool old_enough = false;      // its newest snapshot is older than asked for
  /// Each of its sessions is in a session checkpoint that was made after its newest snapshot.
  bool recorded = false;
  /// Every file of its newest snapshot has its content in a commit of a branch, remote branch or tag.
  bool committed = false;
};

/// Why it stays, in one line; nullopt: it is finished.
std::optional<std::string> why_kept(const ShadowFacts& facts);

}  // namespace plankeep::core

#pragma once
// Sidecars that have to follow their commits, and commits whose sidecar was never written (spec 13).
//
// `find_links` looks; `bind_commits` (commits/bind_commits) writes what it found.
//
// - Re-linked: a commit that HEAD does not come from any more has a home (commits/successors). The home
// gets
//   a sidecar of its own: what the old one said, with the new commit, tree and patch id, and `relinked_from`.
//   The old file stays: another branch, or a reset, may have its commit again. Several that were squashed
//   into one: that of the highest milestone is taken over. Where tree and patch both changed, what was
//   verified is not what is there: the tier falls to tier0.
// - Linked: one of the last 200 that HEAD comes from has the message of a checkpoint of this plan
//   and no sidecar: the process died behind the commit, or the repository was cloned. Its sidecar is made
//   from the message; verified counts only where it is HEAD and evidence says so.

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "base/result.hpp"
#include "model/sidecar.hpp"
#include "project/context.hpp"
#include "project/plan_repository.hpp"
#include "store/sidecars.hpp"
#include "system/file_system.hpp"

namespace plankeep::app {

struct Links {
  std::vector<core::Sidecar> relinked;  // to be written; relinked_from says what they follow
  std::vector<core::Sidecar> linked;    // likewise, made from messages
  std::vector<store::MalformedSidecar> malformed;
  std::size_t here = 0;       // sidecars whose commit HEAD comes from
  std::size_t elsewhere = 0;  // those of other branches, of what was reset away, and of what was replaced
  std::size_t gone = 0;       // those whose commits git has cleaned away

  bool empty() const { return relinked.empty() && linked.empty(); }
};

/// recent: what git may have rewritten lately, asked of the index. `malformed`, `here`, `elsewhere` and
/// `gone` stay empty. all: reads every sidecar.
enum class LinkScope { recent, all };

/// Reads only. Errors are git's, and those of reading the folder.
[[nodiscard]] base::Result<Links> find_links(const Context& context, const PlanLocation& plan,
                                             PlanRepository& repository, system::Folder& tracking,
                                             LinkScope scope);

/// Finds and writes. What is done under the lock is decided before it is had: two at once write the same.
[[nodiscard]] base::Result<Links> link_commits(const Context& context, const PlanLocation& plan,
                                               PlanRepository& repository, LinkScope scope);

/// A commit and the one that was made from it, as git tells its post-rewrite hook.
using Rewritten = std::pair<std::string, std::string>;

/// Follows what git said. Nothing where none of them has a sidecar.
[[nodiscard]] base::Result<Links> follow_rewritten(const Context& context, const PlanLocation& plan,
                                                   PlanRepository& repository,
                                                   const std::vector<Rewritten>& rewritten);

}  // namespace plankeep::app

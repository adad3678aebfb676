#pragma once
// Which trees the attribution of a commit compares (spec 26.2), chosen from plankeep's own snapshots; or why
// there is no number. Pure: sessions/commit_lines reads the trees and counts.
//
//   base      the commit's parent, which HEAD was at while the session worked
//   snapshot  the newest snapshot that ended a turn of the session, or was taken in one, on that parent; not
//             one that was taken after a turn, as when the client was closed, nor an imported one
//   edits     for each turn the two trees between which a person changed something: what the turn before
//             left, and what was there when the prompt was sent. No snapshot before a prompt means that
//             nothing had changed since the newest one (checkpoints/snapshots). For Entire's formula the
//             first turn begins with the parent, which leaves out what was in the work tree and not in that
//             commit.
//
// There is no number where one of them is not certain: no snapshot was taken on the parent, something was
// written after the last snapshot (as when the agent commits within its turn), or before the snapshot of its
// prompt was finished, a write or a prompt has no time, or another session worked between two turns.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "session_rules/session_part.hpp"
#include "session_rules/work_moment.hpp"

namespace plankeep::core {

struct EditedTrees {
  std::int64_t checkpoint = 1;  // the number of the turn within the commit, from 1
  std::string from;             // a tree or a commit
  std::string to;
  /// What the last turn before the commit's parent left, where that is known: it may have left more than the
  /// parent has, and nobody changed that since. Empty: `from` is all that is known.
  std::string left{};
  bool operator==(const EditedTrees&) const = default;
};

struct AttributionTrees {
  std::string base;  // commit
  std::string snapshot;
  bool whole = true;  // the snapshot left no file out
  std::vector<EditedTrees> edits;
  bool operator==(const AttributionTrees&) const = default;
};

struct AttributionChoice {
  std::optional<AttributionTrees> trees;
  std::string reason;  // why there are none
};

/// `moments`: of all sessions, oldest first. `parent`: the commit's first parent; empty: it has none.
AttributionChoice choose_trees(const std::vector<WorkMoment>& moments, const std::string& session,
                               const SessionPart& part, const std::string& parent, base::Instant commit);

}  // namespace plankeep::core

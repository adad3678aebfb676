#pragma once
// What the journal of a rewind says of its purpose: the note of worktree/restore_tree, one JSON object. From
// it whoever comes after a crash can tell how far it came and write what is missing. Private to
// rewind/rewind*.

#include <string>
#include <string_view>

#include "base/result.hpp"
#include "model/event.hpp"
#include "project/context.hpp"
#include "project/plan_location.hpp"

namespace plankeep::app {

struct RewindNote {
  std::string plan;  // path
  std::string from;  // checkpoints
  std::string to;
  std::string what;  // name_of(RewindWhat)
  std::string by;
  std::string plan_before;  // SHA-256 of the plan's bytes; empty: it was missing
  std::string plan_after;
  std::string others;  // paths of other plans among the files, a line each
  // Of --head only (rewind/rewind_head). An earlier version, which went through git's stash, had no index.
  std::string branch;  // where HEAD was: "refs/heads/main", or empty
  std::string commit;
  std::string index;  // git::HeadPosition::index
  std::string to_branch;
  std::string to_commit;
  std::string to_index;
  std::string safety;      // the commit of the safety snapshot, which has the index file as it was
  std::string index_file;  // SHA-256 of the index file that comes
  bool operator==(const RewindNote&) const = default;
};

std::string to_json(const RewindNote& note);
/// corrupt when it is not one.
[[nodiscard]] base::Result<RewindNote> rewind_note(std::string_view text);

/// The event that the history gets.
core::Event rewound(const RewindNote& note, base::Instant time);

/// SHA-256 of the plan on disk, to be held against plan_before and plan_after; empty when it is missing.
std::string digest_of(const Context& context, const PlanLocation& plan);

}  // namespace plankeep::app

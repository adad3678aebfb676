#pragma once
// What the journal of a rewind says of its purpose: the note of git/restore_tree, one JSON object. From it
// whoever comes after a crash can tell how far it came and write what is missing. Private to app/rewind*.

#include <string>
#include <string_view>

#include "app/context.hpp"
#include "app/plan_location.hpp"
#include "base/result.hpp"
#include "core/event.hpp"

namespace plankeep::app {

struct RewindNote {
  std::string plan;  // path
  std::string from;  // checkpoints
  std::string to;
  std::string what;  // name_of(RewindWhat)
  std::string by;
  std::string plan_before;  // SHA-256 of the plan's bytes
  std::string plan_after;
  std::string branch;     // head: where HEAD was; a branch
  std::string commit;     // or a commit
  std::string to_branch;  // where it goes, as app/rewind_head settles it
  std::string to_commit;
  std::string popped;
  bool operator==(const RewindNote&) const = default;
};

std::string to_json(const RewindNote& note);
/// corrupt when it is none.
[[nodiscard]] base::Result<RewindNote> rewind_note(std::string_view text);

/// The event that the history gets.
core::Event rewound(const RewindNote& note, base::Instant time);

/// The plan as it is on disk now; empty when it is missing or cannot be read.
std::string text_of(const Context& context, const PlanLocation& plan);
/// SHA-256 of that, to be held against plan_before and plan_after.
std::string digest_of(const Context& context, const PlanLocation& plan);

}  // namespace plankeep::app

#pragma once
// What the journal of a rewind says of its purpose: the note of git/restore_tree. One JSON object; private to
// app/rewind*.

#include <string>
#include <string_view>

#include "base/result.hpp"

namespace plankeep::app {

struct RewindNote {
  std::string plan;  // path
  std::string from;  // checkpoints
  std::string to;
  std::string what;  // "files", "all", "head"
  std::string by;
  std::string plan_before;  // SHA-256 of the plan's bytes
  std::string plan_after;
  std::string branch;  // head: where HEAD was; a branch
  std::string commit;  // or a commit
  bool operator==(const RewindNote&) const = default;
};

std::string to_json(const RewindNote& note);
/// corrupt when it is none.
[[nodiscard]] base::Result<RewindNote> rewind_note(std::string_view text);

}  // namespace plankeep::app

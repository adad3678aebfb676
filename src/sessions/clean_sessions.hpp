#pragma once
// What sessions left in the repository and nobody needs any more (`session clean`, spec 19).
//
//   TRY_ASSIGN(const SessionClean dry, clean_sessions(context, sessions, {}));    // says what would go
//   TRY_ASSIGN(const SessionClean done, clean_sessions(context, sessions, {.act = true}));
//
// Without ids: shadow branches that are finished (session_rules/shadow_branches), and the cache of the list
// of sessions if there are no session checkpoints at all. With ids: those session checkpoints and nothing
// else. A branch that only has the name of a shadow branch is listed and never touched.
//
// Order of effects: a bundle of every ref that will change is written and checked,
// <git-common-dir>/plankeep/removed/<time>.bundle; then one ref after the other is deleted, each only if it
// still is what was looked at. Of the layout "branch" a commit takes the checkpoint's folder away; its
// content stays in the branch's history. Killed: some refs are gone, and the bundle has all of them
// (`git fetch FILE "REF:REF"` brings one back). Remotes are not changed.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/instant.hpp"
#include "base/result.hpp"
#include "project/context.hpp"
#include "sessions/sessions.hpp"

namespace plankeep::app {

/// Younger shadow branches stay.
inline constexpr std::int64_t kShadowAge = 7 * base::kDay;

struct CleanRequest {
  std::vector<std::string> ids{};        // of session checkpoints; not empty: only these
  std::int64_t older_than = kShadowAge;  // milliseconds
  bool pending = false;                  // only shadow branches
  bool act = false;                      // false: only say what would go
};

struct CleanedItem {
  enum class Kind { shadow_branch, cache, checkpoint };
  Kind kind = Kind::shadow_branch;
  std::string name;                   // the branch, the file, the id
  std::string ref;                    // empty: a file
  std::string commit;                 // of the ref as it was
  std::optional<base::Instant> time;  // of the branch's tip
  std::string kept;                   // why it stays; empty: it goes, or went
  bool removed = false;
};
std::string_view name_of(CleanedItem::Kind kind);

struct SessionClean {
  std::vector<CleanedItem> items;
  std::string bundle;  // absolute; empty: none was written
  bool acted = false;
  std::vector<std::string> warnings;
};

/// Errors: not_found, an id that means nothing; ambiguous, one that means several; invalid_input, no id of a
/// session checkpoint, or one of a checkpoint that is only at a remote or fetched from it; conflict, the
/// bundle cannot be read back; io. Nothing was deleted then, unless git itself failed while deleting. A ref
/// that somebody changed meanwhile stays, and its item says so.
[[nodiscard]] base::Result<SessionClean> clean_sessions(const Context& context, Sessions& sessions,
                                                        const CleanRequest& request);

}  // namespace plankeep::app

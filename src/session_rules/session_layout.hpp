#pragma once
// In which layout a session checkpoint is written where nobody says it (spec 21.1). Pure.
//
// Entire's own choice comes first, so that its tools find what we write: the variable
// ENTIRE_CHECKPOINTS_PRIMARY, then "checkpoints.primary.type" of .entire/settings.local.json (unless git
// tracks it: then it is a stranger's) and of .entire/settings.json. Its words are "git-refs" and
// "git-branch"; another word, and a file that is no JSON, is passed over. Then what there is already counts,
// refs before the branch; where there is nothing, refs. Source: Entire 0.8.1 to 0.11.

#include <optional>
#include <string>
#include <string_view>

#include "model/session_row.hpp"

namespace plankeep::core {

struct LayoutHints {
  std::optional<std::string> variable;        // ENTIRE_CHECKPOINTS_PRIMARY
  std::optional<std::string> local_settings;  // the text of a settings.local.json that git does not track
  std::optional<std::string> settings;        // the text of settings.json
  bool has_refs = false;                      // any below refs/entire/checkpoints/
  bool has_branch = false;                    // entire/checkpoints/v1, ours or a remote's
};

SessionLayout choose_layout(const LayoutHints& hints);

/// "git-refs", "git-branch"; nullopt for any other word.
std::optional<SessionLayout> layout_of_backend(std::string_view type);

}  // namespace plankeep::core

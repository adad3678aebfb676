#pragma once
// The layout of a new session checkpoint if neither an option nor a setting of ours names one (spec 21.1).
// Pure.
//
// Entire's own choice comes first, so that its tools find what we write: the variable
// ENTIRE_CHECKPOINTS_PRIMARY, then "checkpoints.primary.type" of .entire/settings.local.json (unless git
// tracks it: then it is a stranger's) and of .entire/settings.json. The values are "git-refs" and
// "git-branch"; any other value and a file that is not JSON are skipped. Then what exists already counts,
// refs before the branch. If nothing exists, refs. Source: Entire 0.8.1 to 0.11.

#include <optional>
#include <string>

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

}  // namespace plankeep::core

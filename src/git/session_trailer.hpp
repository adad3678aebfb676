#pragma once
// The trailer that links a commit to its session checkpoint, put into the message while git makes the commit.
//
//   TRY_ASSIGN(const auto text, with_session_trailers(git, top, message, {id}));
//   if (text) ...                                   // replace the file that git gave to prepare-commit-msg
//
// git's own interpret-trailers does it, so its rules hold: which block is the last one, comment lines,
// core.commentChar, the diff of `git commit --verbose`. Starts two processes, three where the message speaks
// of an id.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "git/git.hpp"

namespace plankeep::git {

/// `message`: as it stands in the file, comments included. `ids`: of session checkpoints (model/session), in
/// the order of their lines. nullopt: nothing is to be changed, because
/// - its final trailer block names a session checkpoint already, which stays;
/// - it has no text yet: an editor follows, and a message that stays empty has to end the commit as ever;
/// - there is no id.
/// Errors as git/git; invalid_input for an id that is none.
[[nodiscard]] base::Result<std::optional<std::string>> with_session_trailers(
    Git& git, const std::string& folder, std::string_view message, const std::vector<std::string>& ids);

}  // namespace plankeep::git

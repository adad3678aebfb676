#pragma once
// The trailer that links a commit to its session checkpoint, put into the message while git makes the commit.
//
//   TRY_ASSIGN(const auto text, with_session_trailers(git, top, message, {id}));
//   if (text) ...                                   // replace the file that git gave to prepare-commit-msg
//
// git's own interpret-trailers does it, so its rules hold: which block is the last one, comment lines,
// core.commentChar, the diff of `git commit --verbose`. Starts two processes, three where the message speaks
// of an id, and none for plain messages.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "git/git.hpp"

namespace plankeep::git {

/// The message without the diff that `git commit --verbose` shows below it. The line between them is git's
/// (wt-status.c), behind a comment character of the user's.
std::string_view above_scissors(std::string_view message);

/// What git would make of a message that holds no riddles: its first line begins with a letter or digit, it
/// speaks of no checkpoint, no line is a comment, and its last paragraph is the subject or has no colon and
/// no bracket in it, so that it is no trailer block. nullopt: git has to be asked. Pure.
std::optional<std::string> plain_message_with_trailers(std::string_view message,
                                                       const std::vector<std::string>& ids);

/// `message`: as it stands in the file, comments included. `ids`: of session checkpoints (model/session), in
/// the order of their lines. `final`: no editor follows, so that what looks like a comment is text and a
/// plain message needs no git. nullopt: nothing is to be changed, because
/// - its final trailer block names a session checkpoint already, which stays;
/// - it has no text yet: an editor follows, and a message that stays empty has to end the commit as ever;
/// - there is no id.
/// Errors as git/git; invalid_input for an id that is none.
[[nodiscard]] base::Result<std::optional<std::string>> with_session_trailers(
    Git& git, const std::string& folder, std::string_view message, const std::vector<std::string>& ids,
    bool final = false);

}  // namespace plankeep::git

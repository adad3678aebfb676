#pragma once
// Our lines in git's hooks: `plankeep git-setup --hooks`.
//
// post-commit and post-rewrite, where they run:
//
// - in the folder of git's hooks (core.hooksPath is followed);
// - with husky 9 (core.hooksPath is .husky/_, which husky makes anew) in .husky itself;
// - where the hook is pre-commit's, which leaves it by exec, in the <hook>.legacy that pre-commit calls;
// - where it is lefthook's, which it makes anew, nowhere: conflict, with what to put into lefthook.yml;
// - where core.hooksPath is not this repository's own (set for all of them), nowhere either.
//
// A script that is there keeps every byte and gets our line behind its own (git/hook_block); one that is
// none of a shell's, ends before its end, is a link or is not executable is left alone: conflict, with what
// to do. The line calls plankeep quietly and never fails; where the program is gone it does nothing. Undone
// it is wherever an earlier call may have put it.
//
// All hooks are looked at before the first is written. Each is there whole, old or new, after a crash.

#include <string>
#include <vector>

#include "base/result.hpp"
#include "commits/git_setup.hpp"
#include "git/git.hpp"
#include "project/context.hpp"

namespace plankeep::app {

/// Steps as git_setup tells them. `program`: what the hooks call; empty: take them out.
[[nodiscard]] base::Result<std::vector<GitSetupReport::Step>> set_git_hooks(
    const Context& context, git::Git& git, const std::string& top, const std::string& program, bool write);
}  // namespace plankeep::app

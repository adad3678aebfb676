#pragma once
// Our lines in git's hooks: `plankeep git-setup --hooks` and `--sessions`.
//
// --hooks: post-commit and post-rewrite (commits/git_hook). --sessions: prepare-commit-msg, commit-msg,
// post-commit and post-rewrite (commits/session_message, commits/link_work); they start
// the program only where files beside git's index tell that it has something to do, and post-commit does not
// wait for it. What is
// installed already stays beside what is asked for. They stand where they run:
//
// - in the folder of git's hooks (core.hooksPath is followed);
// - with husky 9 (core.hooksPath is .husky/_, which husky makes anew) in .husky itself;
// - where the hook is pre-commit's, which leaves it by exec, in the <hook>.legacy that pre-commit calls;
// - where it is lefthook's, which it makes anew, nowhere: conflict, with what to put into lefthook.yml;
// - where core.hooksPath is not this repository's own (set for all of them), nowhere either.
//
// A script that is there keeps every byte and gets our line behind its own (git/hook_block); one that is
// none of a shell's, always exits before that line, is a link or is not executable is left alone: conflict,
// with what to do. The line calls plankeep quietly and never fails; where the program is gone it does
// nothing. Undone it is wherever an earlier call may have put it.
//
// All hooks are looked at before the first is written. Each is there whole, old or new, after a crash.

#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "commits/git_setup.hpp"
#include "git/git.hpp"
#include "project/context.hpp"

namespace plankeep::app {

/// Which of them.
struct GitHookParts {
  bool commits = false;   // --hooks
  bool sessions = false;  // --sessions
  bool operator==(const GitHookParts&) const = default;
};
/// What our line in a hook script is for; neither: there is none.
GitHookParts parts_of_hook(std::string_view script, std::string_view hook);

struct InstalledGitHooks {
  GitHookParts parts;                  // whose lines all run
  std::vector<base::Error> never_run;  // a hook that has our line and does not run it, each with what to do
};
/// What is installed for the work tree at `top`, wherever its hooks run.
[[nodiscard]] base::Result<InstalledGitHooks> installed_git_hooks(const Context& context, git::Git& git,
                                                                  const std::string& top);

/// Steps as git_setup tells them. `program`: what the hooks call; empty: take them all out.
[[nodiscard]] base::Result<std::vector<GitSetupReport::Step>> set_git_hooks(const Context& context,
                                                                            git::Git& git,
                                                                            const std::string& top,
                                                                            const std::string& program,
                                                                            GitHookParts wanted, bool write);
}  // namespace plankeep::app

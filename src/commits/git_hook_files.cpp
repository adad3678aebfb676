#include "commits/git_hook_files.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <memory>
#include <utility>

#include "base/limits.hpp"
#include "clients/shell_words.hpp"
#include "commits/session_message.hpp"
#include "git/hook_block.hpp"
#include "project/plan_location.hpp"
#include "sessions/activity_files.hpp"
#include "system/atomic_file.hpp"

namespace plankeep::app {
namespace {

using base::ErrorKind;
using base::Result;
using base::Status;

constexpr std::array<std::string_view, 4> kHooks{"prepare-commit-msg", "commit-msg", "post-commit",
                                                 "post-rewrite"};
constexpr std::uint64_t kHookLimit = base::kLargestSmallFile;
constexpr std::uint32_t kExecutable = 0111;
constexpr std::string_view kLegacy = ".legacy";

constexpr std::string_view kQuietly = " >/dev/null 2>&1";

// Hooks for sessions alone get the message's file and more.
bool is_message_hook(std::string_view hook) {
  return hook == "prepare-commit-msg" || hook == "commit-msg";
}

bool concerns(std::string_view hook, GitHookParts wanted) {
  return wanted.sessions || (wanted.commits && !is_message_hook(hook));
}

// What people are told to call where we do not write.
std::string call_of(std::string_view hook, GitHookParts parts) {
  std::string call = "plankeep git-hook " + std::string(hook);
  if (is_message_hook(hook)) return call + " \"$@\"";
  if (parts.commits && parts.sessions) call += " --commits";
  if (parts.sessions) call += " --sessions";
  return call;
}

// git tells every hook of a commit where the index is; what waits for a commit stands beside it.
std::string is_there(std::string_view name, std::string_view folder = "plankeep/") {
  return "test -e \"${GIT_INDEX_FILE%/*}/" + std::string(folder) + std::string(name) + "\"";
}

// The commit that was linked last gets another message (git commit --amend -m): it keeps who wrote it and
// when.
std::string amends_linked() {
  return "{ test \"${2-}\" = message && read -r plankeep_linked <\"${GIT_INDEX_FILE%/*}/plankeep/" +
         std::string(kLastLinked) +
         "\" && test \"$plankeep_linked\" = \"${GIT_AUTHOR_DATE%% *}\"; } 2>/dev/null";
}

// Whether prepare-commit-msg has anything to do: sessions are noted, an earlier commit was given up in the
// editor, or ids are inherited from squashed commits or kept from the amended one.
std::string has_work() {
  std::string test = "{ ";
  for (const std::string_view name : {kRunningSessions, kEndedPaths, kOpenMessage})
    test += is_there(name) + " || ";
  test += is_there(kSquashMessage, "") + " || ";
  return test + "test \"${2-}\" = squash || " + amends_linked() + "; } && ";
}

std::string line_for(const std::string& program, std::string_view hook, GitHookParts parts) {
  const std::string word = clients::shell_quoted(program);
  const std::string there = "command -v " + word + std::string(kQuietly) + " && ";
  const std::string call = word + " git-hook " + std::string(hook);
  const std::string end = std::string(kQuietly) + " || :";
  if (hook == "prepare-commit-msg") return has_work() + there + call + " \"$@\"" + end;
  if (hook == "commit-msg") return is_there(kOpenMessage) + " && " + there + call + " \"$@\"" + end;
  if (!parts.sessions) return there + call + end;
  // Of each hook one call does both; those of post-rewrite read standard input, too.
  const std::string sessions = call + " --sessions";
  if (parts.commits) return there + call + " --commits --sessions" + end;
  if (hook == "post-rewrite") return there + sessions + end;
  // git does not wait for the writer unless PLANKEEP_CHECKPOINTS=wait (commits/link_work).
  return is_there(kCommitLinks) + " && " + there + "case ${PLANKEEP_CHECKPOINTS-} in wait) " + sessions +
         " ;; *) " + sessions + " & ;; esac" + end;
}

struct Hook {
  std::string name;    // of the hook
  std::string file;    // its file's, mostly the same
  std::string folder;  // where the file is
  bool husky = false;  // called with sh by husky: needs no first line and no mode
  std::string before;
  std::string after;
  system::FileInfo info;

  std::string path() const { return folder + "/" + file; }
};

Status check_script(const Hook& hook, GitHookParts parts) {
  const auto refuse = [&hook](std::string why, std::string hint) {
    return base::fail(ErrorKind::conflict, hook.path() + " " + std::move(why), std::move(hint));
  };
  if (hook.info.kind == system::FileKind::symlink) {
    return refuse("is a symbolic link and was not changed",
                  "make its target call: " + call_of(hook.name, parts));
  }
  const bool there = hook.info.kind == system::FileKind::regular;
  // A hook of husky's has no first line: it is one of sh all the same.
  const bool bare = hook.husky && !hook.before.starts_with("#!");
  switch (core::kind_of_script(bare && there ? "#!/bin/sh\n" + hook.before : hook.before)) {
    case core::HookScript::absent:
    case core::HookScript::shell:
      break;
    case core::HookScript::ends_early:
      if (core::has_hook_block(hook.before))
        return refuse("always exits before plankeep's lines, which never run",
                      "move plankeep's three lines before the exit or exec");
      return refuse("always exits before its end: a line there would never run",
                    "add this before the exit or exec: " + call_of(hook.name, parts) + " || :");
    case core::HookScript::other:
      return refuse("is not a shell script", "make it call: " + call_of(hook.name, parts));
  }
  if (there && !hook.husky && (hook.info.mode & kExecutable) == 0) {
    return refuse("is not executable, so git does not run it",
                  "make it executable (chmod +x), or move it away");
  }
  return {};
}

Status read_hook(const Context& context, Hook& hook) {
  hook.before.clear();
  hook.info = {};
  const auto folder = context.files.open_folder(hook.folder);
  if (!folder && folder.error().kind == ErrorKind::not_found) return {};
  if (!folder) return base::fail(folder.error());
  TRY_ASSIGN(hook.info, (*folder)->info(hook.file));
  if (hook.info.kind == system::FileKind::regular) {
    TRY_ASSIGN(hook.before, (*folder)->read(hook.file, kHookLimit));
  } else if (hook.info.kind != system::FileKind::missing && hook.info.kind != system::FileKind::symlink) {
    return base::fail(ErrorKind::corrupt, hook.path() + " is not a regular file");
  }
  return {};
}

bool is_huskys(const std::string& folder) {
  return last_part(folder) == "_" && last_part(parent_of(folder)) == ".husky";
}

// Where a line for this hook runs.
Result<Hook> place_of(const Context& context, const std::string& folder, std::string_view name,
                      GitHookParts parts) {
  Hook hook;
  hook.name = hook.file = name;
  hook.folder = folder;
  TRY(read_hook(context, hook));
  if (is_huskys(folder)) {
    if (hook.info.kind == system::FileKind::missing) {
      return base::fail(ErrorKind::conflict, "husky does not run a hook " + hook.name,
                        "update its files: npx husky");
    }
    hook.folder = parent_of(folder);
    hook.husky = true;
    TRY(read_hook(context, hook));
    return hook;
  }
  if (hook.before.find("File generated by pre-commit") != std::string::npos) {
    hook.file += std::string(kLegacy);
    TRY(read_hook(context, hook));
  } else if (hook.before.find("call_lefthook") != std::string::npos) {
    std::string call = call_of(hook.name, parts);
    // lefthook's word for all arguments.
    if (const std::size_t at = call.find("\"$@\""); at != std::string::npos) call.replace(at, 4, "{0}");
    return base::fail(
        ErrorKind::conflict, hook.path() + " is generated by lefthook, which would overwrite changes",
        "add this to lefthook.yml: " + hook.name + ": { commands: { plankeep: { run: " + call + " } } }");
  }
  return hook;
}

// Every place where an earlier call may have put it.
Result<std::vector<Hook>> places_with_ours(const Context& context, const std::string& folder,
                                           std::string_view name) {
  std::vector<Hook> found;
  std::vector<std::pair<std::string, std::string>> places{{folder, std::string(name)},
                                                          {folder, std::string(name).append(kLegacy)}};
  if (is_huskys(folder)) places.emplace_back(parent_of(folder), name);
  for (auto& [where, file] : places) {
    Hook hook;
    hook.name = name;
    hook.folder = std::move(where);
    hook.file = std::move(file);
    TRY(read_hook(context, hook));
    hook.after = core::without_hook_block(hook.before);
    const bool first = found.empty() && hook.file == name;
    if (first || core::has_hook_block(hook.before)) found.push_back(std::move(hook));
  }
  // The first is there to say that there is none.
  if (found.size() > 1 && !core::has_hook_block(found.front().before)) found.erase(found.begin());
  return found;
}

// A core.hooksPath that is set for all repositories is not ours to write to.
Status check_hooks_path(git::Git& git, const std::string& top, const std::string& folder,
                        GitHookParts parts) {
  TRY_ASSIGN(const auto told, git.configured(top, "core.hooksPath"));
  if (!told || told->scope == "local" || told->scope == "worktree") return {};
  return base::fail(
      ErrorKind::conflict,
      "core.hooksPath is set for every repository (" + told->scope + "): " + folder +
          " is shared with other repositories",
      "make the hooks there call: " + call_of("post-commit", parts) +
          (parts.sessions ? " (and prepare-commit-msg, commit-msg, post-rewrite)" : " (and post-rewrite)") +
          ", or give this repository its own folder with git config core.hooksPath");
}

Status write_hook(const Context& context, const Hook& hook) {
  if (hook.after == hook.before) return {};
  auto opened = context.files.open_folder(hook.folder);
  if (!opened && opened.error().kind == ErrorKind::not_found) {
    TRY_ASSIGN(const auto above, context.files.open_folder(parent_of(hook.folder)));
    opened = above->make_folder(last_part(hook.folder));
  }
  TRY_ASSIGN(const std::unique_ptr<system::Folder> folder, std::move(opened));
  if (hook.after.empty()) return folder->remove(hook.file);
  system::FileInfo like = hook.info;
  if (like.kind == system::FileKind::missing) {
    TRY_ASSIGN(like, context.files.info(hook.folder));
    constexpr std::uint32_t kHookMode = 0755;
    like.mode = kHookMode;
  }
  return system::write_file_like(*folder, hook.file, hook.after, like, system::Durability::durable);
}

std::string state_of(const Hook& hook, bool install) {
  const bool there = core::has_hook_block(hook.before);
  if (!install) return there ? "removed" : "missing";
  return hook.after == hook.before ? "present" : there ? "updated" : "added";
}

}  // namespace

GitHookParts parts_of_hook(std::string_view script, std::string_view hook) {
  const std::string block = core::hook_block_line(script);
  GitHookParts parts;
  parts.sessions =
      block.find(" --sessions") != std::string::npos || (is_message_hook(hook) && !block.empty());
  parts.commits = block.find(" git-hook " + std::string(hook) + std::string(kQuietly)) != std::string::npos ||
                  block.find(" --commits") != std::string::npos;
  return parts;
}

Result<InstalledGitHooks> installed_git_hooks(const Context& context, git::Git& git, const std::string& top) {
  TRY_ASSIGN(const std::string folder, git.git_path(top, "hooks"));
  InstalledGitHooks installed{{true, true}, {}};
  for (const std::string_view name : kHooks) {
    TRY_ASSIGN(std::vector<Hook> ours, places_with_ours(context, folder, name));
    GitHookParts here;
    for (Hook& hook : ours) {
      hook.husky = is_huskys(folder) && hook.folder != folder;
      const GitHookParts parts = parts_of_hook(hook.before, name);
      if (parts == GitHookParts()) continue;
      if (const Status runs = check_script(hook, parts); !runs) {
        installed.never_run.push_back(runs.error());
        continue;
      }
      here.commits = here.commits || parts.commits;
      here.sessions = here.sessions || parts.sessions;
    }
    installed.parts.sessions = installed.parts.sessions && here.sessions;
    if (!is_message_hook(name)) installed.parts.commits = installed.parts.commits && here.commits;
  }
  return installed;
}

Result<std::vector<GitSetupReport::Step>> set_git_hooks(const Context& context, git::Git& git,
                                                        const std::string& top, const std::string& program,
                                                        GitHookParts wanted, bool write) {
  const bool install = !program.empty();
  TRY_ASSIGN(const std::string folder, git.git_path(top, "hooks"));
  if (install) TRY(check_hooks_path(git, top, folder, wanted));
  std::vector<Hook> hooks;
  for (const std::string_view name : kHooks) {
    if (!install) {
      TRY_ASSIGN(std::vector<Hook> ours, places_with_ours(context, folder, name));
      std::move(ours.begin(), ours.end(), std::back_inserter(hooks));
      continue;
    }
    if (!concerns(name, wanted)) continue;
    TRY_ASSIGN(Hook hook, place_of(context, folder, name, wanted));
    GitHookParts parts = parts_of_hook(hook.before, name);
    parts.commits = parts.commits || wanted.commits;
    parts.sessions = parts.sessions || wanted.sessions;
    TRY(check_script(hook, parts));
    hook.after = core::with_hook_block(hook.before, line_for(program, name, parts));
    hooks.push_back(std::move(hook));
  }
  std::vector<GitSetupReport::Step> steps;
  for (const Hook& hook : hooks) {
    // Of hooks that were never asked for nobody is told that there are none.
    if (!install && is_message_hook(hook.name) && !core::has_hook_block(hook.before)) continue;
    if (write) TRY(write_hook(context, hook));
    steps.push_back({"hook " + hook.name, hook.path(), {}, state_of(hook, install)});
  }
  return steps;
}

}  // namespace plankeep::app

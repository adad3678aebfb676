#include "app/git_hook_files.hpp"

#include <array>
#include <utility>

#include "app/plan_location.hpp"
#include "clients/shell_words.hpp"
#include "core/hook_block.hpp"
#include "store/atomic_file.hpp"

namespace plankeep::app {
namespace {

using base::ErrorKind;
using base::Result;
using base::Status;

constexpr std::array<std::string_view, 2> kHooks{"post-commit", "post-rewrite"};
constexpr std::uint64_t kHookLimit = std::uint64_t{1} << 20;
constexpr std::uint32_t kExecutable = 0111;

std::string line_for(const std::string& program, std::string_view hook) {
  const std::string word = clients::shell_quoted(program);
  return "command -v " + word + " >/dev/null 2>&1 && " + word + " git-hook " + std::string(hook) +
         " >/dev/null 2>&1 || :";
}

struct Hook {
  std::string name;
  std::string path;
  std::string before;
  std::string after;
  system::FileInfo info;
};

Status check_script(const Hook& hook) {
  const auto refuse = [&hook](std::string why, std::string hint) {
    return base::fail(ErrorKind::conflict, hook.path + " " + std::move(why), std::move(hint));
  };
  if (hook.info.kind == system::FileKind::symlink) {
    return refuse("is a link, and is left alone",
                  "let what it leads to call: plankeep git-hook " + hook.name);
  }
  switch (core::kind_of_script(hook.before)) {
    case core::HookScript::absent:
    case core::HookScript::shell:
      break;
    case core::HookScript::ends_early:
      return refuse("ends with exit or exec: a line behind it would never run",
                    "put this before it yourself: plankeep git-hook " + hook.name + " || :");
    case core::HookScript::other:
      return refuse("is no shell script", "let it call: plankeep git-hook " + hook.name);
  }
  const bool there = hook.info.kind == system::FileKind::regular;
  if (there && (hook.info.mode & kExecutable) == 0) {
    return refuse("is not executable, so git does not run it",
                  "chmod +x it if it is meant to run, or move it away");
  }
  return {};
}

Result<Hook> look_at(system::Folder* folder, const std::string& path, std::string_view name,
                     const std::string& program) {
  Hook hook;
  hook.name = name;
  hook.path = path + "/" + hook.name;
  if (folder != nullptr) {
    TRY_ASSIGN(hook.info, folder->info(name));
    if (hook.info.kind == system::FileKind::regular) {
      TRY_ASSIGN(hook.before, folder->read(name, kHookLimit));
    } else if (hook.info.kind != system::FileKind::missing && hook.info.kind != system::FileKind::symlink) {
      return base::fail(ErrorKind::corrupt, hook.path + " is no regular file");
    }
  }
  if (program.empty()) {
    hook.after = core::without_hook_block(hook.before);
  } else {
    TRY(check_script(hook));
    hook.after = core::with_hook_block(hook.before, line_for(program, name));
  }
  return hook;
}

Status write_hook(const Context& context, system::Folder& folder, const std::string& path, const Hook& hook) {
  if (hook.after == hook.before) return {};
  if (hook.after.empty()) return folder.remove(hook.name);
  system::FileInfo like = hook.info;
  if (like.kind == system::FileKind::missing) {
    TRY_ASSIGN(like, context.files.info(path));
    constexpr std::uint32_t kHookMode = 0755;
    like.mode = kHookMode;
  }
  return store::write_file_like(folder, hook.name, hook.after, like, store::Durability::durable);
}

}  // namespace

Result<std::vector<GitSetupReport::Step>> set_git_hooks(const Context& context, git::Git& git,
                                                        const std::string& top, const std::string& program,
                                                        bool write) {
  std::vector<GitSetupReport::Step> steps;
  TRY_ASSIGN(const std::string path, git.git_path(top, "hooks"));
  auto opened = context.files.open_folder(path);
  if (!opened && opened.error().kind != ErrorKind::not_found) return base::fail(std::move(opened.error()));
  std::unique_ptr<system::Folder> folder;
  if (opened) folder = std::move(*opened);
  std::vector<Hook> hooks;
  hooks.reserve(kHooks.size());
  for (const std::string_view name : kHooks) {
    TRY_ASSIGN(Hook hook, look_at(folder.get(), path, name, program));
    hooks.push_back(std::move(hook));
  }
  if (write && !program.empty() && folder == nullptr) {
    TRY_ASSIGN(const auto above, context.files.open_folder(parent_of(path)));
    TRY_ASSIGN(folder, above->make_folder(last_part(path)));
  }
  for (const Hook& hook : hooks) {
    const bool there = core::has_hook_block(hook.before);
    std::string state;
    if (program.empty()) {
      state = there ? "removed" : "missing";
    } else {
      state = hook.after == hook.before ? "present" : there ? "updated" : "added";
    }
    if (write && folder != nullptr) TRY(write_hook(context, *folder, path, hook));
    steps.push_back({"hook " + hook.name, hook.path, std::move(state)});
  }
  return steps;
}

}  // namespace plankeep::app

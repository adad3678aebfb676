#include "commits/entire_hooks.hpp"

#include "base/json_reader.hpp"
#include "base/limits.hpp"
#include "project/plan_location.hpp"

namespace plankeep::app {
namespace {

std::optional<bool> told_enabled(const std::optional<std::string>& text) {
  if (!text) return std::nullopt;
  std::optional<bool> told;
  base::JsonReader in(*text);
  const base::Status read = in.object([&](std::string_view key) -> base::Status {
    if (key != "enabled" || in.peek() != base::JsonType::boolean) return in.skip();
    bool value = true;
    TRY(in.boolean(value));
    told = value;
    return {};
  });
  return read ? told : std::nullopt;
}

std::optional<std::string> read_file(const Context& context, const std::string& folder,
                                     std::string_view name) {
  const auto opened = context.files.open_folder(folder);
  if (!opened) return std::nullopt;
  auto text = (*opened)->read(name, base::kLargestSmallFile);
  return text ? std::optional(std::move(*text)) : std::nullopt;
}

}  // namespace

bool entire_is_enabled(const std::optional<std::string>& local, const std::optional<std::string>& shared) {
  if (const auto told = told_enabled(local)) return *told;
  return told_enabled(shared).value_or(true);
}

bool calls_entire(std::string_view script) {
  return script.find("hooks git prepare-commit-msg") != std::string_view::npos;
}

base::Result<bool> entire_links_commits(const Context& context, git::Git& git, const std::string& top) {
  const std::string settings = top + "/.entire";
  const auto there = context.files.info(settings);
  if (!there || there->kind != system::FileKind::directory) return false;
  if (!entire_is_enabled(read_file(context, settings, "settings.local.json"),
                         read_file(context, settings, "settings.json")))
    return false;
  TRY_ASSIGN(const std::string hooks, git.git_path(top, "hooks"));
  constexpr std::string_view kHook = "prepare-commit-msg";
  // husky's own folder holds calls of the scripts beside it.
  for (const std::string& folder : {hooks, parent_of(hooks)}) {
    const auto script = read_file(context, folder, kHook);
    if (script && calls_entire(*script)) return true;
  }
  return false;
}

}  // namespace plankeep::app

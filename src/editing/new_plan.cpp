#include "editing/new_plan.hpp"

#include <memory>

#include "base/slug.hpp"
#include "base/utf8.hpp"
#include "system/atomic_file.hpp"

namespace plankeep::app {
namespace {

using base::ErrorKind;
using base::Result;

constexpr std::string_view kMarked =
    "What has to be true in the end, in a sentence or two.\n"
    "\n"
    "## Phase 1: Prepare\n"
    "<!-- CHECKPOINT: prepare -->\n"
    "\n"
    "- [ ] The first task <!-- TASK: first -->\n"
    "- [ ] A task that needs it <!-- TASK: second | after: first -->\n"
    "- [ ] The tests pass <!-- ACCEPT: tests-pass -->\n"
    "\n"
    "## Phase 2: Build\n"
    "<!-- CHECKPOINT: build -->\n"
    "\n"
    "- [ ] The next task <!-- TASK: third -->\n";

constexpr std::string_view kPlain =
    "What has to be true in the end, in a sentence or two.\n"
    "\n"
    "## Phase 1: Prepare\n"
    "\n"
    "- [ ] The first task\n"
    "- [ ] The second task\n"
    "\n"
    "## Phase 2: Build\n"
    "\n"
    "- [ ] The next task\n";

constexpr std::string_view kSpec =
    "## 1. Prepare\n"
    "\n"
    "- [ ] 1.1 The first task\n"
    "- [ ] 1.2 The second task\n"
    "  - [ ] 1.2.1 A step of it\n"
    "\n"
    "## 2. Build\n"
    "\n"
    "- [ ] 2.1 The next task\n"
    "- [ ]* 2.2 An optional task\n";

std::string_view body_of(PlanTemplate made_from) {
  switch (made_from) {
    case PlanTemplate::marked:
      return kMarked;
    case PlanTemplate::plain:
      return kPlain;
    case PlanTemplate::spec:
      return kSpec;
  }
  return kPlain;
}

bool is_path(std::string_view name) {
  return name == "." || name == ".." || name.find('/') != std::string_view::npos ||
         base::to_lower(name).ends_with(".md");
}

// "docs/", "..": the plan goes into it under the usual name.
bool names_folder(std::string_view path) {
  const std::string_view last = path.substr(path.rfind('/') + 1);
  return last.empty() || last == "." || last == "..";
}

// "docs/plans/Auth flow.md" -> "Auth flow", "plans/auth/plan.md" -> "auth"
std::string title_of(const std::string& name) {
  if (!is_path(name)) return name;
  const std::string file = last_part(name);
  const std::size_t dot = file.rfind('.');
  const std::string stem = dot == std::string::npos || dot == 0 ? file : file.substr(0, dot);
  const std::string lower = base::to_lower(stem);
  const bool general = lower == "plan" || lower == "tasks";
  const std::string folder = last_part(parent_of(name));
  return general && !folder.empty() && folder != "." && folder != ".." ? folder : stem;
}

Result<std::unique_ptr<system::Folder>> folder_at(const Context& context, const std::string& path) {
  auto there = context.files.open_folder(path);
  if (there || there.error().kind != ErrorKind::not_found || path == "/") return there;
  TRY_ASSIGN(const auto above, folder_at(context, parent_of(path)));
  const std::string name = last_part(path);
  const base::Status made = above->create_shared_folder(name);
  // Somebody else may have made it just now.
  if (!made && made.error().kind != ErrorKind::conflict) return base::fail(made.error());
  return above->open_folder(name);
}

base::Status check_free(system::Folder& folder, const std::string& name) {
  TRY_ASSIGN(const auto names, folder.list());
  const std::string lower = base::to_lower(name);
  for (const std::string& other : names) {
    if (base::to_lower(other) == lower)
      return base::fail(ErrorKind::conflict, folder.path_of(other) + " already exists",
                        "track it with plankeep init, or give another name");
  }
  return {};
}

}  // namespace

std::string path_of_new_plan(const std::string& name, PlanTemplate made_from) {
  if (is_path(name)) {
    if (!names_folder(name)) return name;
    return name + (name.ends_with('/') ? "" : "/") +
           (made_from == PlanTemplate::spec ? "tasks.md" : "plan.md");
  }
  const std::string slug = base::slug(name, "plan");
  return made_from == PlanTemplate::spec ? "specs/" + slug + "/tasks.md" : "plans/" + slug + "/plan.md";
}

std::string text_of_new_plan(std::string_view title, PlanTemplate made_from) {
  return "# " + std::string(title) + "\n\n" + std::string(body_of(made_from));
}

Result<PlanLocation> new_plan(const Context& context, const std::string& name, PlanTemplate made_from) {
  const bool good = base::find_invalid_utf8(name) == std::string_view::npos &&
                    base::printable(name) == name && name.find_first_not_of(" \t") != std::string::npos;
  if (!good)
    return base::fail(ErrorKind::invalid_input,
                      "a plan's name must be one line of UTF-8 text that is not empty");
  const std::string chosen = path_of_new_plan(name, made_from);
  std::string path = absolute_path(context, chosen);
  if (!base::to_lower(path).ends_with(".md")) path += ".md";
  TRY_ASSIGN(const auto folder, folder_at(context, parent_of(path)));
  const std::string file = last_part(path);
  TRY(check_free(*folder, file));
  const std::string temporary = system::temporary_name(file);
  TRY_ASSIGN(const system::FileInfo left, folder->info(temporary));
  if (left.kind == system::FileKind::regular) TRY(folder->remove(temporary));
  {
    TRY_ASSIGN(const auto writing, folder->create_shared(temporary, false));
    TRY(writing->write(text_of_new_plan(title_of(is_path(name) ? chosen : name), made_from)));
    TRY(writing->sync_data());
  }
  const base::Status moved = folder->move(temporary, *folder, file);
  if (!moved) {
    (void)folder->remove(temporary);
    return base::fail(moved.error());
  }
  TRY(folder->sync());
  TRY_ASSIGN(const std::string real, context.files.real_path(parent_of(path)));
  return PlanLocation{real, file};
}

}  // namespace plankeep::app

#pragma once
// Files that look like plans and that nobody tracks: one of them, and all that a project has.
//
// The folders of the known layouts are looked into by project/project_plans. A plan elsewhere (docs/plan.md,
// a file with markers) is met when a hook sees it written; what was there before is only found by a search of
// the whole project. It starts a git process and reads files, so it is for commands, never for a hook.

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "project/context.hpp"
#include "project/plan_location.hpp"
#include "project/project.hpp"

namespace plankeep::app {

/// Files of other names that are searched for markers, at most.
inline constexpr std::size_t kMostSearchedFiles = 5000;

struct UntrackedFile {
  PlanLocation plan;
  bool marked = false;  // it has a CHECKPOINT, TASK or ACCEPT marker
  bool open = false;    // a box that counts is open
};

enum class WantedFile { any, marked };

/// The file, if nobody tracks it and it holds a box. nullopt also for one of over 1 MiB, one of another user
/// in a folder that is not ours, and one that cannot be read as a plan.
std::optional<UntrackedFile> untracked_file(const Context& context, const PlanLocation& plan,
                                            WantedFile wanted = WantedFile::any);

struct FoundFiles {
  std::vector<std::string> paths;  // from the project's root, sorted; at most kMostUntracked
  std::vector<std::string> warnings;
};
/// Every untracked Markdown file of the project that is a plan by its name (a known layout, the setting
/// planNames) or by its markers, and holds a box. Looked at is what git tracks, and what it neither tracks
/// nor ignores; hidden folders, node_modules and OpenSpec's archive/ are left out, links are not followed.
/// Nothing without git.
FoundFiles search_plans(const Context& context, const Project& project);

/// The same for the project around `folder`, kept in the project's list (ProjectPlans::untracked). Returns
/// the warnings. What cannot be kept is found again by the next search.
std::vector<std::string> note_untracked_plans(const Context& context, const std::string& folder);

}  // namespace plankeep::app

#pragma once
// What a file that is not tracked was called before, by the records of its folder (rules/matching).

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "model/plan.hpp"
#include "project/context.hpp"
#include "project/plan_location.hpp"
#include "system/file_system.hpp"
#include "tracking/outcome.hpp"

namespace plankeep::app {

/// The hint for a missing file when renamed_words() finds nothing.
inline constexpr std::string_view kMissingPlan =
    "if it was renamed or moved: plankeep init NEW-NAME; if it was deleted: plankeep restore";

/// The hint for a plan that lost all its tasks.
inline constexpr std::string_view kEmptiedPlan =
    "if this is intended: plankeep sync --accept-empty; else: plankeep restore";

/// No file of this name is there, nor a link.
bool is_gone(system::Folder& folder, std::string_view name);

/// The files that are gone and of which the folder has records, archived or not, sorted. Mostly none, and
/// then no plan need be read.
[[nodiscard]] base::Result<std::vector<std::string>> gone_plans(system::Folder& folder);

/// The name of the file that was gone when this one, of `plan` and `bytes`, appeared. nullopt: none is alike.
/// conflict: several are, and the contents do not tell which.
[[nodiscard]] base::Result<std::optional<std::string>> predecessor_of(system::Folder& folder,
                                                                      const PlanLocation& location,
                                                                      const core::Plan& plan,
                                                                      const std::string& bytes);

/// The other way round: a hint for a tracked file that is missing, if an untracked file has much the same
/// boxes: "if it was renamed: plankeep init NEW.md". Searches the file's folder, then the project's known
/// layouts (project/known_layouts). Empty: the file is there, or there is no such file. Parses up to 32 files
/// of at most 1 MiB, so nothing for a hook.
std::string renamed_words(const Context& context, const PlanLocation& gone);

/// What to do about a plan that a sync could not read, said once: its new name, if it may only have another;
/// else what the outcome says. Empty: neither is known.
std::string remedy_of(const Context& context, const Outcome& outcome);

/// Gives the records of the file that is gone to `to`, under their lock.
[[nodiscard]] base::Status take_over_records(system::Folder& folder, const std::string& from,
                                             const std::string& to);

/// The same for a Markdown file whose predecessor was in another folder of the project, according to the
/// project's list (project/project_plans): its records are moved to the place that those of `location` have,
/// in `folder`. Gives where they were; nullopt: no missing plan is alike, or its records are on another file
/// system. conflict: several are alike, or the missing file is back.
///
/// The records are moved by one rename, so whoever dies before or after leaves them whole in one of the two
/// places. Only where they share .checkpoint with those of other files are they moved one by one, the history
/// first; if that fails, they are moved back.
[[nodiscard]] base::Result<std::optional<PlanLocation>> take_over_from_elsewhere(const Context& context,
                                                                                 system::Folder& folder,
                                                                                 const PlanLocation& location,
                                                                                 const core::Plan& plan,
                                                                                 const std::string& bytes);

}  // namespace plankeep::app

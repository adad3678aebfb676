#pragma once
// What a file that is not tracked was called before, by the records of its folder (rules/matching).
//
// Records of archived plans are left alone: their files may be gone for good.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "model/plan.hpp"
#include "project/context.hpp"
#include "project/plan_location.hpp"
#include "system/file_system.hpp"

namespace plankeep::app {

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

/// Gives the records of the file that is gone to `to`, under their lock.
[[nodiscard]] base::Status take_over_records(system::Folder& folder, const std::string& from,
                                             const std::string& to);

}  // namespace plankeep::app

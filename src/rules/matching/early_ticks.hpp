#pragma once
// A tick whose dependencies are open is a claim that does not hold yet (spec 10.2). Pure.

#include <optional>
#include <vector>

#include "model/plan.hpp"
#include "rules/notice.hpp"

namespace plankeep::core {

/// `ticked`: tasks of `plan` that an edit ticked. nullopt: none of them comes after an open one.
std::optional<Notice> ticked_too_early(const std::vector<const Task*>& ticked, const Plan& plan);

}  // namespace plankeep::core

#pragma once
// Secrets in a plan's own text. The text is its writer's and is never changed; whoever lints it is told.

#include <string>
#include <string_view>
#include <vector>

#include "model/diagnostics.hpp"
#include "project/context.hpp"
#include "project/settings.hpp"

namespace plankeep::app {

/// `secret-in-plan` for each, where it begins, with the name of the rule and never the value. With rules of
/// the settings that are not in force, one at the first line that says why.
std::vector<core::Diagnostic> secrets_in_plan(const Context& context, const Settings& settings,
                                              std::string_view text);

}  // namespace plankeep::app

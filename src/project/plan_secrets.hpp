#pragma once
// Secrets in a plan's own text. The text is never changed for this; `plankeep lint` reports them.

#include <string>
#include <string_view>
#include <vector>

#include "model/diagnostics.hpp"
#include "project/context.hpp"
#include "project/settings.hpp"
#include "secrets/known_secrets.hpp"

namespace plankeep::app {

/// One `secret-in-plan` for each secret, at its first byte, with the name of the rule and never the value. If
/// the rules of the settings cannot be used, the built-in rules are, and a diagnostic at line 1 says why.
/// `known`: pass the same object again to search only the lines that changed since the last call. It is not
/// used if the settings have rules, since those may change between calls.
std::vector<core::Diagnostic> secrets_in_plan(const Context& context, const Settings& settings,
                                              std::string_view text, secrets::KnownSecrets* known = nullptr);

}  // namespace plankeep::app

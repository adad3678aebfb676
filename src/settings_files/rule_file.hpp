#pragma once
// Files of redaction rules in gitleaks' format: TOML with [[rules]] tables.
//
// Read are id, regex, keywords, entropy (0 to 8; other values are ignored) and secretGroup. A rule with a
// path and no regex is about names of files and is skipped. Allow lists are not read: redacting too much
// costs a word, redacting too little leaks a key. `[extend]` is not followed: only files that the settings
// name are read.

#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "secrets/rule.hpp"

namespace plankeep::clients {

/// Patterns are not compiled here. invalid_input, with the line: not TOML; or a rule without an id, or with
/// neither regex nor path.
[[nodiscard]] base::Result<std::vector<secrets::CustomRule>> read_rule_file(std::string_view text);

}  // namespace plankeep::clients

#pragma once
// Files of redaction rules in the format of gitleaks: TOML with [[rules]] tables.
//
// Read of a rule: id, regex, keywords, entropy, secretGroup. A rule without a regex tells files by their
// names; it says nothing about texts and is left out. Allow lists are not read: a text that is redacted too
// much loses a word, one that is redacted too little loses a key. `[extend]` is not followed: no file is read
// that the settings do not name.

#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "secrets/rule.hpp"

namespace plankeep::clients {

/// Patterns are not compiled here. invalid_input, with the line: no TOML; or a rule without an id.
[[nodiscard]] base::Result<std::vector<secrets::CustomRule>> read_rule_file(std::string_view text);

}  // namespace plankeep::clients

#include "settings_files/rule_file.hpp"

#include <string>

#include "settings_files/toml_scan.hpp"

namespace plankeep::clients {
namespace {

constexpr double kMostBits = 8;  // per byte

}  // namespace

base::Result<std::vector<secrets::CustomRule>> read_rule_file(std::string_view text) {
  TRY_ASSIGN(const std::vector<TomlTable> tables, toml_tables(text, "rules"));
  std::vector<secrets::CustomRule> rules;
  for (const TomlTable& table : tables) {
    secrets::CustomRule rule;
    for (const auto& [key, value] : table.strings) {
      if (key == "id") rule.id = value;
      if (key == "regex") rule.pattern = value;
    }
    for (const auto& [key, value] : table.numbers) {
      // No text has more: such a rule would find nothing. Without the limit it finds too much, which is safe.
      if (key == "entropy" && value >= 0 && value <= kMostBits) rule.entropy = value;
      if (key == "secretGroup" && value >= 0 && value < 100) rule.group = static_cast<int>(value);
    }
    for (const auto& [key, values] : table.lists) {
      if (key == "keywords") rule.keywords = values;
    }
    if (rule.id.empty())
      return base::fail(base::ErrorKind::invalid_input,
                        "line " + std::to_string(table.line) + ": a rule has no id");
    if (!rule.pattern.empty()) {
      rules.push_back(std::move(rule));
    } else if (!table.strings.contains("path")) {
      return base::fail(base::ErrorKind::invalid_input, "line " + std::to_string(table.line) + ": rule \"" +
                                                            rule.id + "\" has neither regex nor path");
    }
  }
  return rules;
}

}  // namespace plankeep::clients

#include "settings_files/trust.hpp"

#include "settings_files/json_tree.hpp"
#include "settings_files/toml_scan.hpp"

namespace plankeep::clients {
namespace {

// Whether `folder` is `above` or lies below it.
bool holds(std::string_view above, std::string_view folder) {
  while (above.size() > 1 && above.back() == '/') above.remove_suffix(1);
  if (above.empty() || above.front() != '/') return false;
  if (above == "/") return true;
  if (folder.substr(0, above.size()) != above) return false;
  return folder.size() == above.size() || folder[above.size()] == '/';
}

std::string_view parent_of(std::string_view path) {
  while (path.size() > 1 && path.back() == '/') path.remove_suffix(1);
  const std::size_t slash = path.rfind('/');
  if (slash == std::string_view::npos) return {};
  return slash == 0 ? path.substr(0, 1) : path.substr(0, slash);
}

std::string snake(std::string_view event) {
  std::string text;
  for (const char c : event) {
    const bool capital = c >= 'A' && c <= 'Z';
    if (capital && !text.empty()) text += '_';
    text += capital ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return text;
}

}  // namespace

Trust trust_of_folder_list(std::string_view text, std::string_view folder) {
  const auto tree = parse_json_tree(text);
  if (!tree || !tree->root.is_object()) return Trust::unknown;
  Trust trust = Trust::unknown;
  std::size_t longest = 0;
  for (const JsonNode& rule : tree->root.items) {
    const bool parent = rule.text == "TRUST_PARENT";
    const std::string_view above = parent ? parent_of(rule.key) : std::string_view(rule.key);
    if (!holds(above, folder) || above.size() < longest) continue;
    if (!parent && rule.text != "TRUST_FOLDER" && rule.text != "DO_NOT_TRUST") continue;
    longest = above.size();
    trust = rule.text == "DO_NOT_TRUST" ? Trust::untrusted : Trust::trusted;
  }
  return trust;
}

Trust trust_of_copilot(std::string_view text, std::string_view folder) {
  const auto tree = parse_json_tree(text);
  if (!tree) return Trust::unknown;
  for (const std::string_view key : {"trustedFolders", "trusted_folders"}) {
    const JsonNode* list = tree->root.find(key);
    if (list == nullptr) continue;
    for (const JsonNode& one : list->items) {
      if (one.is_string() && holds(one.text, folder)) return Trust::trusted;
    }
  }
  return Trust::untrusted;
}

CodexTrust trust_of_codex(std::string_view text, std::string_view project) {
  CodexTrust trust;
  std::size_t longest = 0;
  const auto strings = toml_strings(text);
  if (!strings) return trust;
  for (const auto& [path, value] : *strings) {
    if (path.size() == 3 && path[0] == "projects" && path[2] == "trust_level") {
      if (!holds(path[1], project) || path[1].size() < longest) continue;
      longest = path[1].size();
      trust.project = value == "trusted" ? Trust::trusted : Trust::untrusted;
    }
    const bool state = path.size() == 4 && path[0] == "hooks" && path[1] == "state";
    if (state && path[3] == "trusted_hash" && !value.empty()) trust.trusted_hooks.push_back(path[2]);
  }
  return trust;
}

std::string codex_hook_key(std::string_view file, std::string_view event, std::size_t group,
                           std::size_t index) {
  return std::string(file) + ":" + snake(event) + ":" + std::to_string(group) + ":" + std::to_string(index);
}

}  // namespace plankeep::clients

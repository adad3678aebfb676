#include "settings_files/trust.hpp"

#include <algorithm>

#include "base/utf8.hpp"
#include "settings_files/json_tree.hpp"

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

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r";
  const std::size_t begin = text.find_first_not_of(kSpace);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kSpace) - begin + 1);
}

// A minimal reader of TOML: tables with their keys, basic and literal strings on one line. What it does not
// know (arrays over lines, dates) it passes over; a line inside a text of several lines cannot be told from a
// line of the file, which at worst makes a hook look untrusted.
class TomlScanner {
 public:
  explicit TomlScanner(std::string_view text) : text_(text) {}

  /// The next "key = string" with the parts of its table; false at the end.
  bool next() {
    while (at_ < text_.size()) {
      const std::size_t end = std::min(text_.find('\n', at_), text_.size());
      line_ = trimmed(text_.substr(at_, end - at_));
      at_ = end + 1;
      if (skip_long_text()) continue;
      if (line_.empty() || line_.front() == '#') continue;
      if (line_.front() == '[') {
        read_table();
      } else if (read_pair()) {
        return true;
      }
    }
    return false;
  }

  std::vector<std::string> table;
  std::vector<std::string> key;
  std::string value;

 private:
  bool skip_long_text() {
    if (long_quote_.empty()) return false;
    if (line_.find(long_quote_) != std::string_view::npos) long_quote_ = {};
    return true;
  }

  static bool is_space(char c) { return c == ' ' || c == '\t'; }
  void skip_space(std::size_t& at) const {
    while (at < line_.size() && is_space(line_[at])) ++at;
  }

  bool quoted(std::size_t& at, std::string& text) const {
    const char quote = line_[at++];
    while (at < line_.size() && line_[at] != quote) {
      if (quote == '"' && line_[at] == '\\' && at + 1 < line_.size()) {
        ++at;
        const std::size_t digits = line_[at] == 'u' ? 4 : line_[at] == 'U' ? 8 : 0;
        if (digits > 0) {
          if (!unicode(at + 1, digits, text)) return false;
          at += digits + 1;
          continue;
        }
        constexpr std::string_view kLetters = "btnfr";
        constexpr std::string_view kMeant = "\b\t\n\f\r";
        const std::size_t which = kLetters.find(line_[at]);
        text += which == std::string_view::npos ? line_[at] : kMeant[which];
        ++at;
        continue;
      }
      text += line_[at++];
    }
    if (at >= line_.size()) return false;
    ++at;
    return true;
  }

  bool unicode(std::size_t from, std::size_t digits, std::string& text) const {
    if (from + digits > line_.size()) return false;
    char32_t character = 0;
    for (std::size_t i = from; i < from + digits; ++i) {
      const std::size_t worth = std::string_view("0123456789abcdefABCDEF").find(line_[i]);
      if (worth == std::string_view::npos) return false;
      character = character * 16 + static_cast<char32_t>(worth < 16 ? worth : worth - 6);
    }
    if (character > 0x10FFFF) return false;
    base::append_utf8(text, character);
    return true;
  }

  bool part(std::size_t& at, std::string& text) const {
    skip_space(at);
    if (at >= line_.size()) return false;
    if (line_[at] == '"' || line_[at] == '\'') return quoted(at, text);
    const std::size_t begin = at;
    const auto bare = [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
             c == '-';
    };
    while (at < line_.size() && bare(line_[at])) ++at;
    text = std::string(line_.substr(begin, at - begin));
    return at > begin;
  }

  bool parts(std::size_t& at, std::vector<std::string>& into) const {
    for (;;) {
      std::string one;
      if (!part(at, one)) return false;
      into.push_back(std::move(one));
      skip_space(at);
      if (at >= line_.size() || line_[at] != '.') return true;
      ++at;
    }
  }

  void read_table() {
    table.clear();
    std::size_t at = line_.substr(0, 2) == "[[" ? 2 : 1;
    if (!parts(at, table)) table.clear();
  }

  bool read_pair() {
    key.clear();
    value.clear();
    std::size_t at = 0;
    if (!parts(at, key) || at >= line_.size() || line_[at] != '=') return false;
    ++at;
    skip_space(at);
    if (at >= line_.size()) return false;
    for (const std::string_view quote : {"\"\"\"", "'''"}) {
      if (line_.substr(at, 3) != quote) continue;
      if (line_.find(quote, at + 3) == std::string_view::npos) long_quote_ = quote;
      return false;
    }
    return (line_[at] == '"' || line_[at] == '\'') && quoted(at, value);
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::string_view line_;
  std::string_view long_quote_;
};

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
  TomlScanner toml(text);
  while (toml.next()) {
    std::vector<std::string> path = toml.table;
    path.insert(path.end(), toml.key.begin(), toml.key.end());
    if (path.size() == 3 && path[0] == "projects" && path[2] == "trust_level") {
      if (!holds(path[1], project) || path[1].size() < longest) continue;
      longest = path[1].size();
      trust.project = toml.value == "trusted" ? Trust::trusted : Trust::untrusted;
    }
    const bool state = path.size() == 4 && path[0] == "hooks" && path[1] == "state";
    if (state && path[3] == "trusted_hash" && !toml.value.empty()) trust.trusted_hooks.push_back(path[2]);
  }
  return trust;
}

std::string codex_hook_key(std::string_view file, std::string_view event, std::size_t group,
                           std::size_t index) {
  return std::string(file) + ":" + snake(event) + ":" + std::to_string(group) + ":" + std::to_string(index);
}

}  // namespace plankeep::clients

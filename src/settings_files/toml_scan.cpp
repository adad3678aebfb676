#include "settings_files/toml_scan.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "base/utf8.hpp"

// The library asserts what a header such as "[{" does not keep, and a build without assertions takes it for
// granted. Such a file is no TOML, in every build: so assertions stay, and throw.
namespace {
[[noreturn]] void fail_assertion(const char* what) {
  throw std::logic_error(what);
}
}  // namespace
#pragma push_macro("NDEBUG")
#undef NDEBUG
#define TOML_ASSERT(expression) ((expression) ? static_cast<void>(0) : ::fail_assertion(#expression))
// The library goes into this file and no other; what writes TOML is left out.
#define TOML_HEADER_ONLY 1
#define TOML_EXCEPTIONS 1
#define TOML_ENABLE_FORMATTERS 0
#define TOML_MAX_NESTED_VALUES 64
#include <toml++/toml.h>
#pragma pop_macro("NDEBUG")

namespace plankeep::clients {
namespace {

using base::ErrorKind;
using base::Result;
using base::Status;

// Each part of a dotted key is a table in a table, and the library frees them by recursion.
constexpr std::size_t kMostDots = 100;

base::Error wrong(std::size_t line, std::string_view what) {
  return {ErrorKind::invalid_input, "line " + std::to_string(line) + ": " + std::string(what), {}, {}};
}

// The library bounds how deep values nest, but not how many parts a key has. Text in strings is looked at
// too: no prose has so many points without a comma or the end of a line.
Status check_dots(std::string_view text) {
  std::size_t dots = 0;
  std::size_t line = 1;
  for (const char c : text) {
    if (c == '\n') ++line;
    if (c == '\n' || c == '=' || c == ',' || c == '{') dots = 0;
    if (c == '.' && ++dots > kMostDots) return base::fail(wrong(line, "a key has too many parts"));
  }
  return {};
}

Result<toml::table> parse(std::string_view text) {
  if (base::find_invalid_utf8(text) != std::string_view::npos)
    return base::fail(ErrorKind::invalid_input, "the file is not UTF-8");
  TRY(check_dots(text));
  try {
    return toml::parse(text);
  } catch (const toml::parse_error& error) {
    return base::fail(wrong(error.source().begin.line, error.description()));
  } catch (const std::logic_error&) {
    return base::fail(ErrorKind::invalid_input, "a header has a character where its key should be");
  }
}

// The library counts lines and characters from 1; we want bytes.
class Places {
 public:
  explicit Places(std::string_view text) : text_(text) {
    for (std::size_t end = text.find('\n'); end != std::string_view::npos; end = text.find('\n', end + 1))
      lines_.push_back(end + 1);
  }

  std::size_t line_begin(const toml::source_position& place) const {
    return lines_[std::min<std::size_t>(place.line, lines_.size()) - 1];
  }
  std::size_t line_end(const toml::source_position& place) const {
    return place.line < lines_.size() ? lines_[place.line] : text_.size();
  }
  std::size_t byte(const toml::source_position& place) const {
    std::size_t at = line_begin(place);
    if (at == 0 && text_.substr(0, kMark.size()) == kMark) at = kMark.size();
    for (auto left = place.column; left > 1 && at < text_.size(); --left) {
      ++at;
      while (at < text_.size() && (static_cast<unsigned char>(text_[at]) & 0xC0) == 0x80) ++at;
    }
    return at;
  }

 private:
  static constexpr std::string_view kMark = "\xEF\xBB\xBF";  // of the byte order, passed over by the library

  std::string_view text_;
  std::vector<std::size_t> lines_ = {0};  // where each begins
};

const toml::source_position& begin_of(const toml::node& node) {
  return node.source().begin;
}

// Tables with headers of their own, not an array as the value of a key.
bool is_list_of_headers(const toml::node& node) {
  const toml::array* array = node.as_array();
  if (array == nullptr || array->empty()) return false;
  const toml::table* first = array->front().as_table();
  return first != nullptr && !first->is_inline();
}

class Walk {
 public:
  explicit Walk(std::string_view text) : text_(text), places_(text) {}

  std::vector<TomlStatement> statements(const toml::table& root) {
    visit(root, {}, {});
    // The library sorts by key. A line has one statement.
    std::sort(found_.begin(), found_.end(),
              [](const TomlStatement& a, const TomlStatement& b) { return a.begin < b.begin; });
    return std::move(found_);
  }

 private:
  using Path = std::vector<std::string>;

  // [a.b.c] makes tables a and a.b too, and [[a.b]] a table a: they begin where it does, and have no header.
  static bool only_leads_to_another(const toml::table& table) {
    return std::any_of(table.begin(), table.end(), [&](const auto& entry) {
      return (entry.second.is_table() || is_list_of_headers(entry.second)) &&
             begin_of(entry.second) == begin_of(table);
    });
  }
  bool has_header(const toml::table& table) const {
    const std::size_t at = places_.byte(begin_of(table));
    return at < text_.size() && text_[at] == '[' && !only_leads_to_another(table);
  }

  void header(const toml::table& table, const Path& path, TomlStatement::Kind kind) {
    TomlStatement statement;
    statement.kind = kind;
    statement.path = path;
    statement.begin = places_.line_begin(begin_of(table));
    statement.end = places_.line_end(begin_of(table));
    found_.push_back(std::move(statement));
  }

  void value(const toml::node& node, Path path) {
    TomlStatement statement;
    statement.path = std::move(path);
    statement.begin = places_.line_begin(begin_of(node));
    statement.end = places_.line_end(node.source().end);
    statement.value_begin = places_.byte(begin_of(node));
    statement.value_end = places_.byte(node.source().end);
    statement.text = node.value<std::string>();
    if (const toml::array* array = node.as_array(); array != nullptr && !array->empty())
      statement.first_text = array->front().value<std::string>();
    found_.push_back(std::move(statement));
  }

  // `path`: of the table. `below`: the same without what the last header says.
  void visit(const toml::table& table, const Path& path, const Path& below) {
    for (const auto& [key, node] : table) {
      Path here = path;
      here.emplace_back(key.str());
      if (const toml::table* child = node.as_table(); child != nullptr && !child->is_inline()) {
        const bool headed = has_header(*child);
        if (headed) header(*child, here, TomlStatement::Kind::table);
        visit(*child, here, headed ? Path{} : with(below, key.str()));
      } else if (is_list_of_headers(node)) {
        for (const toml::node& element : *node.as_array()) {
          header(*element.as_table(), here, TomlStatement::Kind::array_of_tables);
          visit(*element.as_table(), here, {});
        }
      } else {
        value(node, with(below, key.str()));
      }
    }
  }

  static Path with(Path path, std::string_view key) {
    path.emplace_back(key);
    return path;
  }

  std::string_view text_;
  Places places_;
  std::vector<TomlStatement> found_;
};

void collect_strings(const toml::table& table, std::vector<std::string>& path,
                     std::vector<TomlString>& found) {
  for (const auto& [key, node] : table) {
    path.emplace_back(key.str());
    if (const toml::table* child = node.as_table()) {
      collect_strings(*child, path, found);
    } else if (auto text = node.value<std::string>()) {
      found.push_back({path, std::move(*text)});
    }
    path.pop_back();
  }
}

}  // namespace

Result<std::vector<TomlStatement>> scan_toml(std::string_view text) {
  TRY_ASSIGN(const toml::table root, parse(text));
  return Walk(text).statements(root);
}

Result<std::vector<TomlString>> toml_strings(std::string_view text) {
  TRY_ASSIGN(const toml::table root, parse(text));
  std::vector<TomlString> found;
  std::vector<std::string> path;
  collect_strings(root, path, found);
  return found;
}

Result<std::vector<TomlTable>> toml_tables(std::string_view text, std::string_view name) {
  TRY_ASSIGN(const toml::table root, parse(text));
  std::vector<TomlTable> tables;
  const toml::array* const array = root[name].as_array();
  if (array == nullptr) return tables;
  for (const toml::node& element : *array) {
    const toml::table* const table = element.as_table();
    if (table == nullptr) continue;
    TomlTable& made = tables.emplace_back();
    made.line = element.source().begin.line;
    for (const auto& [key, value] : *table) {
      const std::string known(std::string_view{key});
      if (const auto string = value.value<std::string>(); string && value.is_string()) {
        made.strings[known] = *string;
      } else if (const auto number = value.value<double>(); number && value.is_number()) {
        made.numbers[known] = *number;
      } else if (const toml::array* const list = value.as_array()) {
        for (const toml::node& one : *list) {
          if (const auto part = one.value<std::string>()) made.lists[known].push_back(*part);
        }
      }
    }
  }
  return tables;
}

std::string toml_quoted(std::string_view characters) {
  std::string text = "\"";
  for (const char c : characters) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      text += '\\';
      text += c;
    } else if (byte < 0x20 || byte == 0x7f) {
      constexpr std::string_view kDigits = "0123456789abcdef";
      text += "\\u00";
      text += kDigits[byte >> 4];
      text += kDigits[byte & 15];
    } else {
      text += c;
    }
  }
  return text + "\"";
}

}  // namespace plankeep::clients

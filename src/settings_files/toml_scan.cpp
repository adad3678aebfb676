#include "settings_files/toml_scan.hpp"

#include <algorithm>
#include <charconv>

#include "base/utf8.hpp"

namespace plankeep::clients {
namespace {

using base::ErrorKind;
using base::Result;
using base::Status;

constexpr int kDeepest = 64;

bool is_bare(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
}

class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  Result<std::vector<TomlStatement>> statements() {
    std::vector<TomlStatement> all;
    if (text_.substr(0, 3) == "\xEF\xBB\xBF") at_ = 3;
    for (;;) {
      skip_space_and_comments();
      if (at_end()) return all;
      TomlStatement statement;
      statement.begin = line_begin();
      if (next_is('[')) {
        TRY(header(statement));
      } else {
        TRY(key(statement.path));
        if (!take('=')) return wrong("\"=\"");
        skip_blanks();
        statement.value_begin = at_;
        TRY(value(0));
        statement.value_end = at_;
      }
      TRY(end_of_line());
      statement.end = at_;
      all.push_back(std::move(statement));
    }
  }

  /// A string on one line; reads it from where it begins.
  std::optional<std::string> line_string() {
    std::string characters;
    if (!next_is('"') && !next_is('\'')) return std::nullopt;
    if (text_.substr(at_, 3) == "\"\"\"" || text_.substr(at_, 3) == "'''") return std::nullopt;
    if (!quoted(&characters)) return std::nullopt;
    return characters;
  }
  bool open_array() {
    if (!take('[')) return false;
    skip_space_and_comments();
    return true;
  }
  bool at_end() const { return at_ >= text_.size(); }

 private:
  tl::unexpected<base::Error> wrong(std::string_view expected) const {
    const auto line = 1 + std::count(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(at_), '\n');
    return base::fail(ErrorKind::invalid_input,
                      "line " + std::to_string(line) + ": expected " + std::string(expected));
  }
  bool next_is(char c) const { return at_ < text_.size() && text_[at_] == c; }
  bool take(char c) {
    if (!next_is(c)) return false;
    ++at_;
    return true;
  }
  void skip_blanks() {
    while (next_is(' ') || next_is('\t')) ++at_;
  }
  void skip_comment() {
    if (next_is('#')) at_ = std::min(text_.find('\n', at_), text_.size());
  }
  void skip_space_and_comments() {
    for (;;) {
      const std::size_t before = at_;
      while (at_ < text_.size() && std::string_view(" \t\r\n").find(text_[at_]) != std::string_view::npos)
        ++at_;
      skip_comment();
      if (at_ == before) return;
    }
  }
  std::size_t line_begin() const {
    const std::size_t end = at_ == 0 ? std::string_view::npos : text_.rfind('\n', at_ - 1);
    return end == std::string_view::npos ? 0 : end + 1;
  }
  Status end_of_line() {
    skip_blanks();
    skip_comment();
    (void)take('\r');
    if (at_end() || take('\n')) return {};
    return wrong("the end of the line");
  }

  Status header(TomlStatement& statement) {
    ++at_;
    const bool array = take('[');
    statement.kind = array ? TomlStatement::Kind::array_of_tables : TomlStatement::Kind::table;
    TRY(key(statement.path));
    if (!take(']') || (array && !take(']'))) return wrong("\"]\"");
    return {};
  }

  // A dotted key, with the blanks around it.
  Status key(std::vector<std::string>& path) {
    do {
      skip_blanks();
      std::string part;
      if (next_is('"') || next_is('\'')) {
        TRY(quoted(&part));
      } else {
        const std::size_t begin = at_;
        while (at_ < text_.size() && is_bare(text_[at_])) ++at_;
        if (at_ == begin) return wrong("a key");
        part = text_.substr(begin, at_ - begin);
      }
      path.push_back(std::move(part));
      skip_blanks();
    } while (take('.'));
    return {};
  }

  // A string on one line.
  Status quoted(std::string* characters) {
    const char quote = text_[at_++];
    while (at_ < text_.size() && text_[at_] != '\n') {
      const char c = text_[at_++];
      if (c == quote) return {};
      if (c == '\\' && quote == '"') {
        TRY(escape(characters));
      } else if (characters != nullptr) {
        characters->push_back(c);
      }
    }
    return wrong("the end of the string");
  }

  Status escape(std::string* characters) {
    if (at_end()) return wrong("the rest of the escape");
    const char c = text_[at_++];
    constexpr std::string_view kNames = "btnfr\"\\e";
    constexpr std::string_view kMeant = "\b\t\n\f\r\"\\\x1b";
    if (const std::size_t which = kNames.find(c); which != std::string_view::npos) {
      if (characters != nullptr) characters->push_back(kMeant[which]);
      return {};
    }
    const std::size_t digits = c == 'u' ? 4 : c == 'U' ? 8 : c == 'x' ? 2 : 0;
    std::uint32_t point = 0;
    const char* begin = text_.data() + at_;
    const std::size_t left = text_.size() - at_;
    if (digits == 0 || left < digits) return wrong("a valid TOML escape");
    const auto [end, ec] = std::from_chars(begin, begin + digits, point, 16);
    if (ec != std::errc{} || end != begin + digits || point > 0x10FFFF) return wrong("hexadecimal digits");
    at_ += digits;
    if (characters != nullptr) base::append_utf8(*characters, point);
    return {};
  }

  // A string over several lines, from its first quote.
  Status long_string() {
    const char quote = text_[at_];
    const std::string end(3, quote);
    at_ += 3;
    while (at_ < text_.size()) {
      if (text_[at_] == '\\' && quote == '"') {
        at_ += 2;
        continue;
      }
      if (text_.substr(at_, 3) == end) {
        at_ += 3;
        // Up to two quotes may stand before the end.
        for (int i = 0; i < 2 && next_is(quote); ++i) ++at_;
        return {};
      }
      ++at_;
    }
    at_ = text_.size();
    return wrong("the end of the string");
  }

  Status value(int depth) {
    if (depth > kDeepest) return wrong("less nesting");
    if (text_.substr(at_, 3) == "\"\"\"" || text_.substr(at_, 3) == "'''") return long_string();
    if (next_is('"') || next_is('\'')) return quoted(nullptr);
    if (next_is('[')) return array(depth);
    if (next_is('{')) return inline_table(depth);
    // Numbers, dates (with a space inside), true and false.
    const std::size_t begin = at_;
    while (at_ < text_.size() &&
           std::string_view(",]}#\r\n=[{\"'").find(text_[at_]) == std::string_view::npos)
      ++at_;
    while (at_ > begin && (text_[at_ - 1] == ' ' || text_[at_ - 1] == '\t')) --at_;
    return at_ > begin ? Status{} : wrong("a value");
  }

  Status array(int depth) {
    ++at_;
    for (;;) {
      skip_space_and_comments();
      if (take(']')) return {};
      TRY(value(depth + 1));
      skip_space_and_comments();
      if (take(',')) continue;
      return take(']') ? Status{} : wrong("\",\" or \"]\"");
    }
  }

  Status inline_table(int depth) {
    ++at_;
    for (;;) {
      skip_space_and_comments();
      if (take('}')) return {};
      std::vector<std::string> path;
      TRY(key(path));
      if (!take('=')) return wrong("\"=\"");
      skip_blanks();
      TRY(value(depth + 1));
      skip_space_and_comments();
      if (take(',')) continue;
      return take('}') ? Status{} : wrong("\",\" or \"}\"");
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

Result<std::vector<TomlStatement>> scan_toml(std::string_view text) {
  if (base::find_invalid_utf8(text) != std::string_view::npos)
    return base::fail(ErrorKind::invalid_input, "the file is not UTF-8");
  return Scanner(text).statements();
}

std::optional<std::string> toml_string(std::string_view value) {
  Scanner in(value);
  auto characters = in.line_string();
  if (!in.at_end()) return std::nullopt;
  return characters;
}

std::optional<std::string> toml_first_string(std::string_view value) {
  Scanner in(value);
  if (!in.open_array()) return std::nullopt;
  return in.line_string();
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

#include "settings_files/json_tree.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "base/json_escape.hpp"
#include "base/text.hpp"
#include "base/utf8.hpp"

namespace plankeep::clients {
namespace {

using base::ErrorKind;
using base::is_digit;
using base::JsonType;
using base::Result;
using base::Status;

constexpr std::size_t kShownKey = 60;

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  Result<JsonTree> run() {
    if (const std::size_t bad = base::find_invalid_utf8(text_); bad != std::string_view::npos) {
      at_ = bad;
      return error("invalid UTF-8");
    }
    if (text_.substr(0, base::kByteOrderMark.size()) == base::kByteOrderMark)
      at_ = base::kByteOrderMark.size();
    TRY(skip_trivia());
    TRY(value(tree_.root, 0));
    TRY(skip_trivia());
    if (at_ < text_.size()) return error("unexpected text after the value");
    return std::move(tree_);
  }

 private:
  tl::unexpected<base::Error> error(const std::string& message) const {
    return base::fail(ErrorKind::invalid_input, place_of(text_, at_) + ": " + message);
  }
  bool at_end() const { return at_ >= text_.size(); }
  bool next_is(char c) const { return !at_end() && text_[at_] == c; }

  Status skip_trivia() {
    while (!at_end()) {
      const char c = text_[at_];
      if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
        ++at_;
        continue;
      }
      if (c != '/') return {};
      const std::size_t end = end_of_comment(text_, at_);
      if (end == at_) return error("an unterminated comment, or an unexpected \"/\"");
      tree_.comments.emplace_back(text_.substr(at_, end - at_));
      at_ = end;
    }
    return {};
  }

  Status value(JsonNode& node, int depth) {
    if (depth > base::JsonReader::kDeepest) return error("nested too deeply");
    if (at_end()) return error("expected a value, found the end of the file");
    node.begin = at_;
    if (node.key.empty() && node.start == 0) node.start = at_;
    const char c = text_[at_];
    if (c == '{' || c == '[') return container(node, depth);
    if (c == '"') {
      node.type = JsonType::string;
      TRY(string(node.text));
    } else if (c == '-' || is_digit(c)) {
      node.type = JsonType::number;
      TRY(number());
      node.text = std::string(text_.substr(node.begin, at_ - node.begin));
    } else {
      TRY(literal(node));
    }
    node.end = at_;
    return {};
  }

  Status container(JsonNode& node, int depth) {
    const bool object = text_[at_] == '{';
    const char closing = object ? '}' : ']';
    node.type = object ? JsonType::object : JsonType::array;
    ++at_;
    std::unordered_map<std::string, std::size_t> seen;
    for (;;) {
      TRY(skip_trivia());
      if (next_is(closing)) break;
      if (!node.items.empty() && node.commas.size() < node.items.size()) {
        return error(std::string("expected \",\" or \"") + closing + "\"" +
                     (at_end() ? ", found the end of the file" : ""));
      }
      JsonNode item;
      item.start = at_;
      if (object) {
        TRY(key(item));
        const auto [first, added] = seen.emplace(item.key, item.start);
        if (!added) {
          at_ = item.start;
          return error("the key \"" + base::fit_to_bytes(base::printable(item.key), kShownKey) +
                       "\" appears twice in this object (first in " + place_of(text_, first->second) + ")");
        }
      }
      TRY(value(item, depth + 1));
      node.items.push_back(std::move(item));
      TRY(skip_trivia());
      if (!next_is(',')) continue;
      node.commas.push_back(at_);
      ++at_;
    }
    ++at_;
    node.end = at_;
    return {};
  }

  Status key(JsonNode& item) {
    if (!next_is('"'))
      return error(at_end() ? "expected a key, found the end of the file" : "expected a key in quotes");
    TRY(string(item.key));
    TRY(skip_trivia());
    if (!next_is(':')) return error("expected \":\"");
    ++at_;
    return skip_trivia();
  }

  Status string(std::string& decoded) {
    const std::size_t opening = at_;
    ++at_;
    for (;;) {
      if (at_end() || text_[at_] == '\n') {
        at_ = opening;
        return error("a string without a closing quote");
      }
      const char c = text_[at_];
      if (c == '"') break;
      if (static_cast<unsigned char>(c) < 0x20) return error("a control character inside a string");
      ++at_;
      if (c == '\\') {
        TRY(escape(decoded));
      } else {
        decoded += c;
      }
    }
    ++at_;
    return {};
  }

  // At the character behind the backslash.
  Status escape(std::string& decoded) {
    const base::DecodedEscape escape = base::decode_escape(text_.substr(at_ - 1));
    if (escape.fault == base::EscapeFault::none) {
      base::append_utf8(decoded, escape.character);
      at_ += escape.length - 1;
      return {};
    }
    at_ += escape.length;
    switch (escape.fault) {
      case base::EscapeFault::digits:
        return error("expected four hexadecimal digits");
      case base::EscapeFault::low:
      case base::EscapeFault::lone:
        return error("an unpaired \\u surrogate");
      default:
        return error("an invalid escape");
    }
  }

  Status digits() {
    if (at_end() || !is_digit(text_[at_])) return error("expected a digit");
    while (!at_end() && is_digit(text_[at_])) ++at_;
    return {};
  }

  Status number() {
    if (next_is('-')) ++at_;
    if (next_is('0')) {
      ++at_;
    } else {
      TRY(digits());
    }
    if (next_is('.')) {
      ++at_;
      TRY(digits());
    }
    if (next_is('e') || next_is('E')) {
      ++at_;
      if (next_is('+') || next_is('-')) ++at_;
      TRY(digits());
    }
    return {};
  }

  Status literal(JsonNode& node) {
    for (const std::string_view word : {"true", "false", "null"}) {
      if (text_.substr(at_, word.size()) != word) continue;
      node.type = word == "null" ? JsonType::null : JsonType::boolean;
      node.text = std::string(word);
      at_ += word.size();
      return {};
    }
    return error("expected a value");
  }

  std::string_view text_;
  std::size_t at_ = 0;
  JsonTree tree_;
};

}  // namespace

const JsonNode* JsonNode::find(std::string_view name) const {
  if (!is_object()) return nullptr;
  for (const JsonNode& item : items) {
    if (item.key == name) return &item;
  }
  return nullptr;
}

Result<JsonTree> parse_json_tree(std::string_view text) {
  return Parser(text).run();
}

bool same_value(const JsonNode& a, const JsonNode& b) {
  if (a.type != b.type || a.text != b.text || a.items.size() != b.items.size()) return false;
  for (std::size_t i = 0; i < a.items.size(); ++i) {
    const JsonNode* other = a.is_object() ? b.find(a.items[i].key) : &b.items[i];
    if (other == nullptr || !same_value(a.items[i], *other)) return false;
  }
  return true;
}

std::string place_of(std::string_view text, std::size_t at) {
  const std::string_view before = text.substr(0, at);
  const auto line = std::count(before.begin(), before.end(), '\n') + 1;
  const std::size_t last = before.rfind('\n');
  const std::size_t column = last == std::string_view::npos ? at + 1 : at - last;
  return "line " + std::to_string(line) + ", column " + std::to_string(column);
}

std::size_t end_of_comment(std::string_view text, std::size_t at) {
  const std::string_view opening = text.substr(at, 2);
  if (opening == "//") {
    std::size_t end = std::min(text.find('\n', at), text.size());
    if (end < text.size() && text[end - 1] == '\r') --end;
    return end;
  }
  if (opening != "/*") return at;
  const std::size_t closing = text.find("*/", at + 2);
  return closing == std::string_view::npos ? at : closing + 2;
}

}  // namespace plankeep::clients

#pragma once
// Changing a settings file in place: what is put in looks like the rest of the file, and every other byte
// stays.
//
//   TRY_ASSIGN(auto edit, JsonEdit::open(text));
//   TRY(edit.append({}, "hooks", JsonValue::object(...)));     // behind the last member of the root
//   TRY(edit.remove({0, 2}));                                  // the third item of the first item
//   write(edit.text());
//
// A path is the positions of the items on the way; {} is the root. Every change parses the text again, so
// positions count in the text as it is now, and references into root() end with the next change.
//
// Removing takes back what appending put in, to the byte, whatever stood there before: comments, commas
// behind the last item, spaces in an empty object, no line end at the end, CRLF.

#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "settings_files/json_tree.hpp"

namespace plankeep::clients {

/// A value to be put in.
struct JsonValue {
  base::JsonType type = base::JsonType::null;
  std::string text;               // a string's characters; a number as it is written
  std::vector<std::string> keys;  // of an object's items
  std::vector<JsonValue> items;

  static JsonValue string(std::string_view characters);
  static JsonValue number(std::int64_t number);
  static JsonValue object() { return JsonValue{base::JsonType::object, {}, {}, {}}; }
  static JsonValue array() { return JsonValue{base::JsonType::array, {}, {}, {}}; }
  JsonValue& member(std::string_view key, JsonValue value);
  JsonValue& element(JsonValue value);
};

/// How the file is laid out: found once, when it is opened.
struct JsonStyle {
  std::string newline = "\n";
  std::string unit = "  ";  // one level of indentation
  std::string after_colon = " ";
  std::string after_comma = " ";  // between items on one line
  bool one_line = false;          // the whole file is one line
};

using JsonPath = std::vector<std::size_t>;

class JsonEdit {
 public:
  /// Errors as parse_json_tree.
  [[nodiscard]] static base::Result<JsonEdit> open(std::string text);

  const std::string& text() const { return text_; }
  const JsonTree& tree() const { return tree_; }
  const JsonNode& root() const { return tree_.root; }
  /// The path must lead somewhere.
  const JsonNode& at(const JsonPath& path) const;

  /// Behind the last item of an object or array; `key` counts for objects.
  [[nodiscard]] base::Status append(const JsonPath& container, std::string_view key, const JsonValue& value);
  [[nodiscard]] base::Status replace(const JsonPath& path, const JsonValue& value);
  /// The same with JSON text that is put in as it is.
  [[nodiscard]] base::Status replace_raw(const JsonPath& path, std::string_view json);
  /// Must not be the root.
  [[nodiscard]] base::Status remove(const JsonPath& path);

 private:
  JsonEdit() = default;
  struct Cut {
    std::size_t begin = 0;
    std::size_t end = 0;
    std::string instead;
  };
  /// Cuts from front to back, not overlapping.
  [[nodiscard]] base::Status apply(const std::vector<Cut>& cuts);
  std::string line_indent(std::size_t at) const;
  bool starts_line(std::size_t at) const;
  bool spans_lines(const JsonNode& container) const;
  std::string indent_of_items(const JsonNode& container) const;
  std::size_t end_of_line_comments(std::size_t at) const;
  std::size_t space_before(const JsonNode& container, std::size_t which) const;
  bool line_comment_ends_at(const JsonNode& container, std::size_t which, std::size_t at) const;
  std::size_t end_of_sole_gap(const JsonNode& container, std::size_t from, std::size_t end) const;
  std::string render(const JsonValue& value, const std::string& indent, bool one_line) const;
  std::string render_item(std::string_view key, bool keyed, const JsonValue& value, const std::string& indent,
                          bool one_line) const;

  std::string text_;
  JsonTree tree_;
  JsonStyle style_;
};

}  // namespace plankeep::clients

#include "settings_files/json_edit.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

#include "base/json_writer.hpp"
#include "base/text.hpp"

namespace plankeep::clients {
namespace {

using base::is_blank;
using base::JsonType;
using base::Result;
using base::Status;

bool is_space(char c) {
  return is_blank(c) || c == '\n' || c == '\r';
}

std::size_t skip_space(std::string_view text, std::size_t at) {
  while (at < text.size() && is_space(text[at])) ++at;
  return at;
}

std::string quoted(std::string_view characters) {
  base::JsonWriter out(base::JsonWriter::Layout::compact);
  out.value(characters);
  std::string json = out.finish();
  while (!json.empty() && json.back() == '\n') json.pop_back();
  return json;
}

// The white space between a key's colon, or a comma, and what follows on the same line.
std::string blanks_behind(std::string_view text, std::size_t at) {
  std::size_t end = at;
  while (end < text.size() && is_blank(text[end])) ++end;
  return std::string(text.substr(at, end - at));
}

// The first object with a member; the first of them tells how keys and values are set apart.
const JsonNode* first_with_items(const JsonNode& node, JsonType type) {
  if (node.type == type && !node.items.empty()) return &node;
  for (const JsonNode& item : node.items) {
    if (const JsonNode* found = first_with_items(item, type)) return found;
  }
  return nullptr;
}

}  // namespace

JsonValue JsonValue::string(std::string_view characters) {
  return JsonValue{JsonType::string, std::string(characters), {}, {}};
}

JsonValue JsonValue::number(std::int64_t number) {
  return JsonValue{JsonType::number, std::to_string(number), {}, {}};
}

JsonValue& JsonValue::member(std::string_view key, JsonValue value) {
  keys.emplace_back(key);
  items.push_back(std::move(value));
  return *this;
}

JsonValue& JsonValue::element(JsonValue value) {
  items.push_back(std::move(value));
  return *this;
}

Result<JsonEdit> JsonEdit::open(std::string text) {
  JsonEdit edit;
  TRY_ASSIGN(edit.tree_, parse_json_tree(text));
  edit.text_ = std::move(text);
  const std::string_view whole = edit.text_;
  JsonStyle& style = edit.style_;
  if (const std::size_t line = whole.find('\n');
      line != std::string_view::npos && line > 0 && whole[line - 1] == '\r')
    style.newline = "\r\n";
  const JsonNode& root = edit.tree_.root;
  style.one_line = !root.items.empty() &&
                   whole.substr(root.begin, root.end - root.begin).find('\n') == std::string_view::npos;
  if (const JsonNode* object = first_with_items(root, JsonType::object)) {
    const JsonNode& item = object->items.front();
    const std::size_t colon = whole.substr(0, item.begin).rfind(':');
    style.after_colon = blanks_behind(whole, colon + 1);
    if (skip_space(whole, colon + 1) != item.begin) style.after_colon = " ";  // a comment or a line end
    style.after_comma = style.one_line && style.after_colon.empty() ? "" : " ";
  }
  // The first line inside the root that begins with an item: one level deeper than the root.
  for (const JsonNode& item : root.items) {
    if (!edit.starts_line(item.start)) continue;
    const std::string indent = edit.line_indent(item.start);
    const std::string outer = edit.line_indent(root.begin);
    if (indent.size() > outer.size()) style.unit = indent.substr(outer.size());
    break;
  }
  return edit;
}

const JsonNode& JsonEdit::at(const JsonPath& path) const {
  const JsonNode* node = &tree_.root;
  for (const std::size_t step : path) node = &node->items[step];
  return *node;
}

std::string JsonEdit::line_indent(std::size_t at) const {
  std::size_t begin = at;
  while (begin > 0 && text_[begin - 1] != '\n') --begin;
  if (begin == 0 && text_.compare(0, 3, "\xEF\xBB\xBF") == 0) begin = 3;
  return blanks_behind(text_, begin);
}

bool JsonEdit::starts_line(std::size_t at) const {
  while (at > 0 && is_blank(text_[at - 1])) --at;
  return at > 0 && text_[at - 1] == '\n';
}

// Whether its items stand, or would stand, on lines of their own.
bool JsonEdit::spans_lines(const JsonNode& container) const {
  if (container.items.empty()) {
    const std::string_view inside =
        std::string_view(text_).substr(container.begin, container.end - container.begin);
    return !style_.one_line || inside.find('\n') != std::string_view::npos;
  }
  const auto has_line_end = [&](std::size_t from, std::size_t to) {
    return std::string_view(text_).substr(from, to - from).find('\n') != std::string_view::npos;
  };
  std::size_t from = container.begin;
  for (const JsonNode& item : container.items) {
    if (has_line_end(from, item.start)) return true;
    from = item.end;
  }
  return has_line_end(from, container.end);
}

std::string JsonEdit::indent_of_items(const JsonNode& container) const {
  for (auto item = container.items.rbegin(); item != container.items.rend(); ++item) {
    if (starts_line(item->start)) return line_indent(item->start);
  }
  return line_indent(container.begin) + style_.unit;
}

// Comments behind an item on its own line are about that item: the end of the last of them, else `at`.
std::size_t JsonEdit::end_of_line_comments(std::size_t at) const {
  std::size_t end = at;
  for (;;) {
    std::size_t next = end;
    while (next < text_.size() && is_blank(text_[next])) ++next;
    const std::size_t behind = end_of_comment(text_, next);
    const std::string_view comment = std::string_view(text_).substr(next, behind - next);
    if (comment.empty() || comment.find('\n') != std::string_view::npos) return end;
    end = behind;
    if (comment.substr(0, 2) == "//") return end;
  }
}

Status JsonEdit::append(const JsonPath& path, std::string_view key, const JsonValue& value) {
  const JsonNode& container = at(path);
  const bool keyed = container.is_object();
  const bool lines = spans_lines(container);
  if (container.items.empty()) {
    const std::size_t inside = container.begin + 1;
    const std::string outer = line_indent(container.begin);
    const std::string indent = outer + style_.unit;
    std::string item = render_item(key, keyed, value, indent, !lines);
    if (lines) item = style_.newline + indent + item + style_.newline + outer;
    return apply({{inside, inside, std::move(item)}});
  }
  const JsonNode& last = container.items.back();
  const bool trailing = container.trailing_comma();
  const std::size_t behind = trailing ? container.commas.back() + 1 : last.end;
  std::size_t place = end_of_line_comments(behind);
  const std::string indent = indent_of_items(container);
  std::string item = render_item(key, keyed, value, indent, !lines);
  item = (lines ? style_.newline + indent : style_.after_comma) + item;
  if (trailing) return apply({{place, place, item + ","}});
  if (place == last.end) return apply({{place, place, "," + item}});
  return apply({{last.end, last.end, ","}, {place, place, item}});
}

Status JsonEdit::replace(const JsonPath& path, const JsonValue& value) {
  const JsonNode& node = at(path);
  const std::string_view old = std::string_view(text_).substr(node.begin, node.end - node.begin);
  const bool one_line = style_.one_line || (!node.items.empty() && old.find('\n') == std::string_view::npos);
  return apply({{node.begin, node.end, render(value, line_indent(node.begin), one_line)}});
}

Status JsonEdit::replace_raw(const JsonPath& path, std::string_view json) {
  const JsonNode& node = at(path);
  return apply({{node.begin, node.end, std::string(json)}});
}

// Where the white space before an item begins: behind the last comment, the comma or the bracket.
std::size_t JsonEdit::space_before(const JsonNode& container, std::size_t which) const {
  std::size_t from = which == 0 ? container.begin + 1 : container.commas[which - 1] + 1;
  for (;;) {
    const std::size_t next = skip_space(text_, from);
    if (next >= container.items[which].start) return from;
    from = end_of_comment(text_, next);
  }
}

// Whether the white space that begins at `at` ends a `//` comment: then its line end has to stay.
bool JsonEdit::line_comment_ends_at(const JsonNode& container, std::size_t which, std::size_t at) const {
  std::size_t from = which == 0 ? container.begin + 1 : container.commas[which - 1] + 1;
  bool line_comment = false;
  while (from < at) {
    const std::size_t next = skip_space(text_, from);
    if (next >= at) break;
    line_comment = text_.compare(next, 2, "//") == 0;
    from = end_of_comment(text_, next);
  }
  return line_comment;
}

// The only item of a container was on lines of its own, from `from` (with the white space before) to `end`:
// where what append() put behind it ends. Something that was laid out otherwise loses all white space.
std::size_t JsonEdit::end_of_sole_gap(const JsonNode& container, std::size_t from, std::size_t end) const {
  if (text_.substr(from, end - from).find('\n') == std::string::npos) return end;
  if (from != container.begin + 1) return end;
  const std::string ours = style_.newline + line_indent(container.begin);
  if (text_.compare(end, ours.size(), ours) == 0) return end + ours.size();
  const std::size_t behind = skip_space(text_, end);
  return behind == container.end - 1 ? behind : end;
}

Status JsonEdit::remove(const JsonPath& path) {
  assert(!path.empty());
  const JsonNode& container = at(JsonPath(path.begin(), path.end() - 1));
  const std::size_t which = path.back();
  const JsonNode& item = container.items[which];
  const bool has_comma = which < container.commas.size();
  const std::size_t end = has_comma ? container.commas[which] + 1 : item.end;
  std::size_t from = space_before(container, which);
  if (line_comment_ends_at(container, which, from)) {
    std::size_t next = end;
    while (next < text_.size() && is_blank(text_[next])) ++next;
    const bool line_ends = next < text_.size() && (text_[next] == '\n' || text_[next] == '\r');
    if (!line_ends) from = item.start;
  }
  if (!has_comma && which > 0) {
    const std::size_t comma = container.commas[which - 1];
    if (comma + 1 == from) return apply({{comma, end, {}}});
    return apply({{comma, comma + 1, {}}, {from, end, {}}});
  }
  if (container.items.size() > 1) return apply({{from, end, {}}});
  // What stands between the value and its comma goes with them only if it is white space.
  return apply({{from, end_of_sole_gap(container, from, end), {}}});
}

Status JsonEdit::apply(const std::vector<Cut>& cuts) {
  std::string changed;
  std::size_t from = 0;
  for (const Cut& cut : cuts) {
    changed.append(text_, from, cut.begin - from);
    changed += cut.instead;
    from = cut.end;
  }
  changed.append(text_, from, std::string::npos);
  auto tree = parse_json_tree(changed);
  if (!tree) {
    return base::fail(base::ErrorKind::internal,
                      "the changed file would be invalid: " + tree.error().message);
  }
  text_ = std::move(changed);
  tree_ = std::move(*tree);
  return {};
}

std::string JsonEdit::render_item(std::string_view key, bool keyed, const JsonValue& value,
                                  const std::string& indent, bool one_line) const {
  std::string text;
  if (keyed) text = quoted(key) + ":" + style_.after_colon;
  return text + render(value, indent, one_line);
}

std::string JsonEdit::render(const JsonValue& value, const std::string& indent, bool one_line) const {
  if (value.type == JsonType::string) return quoted(value.text);
  const bool object = value.type == JsonType::object;
  if (!object && value.type != JsonType::array) return value.text;
  std::string text(1, object ? '{' : '[');
  const std::string inner = indent + style_.unit;
  for (std::size_t i = 0; i < value.items.size(); ++i) {
    if (i > 0) text += one_line ? "," + style_.after_comma : ",";
    if (!one_line) text += style_.newline + inner;
    text += render_item(object ? std::string_view(value.keys[i]) : std::string_view(), object, value.items[i],
                        inner, one_line);
  }
  if (!one_line && !value.items.empty()) text += style_.newline + indent;
  text += object ? '}' : ']';
  return text;
}

}  // namespace plankeep::clients

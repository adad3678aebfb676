#include "lsp/shapes.hpp"

#include <limits>

#include "base/utf8.hpp"

namespace plankeep::lsp {
namespace {

constexpr std::string_view kMeaning = "\\`*_{}[]()<>#+-.!|~&:@";

std::optional<std::uint32_t> number_in(const Json& json) {
  if (!json.is_number_unsigned()) return std::nullopt;
  const auto number = json.get<std::uint64_t>();
  // The protocol's uinteger ends at 2^31 - 1; some clients write the largest number for the end of a line.
  return static_cast<std::uint32_t>(
      std::min<std::uint64_t>(number, std::numeric_limits<std::uint32_t>::max()));
}

}  // namespace

Reply refused(int code, std::string message) {
  Reply reply;
  reply.code = code;
  reply.message = std::move(message);
  return reply;
}

std::string words_of(const base::Error& error) {
  std::string words;
  if (!error.context.empty()) words += error.context + ": ";
  words += error.message;
  if (!error.hint.empty()) words += " (" + error.hint + ")";
  return base::printable(words, true);
}

Reply refused(const base::Error& error) {
  Reply reply = refused(kRequestFailed, words_of(error));
  reply.data = {{"kind", base::name_of(error.kind)}};
  return reply;
}

OrderedJson json_of(Position position) {
  return {{"line", position.line}, {"character", position.character}};
}

OrderedJson json_of(const Range& range) {
  return {{"start", json_of(range.start)}, {"end", json_of(range.end)}};
}

std::optional<Position> position_in(const Json& json) {
  const auto line = number_in(member(json, "line"));
  const auto character = number_in(member(json, "character"));
  if (!line || !character) return std::nullopt;
  return Position{*line, *character};
}

std::optional<Range> range_in(const Json& json) {
  const auto start = position_in(member(json, "start"));
  const auto end = position_in(member(json, "end"));
  if (!start || !end) return std::nullopt;
  return Range{*start, *end};
}

std::string string_in(const Json& object, const char* name) {
  const Json& value = member(object, name);
  return value.is_string() ? value.get<std::string>() : std::string();
}

std::string document_in(const Json& params) {
  return string_in(member(params, "textDocument"), "uri");
}

OrderedJson json_of(const Text& text, Encoding encoding, const std::vector<TextEdit>& edits) {
  OrderedJson all = OrderedJson::array();
  for (const TextEdit& edit : edits)
    all.push_back({{"range", json_of(text.range_of(edit.part, encoding))}, {"newText", edit.with}});
  return all;
}

std::string markdown_text(std::string_view text) {
  std::string shown;
  for (const char c : base::printable(text)) {
    if (kMeaning.find(c) != std::string_view::npos) shown += '\\';
    shown += c;
  }
  return shown;
}

std::string markdown_code(std::string_view text) {
  const std::string safe = base::printable(text);
  std::size_t longest = 0;
  std::size_t run = 0;
  for (const char c : safe) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  const std::string fence(longest + 1, '`');
  const bool pad = !safe.empty() && (safe.front() == '`' || safe.back() == '`');
  return fence + (pad ? " " : "") + safe + (pad ? " " : "") + fence;
}

}  // namespace plankeep::lsp

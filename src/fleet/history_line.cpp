#include "fleet/history_line.hpp"

#include <algorithm>

#include "base/json_writer.hpp"
#include "base/sha256.hpp"
#include "base/text.hpp"
#include "base/utf8.hpp"
#include "model/json/event_json.hpp"

namespace plankeep::fleet {
namespace {

constexpr std::size_t kLongestNumber = 300;     // digits; jsonb takes 131,072
constexpr std::size_t kLongestExponent = 3;     // digits
constexpr std::size_t kLongestEventName = 200;  // bytes; ours have 20
constexpr std::size_t kLineDigits = 16;
// Larger lines count as damaged (store/journal); jsonb also has limits.
constexpr std::size_t kLargestLine = std::size_t{16} << 20;

// Whether the number at the front of `text` is one that jsonb refuses.
bool is_huge_number(std::string_view text) {
  const std::size_t mantissa = std::min(text.find_first_not_of("0123456789.-"), text.size());
  if (mantissa > kLongestNumber) return true;
  if (mantissa == text.size() || (text[mantissa] != 'e' && text[mantissa] != 'E')) return false;
  text.remove_prefix(mantissa + 1);
  if (text.starts_with('+') || text.starts_with('-')) text.remove_prefix(1);
  return std::min(text.find_first_not_of("0123456789"), text.size()) > kLongestExponent;
}

void append_escaped(std::string& out, std::string_view text) {
  for (const char c : text) {
    switch (c) {
      case '\\':
        out += "\\\\";
        break;
      case '\t':
        out += "\\t";
        break;
      case '\n':
        out += "\\n";
        break;
      case '\r':
        out += "\\r";
        break;
      default:
        out += c;
    }
  }
}

}  // namespace

bool fits_jsonb(std::string_view json) {
  bool in_string = false;
  bool in_number = false;
  for (std::size_t i = 0; i < json.size(); ++i) {
    const char c = json[i];
    if (in_string) {
      if (c == '"') in_string = false;
      if (c != '\\') continue;
      if (json.substr(i).starts_with("\\u0000")) return false;
      ++i;  // what it escapes
      continue;
    }
    in_string = c == '"';
    const bool digit = base::is_digit(c);
    if (digit && !in_number && is_huge_number(json.substr(i))) return false;
    in_number = digit || (in_number && (c == '.' || c == 'e' || c == 'E' || c == '+' || c == '-'));
  }
  return true;
}

std::string as_json_string(std::string_view text) {
  std::string json;
  base::JsonWriter out(base::JsonWriter::Layout::compact, [&json](std::string_view piece) { json += piece; });
  // The writer escapes a backslash, so the text never has an escape of U+0000 but for a NUL byte itself.
  std::string clean(text);
  std::erase(clean, '\0');
  out.value(clean);
  (void)out.finish();
  while (json.ends_with('\n')) json.pop_back();
  return json;
}

HistoryRow row_of(std::int64_t line, std::string_view text, base::Instant before) {
  HistoryRow row;
  row.line = line;
  row.time = before;
  const bool too_large = text.size() > kLargestLine;
  const auto event = too_large ? base::Result<core::Event>(base::fail(base::ErrorKind::corrupt, "too large"))
                               : core::decode_event(text);
  if (!event) {
    row.name = "damaged";
    row.body =
        as_json_string(too_large ? "a line of " + std::to_string(text.size()) + " bytes" : std::string(text));
    return row;
  }
  row.time = event->time;
  row.name = event->kind == core::EventKind::unknown ? event->name : std::string(core::name_of(event->kind));
  const bool can_be_named =
      !row.name.empty() && row.name.size() <= kLongestEventName && base::printable(row.name) == row.name;
  if (!can_be_named) row.name = "unknown";
  row.body = fits_jsonb(text) ? std::string(text) : as_json_string(text);
  return row;
}

void append_copy_row(std::string& out, const HistoryRow& row) {
  out += std::to_string(row.line);
  out += '\t';
  out += base::to_iso8601(row.time);
  out += '\t';
  append_escaped(out, row.name);
  out += '\t';
  append_escaped(out, row.body);
  out += '\n';
}

void append_array_element(std::string& array, std::string_view element) {
  array += array.empty() ? '{' : ',';
  array += '"';
  for (const char c : element) {
    if (c == '"' || c == '\\') array += '\\';
    array += c;
  }
  array += '"';
}

std::string line_digest(std::string_view text) {
  return base::sha256_hex(text).substr(0, kLineDigits);
}

}  // namespace plankeep::fleet

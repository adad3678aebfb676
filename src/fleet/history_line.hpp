#pragma once
// A line of history.jsonl as the fleet's server gets it (spec 29.4). Pure.
//
// PostgreSQL's jsonb holds every JSON value but a few: it has no U+0000, and numbers have a limit. Such a
// line, and one that is no event at all (a bad disk, a stranger's tool), is sent as a JSON string of its
// text: nothing is left out, and no line can block the following ones.

#include <cstdint>
#include <string>
#include <string_view>

#include "base/instant.hpp"

namespace plankeep::fleet {

struct HistoryRow {
  std::int64_t line = 0;  // from 1
  base::Instant time;
  std::string name;  // of the event; "damaged" where the line is none
  std::string body;  // JSON that jsonb takes
  bool operator==(const HistoryRow&) const = default;
};

/// `text`: redacted, without its line feed. `before`: the time of the line before, for one that has none.
HistoryRow row_of(std::int64_t line, std::string_view text, base::Instant before);

/// Whether jsonb takes a text that base/json_reader has read without an error.
bool fits_jsonb(std::string_view json);

/// The line's text as a JSON string; bytes that are no UTF-8 become U+FFFD.
std::string as_json_string(std::string_view text);

/// "line<TAB>ts<TAB>name<TAB>body<LF>" as COPY reads it in its text format.
void append_copy_row(std::string& out, const HistoryRow& row);

/// A one-dimensional array as PostgreSQL reads it: {"a","b"}.
void append_array_element(std::string& array, std::string_view element);

/// 16 hexadecimal digits of a line's text: what a push says of the last line that it sent.
std::string line_digest(std::string_view text);

}  // namespace plankeep::fleet

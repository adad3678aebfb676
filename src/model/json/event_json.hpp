#pragma once
// One history line as JSON (spec 4). `encode_event` gives a compact object with its line feed; fields in the
// order ts, event, ids, by, the rest. `decode_event` takes a line without its line feed.

#include <string>
#include <string_view>

#include "base/result.hpp"
#include "model/event.hpp"

namespace plankeep::core {

std::string encode_event(const Event& event);

/// `corrupt` when the line is no JSON object, or lacks a readable `ts` or `event`, or a known field has a
/// wrong type.
[[nodiscard]] base::Result<Event> decode_event(std::string_view line);

/// Whether a JSON string in this line may contain `text`. Does not parse the line: false is certain, but true
/// may be wrong, because `text` may be part of a key, or the line contains an escape.
bool can_contain(std::string_view line, std::string_view text);
/// Whether the event's time may be `since` (in the form of base::to_iso8601; empty: any time) or later. As
/// above, only false is certain.
bool can_be_since(std::string_view line, std::string_view since);

}  // namespace plankeep::core

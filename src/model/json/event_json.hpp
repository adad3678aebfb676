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

/// Whether a string in this line can contain `text`, told without decoding it. False is certain; true is not:
/// the text may be a key or a part of the syntax, and any escape in the line may stand for it.
bool can_contain(std::string_view line, std::string_view text);
bool can_be(std::string_view line, EventKind kind);
/// The same for its time: whether it can be `since` (base::to_iso8601) or later.
bool can_be_since(std::string_view line, std::string_view since);

}  // namespace plankeep::core

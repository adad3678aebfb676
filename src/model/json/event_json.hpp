#pragma once
// One history line as JSON (spec 4). `encode_event` gives a compact object with its line feed; fields in the
// order ts, event, ids, by, the rest. `decode_event` takes a line without its line feed.

#include <optional>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "model/event.hpp"

namespace plankeep::core {

std::string encode_event(const Event& event);

/// How much of a line is decoded. The inventories are Event's `ids`, `marked`, `placed`, `phases` and
/// `removed`: the first line of a large plan names each of its boxes in them. times_of_inventories: the same,
/// but of a line that is nothing but an inventory only time and kind are given (leading_time_and_kind).
enum class EventParts { all, without_inventories, times_of_inventories };

/// `corrupt` when the line is no JSON object, or lacks a readable `ts` or `event`, or a known field has a
/// wrong type. Inventories that are left out are empty; of them it is only checked that they are JSON.
[[nodiscard]] base::Result<Event> decode_event(std::string_view line, EventParts parts = EventParts::all);

/// Whether a JSON string in this line may contain `text`. Does not parse the line: false is certain, but true
/// may be wrong, because `text` may be part of a key, or the line contains an escape.
bool can_contain(std::string_view line, std::string_view text);
/// Whether the event's time may be `since` (in the form of base::to_iso8601; empty: any time) or later. As
/// above, only false is certain.
bool can_be_since(std::string_view line, std::string_view since);
/// The kind of a line that begins as encode_event writes it, without decoding it: where the line can be
/// decoded, it is of this kind. nullopt: it begins differently.
std::optional<EventKind> leading_kind(std::string_view line);
/// An event with the time and the kind of such a line, and nothing else; `line` may be its beginning alone.
std::optional<Event> leading_time_and_kind(std::string_view line);
/// Whether events of this kind are inventories of the whole plan: such a line names each box, and nothing
/// that happened to one.
bool names_each_box(std::optional<EventKind> kind);

}  // namespace plankeep::core

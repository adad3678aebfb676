#pragma once
// A moment: whole milliseconds since 1970-01-01T00:00:00Z, UTC, no zones, no leap seconds.
//
// Files carry it as ISO-8601 in UTC with milliseconds, "2026-11-20T15:43:50.123Z". Readers also accept whole
// seconds, other numbers of fraction digits (cut to milliseconds) and a numeric offset (+01:00); years 1970
// to 9999.

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.hpp"

namespace plankeep::base {

struct Instant {
  std::int64_t milliseconds = 0;
  auto operator<=>(const Instant&) const = default;
};

// Lengths of time, in milliseconds.
inline constexpr std::int64_t kSecond = 1000;
inline constexpr std::int64_t kMinute = 60 * kSecond;
inline constexpr std::int64_t kHour = 60 * kMinute;
inline constexpr std::int64_t kDay = 24 * kHour;

/// Always 24 characters; a moment outside those years is written as the nearest one inside.
std::string to_iso8601(Instant instant);

/// nullopt when `text` is no such moment.
std::optional<Instant> parse_iso8601(std::string_view text);

/// "just now", "5 min ago", "3 h ago", "yesterday", "2 days ago" (up to 29), else the date; `then` in the
/// future is "just now".
std::string ago(Instant then, Instant now);

/// A length of time as people write it: "90s", "30m", "2h", "3d", "1w". Milliseconds; nullopt when it is
/// none.
std::optional<std::int64_t> parse_duration(std::string_view text);

// Times as a person or a model gives them to a command or tool: `--since`, `--older-than`. `argument` is how
// it is called there, for the message. invalid_input, with what would be one, when the text is none.

/// "2026-11-20T15:00:00Z", "2026-11-20" (its first moment, UTC), "today", "yesterday" (likewise), or a length
/// of time before `now`.
[[nodiscard]] Result<Instant> read_since(std::string_view argument, const std::string& text, Instant now);

/// The last millisecond of the moment that is named: "2026-11-20 15:00", as the log prints it, "2026-11-20
/// 15:00:12" (UTC both, with " " or "T"), or a time as files carry it.
[[nodiscard]] Result<Instant> read_until(const std::string& text);

/// A length of time, in milliseconds.
[[nodiscard]] Result<std::int64_t> read_age(std::string_view argument, const std::string& text);

}  // namespace plankeep::base

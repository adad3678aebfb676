#pragma once
// What the codecs of this room share. Private to core/*_json.cpp.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/instant.hpp"
#include "base/json_reader.hpp"
#include "base/result.hpp"
#include "model/event.hpp"
#include "model/plan.hpp"
#include "model/progress.hpp"

namespace plankeep::core {

/// Of state.json (spec 3).
inline constexpr std::int64_t kStateVersion = 2;

/// An ISO-8601 time. It is read from the raw text, without a copy: a state of 100,000 tasks has as many.
[[nodiscard]] inline base::Status read_count(base::JsonReader& in, std::int64_t& count) {
  TRY(in.integer(count));
  return count < 0 ? in.error("a number from 0") : base::Status{};
}

[[nodiscard]] inline base::Status read_time(base::JsonReader& in, base::Instant& time) {
  constexpr std::string_view kExpected = "a time like \"2026-01-31T12:00:00.000Z\"";
  if (in.peek() != base::JsonType::string) return in.error(kExpected);
  std::string_view quoted;
  TRY(in.raw(quoted));
  const std::optional<base::Instant> parsed = base::parse_iso8601(quoted.substr(1, quoted.size() - 2));
  if (!parsed) return in.error(kExpected);
  time = *parsed;
  return {};
}

[[nodiscard]] inline base::Status read_fence(base::JsonReader& in, std::int64_t& fence) {
  TRY(in.integer(fence));
  if (fence < 0 || fence > kLargestFence) return in.error("a number from 0 to 9007199254740991");
  return {};
}

/// "pending", "in_progress" or "completed".
[[nodiscard]] inline base::Status read_status(base::JsonReader& in, PhaseStatus& status) {
  std::string name;
  TRY(in.string(name));
  for (const PhaseStatus known : {PhaseStatus::pending, PhaseStatus::in_progress, PhaseStatus::completed}) {
    if (name != name_of(known)) continue;
    status = known;
    return {};
  }
  return in.error("pending, in_progress or completed");
}

}  // namespace plankeep::core

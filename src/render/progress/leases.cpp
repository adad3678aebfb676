#include "render/progress/leases.hpp"

#include <algorithm>

#include "render/json_parts.hpp"
#include "render/style.hpp"

namespace plankeep::render {

std::string minute_of(base::Instant time) {
  std::string text = base::to_iso8601(time).substr(0, 16);
  if (text.size() == 16) text[10] = ' ';
  return text + " UTC";
}

std::string claim_words(const core::LeaseRow& lease) {
  const std::string by = safe_line(lease.by);
  switch (lease.status) {
    case core::LeaseStatus::held:
      return "claimed by " + by + " until " + minute_of(lease.until);
    case core::LeaseStatus::expired:
      return "claim of " + by + " expired";
    case core::LeaseStatus::gone:
      return "claim of " + by + ", which is no longer active";
  }
  return {};
}

std::string time_left(base::Instant until, base::Instant now) {
  using base::kDay;
  using base::kHour;
  using base::kMinute;
  using base::kSecond;
  const std::int64_t left = std::max<std::int64_t>(until.milliseconds - now.milliseconds, 0);
  const auto up = [left](std::int64_t unit) { return std::to_string((left + unit - 1) / unit); };
  if (left <= kMinute - kSecond) return up(kSecond) + " s";
  if (left <= 90 * kMinute) return up(kMinute) + " min";
  if (left <= 2 * kDay) return up(kHour) + " h";
  return up(kDay) + " days";
}

std::string claim_words(const core::LeaseRow& lease, base::Instant now) {
  if (lease.status != core::LeaseStatus::held) return claim_words(lease);
  return "claimed by " + safe_line(lease.by) + ", " + time_left(lease.until, now);
}

void write_lease_fields(base::JsonWriter& out, const core::LeaseRow& lease) {
  out.key("by").value(lease.by);
  out.key("fence").value(lease.fence);
  out.key("claimedAt").value(base::to_iso8601(lease.since));
  out.key("until").value(base::to_iso8601(lease.until));
  out.key("standing").value(core::name_of(lease.status));
  write_optional(out, "sessionId", lease.session);
}

void write_lease(base::JsonWriter& out, const core::LeaseRow& lease) {
  out.begin_object();
  write_lease_fields(out, lease);
  out.end_object();
}

}  // namespace plankeep::render

#include "base/instant.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>

namespace plankeep::base {
namespace {

using std::chrono::day;
using std::chrono::days;
using std::chrono::month;
using std::chrono::sys_days;
using std::chrono::year;
using std::chrono::year_month_day;

constexpr std::int64_t kLatest = 253'402'300'799'999;  // 9999-12-31T23:59:59.999Z

// An offset or a leap second can push a time out of the years that can be written.
std::optional<Instant> in_range(std::int64_t milliseconds) {
  if (milliseconds < 0 || milliseconds > kLatest) return std::nullopt;
  return Instant{milliseconds};
}

// Reads exactly `count` digits at `at`; -1 when there are not that many.
int digits(std::string_view text, std::size_t at, std::size_t count) {
  if (at + count > text.size()) return -1;
  int value = 0;
  for (std::size_t i = at; i < at + count; ++i) {
    if (text[i] < '0' || text[i] > '9') return -1;
    value = value * 10 + (text[i] - '0');
  }
  return value;
}

}  // namespace

std::string to_iso8601(Instant instant) {
  const std::int64_t time = std::clamp(instant.milliseconds, std::int64_t{0}, kLatest);
  const year_month_day date{sys_days{days{time / kDay}}};
  const std::int64_t rest = time % kDay;
  std::string text = "0000-00-00T00:00:00.000Z";
  // By hand, because a state of 100,000 tasks has as many of these, and printf takes longer than all the
  // rest.
  const auto put = [&text](std::size_t end, std::size_t count, std::int64_t number) {
    for (; count > 0; --count, number /= 10) text[--end] = static_cast<char>('0' + number % 10);
  };
  put(4, 4, static_cast<int>(date.year()));
  put(7, 2, static_cast<unsigned>(date.month()));
  put(10, 2, static_cast<unsigned>(date.day()));
  put(13, 2, rest / kHour);
  put(16, 2, rest / kMinute % 60);
  put(19, 2, rest / kSecond % 60);
  put(23, 3, rest % kSecond);
  return text;
}

std::optional<Instant> parse_iso8601(std::string_view text) {
  const int y = digits(text, 0, 4);
  const int mo = digits(text, 5, 2);
  const int d = digits(text, 8, 2);
  const int h = digits(text, 11, 2);
  const int mi = digits(text, 14, 2);
  const int s = digits(text, 17, 2);
  if (y < 1970 || mo < 0 || d < 0 || h < 0 || mi < 0 || s < 0) return std::nullopt;
  if (text[4] != '-' || text[7] != '-' || text[10] != 'T' || text[13] != ':' || text[16] != ':')
    return std::nullopt;
  const year_month_day date{year{y}, month{static_cast<unsigned>(mo)}, day{static_cast<unsigned>(d)}};
  if (!date.ok() || h > 23 || mi > 59 || s > 60) return std::nullopt;
  std::int64_t total = static_cast<std::int64_t>(sys_days{date}.time_since_epoch().count()) * kDay +
                       h * kHour + mi * kMinute + s * kSecond;
  std::size_t at = 19;
  if (at < text.size() && text[at] == '.') {
    ++at;
    std::int64_t unit = 100;
    const std::size_t first = at;
    while (at < text.size() && text[at] >= '0' && text[at] <= '9') {
      total += (text[at] - '0') * unit;
      unit /= 10;
      ++at;
    }
    if (at == first) return std::nullopt;
  }
  if (text.substr(at) == "Z") return in_range(total);
  const std::string_view zone = text.substr(at);
  if (zone.size() != 6 || (zone[0] != '+' && zone[0] != '-') || zone[3] != ':') return std::nullopt;
  const int zone_hours = digits(zone, 1, 2);
  const int zone_minutes = digits(zone, 4, 2);
  if (zone_hours < 0 || zone_hours > 23 || zone_minutes < 0 || zone_minutes > 59) return std::nullopt;
  const std::int64_t offset = zone_hours * kHour + zone_minutes * kMinute;
  return in_range(zone[0] == '+' ? total - offset : total + offset);
}

std::string ago(Instant then, Instant now) {
  if (then >= now) return "just now";
  const std::int64_t gone = now.milliseconds - then.milliseconds;
  if (gone < kMinute) return "just now";
  if (gone < kHour) return std::to_string(gone / kMinute) + " min ago";
  if (gone < kDay) return std::to_string(gone / kHour) + " h ago";
  if (gone < 2 * kDay) return "yesterday";
  if (gone < 30 * kDay) return std::to_string(gone / kDay) + " days ago";
  return to_iso8601(then).substr(0, 10);
}

std::optional<std::int64_t> parse_duration(std::string_view text) {
  std::int64_t count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (error != std::errc{} || count < 0 || end + 1 != text.data() + text.size()) return std::nullopt;
  std::int64_t unit = 0;
  switch (*end) {
    case 's':
      unit = kSecond;
      break;
    case 'm':
      unit = kMinute;
      break;
    case 'h':
      unit = kHour;
      break;
    case 'd':
      unit = kDay;
      break;
    case 'w':
      unit = 7 * kDay;
      break;
    default:
      return std::nullopt;
  }
  if (count > INT64_MAX / unit) return std::nullopt;
  return count * unit;
}

Result<Instant> read_since(std::string_view argument, const std::string& text, Instant now) {
  if (const auto moment = parse_iso8601(text)) return *moment;
  if (const auto length = parse_duration(text)) return Instant{now.milliseconds - *length};
  if (text == "today" || text == "yesterday") {
    const std::int64_t today = now.milliseconds - now.milliseconds % kDay;
    return Instant{text == "today" ? today : today - kDay};
  }
  if (const auto day = parse_iso8601(text + "T00:00:00Z")) return *day;
  return fail(ErrorKind::invalid_input, std::string(argument) + ": " + text + " is not a valid time",
              "use a duration such as 30m, 2h or 3d, or a time such as 2026-11-20T15:00:00Z");
}

Result<Instant> read_until(const std::string& text) {
  constexpr std::size_t kDate = 10;
  constexpr std::size_t kToMinute = 16;
  constexpr std::size_t kToSecond = 19;
  std::string whole = text;
  if (whole.size() > kDate && whole[kDate] == ' ') whole[kDate] = 'T';
  if (const auto moment = parse_iso8601(whole)) return *moment;
  if (text.size() == kToMinute) whole += ":59";
  if (text.size() == kToMinute || text.size() == kToSecond) {
    if (const auto moment = parse_iso8601(whole + ".999Z")) return *moment;
  }
  return fail(ErrorKind::invalid_input, text + " is not a valid time",
              "write it as plankeep log does, in UTC: \"2026-11-20 15:00\"");
}

Result<std::int64_t> read_age(std::string_view argument, const std::string& text) {
  if (const auto length = parse_duration(text)) return *length;
  return fail(ErrorKind::invalid_input, std::string(argument) + ": " + text + " is not a valid duration",
              "use a duration such as 12h, 30d or 8w");
}

}  // namespace plankeep::base

#include "project/time_argument.hpp"

namespace plankeep::app {

base::Result<base::Instant> read_since(std::string_view argument, const std::string& text,
                                       base::Instant now) {
  if (const auto moment = base::parse_iso8601(text)) return *moment;
  if (const auto length = base::parse_duration(text)) return base::Instant{now.milliseconds - *length};
  if (const auto day = base::parse_iso8601(text + "T00:00:00Z")) return *day;
  return base::fail(base::ErrorKind::invalid_input,
                    std::string(argument) + ": " + text + " is not a valid time",
                    "use a duration such as 30m, 2h or 3d, or a time such as 2026-11-20T15:00:00Z");
}

base::Result<std::int64_t> read_age(std::string_view argument, const std::string& text) {
  if (const auto length = base::parse_duration(text)) return *length;
  return base::fail(base::ErrorKind::invalid_input,
                    std::string(argument) + ": " + text + " is not a valid duration",
                    "use a duration such as 12h, 30d or 8w");
}

}  // namespace plankeep::app

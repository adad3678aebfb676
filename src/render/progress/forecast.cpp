#include "render/progress/forecast.hpp"

#include <algorithm>

namespace plankeep::render {
namespace {

using base::Instant;

using base::kDay;
constexpr std::size_t kWide = 66;  // columns that a row with days and hours may take

std::string date(Instant time) {
  return base::to_iso8601(time).substr(0, 10);
}

std::string by_days(const std::optional<Instant>& time, Instant now, bool wide) {
  if (!time) return "not in sight";
  const std::int64_t days = (time->milliseconds - now.milliseconds) / kDay;
  return date(*time) + (wide ? " (" + counted(days, "day", "days") + ")" : "");
}

std::string by_hours(const std::optional<Instant>& time, const std::optional<std::int64_t>& hours,
                     bool wide) {
  if (!time) return "not in sight";
  return date(*time) + (hours ? ", " + std::to_string(*hours) + (wide ? " h of work" : " h") : "");
}

std::string row(const std::string& chance, const std::string& days, const std::string& hours, bool wide) {
  const std::string line =
      (wide ? "  " : "") + pad_left(chance, 6) + "  " + pad_right(days, wide ? 24 : 13) + hours;
  return line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
}

std::string too_early(const core::Forecast& forecast) {
  std::string missing;
  if (forecast.missing_tasks > 0)
    missing = "until " + counted(forecast.missing_tasks, "more task is", "more tasks are") + " completed";
  if (forecast.missing_days > 0) {
    missing += missing.empty() ? "until a task is completed" : "";
    missing += " on " + counted(forecast.missing_days, "more day", "more days");
  }
  return "too early " + missing;
}

void write(base::JsonWriter& out, const std::optional<Instant>& time) {
  if (time) {
    out.value(base::to_iso8601(*time));
  } else {
    out.null();
  }
}

void write(base::JsonWriter& out, const std::optional<std::int64_t>& number) {
  if (number) {
    out.value(*number);
  } else {
    out.null();
  }
}

template <class Value>
void write(base::JsonWriter& out, std::string_view name, const core::Quantiles<Value>& quantiles) {
  out.key(name).begin_object();
  out.key("p50");
  write(out, quantiles.p50);
  out.key("p85");
  write(out, quantiles.p85);
  out.key("p95");
  write(out, quantiles.p95);
  out.end_object();
}

}  // namespace

std::string forecast_text(const core::Forecast& forecast, Instant now, const Style& style) {
  const std::size_t columns = std::max(layout_columns(style), kNarrowest);
  if (forecast.open == 0) return "Forecast  nothing is open\n";
  if (forecast.is_too_early()) {
    std::string text;
    for (const std::string& line : wrap(too_early(forecast), columns - 10, 3))
      text += (text.empty() ? "Forecast  " : "          ") + line + "\n";
    return text;
  }
  const bool wide = columns >= kWide;
  std::string text;
  for (const std::string& line :
       wrap(counted(forecast.open, "open task", "open tasks") + ", judged by " +
                std::to_string(forecast.completed) + " completed in " + counted(forecast.days, "day", "days"),
            columns - 10, 3))
    text += (text.empty() ? "Forecast  " : "          ") + line + "\n";
  text += paint(style, Paint::dim, row("chance", "by days", wide ? "by hours of work" : "by hours", wide));
  const auto& days = forecast.by_day;
  const auto& hours = forecast.by_hour;
  text += row("50%", by_days(days.p50, now, wide), by_hours(hours.p50, forecast.hours.p50, wide), wide);
  text += row("85%", by_days(days.p85, now, wide), by_hours(hours.p85, forecast.hours.p85, wide), wide);
  text += row("95%", by_days(days.p95, now, wide), by_hours(hours.p95, forecast.hours.p95, wide), wide);
  return text;
}

void write_forecast(base::JsonWriter& out, const core::Forecast& forecast) {
  out.begin_object();
  out.key("openTasks").value(forecast.open);
  out.key("completedTasks").value(forecast.completed);
  out.key("days").value(forecast.days);
  out.key("tooEarly").value(forecast.is_too_early());
  if (forecast.is_too_early()) {
    out.key("missingTasks").value(forecast.missing_tasks);
    out.key("missingDays").value(forecast.missing_days);
  } else {
    write(out, "byDays", forecast.by_day);
    write(out, "byHours", forecast.by_hour);
    write(out, "hours", forecast.hours);
  }
  out.end_object();
}

}  // namespace plankeep::render

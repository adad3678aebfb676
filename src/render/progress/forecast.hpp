#pragma once
// The forecast of `status --forecast` and of the report.

#include <string>

#include "base/json_writer.hpp"
#include "render/style.hpp"
#include "rules/forecast/forecast.hpp"

namespace plankeep::render {

/// A table of three dates for each way to count, or what is missing for one. `now`: the forecast's.
std::string forecast_text(const core::Forecast& forecast, base::Instant now, const Style& style);

/// The value of "forecast" in status --json.
void write_forecast(base::JsonWriter& out, const core::Forecast& forecast);

}  // namespace plankeep::render

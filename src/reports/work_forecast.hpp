#pragma once
// When the open tasks of a plan may be done (rules/forecast): `status --forecast`. Reads the whole history
// and changes nothing.

#include <string>
#include <vector>

#include "base/result.hpp"
#include "project/context.hpp"
#include "rules/forecast/forecast.hpp"
#include "tracking/show.hpp"

namespace plankeep::app {

struct WorkForecast {
  core::Forecast forecast;
  std::vector<std::string> warnings;  // lines of the history that cannot be read
};

/// `shown` as load_shown() gave it: what is open is what the plan says now, recorded or not. Its checksum is
/// the seed, so the same plan, history and time give the same answer. A damaged history speaks as far as it
/// can be read. Errors: not_found when the plan is not tracked; io.
[[nodiscard]] base::Result<WorkForecast> work_forecast(const Context& context, const Shown& shown);

}  // namespace plankeep::app

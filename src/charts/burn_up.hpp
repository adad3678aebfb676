#pragma once
// Burn-up: tasks done as steps below the scope, the phases as bands, and where the work may go from here.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/instant.hpp"

namespace plankeep::charts {

struct Band {
  std::string label;
  std::vector<std::int64_t> done;  // at each of the times
};

struct BurnUp {
  std::string title;
  std::string description;
  std::vector<base::Instant> times;  // ascending; at least one
  std::vector<std::int64_t> total;   // at each of them, and until the next
  std::vector<std::int64_t> done;
  std::vector<Band> bands;  // from the bottom; together they are `done`
  base::Instant now;
  // The forecast; none: nothing is drawn beyond now.
  std::optional<base::Instant> p50;
  std::optional<base::Instant> p85;
  std::optional<base::Instant> p95;
};

/// An SVG element, 960 wide. For scripts it says in data-from, data-to, data-left and data-right which times
/// (Unix milliseconds) stand at which x.
std::string burn_up_svg(const BurnUp& chart);

}  // namespace plankeep::charts

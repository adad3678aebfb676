#pragma once
// Which phase a person means: its id, its title, its number, or a beginning of its id or title that no other
// phase has (letter case aside, but for whole ids). A phase's number is that in its title ("Phase 2: Build",
// "2. Build"); only where no title has one, the phases are counted from 1.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace plankeep::core {

struct PhaseName {
  std::string_view id;
  std::string_view title;
};

/// Index into `phases`. An id goes before a title, both before a number, and that before a beginning.
/// not_found with the ids that there are; ambiguous with those that begin so, or have that number.
[[nodiscard]] base::Result<std::size_t> find_phase(const std::vector<PhaseName>& phases,
                                                   const std::string& asked);

/// Of a plan's phases, or of the rows of a view.
template <class Phases>
std::vector<PhaseName> names_of_phases(const Phases& phases) {
  std::vector<PhaseName> names;
  names.reserve(phases.size());
  for (const auto& phase : phases) names.push_back({phase.id.text, phase.title});
  return names;
}

}  // namespace plankeep::core

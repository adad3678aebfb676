#include "rules/listing/phase_name.hpp"

#include <charconv>

#include "base/utf8.hpp"

namespace plankeep::core {

base::Result<std::size_t> find_phase(const std::vector<PhaseName>& phases, const std::string& asked) {
  for (std::size_t i = 0; i < phases.size(); ++i) {
    if (phases[i].id == asked) return i;
  }
  const std::string lower = base::to_lower(asked);
  for (std::size_t i = 0; i < phases.size(); ++i) {
    if (base::to_lower(phases[i].title) == lower) return i;
  }
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(asked.data(), asked.data() + asked.size(), number);
  const bool is_number = error == std::errc() && end == asked.data() + asked.size();
  if (is_number && number >= 1 && number <= phases.size()) return number - 1;
  std::string hint;
  for (const PhaseName& phase : phases) hint += (hint.empty() ? "" : ", ") + std::string(phase.id);
  return base::fail(base::ErrorKind::not_found, "no phase " + asked + " in this plan",
                    hint.empty() ? "the plan has no phases" : "its phases: " + hint);
}

}  // namespace plankeep::core

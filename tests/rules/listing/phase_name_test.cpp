#include "rules/listing/phase_name.hpp"

#include <catch2/catch.hpp>

using namespace plankeep;

TEST_CASE("a phase is found by its id, its title, its number and a beginning that no other has") {
  const std::vector<core::PhaseName> phases = {
      {"phase-1-setup", "Phase 1: Setup"}, {"phase-2-foundational", "Phase 2: Foundational"},
      {"phase-20-last", "Phase 20: Last"}, {"\xE7\xAC\xAC\xE4\xBA\x8C", "\xE7\xAC\xAC\xE4\xBA\x8C: B"},
      {"frontend-work", "Frontend work"},  {"2", "Two"}};
  const auto found = [&phases](const std::string& asked) {
    const auto index = core::find_phase(phases, asked);
    return index ? static_cast<int>(*index) : index.error().kind == base::ErrorKind::ambiguous ? -2 : -1;
  };
  CHECK(found("phase-1-setup") == 0);
  CHECK(found("phase 2: FOUNDATIONAL") == 1);
  CHECK(found("Phase 2:") == 1);
  CHECK(found("phase-1") == 0);
  CHECK(found("\xE7\xAC\xAC") == 3);
  CHECK(found("Frontend") == 4);
  CHECK(found("2") == 5);
  CHECK(found("3") == 2);
  CHECK(found("Phase 2") == 1);
  CHECK(found("Phase") == -2);
  CHECK(found("backend") == -1);
  CHECK(found("") == -1);
}

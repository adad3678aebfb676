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
  CHECK(found("3") == -1);
  CHECK(found("20") == 2);
  CHECK(found("Phase 2") == 1);
  CHECK(found("Phase") == -2);
  CHECK(found("backend") == -1);
  CHECK(found("") == -1);
}

TEST_CASE("a phase's number is that in its title, and its place only where no title has one") {
  const auto found = [](const std::vector<core::PhaseName>& phases, const std::string& asked) {
    const auto index = core::find_phase(phases, asked);
    return index ? static_cast<int>(*index) : index.error().kind == base::ErrorKind::ambiguous ? -2 : -1;
  };
  const std::vector<core::PhaseName> from_zero = {
      {"a", "Phase 0: Discovery"}, {"b", "Phase 1: Build"}, {"c", "Phase 3: Ship"}};
  CHECK(found(from_zero, "0") == 0);
  CHECK(found(from_zero, "1") == 1);
  CHECK(found(from_zero, "2") == -1);
  CHECK(found(from_zero, "3") == 2);
  const std::vector<core::PhaseName> others = {
      {"a", "1. Setup"},        {"b", "\xF0\x9F\x9A\x80 Week-2"},
      {"c", "2.1 Details"},     {"d", "Milestone 4a"},
      {"e", "User Story 5"},    {"f", "Ship what was left over in 6"},
      {"g", "Sprint 7 (done)"}, {"h", "Track A: 7 days"}};
  CHECK(found(others, "1") == 0);
  CHECK(found(others, "2") == 1);
  CHECK(found(others, "4") == -1);
  CHECK(found(others, "5") == 4);
  CHECK(found(others, "6") == -1);
  CHECK(found(others, "7") == 6);
  const std::vector<core::PhaseName> without = {{"a", "Setup"}, {"b", "Build again"}, {"c", "Ship"}};
  CHECK(found(without, "1") == 0);
  CHECK(found(without, "2") == 1);
  CHECK(found(without, "4") == -1);
}

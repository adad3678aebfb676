#include "store/paths.hpp"

#include <catch2/catch.hpp>

namespace plankeep::store {
namespace {

TEST_CASE("recovery generations have the names of the specification") {
  CHECK(recovery_name(0) == "recovery.json");
  CHECK(recovery_name(1) == "recovery.1.json");
  CHECK(recovery_name(2) == "recovery.2.json");
}

TEST_CASE("a set-aside copy is known by its name, and only by that of its own file") {
  const std::string damaged = damaged_name("state.json", file_time(base::Instant{1'795'189'430'123}));
  CHECK(damaged == "state.json.damaged-20261120T154350.123Z");
  CHECK(is_damaged_copy(damaged, "state.json"));
  CHECK_FALSE(is_damaged_copy(damaged, "state"));
  CHECK_FALSE(is_damaged_copy("state.json", "state.json"));
  CHECK_FALSE(is_damaged_copy("state.json.damaged-", "state.json"));
  CHECK_FALSE(is_damaged_copy(damaged, "recovery.json"));
}

TEST_CASE("a temporary name is hidden, ours, and never too long") {
  CHECK(temporary_name("plan.md") == ".plan.md.plankeep-tmp");
  CHECK(temporary_name(std::string(255, 'a')).size() == 255);
  std::string wide;
  for (int i = 0; i < 85; ++i) wide += "计";
  const std::string cut = temporary_name(wide);
  CHECK(cut.size() <= 255);
  CHECK(cut.substr(1, cut.size() - 1 - std::string(".plankeep-tmp").size()) == wide.substr(0, 240));
}

}  // namespace
}  // namespace plankeep::store

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

}  // namespace
}  // namespace plankeep::store

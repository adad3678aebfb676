#include "base/enum_names.hpp"

#include <catch2/catch.hpp>

namespace plankeep::base {
namespace {

enum class Scope { project, user };

constexpr auto kScopes = enum_names<Scope>({{Scope::project, "project"}, {Scope::user, "user"}});

TEST_CASE("enum names: a value and its name find each other") {
  STATIC_REQUIRE(kScopes.name_of(Scope::project) == "project");
  STATIC_REQUIRE(kScopes.name_of(Scope::user) == "user");
  STATIC_REQUIRE(kScopes.parse("user") == Scope::user);
  CHECK(kScopes.all().size() == 2);
}

TEST_CASE("enum names: what has no row has no name, and what is no name no value") {
  CHECK(kScopes.name_of(static_cast<Scope>(2)).empty());
  CHECK(kScopes.parse("User") == std::nullopt);
  CHECK(kScopes.parse("") == std::nullopt);
}

TEST_CASE("enum names: a table that is out of order is refused") {
  CHECK_THROWS(enum_names<Scope>({{Scope::user, "user"}, {Scope::project, "project"}}));
}

enum class Small : unsigned char { one };

TEST_CASE("enum names: enumerators are counted, wherever the enumeration is declared") {
  STATIC_REQUIRE(enumerator_count<Scope>() == 2);
  STATIC_REQUIRE(enumerator_count<Small>() == 1);
  STATIC_REQUIRE(is_enumerator<Scope::user>());
  STATIC_REQUIRE_FALSE(is_enumerator<static_cast<Scope>(2)>());
  STATIC_REQUIRE_FALSE(is_enumerator<static_cast<Scope>(-1)>());
}

}  // namespace
}  // namespace plankeep::base

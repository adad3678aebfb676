#include "model/item_key.hpp"

#include <catch2/catch.hpp>

using namespace plankeep::core;

TEST_CASE("a written id is not said twice, a word that is an id by chance stays") {
  CHECK(title_beside_id("T004 Schema", "T004") == "Schema");
  CHECK(title_beside_id("T004: Schema", "T004") == "Schema");
  CHECK(title_beside_id("2. Ship it", "2") == "Ship it");
  CHECK(title_beside_id("1.2 Ship it", "1.2") == "Ship it");
  CHECK(title_beside_id("T004 - Schema", "T004") == "Schema");
  CHECK(title_beside_id("1.2 \u2014 Schema", "1.2") == "Schema");
  CHECK(title_beside_id("T004 -1 as a value", "T004") == "-1 as a value");
  CHECK(title_beside_id("quick enough", "quick") == "quick enough");
  CHECK(title_beside_id("T004", "T004").empty());
  CHECK(title_beside_id("T0041 Schema", "T004") == "T0041 Schema");
  CHECK(title_beside_id("2 players", "2") == "2 players");
  CHECK(title_beside_id("auth tokens", "auth") == "auth tokens");
  CHECK(title_beside_id("auth", "auth").empty());
  CHECK(title_beside_id("Schema", "").size() == 6);
}

TEST_CASE("the number that a title was written with stands before its words") {
  const auto parts = [](std::string_view title, std::string_view id) {
    const WrittenNumber found = written_number(title, id);
    return std::pair(std::string(found.number), std::string(found.words));
  };
  using Parts = std::pair<std::string, std::string>;
  CHECK(parts("2. Ship it", "2") == Parts{"2", "Ship it"});
  CHECK(parts("T003 Build", "T003") == Parts{"T003", "Build"});
  CHECK(parts("1.1 Ship it", "1.1-2") == Parts{"1.1", "Ship it"});
  CHECK(parts("Ship it", "ship-it") == Parts{"", "Ship it"});
  CHECK(parts("auth tokens", "auth") == Parts{"", "auth tokens"});
  // The id was made of the title.
  CHECK(parts("one", "one") == Parts{"", "one"});
  CHECK(parts("one more", "one") == Parts{"", "one more"});
}

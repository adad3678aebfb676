#include "model/item_key.hpp"

#include <catch2/catch.hpp>

using namespace plankeep::core;

TEST_CASE("a written id is not said twice, a word that is an id by chance stays") {
  CHECK(title_beside_id("T004 Schema", "T004") == "Schema");
  CHECK(title_beside_id("T004: Schema", "T004") == "Schema");
  CHECK(title_beside_id("2. Ship it", "2") == "Ship it");
  CHECK(title_beside_id("1.2 Ship it", "1.2") == "Ship it");
  CHECK(title_beside_id("T004", "T004").empty());
  CHECK(title_beside_id("T0041 Schema", "T004") == "T0041 Schema");
  CHECK(title_beside_id("2 players", "2") == "2 players");
  CHECK(title_beside_id("auth tokens", "auth") == "auth tokens");
  CHECK(title_beside_id("auth", "auth").empty());
  CHECK(title_beside_id("Schema", "").size() == 6);
}

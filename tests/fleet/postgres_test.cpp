#include "fleet/postgres.hpp"

#include <catch2/catch.hpp>

using namespace plankeep;

TEST_CASE("a column that was not sent is NULL") {
  fleet::Row row;
  CHECK_FALSE(row[0].has_value());
  CHECK_FALSE(row.front().has_value());
  CHECK_FALSE(row.back().has_value());
  row.add("7");
  row.add(std::nullopt);
  CHECK(row.front() == "7");
  CHECK_FALSE(row.back().has_value());
  CHECK_FALSE(row[2].has_value());
  CHECK(fleet::number_in(row[0]) == 7);
  CHECK(fleet::number_in(row[2]) == 0);
}

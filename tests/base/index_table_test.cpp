#include "base/index_table.hpp"

#include <rapidcheck.h>

#include <catch2/catch.hpp>
#include <map>
#include <string>
#include <vector>

using plankeep::base::IndexTable;

TEST_CASE("an index table finds what was added first, however many share a hash") {
  CHECK(rc::check("as a map", [](const std::vector<std::string>& names) {
    const std::size_t hashes = *rc::gen::inRange<std::size_t>(1, 100);
    IndexTable table;
    std::map<std::string, std::size_t> expected;
    for (std::size_t i = 0; i < names.size(); ++i) {
      const std::size_t found = table.find_or_add(
          names[i].size() % hashes, i, [&](std::size_t other) { return names[other] == names[i]; });
      RC_ASSERT(found == expected.try_emplace(names[i], i).first->second);
    }
  }));
}

TEST_CASE("an index table grows") {
  IndexTable table;
  for (const bool again : {false, true}) {
    for (std::size_t i = 0; i < 10'000; ++i) {
      const std::size_t found =
          table.find_or_add(i * 64, again ? i + 10'000 : i, [&](std::size_t other) { return other == i; });
      REQUIRE(found == i);
    }
  }
}

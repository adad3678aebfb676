#include "git/index_entries.hpp"

#include <rapidcheck.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <iterator>
#include <map>
#include <string>

using plankeep::git::IndexEntries;

TEST_CASE("entries are found as in a map, in whatever order they come and are asked for") {
  const bool ok = rc::check(
      "the first of a path counts",
      [](const std::vector<std::string>& paths, const std::vector<std::string>& others, bool sorted) {
        std::vector<std::string> given = paths;
        // git's order: by bytes.
        if (sorted) std::sort(given.begin(), given.end());
        std::map<std::string_view, std::string> wanted;
        std::vector<std::string> ids;
        for (std::size_t i = 0; i < given.size(); ++i) ids.push_back(std::to_string(i));
        IndexEntries entries;
        for (std::size_t i = 0; i < given.size(); ++i) {
          entries.add({given[i], "100644", ids[i], i % 3 == 0});
          wanted.emplace(given[i], ids[i]);
        }
        entries.sort();
        std::vector<std::string> asked = given;
        asked.insert(asked.end(), others.begin(), others.end());
        asked.insert(asked.end(), given.rbegin(), given.rend());
        for (const std::string& path : asked) {
          const IndexEntries::Entry* const found = entries.find(path);
          const auto expected = wanted.find(path);
          if (expected == wanted.end()) {
            RC_ASSERT(found == nullptr);
          } else {
            RC_ASSERT(found != nullptr);
            RC_ASSERT(found->path == path);
            RC_ASSERT(std::string(found->id) == expected->second);
          }
          RC_ASSERT(entries.contains(path) == (found != nullptr));
        }
      });
  CHECK(ok);
}

TEST_CASE("a path that is unmerged stands there once, with what came first") {
  IndexEntries entries;
  for (const char* id : {"base", "ours", "theirs"}) entries.add({"a/b", "100644", id, false});
  entries.add({"a/c", "100755", "one", true});
  entries.sort();
  CHECK(std::distance(entries.begin(), entries.end()) == 2);
  REQUIRE(entries.find("a/b") != nullptr);
  CHECK(entries.find("a/b")->id == "base");
  CHECK(entries.find("a/c")->sparse);
  CHECK(entries.find("a") == nullptr);
  CHECK(entries.find("a/d") == nullptr);
}

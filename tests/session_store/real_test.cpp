// The session checkpoints that Entire's own repository publishes, where a copy of it is at hand:
// PLANKEEP_ENTIRE_REPOSITORY names its git directory.

#include <catch2/catch.hpp>
#include <chrono>
#include <cstdlib>
#include <iostream>

#include "session_store/written_sessions.hpp"

using namespace plankeep;

TEST_CASE("every real checkpoint is read, and written again as the same bytes") {
  const char* const place = std::getenv("PLANKEEP_ENTIRE_REPOSITORY");
  if (place == nullptr) {
    WARN("skipped: PLANKEEP_ENTIRE_REPOSITORY is not set");
    return;
  }
  test::Repository outside(false);  // for its ports
  const auto repository = sessions::open_repository(outside.ask, place);
  REQUIRE(repository);
  REQUIRE(*repository);
  sessions::SessionObjects objects(outside.ask, **repository);
  const auto refs = sessions::read_refs(objects);
  REQUIRE(refs);
  const auto start = std::chrono::steady_clock::now();
  auto stores = sessions::stores_of(objects, *refs);
  const auto all = sessions::list_all(stores);
  REQUIRE(all);
  CHECK(all->problems.empty());
  const auto rows = sessions::read_rows(objects, all->found);
  REQUIRE(rows);
  const auto end = std::chrono::steady_clock::now();
  std::size_t sessions_read = 0;
  std::size_t problems = 0;
  for (const core::SessionRow& row : *rows) {
    sessions_read += row.sessions.size();
    problems += row.problems.size();
    for (const std::string& problem : row.problems) UNSCOPED_INFO(row.id + ": " + problem);
  }
  CHECK(problems == 0);
  CHECK(rows->size() >= 590);
  CHECK(sessions_read >= 712);

  // Written again: other bytes are those that Entire's own encoder would not give either.
  std::size_t files = 0;
  std::size_t others = 0;
  for (const sessions::FoundSession& one : all->found) {
    const auto tree = objects.run({"ls-tree", "-r", one.tree});
    REQUIRE(tree);
    std::vector<std::string> ids;
    std::vector<bool> is_root;
    std::string_view rest = tree->output;
    while (!rest.empty()) {
      const std::size_t end_of_line = rest.find('\n');
      const std::string line(rest.substr(0, end_of_line));
      rest.remove_prefix(end_of_line + 1);
      const std::string name = line.substr(line.find('\t') + 1);
      if (name != "metadata.json" && !name.ends_with("/metadata.json")) continue;
      constexpr std::size_t kIdAt = 12;  // "100644 blob "
      ids.push_back(line.substr(kIdAt, 40));
      is_root.push_back(name == "metadata.json");
    }
    const auto blobs = objects.read(ids, core::kLargestSessionJson);
    REQUIRE(blobs);
    for (std::size_t i = 0; i < ids.size(); ++i) {
      ++files;
      const std::string& text = (*blobs)[i].bytes;
      std::string again;
      if (is_root[i]) {
        const auto read = core::decode_session_root(text);
        REQUIRE(read);
        again = core::encode_session_root(read->value);
      } else {
        const auto read = core::decode_session(text);
        REQUIRE(read);
        again = core::encode_session(read->value);
      }
      if (again != text) {
        ++others;
        std::cout << "not the same bytes: " << one.id << " " << ids[i] << "\n";
      }
    }
  }
  CHECK(others <= 3);
  std::cout << rows->size() << " checkpoints, " << sessions_read << " sessions, " << problems << " problems, "
            << std::chrono::duration_cast<std::chrono::milliseconds>(end - start).count() << " ms; " << files
            << " metadata files, " << others << " not written as the same bytes\n";
}

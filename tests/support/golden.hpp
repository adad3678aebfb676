#pragma once
// Compares an output with a file of tests/ROOM/golden. PLANKEEP_ACCEPT=1 rewrites the files; an accepting run
// fails, so that it is never taken for a passing one.

#include <catch2/catch.hpp>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>

namespace plankeep::test {

inline void check_golden(const std::string& room, const std::string& name, const std::string& actual) {
  const std::string path = std::string(PLANKEEP_TESTS_DIR) + "/" + room + "/golden/" + name;
  const char* accept = std::getenv("PLANKEEP_ACCEPT");
  if (accept != nullptr && std::string(accept) == "1") {
    std::ofstream(path, std::ios::binary) << actual;
    FAIL_CHECK("accepted " << name << ": look at it, then run without PLANKEEP_ACCEPT");
    return;
  }
  std::ifstream file(path, std::ios::binary);
  INFO("golden file " << name << " (PLANKEEP_ACCEPT=1 rewrites it)");
  REQUIRE(file.good());
  std::ostringstream expected;
  expected << file.rdbuf();
  CHECK(actual == expected.str());
}

}  // namespace plankeep::test

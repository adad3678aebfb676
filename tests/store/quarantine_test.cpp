#include "store/quarantine.hpp"

#include <catch2/catch.hpp>

#include "store/store_samples.hpp"

namespace plankeep::store {
namespace {

using test::Desk;

TEST_CASE("a damaged file is renamed, and only the two newest copies stay") {
  Desk desk;
  for (int day = 1; day <= 4; ++day) {
    desk.put("state.json", std::to_string(day));
    CHECK(quarantine(*desk.folder, "state.json", "2026110" + std::to_string(day)).value() ==
          "state.json.damaged-2026110" + std::to_string(day));
  }
  const std::vector<std::string> expected{"state.json.damaged-20261103", "state.json.damaged-20261104"};
  CHECK(desk.folder->list().value() == expected);
  CHECK(desk.get("state.json.damaged-20261104") == "4");
}

TEST_CASE("two copies of the same moment do not replace each other") {
  Desk desk;
  for (int i = 1; i <= 12; ++i) {
    desk.put("state.json", std::to_string(i));
    REQUIRE(quarantine(*desk.folder, "state.json", "20261101T000000.000Z"));
  }
  CHECK(desk.get("state.json.damaged-20261101T000000.000Z-11") == "11");
  CHECK(desk.get("state.json.damaged-20261101T000000.000Z-12") == "12");
  CHECK(desk.folder->list()->size() == 2);
}

TEST_CASE("setting aside takes whatever stands there, and nothing when nothing does") {
  Desk desk;
  CHECK(quarantine(*desk.folder, "state.json", "t").value().empty());
  desk.disk.put("/precious", "precious");
  desk.disk.put_link(Desk::path("state.json"), "/precious");
  desk.disk.put_folder(Desk::path("recovery.json"));
  desk.disk.put_other(Desk::path("lock"));
  for (const char* name : {"state.json", "recovery.json", "lock"}) {
    CHECK(quarantine(*desk.folder, name, "t").value() == std::string(name) + ".damaged-t");
    CHECK_FALSE(desk.has(name));
  }
  CHECK(desk.disk.get("/precious") == "precious");
}

TEST_CASE("copies of other files are left alone") {
  Desk desk;
  for (const char* name : {"recovery.json.damaged-1", "recovery.json.damaged-2", "recovery.json.damaged-3"}) {
    desk.put(name, "x");
  }
  desk.put("state.json", "x");
  REQUIRE(quarantine(*desk.folder, "state.json", "4"));
  CHECK(desk.folder->list()->size() == 4);
}

}  // namespace
}  // namespace plankeep::store

// Over a real folder: SQLite has no other.

#include "checkpoints/kept_checkpoints.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

#include "checkpoints/checkpoint.hpp"
#include "checkpoints/find_checkpoint.hpp"
#include "doctor/doctor.hpp"
#include "support/fake_clock.hpp"
#include "support/map_environment.hpp"
#include "support/temporary_folder.hpp"
#include "system/posix/posix_file_system.hpp"
#include "tracking/memory_copy.hpp"

using namespace plankeep;
using namespace plankeep::app;

namespace {

constexpr const char* kKeptPlan =
    "# Auth\n\n## Build\n<!-- CHECKPOINT: build -->\n- [ ] Login <!-- TASK: login -->\n";

std::string kept_id(int number) {
  return core::checkpoint_id(core::checkpoint_prefix(core::kOutsideSessions), number).text;
}

struct KeptDesk {
  test::TemporaryFolder place;
  system::PosixFileSystem files;
  test::FakeClock clock;
  test::MapEnvironment environment;
  Context context{files, clock, environment, nullptr};
  PlanLocation plan{place.path(), "plan.md"};

  KeptDesk() {
    environment.directory = place.path();
    put("plan.md", kKeptPlan);
    std::filesystem::create_directory(place.path_of(".git"));
  }
  void put(const std::string& name, const std::string& text) {
    std::ofstream(place.path_of(name), std::ios::binary) << text;
  }
  std::string create() {
    clock.advance(60'000);
    const auto made = create_checkpoint(context, plan, {});
    if (!made) FAIL(made.error().message);
    return made->checkpoint.head.id.text;
  }
  void keep() {
    clock.advance(60'000);
    REQUIRE(mend_checkpoints(context, plan));
    REQUIRE(keep_memory(context, plan));
  }
  void lose() {
    for (const char* end : {"", "-wal", "-shm"})
      std::filesystem::remove(place.path_of(std::string(".checkpoint/checkpoints.db") + end));
  }
  std::vector<std::string> listed() {
    const auto answer = list_checkpoints(context, plan, {});
    if (!answer) FAIL(answer.error().message);
    std::vector<std::string> ids;
    for (const core::ListedCheckpoint& one : answer->listed) ids.push_back(one.head.id.text);
    std::sort(ids.begin(), ids.end());
    return ids;
  }
  Finding told() {
    const auto findings = examine(context, plan);
    if (!findings) FAIL(findings.error().message);
    for (const Finding& finding : *findings) {
      if (finding.name == "checkpoints.db") return finding;
    }
    return {};
  }
  std::size_t set_aside() const {
    std::size_t found = 0;
    for (const auto& entry : std::filesystem::directory_iterator(place.path_of(".checkpoint"))) {
      if (entry.path().filename().string().starts_with("checkpoints.db.set-aside-")) ++found;
    }
    return found;
  }
};

}  // namespace

TEST_CASE("checkpoints that were deleted are missed by doctor, and a repair puts the copy back") {
  KeptDesk desk;
  desk.create();
  desk.create();
  desk.keep();
  CHECK(desk.told().condition == Condition::fine);
  SECTION("deleted") {
    desk.lose();
    CHECK(desk.told().message == "missing; a copy in the git directory has 2 checkpoints");
  }
  SECTION("damaged") {
    desk.lose();
    desk.put(".checkpoint/checkpoints.db", std::string(8192, 'x'));
  }
  CHECK(desk.told().condition == Condition::broken);
  CHECK(desk.told().remedy == "plankeep doctor --repair");
  const auto repaired = repair(desk.context, desk.plan);
  REQUIRE(repaired.has_value());
  CHECK(std::count(repaired->warnings.begin(), repaired->warnings.end(), kCheckpointsPutBack) == 1);
  CHECK(desk.told().condition == Condition::fine);
  CHECK(desk.listed() == std::vector{kept_id(1), kept_id(2)});
  CHECK(desk.create() == kept_id(3));
}

TEST_CASE("a checkpoint that is made where the others were deleted puts them back first") {
  KeptDesk desk;
  desk.create();
  desk.create();
  desk.keep();
  CHECK(desk.create() == kept_id(3));  // not in the copy
  desk.lose();
  CHECK(desk.create() == kept_id(4));
  CHECK(desk.listed() == std::vector{kept_id(1), kept_id(2), kept_id(4)});
  desk.keep();
  desk.lose();
  REQUIRE(repair(desk.context, desk.plan).has_value());
  CHECK(desk.listed() == std::vector{kept_id(1), kept_id(2), kept_id(4)});
}

TEST_CASE("without a copy, doctor says that checkpoints are missing, and no id is given twice") {
  KeptDesk desk;
  std::filesystem::remove(desk.place.path_of(".git"));
  desk.create();
  desk.create();
  desk.lose();
  CHECK(desk.told().condition == Condition::attention);
  CHECK(desk.told().message == "missing; the history tells of 2 checkpoints");
  REQUIRE(repair(desk.context, desk.plan).has_value());
  CHECK(desk.create() == kept_id(3));
  CHECK(desk.told().condition == Condition::fine);
}

TEST_CASE("a store that is new never takes the place of a copy that has more: they become one") {
  KeptDesk desk;
  desk.create();
  desk.create();
  desk.keep();
  desk.lose();
  const std::string memory = desk.place.path_of(".git/plankeep/memory");
  std::filesystem::rename(memory, memory + ".away");
  CHECK(desk.create() == kept_id(3));
  std::filesystem::rename(memory + ".away", memory);
  CHECK(desk.told().message == "lacks checkpoints; a copy in the git directory has 2 checkpoints");
  desk.keep();
  CHECK(desk.told().condition == Condition::fine);
  CHECK(desk.listed() == std::vector{kept_id(1), kept_id(2), kept_id(3)});
  CHECK(desk.set_aside() >= 1);
  CHECK(desk.create() == kept_id(4));
}

TEST_CASE("a cleanup is no loss") {
  KeptDesk desk;
  desk.create();
  desk.create();
  desk.keep();
  {
    const auto folder = desk.files.open_folder(desk.place.path_of(".checkpoint")).value();
    std::vector<std::string> warnings;
    const auto store = open_checkpoints(desk.context, desk.plan, *folder, desk.clock.now(), warnings);
    REQUIRE(store.has_value());
    REQUIRE((*store)->clean_up({desk.clock.now()}, false)->deleted_count == 2);
    CHECK(warnings.empty());
  }
  CHECK(desk.told().condition == Condition::fine);
  desk.keep();
  CHECK(desk.listed().empty());
  CHECK(desk.create() == kept_id(3));
}

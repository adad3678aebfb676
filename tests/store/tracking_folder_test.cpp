#include "store/tracking_folder.hpp"

#include <catch2/catch.hpp>

#include "support/memory_file_system.hpp"

namespace plankeep::store {
namespace {

using base::ErrorKind;
using test::Fault;

struct Plans {
  test::MemoryFileSystem files;
  test::MemoryDisk& disk = files.disk();
  std::unique_ptr<system::Folder> folder;
  Plans() {
    disk.put_folder("/plans/auth");
    folder = files.open_folder("/plans/auth").value();
  }
};

TEST_CASE("a plan without .checkpoint is not tracked, and asking changes nothing") {
  Plans plans;
  const auto before = plans.disk.everything();
  const auto tracking = open_tracking(*plans.folder);
  REQUIRE_FALSE(tracking.has_value());
  CHECK(tracking.error().kind == ErrorKind::not_found);
  CHECK(tracking.error().hint == "to start: plankeep init");
  CHECK(plans.disk.everything() == before);
}

TEST_CASE("the tracking folder is made once, private, ignored by git and durable") {
  Plans plans;
  CHECK(make_tracking(*plans.folder).value()->path() == "/plans/auth/.checkpoint");
  plans.disk.crash();
  plans.folder = plans.files.open_folder("/plans/auth").value();
  CHECK(plans.disk.get("/plans/auth/.checkpoint/.gitignore") == "*\n");
  CHECK(plans.folder->info(".checkpoint")->mode == 0700);
  CHECK(open_tracking(*plans.folder).has_value());
  plans.disk.forget_log();
  REQUIRE(make_tracking(*plans.folder));
  CHECK(plans.disk.log() == std::vector<std::string>{"make_folder .checkpoint", "info .gitignore"});
}

TEST_CASE("a .gitignore of somebody else's is left alone") {
  Plans plans;
  plans.disk.put("/plans/auth/.checkpoint/.gitignore", "state.json\n");
  REQUIRE(make_tracking(*plans.folder));
  CHECK(plans.disk.get("/plans/auth/.checkpoint/.gitignore") == "state.json\n");
}

TEST_CASE("a tracking folder that is a link, a file or a FIFO is refused and nothing is written through it") {
  Plans plans;
  plans.disk.put_folder("/elsewhere");
  SECTION("link") {
    plans.disk.put_link("/plans/auth/.checkpoint", "/elsewhere");
  }
  SECTION("file") {
    plans.disk.put("/plans/auth/.checkpoint", "x");
  }
  SECTION("FIFO") {
    plans.disk.put_other("/plans/auth/.checkpoint");
  }
  const auto before = plans.disk.everything();
  CHECK(open_tracking(*plans.folder).error().kind == ErrorKind::corrupt);
  CHECK(make_tracking(*plans.folder).error().kind == ErrorKind::corrupt);
  CHECK(plans.disk.everything() == before);
}

TEST_CASE("whatever step of making it fails, the next attempt finishes it") {
  for (std::int64_t operation = 1;; ++operation) {
    Plans plans;
    plans.disk.plan_fault({Fault::Kind::die, operation, 1});
    const bool made = make_tracking(*plans.folder).has_value();
    plans.disk.crash({test::Crash::Content::lost, 0, test::Crash::kAll});
    plans.folder = plans.files.open_folder("/plans/auth").value();
    REQUIRE(make_tracking(*plans.folder));
    plans.disk.crash();
    CHECK(plans.disk.get("/plans/auth/.checkpoint/.gitignore") == "*\n");
    if (made) break;
  }
}

}  // namespace
}  // namespace plankeep::store

#include "store/tracking_folder.hpp"

#include <algorithm>
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
  const auto tracking = open_tracking(*plans.folder, "plan.md");
  REQUIRE_FALSE(tracking.has_value());
  CHECK(tracking.error().kind == ErrorKind::not_found);
  CHECK(tracking.error().hint == "to start: plankeep init");
  CHECK(plans.disk.everything() == before);
}

TEST_CASE("the tracking folder is made once, private, ignored by git and durable") {
  Plans plans;
  CHECK(make_tracking(*plans.folder, "plan.md").value()->path() == "/plans/auth/.checkpoint");
  plans.disk.crash();
  plans.folder = plans.files.open_folder("/plans/auth").value();
  CHECK(plans.disk.get("/plans/auth/.checkpoint/.gitignore") == "*\n");
  CHECK(plans.folder->info(".checkpoint")->mode == 0700);
  CHECK(open_tracking(*plans.folder, "plan.md").has_value());
  plans.disk.forget_log();
  REQUIRE(make_tracking(*plans.folder, "plan.md"));
  const auto& log = plans.disk.log();
  CHECK(std::all_of(log.begin(), log.end(), [](const std::string& operation) {
    return operation.starts_with("open_folder") || operation.starts_with("info") ||
           operation.starts_with("list") || operation.starts_with("entries") || operation.starts_with("read");
  }));
}

TEST_CASE("a .gitignore of somebody else's is left alone") {
  Plans plans;
  plans.disk.put("/plans/auth/.checkpoint/.gitignore", "state.json\n");
  REQUIRE(make_tracking(*plans.folder, "plan.md"));
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
  CHECK(open_tracking(*plans.folder, "plan.md").error().kind == ErrorKind::corrupt);
  CHECK(make_tracking(*plans.folder, "plan.md").error().kind == ErrorKind::corrupt);
  CHECK(plans.disk.everything() == before);
}

TEST_CASE("whatever step of making it fails, the next attempt finishes it") {
  for (std::int64_t operation = 1;; ++operation) {
    Plans plans;
    plans.disk.plan_fault({Fault::Kind::die, operation, 1});
    const bool made = make_tracking(*plans.folder, "plan.md").has_value();
    plans.disk.crash({test::Crash::Content::lost, 0, test::Crash::kAll});
    plans.folder = plans.files.open_folder("/plans/auth").value();
    REQUIRE(make_tracking(*plans.folder, "plan.md"));
    plans.disk.crash();
    CHECK(plans.disk.get("/plans/auth/.checkpoint/.gitignore") == "*\n");
    if (made) break;
  }
}

constexpr std::string_view kNames = R"({"version":2,"planId":"x","planPath":"/plans/auth/)";

TEST_CASE("each plan of a folder has a folder of its own, and plan.md the one around them") {
  Plans plans;
  for (const char* name : {"plan.md", "TODO.md", "later.md"}) REQUIRE(make_tracking(*plans.folder, name));
  CHECK(open_tracking(*plans.folder, "plan.md").value()->path() == "/plans/auth/.checkpoint");
  CHECK(open_tracking(*plans.folder, "TODO.md").value()->path() == "/plans/auth/.checkpoint/TODO.md");
  plans.disk.crash();
  plans.folder = plans.files.open_folder("/plans/auth").value();
  CHECK(open_tracking(*plans.folder, "later.md").has_value());
  CHECK(plans.disk.get("/plans/auth/.checkpoint/.gitignore") == "*\n");
  CHECK_FALSE(plans.disk.get("/plans/auth/.checkpoint/TODO.md/.gitignore"));
  CHECK(open_tracking(*plans.folder, "other.md").error().kind == ErrorKind::not_found);
  plans.disk.put("/plans/auth/.checkpoint/TODO.md/history.jsonl", "");
  plans.disk.put("/plans/auth/.checkpoint/state.json", std::string(kNames) + "plan.md\"}");
  CHECK(tracked_files(*plans.folder).value() == std::vector<std::string>{"TODO.md", "plan.md"});
}

TEST_CASE("a .checkpoint of an earlier version goes on to be its file's") {
  Plans plans;
  const std::string file = GENERATE("state.json", "recovery.1.json");
  const std::string state = std::string(kNames) + "TODO.md\"}";
  plans.disk.put("/plans/auth/.checkpoint/" + file,
                 file == "state.json" ? state : "{\"savedAt\":\"x\",\"state\":" + state + "}");
  CHECK(open_tracking(*plans.folder, "TODO.md").value()->path() == "/plans/auth/.checkpoint");
  CHECK(open_tracking(*plans.folder, "plan.md").error().kind == ErrorKind::not_found);
  CHECK(find_tracking(*plans.folder, "plan.md")->other == "TODO.md");
  CHECK(make_tracking(*plans.folder, "plan.md").value()->path() == "/plans/auth/.checkpoint/plan.md");
  CHECK(make_tracking(*plans.folder, "TODO.md").value()->path() == "/plans/auth/.checkpoint");
}

TEST_CASE(
    "a .checkpoint that no longer says whose it is is plan.md's, or else the file's that is asked for") {
  Plans plans;
  plans.disk.put("/plans/auth/.checkpoint/history.jsonl", "");
  plans.disk.put("/plans/auth/.checkpoint/state.json", "{");
  plans.disk.put("/plans/auth/TODO.md", "");
  CHECK(open_tracking(*plans.folder, "TODO.md").value()->path() == "/plans/auth/.checkpoint");
  plans.disk.put("/plans/auth/Plan.md", "");
  CHECK(open_tracking(*plans.folder, "TODO.md").error().kind == ErrorKind::not_found);
  CHECK(open_tracking(*plans.folder, "Plan.md").value()->path() == "/plans/auth/.checkpoint");
}

TEST_CASE("what stands in the place of the lock is told with who sets it aside") {
  Plans plans;
  plans.disk.put_folder("/plans/auth/.checkpoint/lock");
  const auto tracking = make_tracking(*plans.folder, "plan.md").value();
  const auto lock = lock_tracking(*tracking, std::chrono::milliseconds{0});
  REQUIRE_FALSE(lock.has_value());
  CHECK(lock.error().kind == ErrorKind::corrupt);
  CHECK(lock.error().hint == "plankeep doctor --repair sets it aside");
}

TEST_CASE("a plan cannot have the name of a file of ours, and its folder is never a link") {
  Plans plans;
  for (const char* name : {"commits", "plans", "state.json", "checkpoints.db-wal", "recovery.2.json", "lock",
                           "x.md.set-aside-1", "state.json.damaged-1"}) {
    CAPTURE(name);
    CHECK(make_tracking(*plans.folder, name).error().kind == ErrorKind::invalid_input);
  }
  plans.disk.put_folder("/elsewhere");
  plans.disk.put_link("/plans/auth/.checkpoint/TODO.md", "/elsewhere");
  CHECK(make_tracking(*plans.folder, "TODO.md").error().kind == ErrorKind::corrupt);
  CHECK(tracked_files(*plans.folder).value().empty());
}

TEST_CASE("whatever step of making a plan's own folder fails, the next attempt finishes it") {
  for (std::int64_t operation = 1;; ++operation) {
    Plans plans;
    plans.disk.plan_fault({Fault::Kind::die, operation, 1});
    const bool made = make_tracking(*plans.folder, "TODO.md").has_value();
    plans.disk.crash({test::Crash::Content::lost, 0, test::Crash::kAll});
    plans.folder = plans.files.open_folder("/plans/auth").value();
    REQUIRE(make_tracking(*plans.folder, "TODO.md"));
    plans.disk.crash();
    CHECK(plans.disk.get("/plans/auth/.checkpoint/.gitignore") == "*\n");
    plans.folder = plans.files.open_folder("/plans/auth").value();
    CHECK(open_tracking(*plans.folder, "TODO.md").has_value());
    if (made) break;
  }
}

TEST_CASE("a .checkpoint that was made for other files of the folder is not plan.md's yet") {
  Plans plans;
  REQUIRE(make_tracking(*plans.folder, "TODO.md"));
  plans.disk.put("/plans/auth/.checkpoint/TODO.md/state.json", std::string(kNames) + "TODO.md\"}");
  CHECK(open_tracking(*plans.folder, "plan.md").error().kind == ErrorKind::not_found);
  CHECK(make_tracking(*plans.folder, "plan.md").value()->path() == "/plans/auth/.checkpoint");
  plans.disk.put("/plans/auth/.checkpoint/history.jsonl", "");
  CHECK(open_tracking(*plans.folder, "plan.md").has_value());
}

TEST_CASE("where its state is lost, a .checkpoint is of the file that the plan was last moved to") {
  Plans plans;
  plans.disk.put(
      "/plans/auth/.checkpoint/history.jsonl",
      R"({"ts":"2026-01-01T00:00:00.000Z","event":"plan_moved","planId":"auth","from":"/plans/auth/plan.md",)"
      R"("to":"/plans/auth/q3.md"})"
      "\n");
  plans.disk.put("/plans/auth/plan.md", "");
  CHECK(open_tracking(*plans.folder, "q3.md").value()->path() == "/plans/auth/.checkpoint");
  CHECK(open_tracking(*plans.folder, "plan.md").error().kind == ErrorKind::not_found);
  CHECK(tracked_files(*plans.folder).value() == std::vector<std::string>{"q3.md"});
}

}  // namespace
}  // namespace plankeep::store

// A tracking folder in which something else stands in the place of each file of ours, on a real disk: a clear
// error or a repair, no hang, and nothing written outside of the plan's folder.

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>

#include "store/paths.hpp"
#include "store/state_store.hpp"
#include "store/store_samples.hpp"
#include "store/tracking_folder.hpp"
#include "support/temporary_folder.hpp"
#include "system/posix/posix_file_system.hpp"

namespace plankeep::store {
namespace {

using test::kNow;
namespace fs = std::filesystem;

struct RealPlans {
  test::TemporaryFolder temporary;
  system::PosixFileSystem files;
  std::string outside = temporary.path_of("outside");
  std::string plan = temporary.path_of("plan");
  std::string tracking_path = plan + "/.checkpoint";
  std::unique_ptr<system::Folder> tracking;

  RealPlans() {
    fs::create_directory(outside);
    fs::create_directory(plan);
    std::ofstream(outside + "/precious") << "precious";
    auto folder = files.open_folder(plan).value();
    tracking = make_tracking(*folder, "plan.md").value();
    StateStore store(*tracking, "auth", plan + "/plan.md");
    REQUIRE(store.save({test::state_with(1), test::batch_of({"t1"}), "test"}, kNow));
    REQUIRE(store.save({test::state_with(2), test::batch_of({"t2"}), "test"}, kNow));
  }
  std::map<std::string, std::string> outside_files() const {
    std::map<std::string, std::string> found;
    for (const auto& entry : fs::directory_iterator(outside)) {
      std::ifstream in(entry.path(), std::ios::binary);
      found[entry.path().filename().string()] = {std::istreambuf_iterator<char>(in), {}};
    }
    return found;
  }
};

enum class Trap { link_to_file, link_to_nothing, directory, full_directory, fifo, sparse_giant };

void set(const RealPlans& plans, const std::string& name, Trap trap) {
  const std::string path = plans.tracking_path + "/" + name;
  fs::remove_all(path);
  switch (trap) {
    case Trap::link_to_file:
      fs::create_symlink(plans.outside + "/precious", path);
      break;
    case Trap::link_to_nothing:
      fs::create_symlink(plans.outside + "/made-by-us", path);
      break;
    case Trap::directory:
      fs::create_directory(path);
      break;
    case Trap::full_directory:
      fs::create_directory(path);
      std::ofstream(path + "/inside") << "x";
      break;
    case Trap::fifo:
      REQUIRE(::mkfifo(path.c_str(), 0600) == 0);
      break;
    case Trap::sparse_giant:
      std::ofstream(path) << "";
      REQUIRE(::truncate(path.c_str(), static_cast<off_t>(1) << 36) == 0);
      break;
  }
}

TEST_CASE(
    "whatever stands in the place of one of our files, it is repaired or refused, and nothing leaves the "
    "folder") {
  for (const std::string name :
       {"state.json", "recovery.json", "recovery.1.json", "recovery.2.json", "history.jsonl", "lock",
        ".gitignore", ".state.json.plankeep-tmp", ".recovery.json.plankeep-tmp"}) {
    for (const Trap trap : {Trap::link_to_file, Trap::link_to_nothing, Trap::directory, Trap::full_directory,
                            Trap::fifo, Trap::sparse_giant}) {
      RealPlans plans;
      const auto before = plans.outside_files();
      set(plans, name, trap);
      CAPTURE(name, static_cast<int>(trap));

      auto folder = plans.files.open_folder(plans.plan).value();
      auto tracking = make_tracking(*folder, "plan.md");
      REQUIRE(tracking.has_value());
      base::Status outcome;
      const auto lock = (*tracking)->lock(kLock, std::chrono::milliseconds(0));
      if (!lock) {
        outcome = base::fail(lock.error());
      } else {
        StateStore store(**tracking, "auth", plans.plan + "/plan.md");
        const auto loaded = store.load();
        if (!loaded) {
          outcome = base::fail(loaded.error());
        } else {
          REQUIRE(store.quarantine_damaged(loaded->damaged, kNow));
          const auto saved = store.save({test::state_with(3), test::batch_of({"t3"}), "after"}, kNow);
          if (!saved) outcome = base::fail(saved.error());
        }
      }
      if (outcome) {
        // Repaired: everything that was recorded is there.
        CHECK(test::tasks_in(**tracking) == std::vector<std::string>{"t1", "t2", "t3"});
        StateStore store(**tracking, "auth", plans.plan + "/plan.md");
        CHECK(store.load()->state->revision == 3);
      } else {
        CAPTURE(outcome.error().message);
        CHECK(outcome.error().kind == base::ErrorKind::corrupt);
        CHECK(outcome.error().message.find(plans.tracking_path + "/" + name) != std::string::npos);
        const bool may_refuse =
            name == "history.jsonl" || name == "lock" || name.find("tmp") != std::string::npos;
        CHECK(may_refuse);
      }
      CHECK(plans.outside_files() == before);
    }
  }
}

TEST_CASE("a history of zeros without end is refused in bounded time by readers and writers alike") {
  RealPlans plans;
  set(plans, "history.jsonl", Trap::sparse_giant);
  const auto read =
      read_events(*plans.tracking, 0, [](const core::Event&, const HistoryLine&) { return true; });
  REQUIRE_FALSE(read.has_value());
  CHECK(read.error().kind == base::ErrorKind::corrupt);
  CHECK(read.error().hint == "move it away and run the command again");
  CHECK_FALSE(last_events(*plans.tracking, 3).has_value());
  auto events = test::batch_of({"t3"});
  CHECK_FALSE(append_events(*plans.tracking, events, kNow).has_value());
  CHECK(history_size(*plans.tracking).value() == std::uint64_t{1} << 36);
}

TEST_CASE("a hard link to a file outside, under the name of a temporary file, is not written to") {
  RealPlans plans;
  const auto before = plans.outside_files();
  fs::create_hard_link(plans.outside + "/precious", plans.tracking_path + "/.state.json.plankeep-tmp");
  StateStore store(*plans.tracking, "auth", plans.plan + "/plan.md");
  REQUIRE(store.save({test::state_with(3), test::batch_of({"t3"}), {}}, kNow));
  CHECK(plans.outside_files() == before);
}

}  // namespace
}  // namespace plankeep::store

#include "store/plan_file.hpp"

#include <catch2/catch.hpp>

#include "store/paths.hpp"
#include "support/memory_file_system.hpp"

namespace plankeep::store {
namespace {

using base::ErrorKind;
using test::Crash;
using test::Fault;

struct Plans {
  test::MemoryFileSystem files;
  test::MemoryDisk& disk = files.disk();
  std::unique_ptr<system::Folder> folder;
  Plans() {
    disk.put("/plans/auth/plan.md", "- [ ] a\n");
    open();
  }
  void open() { folder = files.open_folder("/plans/auth").value(); }
  PlanFile file(const std::string& name = "plan.md") { return PlanFile(files, *folder, name); }
  std::string get(const std::string& path = "/plans/auth/plan.md") const {
    return disk.get(path).value_or("(missing)");
  }
  std::vector<std::string> names() { return folder->list().value(); }
};

template <class T>
ErrorKind kind_of(const base::Result<T>& result) {
  REQUIRE_FALSE(result.has_value());
  return result.error().kind;
}

TEST_CASE("a plan is read with its stamp") {
  Plans plans;
  const PlanText text = plans.file().read().value();
  CHECK(text.bytes == "- [ ] a\n");
  CHECK(text.stamp == plans.file().stamp().value());
  CHECK(text.stamp.size == 8);
  plans.disk.put("/plans/auth/plan.md", "- [x] a\n");
  CHECK_FALSE(text.stamp == plans.file().stamp().value());
}

TEST_CASE("a plan that is missing, a directory, a FIFO or too large is refused for what it is") {
  Plans plans;
  CHECK(kind_of(plans.file("other.md").read()) == ErrorKind::not_found);
  CHECK(kind_of(plans.file("other.md").replace("", "x")) == ErrorKind::not_found);
  plans.disk.put_folder("/plans/auth/folder.md");
  CHECK(kind_of(plans.file("folder.md").read()) == ErrorKind::corrupt);
  CHECK(plans.file("folder.md").read().error().message ==
        "/plans/auth/folder.md is a directory, not a file with a plan");
  plans.disk.put_other("/plans/auth/fifo.md");
  CHECK(kind_of(plans.file("fifo.md").read()) == ErrorKind::corrupt);
  CHECK(kind_of(plans.file("fifo.md").replace("", "x")) == ErrorKind::corrupt);
  plans.disk.put("/plans/auth/large.md", std::string(kPlanLimit + 1, 'x'));
  CHECK(kind_of(plans.file("large.md").read()) == ErrorKind::invalid_input);
  plans.disk.put("/plans/auth/large.md", std::string(kPlanLimit, 'x'));
  CHECK(plans.file("large.md").read()->bytes.size() == kPlanLimit);
}

TEST_CASE("a plan that changes while it is read is read again, and given up when it never rests") {
  Plans plans;
  int changes = 0;
  int most = 2;
  plans.disk.before = [&](const std::string& operation) {
    if (operation != "info plan.md" || changes == most) return;
    plans.disk.put("/plans/auth/plan.md", "- [ ] version " + std::to_string(++changes) + "\n");
  };
  const PlanText text = plans.file().read().value();
  CHECK(changes == 2);
  CHECK(text.bytes == "- [ ] version 2\n");
  changes = 0;
  most = 1000;
  CHECK(kind_of(plans.file().read()) == ErrorKind::conflict);
}

TEST_CASE("an edit replaces the plan, keeps its mode and owner, and is durable") {
  Plans plans;
  {
    auto info = plans.folder->info("plan.md").value();
    info.mode = 0664;
    info.owner = 1000;
    info.group = 100;
    REQUIRE(plans.folder->create_like("made", info).value()->write("- [ ] a\n"));
    REQUIRE(plans.folder->rename("made", "plan.md"));
  }
  REQUIRE(plans.file().replace("- [ ] a\n", "- [x] a\n"));
  plans.disk.crash();
  plans.open();
  CHECK(plans.get() == "- [x] a\n");
  const auto info = plans.folder->info("plan.md").value();
  CHECK(info.mode == 0664);
  CHECK(info.owner == 1000);
  CHECK(info.group == 100);
  CHECK(plans.names() == std::vector<std::string>{"plan.md"});
}

TEST_CASE("a plan gets the permissions that are asked for, where it stands and where it did not") {
  Plans plans;
  REQUIRE(plans.file().replace("- [ ] a\n", "- [ ] a\n", 0640));
  CHECK(plans.folder->info("plan.md").value().mode == 0640);
  REQUIRE(plans.folder->remove("plan.md"));
  REQUIRE(plans.file().create("- [x] a\n", 0604));
  plans.disk.crash();
  plans.open();
  CHECK(plans.get() == "- [x] a\n");
  CHECK(plans.folder->info("plan.md").value().mode == 0604);
  CHECK(plans.names() == std::vector<std::string>{"plan.md"});
}

TEST_CASE("an edit of an outdated text is a conflict and changes nothing") {
  Plans plans;
  CHECK(kind_of(plans.file().replace("- [ ] older\n", "- [x] older\n")) == ErrorKind::conflict);
  CHECK(plans.get() == "- [ ] a\n");
  CHECK(plans.names() == std::vector<std::string>{"plan.md"});
}

TEST_CASE("whatever step of the edit another program writes at before the last look, its text stays") {
  const std::string theirs = "- [ ] a\n- [ ] theirs\n";
  int conflicts = 0;
  for (int step = 1; step <= 12; ++step) {
    Plans plans;
    int seen = 0;
    bool written = false;
    bool renaming = false;
    plans.disk.before = [&](const std::string& operation) {
      renaming = renaming || operation == "rename .plan.md.plankeep-tmp";
      if (++seen != step || renaming) return;
      plans.disk.put("/plans/auth/plan.md", theirs);
      written = true;
    };
    const auto replaced = plans.file().replace("- [ ] a\n", "- [x] a\n");
    if (!written) continue;
    CAPTURE(step, plans.get());
    // The look after the last read tells of a change by the stamp, so every step before the rename is
    // covered.
    CHECK(kind_of(replaced) == ErrorKind::conflict);
    CHECK(plans.get() == theirs);
    CHECK(plans.names() == std::vector<std::string>{"plan.md"});
    ++conflicts;
  }
  CHECK(conflicts >= 6);
}

TEST_CASE("at every step of an edit a power loss leaves the old or the new plan whole") {
  for (std::int64_t operation = 1;; ++operation) {
    bool acknowledged = false;
    for (const std::size_t names : {std::size_t{0}, std::size_t{1}, Crash::kAll}) {
      for (const auto content : {Crash::Content::lost, Crash::Content::zeros, Crash::Content::first_bytes}) {
        Plans plans;
        plans.disk.plan_fault({Fault::Kind::die, operation, 3});
        acknowledged = plans.file().replace("- [ ] a\n", "- [x] a\n").has_value();
        plans.disk.crash({content, 4, names});
        CAPTURE(operation, names, plans.get());
        const bool whole = plans.get() == "- [x] a\n" || (!acknowledged && plans.get() == "- [ ] a\n");
        CHECK(whole);
      }
    }
    if (acknowledged) break;
  }
}

TEST_CASE("a plan that is a link is read through it, and edited when the file lies in the same folder") {
  Plans plans;
  plans.disk.put_link("/plans/auth/link.md", "../auth/plan.md");
  CHECK(plans.file("link.md").read()->bytes == "- [ ] a\n");
  CHECK(plans.file("link.md").stamp().value() == plans.file().stamp().value());
  REQUIRE(plans.file("link.md").replace("- [ ] a\n", "- [x] a\n"));
  CHECK(plans.get() == "- [x] a\n");
  CHECK(plans.get("/plans/auth/link.md") == "../auth/plan.md");
  CHECK(plans.folder->info("link.md")->kind == system::FileKind::symlink);
}

TEST_CASE("a plan that is a link to a file below its folder is edited there") {
  Plans plans;
  plans.disk.put("/plans/auth/docs/roadmap.md", "- [ ] far\n");
  plans.disk.put_link("/plans/auth/link.md", "docs/roadmap.md");
  REQUIRE(plans.file("link.md").replace("- [ ] far\n", "- [x] far\n"));
  CHECK(plans.get("/plans/auth/docs/roadmap.md") == "- [x] far\n");
  CHECK(plans.get("/plans/auth/link.md") == "docs/roadmap.md");
  CHECK(kind_of(plans.file("link.md").replace("- [ ] far\n", "- [ ] far\n")) == ErrorKind::conflict);
  // Its name only begins like the folder's.
  plans.disk.put("/plans/auth-2/plan.md", "- [ ] far\n");
  plans.disk.put_link("/plans/auth/link.md", "../auth-2/plan.md");
  CHECK(kind_of(plans.file("link.md").replace("- [ ] far\n", "- [x] far\n")) == ErrorKind::invalid_input);
}

TEST_CASE("a plan that is a link out of its folder is read and not edited") {
  Plans plans;
  plans.disk.put("/elsewhere/real.md", "- [ ] far\n");
  plans.disk.put_link("/plans/auth/link.md", "/elsewhere/real.md");
  CHECK(plans.file("link.md").read()->bytes == "- [ ] far\n");
  const auto before = plans.disk.everything();
  const auto replaced = plans.file("link.md").replace("- [ ] far\n", "- [x] far\n");
  CHECK(kind_of(replaced) == ErrorKind::invalid_input);
  CHECK_FALSE(replaced.error().hint.empty());
  CHECK(plans.disk.everything() == before);
}

TEST_CASE("a link that leads to nothing, to a directory, to a FIFO or to itself is refused") {
  Plans plans;
  plans.disk.put_folder("/elsewhere");
  plans.disk.put_other("/fifo");
  plans.disk.put_link("/plans/auth/nothing.md", "gone.md");
  plans.disk.put_link("/plans/auth/folder.md", "/elsewhere");
  plans.disk.put_link("/plans/auth/root.md", "/");
  plans.disk.put_link("/plans/auth/fifo.md", "/fifo");
  plans.disk.put_link("/plans/auth/loop.md", "loop.md");
  CHECK(kind_of(plans.file("nothing.md").read()) == ErrorKind::not_found);
  CHECK(kind_of(plans.file("folder.md").read()) == ErrorKind::corrupt);
  CHECK(kind_of(plans.file("root.md").read()) == ErrorKind::corrupt);
  CHECK(kind_of(plans.file("fifo.md").read()) == ErrorKind::corrupt);
  CHECK(kind_of(plans.file("loop.md").read()) == ErrorKind::corrupt);
}

TEST_CASE("a plan that becomes a link out of its folder during an edit is not written through it") {
  Plans plans;
  plans.disk.put("/elsewhere/real.md", "- [ ] a\n");
  bool done = false;
  plans.disk.before = [&](const std::string& operation) {
    if (done || operation != "write .plan.md.plankeep-tmp") return;
    done = true;
    plans.disk.put_link("/plans/auth/plan.md", "/elsewhere/real.md");
  };
  CHECK(kind_of(plans.file().replace("- [ ] a\n", "- [x] a\n")) == ErrorKind::conflict);
  CHECK(plans.get("/elsewhere/real.md") == "- [ ] a\n");
  CHECK(plans.get() == "/elsewhere/real.md");
}

TEST_CASE("a stamp is settled once its time is clearly past") {
  core::PlanStamp stamp;
  stamp.mtime_ns = 5'000'000'000;
  CHECK_FALSE(is_settled(stamp, base::Instant{5'000}));
  CHECK_FALSE(is_settled(stamp, base::Instant{5'099}));
  CHECK(is_settled(stamp, base::Instant{5'100}));
  CHECK_FALSE(is_settled(stamp, base::Instant{4'000}));
}

}  // namespace
}  // namespace plankeep::store

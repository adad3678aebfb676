#include "project/git_directory.hpp"

#include <catch2/catch.hpp>

#include "support/git_files.hpp"
#include "support/world.hpp"

using namespace plankeep;
using app::head_was_moved;
using test::reflog_entry;
using test::World;

namespace {

base::Instant at(std::int64_t second) {
  return {second * base::kSecond};
}

// Where the text is that test::index_file() names.
constexpr const char* kObject = "/home/kim/.git/objects/01/01010101010101010101010101010101010101";

// Milliseconds, as of the plan's file.
std::int64_t info_time(World& world) {
  return world.context.files.info("/home/kim/plan.md")->mtime_ns / 1'000'000;
}

}  // namespace

TEST_CASE("HEAD is on a branch, or on none") {
  World world;
  const auto detached = [&world](const std::string& text) {
    world.disk().put("/home/kim/.git/HEAD", text);
    return app::head_is_detached(world.context, "/home/kim");
  };
  CHECK_FALSE(app::head_is_detached(world.context, "/home/kim"));
  CHECK_FALSE(detached("ref: refs/heads/feature/a\n"));
  CHECK(detached(std::string(40, 'a') + "\n"));
  CHECK_FALSE(detached(std::string(5000, 'a')));
}

TEST_CASE("a reflog tells whether HEAD was moved by anything but a commit") {
  const std::string before = reflog_entry(100, "checkout: moving from a to b");
  for (const std::string message :
       {"checkout: moving from main to other", "merge one: Fast-forward", "pull: Fast-forward",
        "reset: moving to HEAD", "rebase (finish): returning to refs/heads/main",
        "commit (merge): Merge branch 'x'", "cherry-pick: work", "commit (cherry-pick): work",
        "something new"}) {
    CAPTURE(message);
    const std::string log = before + reflog_entry(200, message) + reflog_entry(250, "commit: work");
    CHECK(head_was_moved(log, at(150)));
    CHECK(head_was_moved(log, {200'999}));
    CHECK_FALSE(head_was_moved(log, at(201)));
  }
  for (const std::string message :
       {"commit: checkout: moving from x to y", "commit (amend): merge", "commit (initial): first"}) {
    CAPTURE(message);
    CHECK_FALSE(head_was_moved(before + reflog_entry(200, message), at(150)));
  }
}

TEST_CASE("what is no reflog moves nothing, and a first line that is cut is passed over") {
  const std::string move = "\tmerge one: Fast-forward\n";
  for (const std::string& text : {std::string(), std::string("\n\n\n"), move, "x" + move,
                                  "a 99x +0000" + move, "99 +0000" + move, std::string("a b\n")}) {
    CAPTURE(text);
    CHECK_FALSE(head_was_moved(text, at(1)));
  }
  CHECK(head_was_moved("rge zero: x\n" + reflog_entry(100, "merge one: Fast-forward"), at(1)));
  std::string open_end = reflog_entry(100, "merge one");
  open_end.pop_back();
  CHECK(head_was_moved(open_end, at(1)));
}

TEST_CASE("git wrote a file that its index knows as it is, if HEAD was moved since") {
  World world;
  world.put_plan(test::kPlanText);
  world.disk().put("/home/kim/a/plan.md", "- [ ] a\n");
  const auto info = [&world](const std::string& file) {
    return *world.context.files.info("/home/kim/" + file);
  };
  const auto index = [&] {
    world.disk().put("/home/kim/.git/index",
                     test::index_file({{"a/plan.md", info("a/plan.md")}, {"plan.md", info("plan.md")}}));
  };
  const auto wrote = [&world](const std::string& file, std::int64_t second = 1) {
    return app::git_wrote(world.context, "/home/kim", file, at(second)) == app::GitWrote::with_head;
  };
  index();
  CHECK_FALSE(wrote("/home/kim/plan.md"));
  std::string log;
  for (int i = 0; i < 2000; ++i) log += reflog_entry(100, "commit: work");
  log += reflog_entry(200, "checkout: moving from main to other");
  world.disk().put("/home/kim/.git/logs/HEAD", log);
  CHECK(wrote("/home/kim/plan.md"));
  CHECK(wrote("/home/kim/a/plan.md"));
  CHECK_FALSE(wrote("/home/kim/plan.md", 300));
  CHECK_FALSE(wrote("/home/kim/other.md"));
  CHECK_FALSE(wrote("/home/kimberly/plan.md"));
  SECTION("not one that was edited since, of whatever size") {
    world.put_plan(test::kPlanText);
    CHECK_FALSE(wrote("/home/kim/plan.md"));
    index();
    CHECK(wrote("/home/kim/plan.md"));
  }
  SECTION("not if the reflog is older") {
    const std::int64_t written = info(".git/logs/HEAD").mtime_ns / (1'000'000 * base::kSecond);
    world.disk().put("/home/kim/.git/logs/HEAD", reflog_entry(written + 9, "merge one: Fast-forward"));
    CHECK(wrote("/home/kim/plan.md", written - 1));
    CHECK_FALSE(wrote("/home/kim/plan.md", written + 5));
  }
  SECTION("not if the index cannot be read") {
    world.disk().put("/home/kim/.git/index", "DIRC");
    CHECK_FALSE(wrote("/home/kim/plan.md"));
    world.disk().erase("/home/kim/.git/index");
    CHECK_FALSE(wrote("/home/kim/plan.md"));
  }
  SECTION("a linked work tree has its own") {
    world.disk().put("/home/kim/x/plan.md", "- [ ] x\n");
    world.disk().put("/home/kim/x/.git", "gitdir: /home/kim/main/.git/worktrees/x\n");
    world.disk().put("/home/kim/main/.git/worktrees/x/logs/HEAD",
                     reflog_entry(100, "checkout: moving from a to b"));
    world.disk().put("/home/kim/main/.git/worktrees/x/index",
                     test::index_file({{"plan.md", info("x/plan.md")}}));
    CHECK(app::git_wrote(world.context, "/home/kim/x", "/home/kim/x/plan.md", at(1)) ==
          app::GitWrote::with_head);
  }
}

TEST_CASE("git wrote a file alone if its index was written just after it and has no later text") {
  World world;
  const auto info = [&world] { return *world.context.files.info("/home/kim/plan.md"); };
  const auto wrote = [&world] {
    return app::git_wrote(world.context, "/home/kim", "/home/kim/plan.md", {info_time(world)});
  };
  world.disk().put(kObject, "x");
  world.put_plan(test::kPlanText);
  CHECK(wrote() == app::GitWrote::no);
  world.disk().put("/home/kim/.git/index", test::index_file({{"plan.md", info()}}));
  CHECK(wrote() == app::GitWrote::alone);
  SECTION("a text that is stored behind its file was written by somebody else") {
    world.disk().put(kObject, "x");
    CHECK(wrote() == app::GitWrote::no);
  }
  SECTION("the objects of a linked work tree are elsewhere") {
    world.disk().put("/home/kim/x/plan.md", "- [ ] x\n");
    world.disk().put("/home/kim/x/.git", "gitdir: /home/kim/.git/worktrees/x\n");
    world.disk().put("/home/kim/.git/worktrees/x/commondir", "../..\n");
    world.disk().put("/home/kim/.git/worktrees/x/index",
                     test::index_file({{"plan.md", *world.context.files.info("/home/kim/x/plan.md")}}));
    const auto linked = [&] {
      return app::git_wrote(world.context, "/home/kim/x", "/home/kim/x/plan.md", {info_time(world)});
    };
    CHECK(linked() == app::GitWrote::alone);
    world.disk().put(kObject, "x");
    CHECK(linked() == app::GitWrote::no);
  }
  SECTION("an entry that git made from a commit is a stash's") {
    system::FileInfo unseen;
    world.put_plan(test::kPlanText);
    world.disk().put("/home/kim/.git/index", test::index_file({{"plan.md", unseen}}));
    CHECK(wrote() == app::GitWrote::from_stash);
  }
  SECTION("a file that was edited since, the index knowing it or not, is not git's") {
    world.put_plan(test::kPlanText);
    CHECK(wrote() == app::GitWrote::no);
  }
  SECTION("a merge that stopped wrote what it could") {
    world.put_plan(test::kPlanText);
    world.disk().put("/home/kim/.git/MERGE_HEAD", std::string(40, 'a') + "\n");
    CHECK(wrote() == app::GitWrote::with_head);
    world.put_plan(test::kPlanText);
    CHECK(wrote() == app::GitWrote::no);
  }
}

TEST_CASE("a work tree knows the others of its repository") {
  World world;
  world.disk().put("/home/kim/.git/HEAD", "ref: refs/heads/main\n");
  const auto add = [&world](const std::string& name, const std::string& top, const std::string& gitdir) {
    world.disk().put("/home/kim/.git/worktrees/" + name + "/gitdir", gitdir + "\n");
    world.disk().put("/home/kim/.git/worktrees/" + name + "/commondir", "../..\n");
    if (!top.empty()) world.disk().put(top + "/.git", "gitdir: /home/kim/.git/worktrees/" + name + "\n");
  };
  const auto others = [&world](const std::string& top) { return app::other_work_trees(world.context, top); };
  using Tops = std::vector<std::string>;
  CHECK(others("/home/kim") == Tops{});
  add("a", "/home/a", "/home/a/.git");
  add("b", "/home/b", "../../../../b/.git");
  CHECK(others("/home/kim") == Tops{"/home/a", "/home/b"});
  CHECK(others("/home/a") == Tops{"/home/kim", "/home/b"});
  SECTION("one that is gone, or of another repository by now, is none of them") {
    add("gone", "", "/home/gone/.git");
    world.disk().put("/home/a/.git", "gitdir: /home/elsewhere/.git/worktrees/a\n");
    CHECK(others("/home/kim") == Tops{"/home/b"});
    CHECK(others("/home/a").empty());
  }
  SECTION("nor is anything that names no work tree") {
    add("bad", "", "");
    add("worse", "", "/etc/passwd");
    CHECK(others("/home/kim").size() == 2);
  }
  SECTION("those of a bare repository know each other") {
    for (const std::string name : {"c", "d"}) {
      world.disk().put("/home/bare.git/worktrees/" + name + "/gitdir", "/home/" + name + "/.git\n");
      world.disk().put("/home/bare.git/worktrees/" + name + "/commondir", "../..\n");
      world.disk().put("/home/" + name + "/.git", "gitdir: /home/bare.git/worktrees/" + name + "\n");
    }
    CHECK(others("/home/c") == Tops{"/home/d"});
  }
  SECTION("a submodule has none") {
    world.disk().put("/home/kim/.git/modules/sub/HEAD", "ref: refs/heads/main\n");
    world.disk().put("/home/kim/sub/.git", "gitdir: ../.git/modules/sub\n");
    CHECK(others("/home/kim/sub").empty());
  }
}

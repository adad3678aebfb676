#include "worktree/tree_files.hpp"

#include "snapshot_world.hpp"

using namespace plankeep;
using test::World;

namespace {

std::string without_feed(std::string text) {
  while (text.ends_with('\n')) text.pop_back();
  return text;
}

// An object that no command of git's would make of a work tree.
std::string made(git::Snapshots& all, const std::vector<std::string>& words, const std::string& input) {
  const auto finished = all.run(words, input);
  REQUIRE(finished);
  REQUIRE(finished->status == 0);
  return without_feed(finished->output);
}

struct Target {
  test::TemporaryFolder place;
  std::string path = place.path_of("to");
  Target() { test::fs::create_directory(path); }
};

}  // namespace

TEST_CASE(
    "a tree whose names lead out of the folder, or into a repository, is refused before anything is "
    "written") {
  World world;
  git::Snapshots all = world.snapshots();
  const std::string blob = made(all, {"hash-object", "-w", "--stdin"}, "evil");
  for (const std::string name : {"..", ".", ".git", ".GIT"}) {
    for (const bool below : {false, true}) {
      INFO(name << below);
      std::string tree = made(all, {"mktree"}, "100644 blob " + blob + "\t" + name + "\n");
      if (below) tree = made(all, {"mktree"}, "100644 blob " + blob + "\ta\n040000 tree " + tree + "\tsub\n");
      const Target target;
      git::Snapshot snapshot;
      snapshot.tree = tree;
      const auto written =
          git::write_files(all, world.files, snapshot, target.path, [](std::string_view) { return false; });
      REQUIRE_FALSE(written);
      CHECK(written.error().kind == base::ErrorKind::corrupt);
      CHECK(test::everything(target.place.path()) == std::map<std::string, std::string>{{"to", "d"}});
    }
  }
}

TEST_CASE("a link of the tree is never followed, also where the tree goes on below it") {
  World world;
  git::Snapshots all = world.snapshots();
  const Target target;
  const std::string outside = target.place.path_of("outside");
  test::fs::create_directory(outside);
  const std::string blob = made(all, {"hash-object", "-w", "--stdin"}, "evil");
  const std::string link = made(all, {"hash-object", "-w", "--stdin"}, outside);
  const std::string inner = made(all, {"mktree"}, "100644 blob " + blob + "\tb\n");
  git::Snapshot snapshot;
  snapshot.tree = made(all, {"mktree"}, "120000 blob " + link + "\ta\n040000 tree " + inner + "\ta\n");
  const auto written =
      git::write_files(all, world.files, snapshot, target.path, [](std::string_view) { return false; });
  CHECK_FALSE(written);
  CHECK(test::fs::is_empty(outside));
}

TEST_CASE("what is emptied is emptied whole, and no link in it is followed") {
  World world;
  const Target target;
  const std::string outside = target.place.path_of("outside");
  test::fs::create_directories(outside);
  std::ofstream(outside + "/mine") << "mine";
  test::fs::create_directories(target.path + "/a/b/c");
  std::ofstream(target.path + "/a/b/file") << "x";
  test::fs::create_symlink(outside, target.path + "/link");
  test::fs::create_symlink(outside, target.path + "/a/link");
  const auto folder = world.files.open_folder(target.path);
  REQUIRE(folder);
  CHECK(git::empty_folder(**folder));
  CHECK(test::fs::is_empty(target.path));
  CHECK(test::file_text(outside + "/mine") == "mine");
}

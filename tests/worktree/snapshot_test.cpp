// Snapshots of real work trees, and going back to them.

#include "worktree/snapshot.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <map>

#include "worktree/restore_tree.hpp"
#include "worktree/snapshot_world.hpp"
#include "worktree/tree_diff.hpp"

namespace fs = std::filesystem;
using namespace plankeep;
using base::ErrorKind;
using test::everything;
using test::file_text;
using test::kTime;
using test::users_own;
using test::World;

namespace {

using Paths = std::vector<std::string>;
using Why = git::LeftOut::Why;

}  // namespace

TEST_CASE("too many new files are refused before any is stored, and the folder is named") {
  World world;
  for (const char* name : {"a", "b", "c", "d", "e"}) world.write(name, name);
  world.commit_all();
  for (const char* name : {"one", "many/1", "many/2", "many/3"})
    world.write(name, "new " + std::string(name));
  git::SnapshotLimits limits;
  limits.max_new_files = 3;
  const auto objects = [&] { return world.git({"count-objects"}).output; };
  const std::string before = objects();
  const auto refused = world.snapshots().capture(limits);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().kind == ErrorKind::conflict);
  CHECK(refused.error().message ==
        "4 new files are too many for a snapshot (the limit is 3), 3 of them in many/: add it to "
        ".gitignore, or commit it");
  CHECK(objects() == before);
  world.write(".gitignore", "many\n");
  CHECK(world.snapshots().capture(limits));
  world.write("two", "2");
  CHECK(world.snapshots().capture(limits));  // those that were seen are not new
}

TEST_CASE("a snapshot holds what is tracked and what is new, not what is ignored") {
  World world;
  world.write(".gitignore", "*.o\nbuild/\n");
  world.write("a.txt", "one");
  world.write("gone.txt", "gone");
  world.commit_all();
  world.write("a.txt", "two");
  world.write("new/b c\n.txt", "new");
  world.write("x.o", "object");
  world.write("build/out", "out");
  fs::remove(world.folder.path_of("gone.txt"));
  const git::Captured captured = world.capture();
  CHECK(world.paths_of(captured.tree) == Paths{".gitignore", "a.txt", "new/b c\n.txt"});
  CHECK(world.content_of(captured.tree, "a.txt") == "two");
  CHECK(captured.left_out.empty());
  CHECK(world.capture().tree == captured.tree);
  world.write("a.txt", "six");  // of the same size, and maybe in the same moment
  CHECK(world.content_of(world.capture().tree, "a.txt") == "six");
}

TEST_CASE(
    "a file that is ignored and tracked all the same is held, and one that comes to be ignored is not") {
  World world;
  world.write(".gitignore", "*.log\n");
  world.write("kept.log", "kept");
  world.git({"add", "-f", "kept.log"});
  world.commit_all();
  world.write("note.tmp", "x");
  CHECK(world.paths_of(world.capture().tree) == Paths{".gitignore", "kept.log", "note.tmp"});
  world.write(".gitignore", "*.log\n*.tmp\n");
  CHECK(world.paths_of(world.capture().tree) == Paths{".gitignore", "kept.log"});
  world.git({"rm", "-q", "--cached", "kept.log"});
  CHECK(world.paths_of(world.capture().tree) == Paths{".gitignore"});
}

TEST_CASE("nothing of the user's repository changes, and no hook or filter runs") {
  World world;
  world.write("a.txt", "one");
  world.commit_all();
  world.write("stashed.txt", "s");
  world.git({"add", "-A"});
  world.git({"stash", "-q"});
  world.write(".git/hooks/reference-transaction", "#!/bin/sh\ntouch \"$GIT_DIR/../ran\"\nexit 1\n");
  ::chmod(world.folder.path_of(".git/hooks/reference-transaction").c_str(), 0755);
  world.git({"config", "filter.spoil.clean", "touch ran; tr a b"});
  world.git({"config", "core.fsmonitor", "touch ran"});
  world.git({"config", "core.logAllRefUpdates", "always"});
  world.write(".gitattributes", "*.txt filter=spoil\n");
  world.write("a.txt", "banana");
  world.write("staged.txt", "staged");
  const auto before = users_own(world.folder.path());
  const git::Snapshot taken = world.take("one");
  world.write("a.txt", "changed");
  world.go_back(taken);
  CHECK(users_own(world.folder.path()) == before);
  CHECK_FALSE(fs::exists(world.folder.path_of("ran")));
  CHECK(world.content_of(taken.tree, "a.txt") == "banana");
  CHECK(world.bytes_of("a.txt") == "banana");
}

TEST_CASE("line ends, encodings and keywords come back as they were, whatever git would make of them") {
  World world;
  world.git({"config", "core.autocrlf", "true"});
  world.write(
      ".gitattributes",
      "*.txt text eol=lf\n*.win text eol=crlf\n*.id ident\n*.u16 text working-tree-encoding=UTF-16\n");
  world.write("a.txt", "one\r\ntwo\n");
  world.write("b.win", "one\ntwo\r\n");
  world.write("c.id", "$Id$ $Id: old $\n");
  world.write("d.u16", std::string("\xff\xfe"
                                   "a\0\n\0",
                                   6));
  const auto before = everything(world.folder.path());
  const git::Snapshot taken = world.take("one");
  CHECK(world.content_of(taken.tree, "a.txt") == "one\r\ntwo\n");
  for (const char* name : {"a.txt", "b.win", "c.id", "d.u16"}) world.write(name, "other");
  world.go_back(taken);
  CHECK(everything(world.folder.path()) == before);
}

TEST_CASE(
    "going back restores untracked, deleted, renamed, executable and linked files, and leaves ignored ones") {
  World world;
  world.write(".gitignore", "*.o\n");
  world.write("kept.txt", "kept");
  world.write("deleted.txt", "deleted");
  world.write("dir/renamed.txt", "renamed");
  world.write("run.sh", "#!/bin/sh\n");
  ::chmod(world.folder.path_of("run.sh").c_str(), 0700);
  world.write("plain.sh", "plain");
  world.write("was/folder/file", "file");
  world.write("was-file", "file");
  world.commit_all();
  world.write("untracked.txt", "untracked");
  fs::create_symlink("nowhere", world.folder.path_of("dangling"));
  fs::create_symlink("dir", world.folder.path_of("to-dir"));
  world.write("x.o", "then");
  const auto before = everything(world.folder.path());
  const git::Snapshot taken = world.take("one");

  fs::remove(world.folder.path_of("deleted.txt"));
  fs::rename(world.folder.path_of("dir"), world.folder.path_of("moved"));
  ::chmod(world.folder.path_of("run.sh").c_str(), 0600);
  ::chmod(world.folder.path_of("plain.sh").c_str(), 0755);
  fs::remove_all(world.folder.path_of("was"));
  world.write("was", "a file now");
  fs::remove(world.folder.path_of("was-file"));
  world.write("was-file/now/folder", "f");
  world.write("untracked.txt", "changed");
  world.write("created/since/then", "new");
  fs::remove(world.folder.path_of("dangling"));
  fs::create_symlink("elsewhere", world.folder.path_of("dangling"));
  fs::remove(world.folder.path_of("to-dir"));
  world.write("to-dir/inside", "a folder now");
  const auto changed = everything(world.folder.path());
  const git::Snapshot safety = world.take("two");

  const git::RestorePlan plan = world.go_back(taken);
  CHECK(plan.kept.empty());
  CHECK(everything(world.folder.path()) == before);
  struct stat status {};
  REQUIRE(::stat(world.folder.path_of("run.sh").c_str(), &status) == 0);
  CHECK((status.st_mode & 0777U) == 0700U);
  CHECK(world.bytes_of("x.o") == "then");

  world.go_back(safety);
  CHECK(everything(world.folder.path()) == changed);
  CHECK(world.go_back(safety).changes.empty());
}

TEST_CASE("nothing is written through a link, and what no snapshot holds stays in its place") {
  World world;
  world.write(".gitignore", "secret\n");
  world.write("dir/a", "a");
  world.write("secret-then/b", "b");
  world.commit_all();
  const git::Snapshot taken = world.take("one");
  test::TemporaryFolder outside;
  std::ofstream(outside.path_of("a")) << "outside";
  fs::remove_all(world.folder.path_of("dir"));
  fs::create_symlink(outside.path(), world.folder.path_of("dir"));
  world.go_back(taken);
  CHECK(file_text(outside.path_of("a")) == "outside");
  CHECK(fs::is_directory(fs::symlink_status(world.folder.path_of("dir"))));
  CHECK(world.bytes_of("dir/a") == "a");

  // The link is ignored: no snapshot holds it.
  fs::remove_all(world.folder.path_of("dir"));
  fs::create_symlink(outside.path(), world.folder.path_of("dir"));
  std::ofstream(world.folder.path_of(".git/info/exclude")) << "dir\nsecret-then\n";
  fs::remove_all(world.folder.path_of("secret-then"));
  world.write("secret-then", "a file of mine");
  world.git({"rm", "-r", "-q", "--cached", "dir", "secret-then"});
  const git::RestorePlan plan = world.go_back(taken);
  REQUIRE(plan.kept.size() == 2);
  CHECK(plan.kept[0] == git::KeptPath{"dir/a", "dir is in the way"});
  CHECK(plan.kept[1] == git::KeptPath{"secret-then/b", "secret-then is in the way"});
  CHECK(file_text(outside.path_of("a")) == "outside");
  CHECK(world.bytes_of("secret-then") == "a file of mine");
}

TEST_CASE("large and unreadable files are left out, listed, and never touched") {
  World world;
  world.write("small", "small");
  world.write("grows", "small yet");
  world.commit_all();
  world.write("large", std::string(1001, 'l'));
  world.write("locked", "locked");
  ::chmod(world.folder.path_of("locked").c_str(), 0);
  git::SnapshotLimits limits;
  limits.max_file_bytes = 1000;
  const git::Snapshot taken = world.take("one", limits);
  const bool root = ::geteuid() == 0;
  std::vector<git::LeftOut> expected{{"large", Why::too_large}};
  if (!root) expected.push_back({"locked", Why::unreadable});
  CHECK(taken.left_out == expected);
  git::Snapshots all = world.snapshots();
  const auto found = all.find(taken.ref);
  REQUIRE(found);
  CHECK(found->left_out == expected);
  CHECK(found->tree == taken.tree);
  CHECK(found->time == kTime);

  world.write("grows", std::string(2000, 'g'));
  world.write("small", "changed");
  world.write("large", std::string(500, 's'));
  git::TreeRestore restore(all, world.files);
  const auto now = all.capture(limits);
  REQUIRE(now);
  const auto plan = restore.preview(*now, *found, {});
  REQUIRE(plan);
  REQUIRE(plan->changes.size() == 1);
  CHECK(plan->changes[0].path == "small");
  REQUIRE(plan->kept.size() == 2);
  CHECK(plan->kept[0].path == "grows");
  CHECK(plan->kept[1] == git::KeptPath{"large", "too large: not in the snapshot"});
  ::chmod(world.folder.path_of("locked").c_str(), 0600);
}

TEST_CASE("files that look like secrets are left out, listed, and never overwritten or removed") {
  World world;
  world.write("a.txt", "a");
  world.write("tracked.pem", "in git anyway");
  world.commit_all();
  const std::string key = std::string("-----BEGIN") + " PRIVATE KEY-----\nMII\n";
  world.write(".env", "then");
  world.write("web/.env.local", "then");
  world.write("web/.env.example", "a pattern");
  world.write("deploy", key);
  world.write("new.txt", "new");
  const git::Snapshot taken = world.take("one");
  CHECK(world.paths_of(taken.tree) == Paths{"a.txt", "new.txt", "tracked.pem", "web/.env.example"});
  CHECK(taken.left_out == std::vector<git::LeftOut>{{".env", Why::secret},
                                                    {"deploy", Why::secret},
                                                    {"web/.env.local", Why::secret}});
  git::Snapshots all = world.snapshots();
  const auto found = all.find(taken.ref);
  REQUIRE(found);
  CHECK(found->left_out == taken.left_out);
  // No object of the repository holds them.
  const auto objects = world.git({"cat-file", "--batch-all-objects", "--batch"});
  CHECK(objects.output.find("MII") == std::string::npos);
  CHECK(objects.output.find("then") == std::string::npos);

  world.write(".env", "now");
  world.write("later.key", "later");
  world.write("a.txt", "changed");
  world.write("tracked.pem", "changed");
  const git::RestorePlan plan = world.go_back(taken);
  CHECK(plan.changes.size() == 2);
  CHECK(world.bytes_of("a.txt") == "a");
  CHECK(world.bytes_of("tracked.pem") == "in git anyway");
  CHECK(world.bytes_of(".env") == "now");
  CHECK(world.bytes_of("later.key") == "later");
  CHECK(world.bytes_of("deploy") == key);
}

TEST_CASE("a secret that a snapshot holds does not overwrite the one that is there") {
  World world;
  world.write("a.txt", "a");
  world.commit_all();
  world.write(".env", "then");
  world.write("id_rsa", "then");
  git::SnapshotLimits limits;
  limits.secret_files = true;
  const git::Snapshot taken = world.take("one", limits);
  CHECK(world.paths_of(taken.tree) == Paths{".env", "a.txt", "id_rsa"});
  CHECK(taken.left_out.empty());
  world.write(".env", "now");
  fs::remove(world.folder.path_of("id_rsa"));
  const git::RestorePlan plan = world.go_back(taken);
  CHECK(world.bytes_of(".env") == "now");
  CHECK(world.bytes_of("id_rsa") == "then");  // nothing was in its place
  REQUIRE(plan.kept.size() == 1);
  CHECK(plan.kept[0] ==
        git::KeptPath{".env", "looks like a secret: its current contents are in no snapshot"});
  // Not even a safety snapshot takes what is in the way.
  git::Snapshots all = world.snapshots();
  const auto safety = all.capture({}, {.also = {".env"}});
  REQUIRE(safety);
  CHECK(world.paths_of(safety->tree) == Paths{"a.txt"});
}

TEST_CASE("submodules and nested repositories are left out whole and never touched") {
  World world;
  World library;
  library.write("lib.c", "lib");
  library.commit_all();
  world.write("a.txt", "a");
  world.commit_all();
  world.git({"-c", "protocol.file.allow=always", "submodule", "add", "-q", library.folder.path(), "sub"});
  world.commit_all();
  world.git({"init", "-q", "nested"});
  world.write("nested/file", "n");
  world.git({"worktree", "add", "-q", "linked"});
  const git::Snapshot taken = world.take("one");
  CHECK(world.paths_of(taken.tree) == Paths{".gitmodules", "a.txt"});
  const std::vector<git::LeftOut> expected{
      {"linked", Why::nested_repository}, {"nested", Why::nested_repository}, {"sub", Why::submodule}};
  CHECK(taken.left_out == expected);
  world.write("sub/lib.c", "changed");
  world.write("nested/file", "changed");
  world.write("a.txt", "changed");
  fs::remove_all(world.folder.path_of("linked"));
  world.write("linked", "a file now");
  const git::RestorePlan plan = world.go_back(taken);
  CHECK(plan.changes.size() == 1);
  CHECK(world.bytes_of("a.txt") == "a");
  CHECK(world.bytes_of("sub/lib.c") == "changed");
  CHECK(world.bytes_of("nested/file") == "changed");
  CHECK(world.bytes_of("linked") == "a file now");
}

TEST_CASE("files that come to lie in a repository of their own stay as they are") {
  World world;
  world.write("a.txt", "a");
  world.commit_all();
  world.write("part/file", "then");
  const git::Snapshot taken = world.take("one");
  CHECK(world.paths_of(taken.tree) == Paths{"a.txt", "part/file"});
  world.write("part/file", "now");
  world.git({"init", "-q", "part"});
  CHECK(world.paths_of(world.capture().tree) == Paths{"a.txt"});
  const git::RestorePlan plan = world.go_back(taken);
  CHECK(plan.changes.empty());
  REQUIRE(plan.kept.size() == 1);
  CHECK(world.bytes_of("part/file") == "now");
}

TEST_CASE("a repository that is made in a tracked folder stays as it is in both directions") {
  World world;
  world.write("a.txt", "a");
  world.write("api/main.c", "then");
  world.write("api/deep/file", "then");
  world.commit_all();
  const git::Snapshot before = world.take("one");
  world.git({"init", "-q", "api"});
  world.write("api/main.c", "now");
  world.write("api/new.c", "new");
  fs::remove(world.folder.path_of("api/deep/file"));
  world.write("a.txt", "changed");
  const git::Snapshot after = world.take("two");
  CHECK(world.paths_of(after.tree) == Paths{"a.txt"});
  CHECK(after.left_out == std::vector<git::LeftOut>{{"api", Why::nested_repository}});

  const auto as_it_was = [&world] {
    CHECK(world.bytes_of("api/main.c") == "now");
    CHECK(world.bytes_of("api/new.c") == "new");
    CHECK_FALSE(fs::exists(world.folder.path_of("api/deep/file")));
    CHECK(fs::exists(world.folder.path_of("api/.git/HEAD")));
  };
  const git::RestorePlan back = world.go_back(before);
  CHECK(back.changes.size() == 1);
  CHECK(back.kept ==
        std::vector<git::KeptPath>{{"api/", "nested repository: its current contents are in no snapshot"}});
  CHECK(world.bytes_of("a.txt") == "a");
  as_it_was();
  CHECK(world.go_back(after).changes.size() == 1);
  CHECK(world.bytes_of("a.txt") == "changed");
  as_it_was();

  // Its files are the work tree's again, and in no earlier snapshot.
  fs::remove_all(world.folder.path_of("api/.git"));
  CHECK(world.paths_of(world.capture().tree) == Paths{"a.txt", "api/main.c", "api/new.c"});
  const git::RestorePlan later = world.go_back(after);
  CHECK(later.changes.empty());
  CHECK(later.kept == std::vector<git::KeptPath>{{"api/", "nested repository: not in the snapshot"}});
  CHECK(world.bytes_of("api/new.c") == "new");
}

TEST_CASE("a repository in a repository in a tracked folder is named once, by the outer one") {
  World world;
  world.write("api/lib/file", "a");
  world.write("other/file", "o");
  world.commit_all();
  world.git({"init", "-q", "api/lib"});
  world.git({"init", "-q", "api"});
  const git::Captured captured = world.capture();
  CHECK(world.paths_of(captured.tree) == Paths{"other/file"});
  CHECK(captured.left_out == std::vector<git::LeftOut>{{"api", Why::nested_repository}});
}

TEST_CASE("snapshots work without a commit, on a detached HEAD, with SHA-256 and in a linked work tree") {
  World none;
  CHECK(none.take("empty").head.empty());
  none.write("a", "a");
  const git::Snapshot first = none.take("one");
  CHECK(none.paths_of(first.tree) == Paths{"a"});
  none.write("a", "b");
  none.write("b", "b");
  none.go_back(first);
  CHECK(everything(none.folder.path()) == std::map<std::string, std::string>{{"a", "fa"}});

  World detached;
  detached.write("a", "a");
  detached.commit_all();
  detached.git({"checkout", "-q", "--detach"});
  const git::Snapshot at = detached.take("one");
  CHECK(at.head == detached.tree().head);
  detached.write("a", "b");
  detached.go_back(at);
  CHECK(detached.bytes_of("a") == "a");

  World sha256(false);
  sha256.git({"init", "-q", "--object-format=sha256"});
  sha256.write("a", "a");
  const git::Snapshot wide = sha256.take("one");
  CHECK(wide.commit.size() == 64);
  sha256.write("a", "b");
  sha256.go_back(wide);
  CHECK(sha256.bytes_of("a") == "a");

  World linked;
  linked.write("a", "a");
  linked.commit_all();
  test::TemporaryFolder other;
  linked.git({"worktree", "add", "-q", other.path_of("w")});
  auto place = git::open_snapshots(linked.processes, linked.files, other.path_of("w"));
  REQUIRE(place);
  REQUIRE(*place);
  CHECK((*place)->git_dir == linked.folder.path_of(".git/worktrees/w"));
  git::Snapshots all(linked.processes, linked.files, **place, {});
  const auto captured = all.capture({});
  REQUIRE(captured);
  const auto kept =
      all.keep(*captured, git::snapshot_ref(**place, other.path_of("w/plan.md"), "x"), kTime, "x");
  REQUIRE(kept);
  std::ofstream(other.path_of("w/a")) << "changed";
  git::TreeRestore restore(all, linked.files);
  REQUIRE(restore.begin());
  const auto now = all.capture({});
  REQUIRE(now);
  const auto plan = restore.preview(*now, *kept, {});
  REQUIRE(plan);
  REQUIRE(restore.stage(*plan, ""));
  REQUIRE(restore.move());
  REQUIRE(restore.finish());
  CHECK(file_text(other.path_of("w/a")) == "a");

  World bare(false);
  bare.git({"init", "-q", "--bare", "b.git"});
  const auto nothing = git::open_snapshots(bare.processes, bare.files, bare.folder.path_of("b.git"));
  REQUIRE(nothing);
  CHECK_FALSE(*nothing);
}

TEST_CASE("what a sparse checkout leaves out is not taken for deleted, and not put into the work tree") {
  World world;
  world.write("in/a", "a");
  world.write("out/b", "b");
  world.commit_all();
  world.git({"sparse-checkout", "set", "in"});
  REQUIRE_FALSE(fs::exists(world.folder.path_of("out/b")));
  const git::Snapshot taken = world.take("one");
  CHECK(world.paths_of(taken.tree) == Paths{"in/a", "out/b"});
  world.write("in/a", "changed");
  world.go_back(taken);
  CHECK(world.bytes_of("in/a") == "a");
  CHECK_FALSE(fs::exists(world.folder.path_of("out/b")));
  world.git({"sparse-checkout", "disable"});
  CHECK(world.capture().tree == taken.tree);
  world.write("out/b", "changed");
  world.go_back(taken);
  CHECK(world.bytes_of("out/b") == "b");
}

TEST_CASE("a merge, rebase, cherry-pick, revert or bisect in progress is told") {
  World world;
  world.write("a", "a");
  world.commit_all();
  CHECK(*world.snapshots().operation_in_progress() == "");
  world.git({"bisect", "start"});
  CHECK(*world.snapshots().operation_in_progress() == "bisect");
  world.git({"bisect", "reset"});
  for (const auto& [file, name] : std::map<std::string, std::string>{
           {"MERGE_HEAD", "merge"}, {"CHERRY_PICK_HEAD", "cherry-pick"}, {"REVERT_HEAD", "revert"}}) {
    world.write(".git/" + file, world.tree().head + "\n");
    CHECK(*world.snapshots().operation_in_progress() == name);
    fs::remove(world.folder.path_of(".git/" + file));
  }
  fs::create_directory(world.folder.path_of(".git/rebase-merge"));
  CHECK(*world.snapshots().operation_in_progress() == "rebase");
}

TEST_CASE("what was not finished is told and can be taken back or left") {
  World world;
  world.write("a", "a");
  world.write("old/gone", "gone");
  world.commit_all();
  const git::Snapshot taken = world.take("one");
  world.write("a", "b");
  world.write("new/file", "new");
  fs::remove_all(world.folder.path_of("old"));
  const auto before = everything(world.folder.path());
  git::Snapshots all = world.snapshots();
  {
    git::TreeRestore restore(all, world.files);
    REQUIRE(restore.begin());
    const auto plan = restore.preview(world.capture(), taken, {});
    REQUIRE(plan);
    REQUIRE(restore.stage(*plan, "what it was\nfor"));
    CHECK(everything(world.folder.path()) == before);
    REQUIRE(restore.move());
    CHECK(everything(world.folder.path()) != before);
  }
  git::TreeRestore again(all, world.files);
  REQUIRE(again.begin());
  const auto note = again.unfinished();
  REQUIRE(note);
  REQUIRE(*note);
  CHECK(**note == "what it was\nfor");
  const auto refused = again.stage({}, "");
  REQUIRE_FALSE(refused);
  CHECK(refused.error().kind == ErrorKind::conflict);
  SECTION("undone") {
    const auto changed = again.undo();
    REQUIRE(changed);
    CHECK(changed->empty());
    CHECK(everything(world.folder.path()) == before);
  }
  SECTION("undone, but for what somebody changed since") {
    world.write("a", "mine");
    const auto changed = again.undo();
    REQUIRE(changed);
    CHECK(*changed == Paths{"a"});
    CHECK(world.bytes_of("a") == "mine");
    CHECK(world.bytes_of("new/file") == "new");
  }
  SECTION("left") {
    REQUIRE(again.finish());
    CHECK(world.capture().tree == taken.tree);
  }
  CHECK_FALSE(*again.unfinished());
}

TEST_CASE("a file that somebody changes between the look and the move stops everything") {
  World world;
  world.write("a", "a");
  world.write("b", "b");
  world.commit_all();
  const git::Snapshot taken = world.take("one");
  world.write("a", "changed a");
  world.write("b", "changed b");
  git::Snapshots all = world.snapshots();
  git::TreeRestore restore(all, world.files);
  REQUIRE(restore.begin());
  const auto plan = restore.preview(world.capture(), taken, {});
  REQUIRE(plan);
  REQUIRE(restore.stage(*plan, ""));
  world.write("b", "changed again");
  const auto before = everything(world.folder.path());
  const auto moved = restore.move();
  REQUIRE_FALSE(moved);
  CHECK(moved.error().kind == ErrorKind::conflict);
  CHECK(everything(world.folder.path()) == before);
  CHECK_FALSE(*restore.unfinished());
}

TEST_CASE("refs are listed, measured and dropped, and taken names are refused") {
  World world;
  world.write("a", "a");
  world.commit_all();
  const git::Snapshot one = world.take("one");
  world.write("a", std::string(5000, 'x') + "unlike anything");
  const git::Snapshot two = world.take("two");
  git::Snapshots all = world.snapshots();
  const auto again = all.keep(world.capture(), one.ref, kTime, "x");
  REQUIRE_FALSE(again);
  CHECK(again.error().kind == ErrorKind::conflict);
  const std::string prefix = git::snapshot_refs_of(all.place(), world.folder.path_of("p/plan.md"));
  const auto listed = all.list(prefix);
  REQUIRE(listed);
  REQUIRE(listed->size() == 2);
  CHECK((*listed)[0].ref == one.ref);
  CHECK((*listed)[1].tree == two.tree);
  CHECK((*listed)[1].head == world.tree().head);
  const auto sizes = all.sizes(prefix);
  REQUIRE(sizes);
  CHECK(sizes->count == 2);
  CHECK(sizes->bytes > 100);
  CHECK(sizes->bytes < 5000);
  REQUIRE(all.drop({one.ref, prefix + "never"}));
  CHECK(all.list(prefix)->size() == 1);
  REQUIRE(all.drop({two.ref}));
  CHECK(all.list(prefix)->empty());
  CHECK(all.sizes(prefix)->bytes == 0);
  const auto missing = all.find(two.ref);
  REQUIRE_FALSE(missing);
  CHECK(missing.error().kind == ErrorKind::not_found);
  const auto foreign = all.find(world.tree().head);
  REQUIRE_FALSE(foreign);
  CHECK(foreign.error().kind == ErrorKind::corrupt);
}

TEST_CASE("plans have refs of their own, which stay when the repository is moved") {
  git::SnapshotPlace place;
  place.top = "/home/kim/shop";
  place.git_dir = place.common_dir = "/home/kim/shop/.git";
  const auto refs = [](const git::SnapshotPlace& where, const std::string& path) {
    return git::snapshot_refs_of(where, where.top + "/" + path);
  };
  const std::string first = refs(place, "plan.md");
  CHECK(first.starts_with("refs/plankeep/plan-"));
  CHECK(refs(place, "plans/cart/plan.md").starts_with("refs/plankeep/cart-"));
  CHECK(refs(place, "plans/cart/plan.md") != refs(place, "old/cart/plan.md"));
  CHECK(refs(place, "plans/Caf\u00e9 & co/plan.md").find(' ') == std::string::npos);
  CHECK(refs(place, std::string(250, 'x') + "/plan.md").size() < 150);
  CHECK(git::snapshot_ref(place, "/home/kim/shop/plan.md", "x") == first + "x");
  git::SnapshotPlace moved;
  moved.top = "/srv/store";
  moved.git_dir = moved.common_dir = "/srv/store/.git";
  CHECK(refs(moved, "plan.md") == first);
  git::SnapshotPlace linked = place;
  linked.top = "/home/kim/other";
  linked.git_dir += "/worktrees/other";
  CHECK(refs(linked, "plan.md") != first);
  // A plan beside the repository is known by its whole path.
  CHECK(git::snapshot_refs_of(place, "/home/kim/plan.md") != first);
}

TEST_CASE("a private index that is damaged, locked by the dead, or whose objects are gone is made anew") {
  World world;
  world.write("a", "a");
  const git::Snapshot taken = world.take("one");
  std::ofstream(world.folder.path_of(".git/plankeep/index")) << "no index";
  CHECK(world.capture().tree == taken.tree);
  std::ofstream(world.folder.path_of(".git/plankeep/index.lock")) << "";
  world.write("b", "b");
  CHECK(world.capture().tree != taken.tree);
  fs::remove_all(world.folder.path_of(".git/objects"));
  fs::create_directories(world.folder.path_of(".git/objects/info"));
  fs::remove(world.folder.path_of("b"));
  const git::Captured captured = world.capture();
  CHECK(captured.tree == taken.tree);
  CHECK(world.content_of(captured.tree, "a") == "a");
}

TEST_CASE("a snapshot that takes too long is not taken, and what leave_out names is not in one") {
  World world;
  world.write("a", "a");
  world.write("mine/b", "b");
  git::SnapshotLimits none;
  none.budget = std::chrono::milliseconds(0);
  git::Snapshots all = world.snapshots({}, [](std::string_view path) { return path.starts_with("mine/"); });
  const auto late = all.capture(none);
  REQUIRE_FALSE(late);
  CHECK(late.error().kind == ErrorKind::busy);
  const auto captured = all.capture({});
  REQUIRE(captured);
  CHECK(world.paths_of(captured->tree) == Paths{"a"});
}

TEST_CASE("a snapshot holds the text that a file had then, and the next one the text that it has") {
  World world;
  world.write("plan.md", "one");
  world.write("a.txt", "one");
  world.commit_all();
  git::Snapshots all = world.snapshots();
  const auto tree_with = [&](const std::string& path, const std::string& text) {
    const auto captured = all.capture({}, {}, git::TextThen{path, text});
    if (!captured) FAIL(captured.error().message);
    return captured->tree;
  };
  const std::string one = world.capture().tree;
  CHECK(tree_with("plan.md", "one") == one);
  fs::permissions(world.folder.path_of("plan.md"), fs::perms::owner_all);
  world.write("plan.md", "two");
  const std::string then = tree_with("plan.md", "one");
  CHECK(world.content_of(then, "plan.md") == "one");
  CHECK(world.git({"ls-tree", then, "plan.md"}).output.starts_with("100755 "));
  const std::string now = world.capture().tree;
  CHECK(world.content_of(now, "plan.md") == "two");
  CHECK(world.content_of(tree_with("plan.md", "one"), "plan.md") ==
        "one");  // seen as it is, and not changed since
  CHECK(world.capture().tree == now);
  CHECK(file_text(world.folder.path_of("plan.md")) == "two");
  CHECK(tree_with("missing.md", "one") == now);
  world.write(".gitignore", "ignored.md\n");
  world.write("ignored.md", "two");
  fs::create_symlink("a.txt", world.folder.path_of("link.md"));
  const std::string more = world.capture().tree;
  CHECK(tree_with("ignored.md", "one") == more);
  CHECK(tree_with("link.md", "one") == more);
}

TEST_CASE("what was changed after a moment is told by the file, and of one that is gone by its folder") {
  World world;
  for (const char* path : {"old/a", "old/gone", "new/b", "c"}) world.write(path, "one");
  world.commit_all();
  git::Snapshots all = world.snapshots();
  const std::string before = world.capture().tree;
  fs::remove(world.folder.path_of("old/gone"));
  world.write("c", "two");
  const auto changed_at = [&](const std::string& path) {
    struct stat found {};
    REQUIRE(::stat(world.folder.path_of(path).c_str(), &found) == 0);
    return base::Instant{found.st_ctim.tv_sec * 1000 + found.st_ctim.tv_nsec / 1'000'000};
  };
  const base::Instant since{std::max(changed_at("c").milliseconds, changed_at("old").milliseconds)};
  while (true) {
    world.write("new/b", "two");
    if (changed_at("new/b") > since) break;
  }
  const auto paths = git::differing_paths(all, {before, world.capture().tree, {}, {}, {}, {}});
  REQUIRE(paths);
  CHECK(*paths == Paths{"c", "new/b", "old/gone"});
  const auto later = [&](const Paths& asked) {
    return git::changed_after(world.files, all.place().top, asked, since);
  };
  CHECK(later(*paths) == Paths{"new/b"});
  while (changed_at("old") <= since) {
    world.write("old/x", "");
    fs::remove(world.folder.path_of("old/x"));
  }
  CHECK(later(*paths) == Paths{"new/b", "old/gone"});
  fs::remove_all(world.folder.path_of("old"));
  CHECK(later({"old/a"}) == Paths{"old/a"});
}

// What a safety snapshot holds beside the files: permission bits, the user's index, ignored files.

#include <sys/stat.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <memory>
#include <string>

#include "worktree/head_position.hpp"
#include "worktree/snapshot_world.hpp"

namespace fs = std::filesystem;
using namespace plankeep;
using base::ErrorKind;
using test::everything;
using test::World;

namespace {

unsigned mode_of(const World& world, const std::string& name) {
  struct stat status {};
  REQUIRE(::stat(world.folder.path_of(name).c_str(), &status) == 0);
  return status.st_mode & 07777U;
}

void set_mode(const World& world, const std::string& name, mode_t mode) {
  REQUIRE(::chmod(world.folder.path_of(name).c_str(), mode) == 0);
}

git::Snapshot keep(World& world, const git::Captured& captured, const std::string& name) {
  git::Snapshots all = world.snapshots();
  auto kept = all.keep(captured, git::snapshot_ref(all.place(), world.folder.path_of("plan.md"), name),
                       test::kTime, name);
  if (!kept) FAIL(kept.error().message);
  auto found = all.find(kept->commit);
  if (!found) FAIL(found.error().message);
  CHECK(found->permissions == kept->permissions);
  CHECK(found->branch == kept->branch);
  CHECK(found->index == kept->index);
  CHECK(found->head == kept->head);
  CHECK(found->extra == kept->extra);
  return *found;
}

git::Captured capture_with(World& world, const git::SafetyParts& parts) {
  auto captured = world.snapshots().capture({}, parts);
  if (!captured) FAIL(captured.error().message);
  return *captured;
}

git::SafetyParts with_index() {
  git::SafetyParts parts;
  parts.index = true;
  return parts;
}

// As rewind/rewind_head puts it back.
base::Status put_index_of(World& world, const git::Snapshot& safety) {
  git::Snapshots all = world.snapshots();
  TRY_ASSIGN(const git::HeadPosition now, git::head_position(all));
  TRY_ASSIGN(const auto bytes, git::kept_index_file(all, world.files, *safety.index));
  return git::put_index(all, world.files, now.index, bytes);
}

std::string status_of(World& world) {
  return world.git({"status", "--porcelain=v2", "--ignored"}).output;
}

}  // namespace

TEST_CASE("going back restores every permission bit, also where nothing else changed") {
  World world;
  world.write("a.txt", "a");
  world.write("b.txt", "b");
  world.write("key", "secret");
  world.write("run.sh", "#!/bin/sh\n");
  world.write("odd.sh", "#!/bin/sh\n");
  world.write("only-mode", "m");
  set_mode(world, "key", 0600);
  set_mode(world, "run.sh", 0755);
  set_mode(world, "odd.sh", 0710);
  set_mode(world, "only-mode", 0640);
  const git::Snapshot taken = world.take("one");
  CHECK(taken.permissions.others.size() == 3);
  fs::remove(world.folder.path_of("key"));
  world.write("odd.sh", "changed");
  set_mode(world, "odd.sh", 0644);
  set_mode(world, "only-mode", 0644);
  const git::Snapshot safety = world.take("two");
  const git::RestorePlan plan = world.go_back(taken);
  CHECK(plan.changes.size() == 3);
  CHECK(mode_of(world, "key") == 0600U);
  CHECK(mode_of(world, "odd.sh") == 0710U);
  CHECK(mode_of(world, "only-mode") == 0640U);
  CHECK(mode_of(world, "a.txt") == 0644U);
  CHECK(world.go_back(taken).changes.empty());
  world.go_back(safety);
  CHECK(mode_of(world, "only-mode") == 0644U);
}

TEST_CASE("a file that comes back gets the permissions it had, whatever the umask is now") {
  World world;
  const mode_t before = ::umask(077);
  world.write("a", "a");
  world.write("b", "b");
  const git::Snapshot taken = world.take("one");
  CHECK(taken.permissions.plain == 0600U);
  CHECK(taken.permissions.others.empty());
  ::umask(022);
  fs::remove(world.folder.path_of("a"));
  world.go_back(taken);
  CHECK(mode_of(world, "a") == 0600U);
  ::umask(before);
}

TEST_CASE("a snapshot without recorded permissions restores the executable bit, as it always did") {
  World world;
  world.write("a", "a");
  world.write("run", "r");
  set_mode(world, "run", 0755);
  git::Snapshot taken = world.take("one");
  taken.permissions = {};
  world.write("a", "changed");
  set_mode(world, "a", 0600);
  set_mode(world, "run", 0600);
  world.go_back(taken);
  CHECK(mode_of(world, "a") == 0600U);
  CHECK(mode_of(world, "run") == 0700U);
}

TEST_CASE("the index comes back byte for byte, with flags, staged contents and intent-to-add") {
  World world;
  world.write("a", "a\n");
  world.write("assumed", "old\n");
  world.write("skipped", "s\n");
  world.commit_all();
  world.write("a", "staged\n");
  world.git({"add", "a"});
  world.write("a", "changed again\n");
  world.write("new", "n\n");
  world.git({"add", "-N", "new"});
  world.write("staged-then-deleted", "gone\n");
  world.git({"add", "staged-then-deleted"});
  fs::remove(world.folder.path_of("staged-then-deleted"));
  world.git({"update-index", "--assume-unchanged", "assumed"});
  world.git({"update-index", "--skip-worktree", "skipped"});
  world.write("assumed", "mine\n");
  const bool split = GENERATE(false, true);
  if (split) world.git({"update-index", "--split-index"});
  const std::string index = world.bytes_of(".git/index");
  const auto files = everything(world.folder.path());
  const std::string status = status_of(world);

  const git::Snapshot safety = keep(world, capture_with(world, with_index()), "safety");
  CHECK(world.bytes_of(".git/index") == index);
  REQUIRE(safety.index);
  CHECK(safety.index->shared_name.empty() != split);
  CHECK(safety.branch == "refs/heads/main");
  CHECK(safety.head == world.tree().head);
  CHECK(world.content_of(safety.tree, "assumed") == "mine\n");

  world.git({"update-index", "--no-assume-unchanged", "assumed"});
  world.git({"update-index", "--no-skip-worktree", "skipped"});
  if (split) world.git({"update-index", "--no-split-index"});
  world.git({"checkout", "-q", "-f", "--detach"});
  world.git({"reset", "-q", "--hard"});
  for (const auto& entry : fs::directory_iterator(world.folder.path_of(".git"))) {
    if (entry.path().filename().string().starts_with("sharedindex.")) fs::remove(entry.path());
  }
  world.git({"reflog", "expire", "--expire=now", "--all"});
  world.git({"gc", "-q", "--prune=now"});
  world.go_back(safety);
  REQUIRE(put_index_of(world, safety));
  REQUIRE(put_index_of(world, safety));
  world.git({"symbolic-ref", "HEAD", *safety.branch});
  CHECK(everything(world.folder.path()) == files);
  CHECK(world.bytes_of(".git/index") == index);
  CHECK(status_of(world) == status);
  CHECK(world.git({"show", ":staged-then-deleted"}).output == "gone\n");
  const system::Finished checked = world.try_git({"fsck"});
  CHECK(checked.output + checked.errors == "");
}

TEST_CASE("what a sparse checkout left out then is left out again, and what it leaves out now comes back") {
  World world;
  world.write("in/one", "in\n");
  world.write("out/far", "far\n");
  world.commit_all();
  const git::Snapshot whole = keep(world, capture_with(world, with_index()), "whole");
  const auto all_files = everything(world.folder.path());
  REQUIRE(whole.index);
  CHECK(whole.index->absent == "");
  world.git({"sparse-checkout", "set", "in"});
  const git::Captured now = capture_with(world, with_index());
  const git::Snapshot sparse = keep(world, now, "sparse");
  REQUIRE(sparse.index);
  CHECK_FALSE(fs::exists(world.folder.path_of("out/far")));

  git::Snapshots snapshots = world.snapshots();
  CHECK(git::kept_absent(snapshots, *sparse.index).value() == std::vector<std::string>{"out/far"});
  const auto go = [&](const git::Snapshot& target) {
    const auto bytes = git::kept_index_file(snapshots, world.files, *target.index).value();
    git::IndexFacts facts = git::index_facts(snapshots, bytes).value();
    const git::ComingIndex coming{std::move(facts.skipped),
                                  git::kept_absent(snapshots, *target.index).value()};
    git::TreeRestore restore(snapshots, world.files);
    REQUIRE(restore.begin());
    const git::Captured seen = world.capture();
    const auto plan = restore.preview(seen, target, {}, &coming);
    REQUIRE(plan);
    REQUIRE(restore.stage(*plan, "a note"));
    CHECK(restore.still_held(*plan).value());
    REQUIRE(restore.move());
    REQUIRE(restore.finish());
    REQUIRE(put_index_of(world, target));
    return plan->changes;
  };
  auto changes = go(whole);
  REQUIRE(changes.size() == 1);
  CHECK(changes.front().what == git::TreeChange::What::added);
  CHECK(everything(world.folder.path()) == all_files);
  CHECK(world.git({"ls-files", "-t"}).output == "H in/one\nH out/far\n");
  changes = go(sparse);
  REQUIRE(changes.size() == 1);
  CHECK(changes.front().what == git::TreeChange::What::removed);
  CHECK_FALSE(fs::exists(world.folder.path_of("out")));
  CHECK(world.git({"ls-files", "-t"}).output == "H in/one\nS out/far\n");

  // Without the index what is left out stays out.
  git::TreeRestore restore(snapshots, world.files);
  CHECK(restore.preview(world.capture(), whole, {}).value().changes.empty());
}

TEST_CASE("a file whose bytes or permission bits changed since it was staged is no longer held") {
  World world;
  world.write("a", "then\n");
  world.commit_all();
  const git::Snapshot target = world.take("target");
  world.write("a", "now\n");
  git::Snapshots snapshots = world.snapshots();
  git::TreeRestore restore(snapshots, world.files);
  REQUIRE(restore.begin());
  const auto plan = restore.preview(world.capture(), target, {});
  REQUIRE(plan);
  REQUIRE(restore.stage(*plan, "a note"));
  CHECK(restore.still_held(*plan).value());
  set_mode(world, "a", 0600);
  CHECK_FALSE(restore.still_held(*plan).value());
  set_mode(world, "a", 0644);
  CHECK(restore.still_held(*plan).value());
  world.write("a", "new\n");
  CHECK_FALSE(restore.still_held(*plan).value());
  REQUIRE(restore.drop());
}

TEST_CASE("an index with conflicts is kept with all its stages") {
  World world;
  world.write("a", "base\n");
  world.commit_all();
  world.write("a", "stashed\n");
  world.git({"stash", "-q"});
  world.write("a", "committed\n");
  world.commit_all();
  REQUIRE(world.try_git({"stash", "pop", "-q"}).status == 1);
  const std::string stages = world.git({"ls-files", "--stage"}).output;
  REQUIRE(std::count(stages.begin(), stages.end(), '\n') == 3);
  const git::Snapshot safety = keep(world, capture_with(world, with_index()), "safety");
  world.git({"reset", "-q", "--hard"});
  world.git({"stash", "drop", "-q"});
  world.git({"reflog", "expire", "--expire=now", "--all"});
  world.git({"gc", "-q", "--prune=now"});
  REQUIRE(put_index_of(world, safety));
  CHECK(world.git({"ls-files", "--stage"}).output == stages);
  CHECK(world.git({"show", ":2:a"}).output == "committed\n");
  CHECK(world.git({"show", ":3:a"}).output == "stashed\n");
}

TEST_CASE("where there was no index there is none again, and no commit to be parent of a snapshot") {
  World world;
  world.write("a", "a");
  const git::Snapshot safety = keep(world, capture_with(world, with_index()), "safety");
  REQUIRE(safety.index);
  CHECK(safety.index->id.empty());
  CHECK(safety.head.empty());
  const auto listed = world.snapshots().list("refs/plankeep/");
  REQUIRE(listed);
  REQUIRE(listed->size() == 1);
  CHECK(listed->front().head.empty());
  CHECK(listed->front().extra == safety.extra);
  world.git({"add", "a"});
  REQUIRE(put_index_of(world, safety));
  CHECK_FALSE(fs::exists(world.folder.path_of(".git/index")));
  world.write(".git/index.lock", "");
  const auto busy = put_index_of(world, safety);
  REQUIRE_FALSE(busy);
  CHECK(busy.error().kind == ErrorKind::busy);
  CHECK(fs::exists(world.folder.path_of(".git/index.lock")));
}

TEST_CASE("an ignored file is replaced only when the safety snapshot holds it, and comes back") {
  World world;
  world.write("config", "then\n");
  world.write("folder/inner", "then\n");
  world.commit_all();
  const git::Snapshot target = world.take("target");
  world.git({"rm", "-r", "-q", "--cached", "config", "folder"});
  world.write(".gitignore", "config\nfolder\nlarge\n");
  world.commit_all("ignored");
  world.write("config", "my only copy\n");
  set_mode(world, "config", 0600);
  fs::remove_all(world.folder.path_of("folder"));
  world.write("folder", "a file of mine\n");
  const auto before = everything(world.folder.path());

  git::Snapshots all = world.snapshots();
  auto restoring = std::make_unique<git::TreeRestore>(all, world.files);
  git::TreeRestore& restore = *restoring;
  REQUIRE(restore.begin());
  const auto seen = all.inspect({});
  REQUIRE(seen);
  const auto first = restore.preview(*seen, target, {});
  REQUIRE(first);
  CHECK(first->unheld == std::vector<std::string>{"config", "folder"});
  CHECK(first->kept.size() == 2);

  git::SafetyParts parts = with_index();
  parts.also = first->unheld;
  parts.also.emplace_back("missing");
  parts.also.emplace_back("../outside");
  parts.also.emplace_back(".git/config");
  const git::Captured captured = capture_with(world, parts);
  CHECK(world.paths_of(captured.tree) == std::vector<std::string>{".gitignore", "config", "folder"});
  const git::Snapshot safety = keep(world, captured, "safety");
  const auto second = restore.preview(captured, target, {});
  REQUIRE(second);
  CHECK(second->unheld.empty());
  CHECK(second->kept.empty());
  REQUIRE(restore.stage(*second, ""));
  REQUIRE(restore.move());
  REQUIRE(restore.finish());
  restoring.reset();
  CHECK(world.bytes_of("config") == "then\n");
  CHECK(world.bytes_of("folder/inner") == "then\n");

  CHECK(world.go_back(safety).kept.empty());
  CHECK(everything(world.folder.path()) == before);
  CHECK(mode_of(world, "config") == 0600U);
  // A plain snapshot holds ignored files as little as ever.
  CHECK(world.paths_of(world.capture().tree) == std::vector<std::string>{".gitignore"});
}

TEST_CASE("what the target's ignore rules cover is left alone, whatever the rules are now") {
  World world;
  world.write(".gitignore", ".mine\nnode_modules/\n");
  world.write("sub/.gitignore", "/cache\n");
  world.write(".git/info/exclude", "*.local\n");
  world.commit_all();
  world.write(".mine", "KEY=1\n");
  world.write("node_modules/m/i.js", "x\n");
  world.write("sub/cache/c", "c\n");
  const git::Snapshot target = world.take("target");
  world.write(".gitignore", "");
  fs::remove(world.folder.path_of("sub/.gitignore"));
  world.write("new.txt", "new\n");
  world.write("cache", "not in sub\n");
  const git::RestorePlan plan = world.go_back(target);
  const std::vector<git::KeptPath> kept{{".mine", "the checkpoint's ignore rules cover it"},
                                        {"node_modules/", "the checkpoint's ignore rules cover it"},
                                        {"sub/cache/", "the checkpoint's ignore rules cover it"}};
  CHECK(plan.kept == kept);
  CHECK(plan.changes.size() == 4);
  CHECK(world.bytes_of(".mine") == "KEY=1\n");
  CHECK(world.bytes_of("node_modules/m/i.js") == "x\n");
  CHECK(world.bytes_of("sub/cache/c") == "c\n");
  CHECK_FALSE(fs::exists(world.folder.path_of("new.txt")));
  CHECK_FALSE(fs::exists(world.folder.path_of("cache")));
}

TEST_CASE("a look leaves no object behind, nor what a later snapshot could take for stored") {
  World world;
  world.write("in/a", "a\n");
  world.write("out/b", "b\n");
  world.commit_all();
  const bool sparse = GENERATE(false, true);
  if (sparse) world.git({"sparse-checkout", "set", "in"});
  const git::Snapshot first = world.take("first");
  world.write("in/work", "my only copy\n");
  git::Snapshots all = world.snapshots();
  const std::string objects = world.git({"count-objects", "-v"}).output;
  std::string tree;
  {
    const auto seen = all.inspect({});
    REQUIRE(seen);
    tree = seen->tree;
    CHECK(all.run({"cat-file", "-p", tree}, {}, seen->seeing())->status == 0);
    CHECK_FALSE(all.keep(*seen, "refs/plankeep/x/y", test::kTime, "x"));
    const auto beside = all.inspect({});
    REQUIRE(beside);
    CHECK(beside->tree == tree);
  }
  CHECK(world.git({"count-objects", "-v"}).output == objects);
  CHECK_FALSE(fs::exists(world.folder.path_of(".git/plankeep/look-1")));
  CHECK_FALSE(fs::exists(world.folder.path_of(".git/plankeep/look-2")));
  world.git({"gc", "-q", "--prune=now"});
  const git::Snapshot safety = world.take("safety");
  CHECK(safety.tree == tree);
  CHECK(world.content_of(safety.tree, "in/work") == "my only copy\n");
  // Captured and never kept, then cleaned away by git.
  world.write("in/more", "more\n");
  (void)world.capture();
  world.git({"gc", "-q", "--prune=now"});
  CHECK(world.content_of(world.take("again").tree, "in/more") == "more\n");
}

TEST_CASE("what a killed look left is removed by the next one") {
  World world;
  world.write("a", "a\n");
  world.write(".git/plankeep/look-1/objects/ab/cd", "left");
  world.write(".git/plankeep/look-1/index", "left");
  REQUIRE(world.snapshots().inspect({}));
  CHECK_FALSE(fs::exists(world.folder.path_of(".git/plankeep/look-1")));
}

TEST_CASE("a skip-worktree file that is there is held and restored with its own bytes") {
  World world;
  world.write("config", "as committed\n");
  world.commit_all();
  world.git({"update-index", "--skip-worktree", "config"});
  world.write("config", "mine\n");
  const git::Snapshot taken = world.take("one");
  CHECK(world.content_of(taken.tree, "config") == "mine\n");
  world.write("config", "changed\n");
  CHECK(world.go_back(taken).changes.size() == 1);
  CHECK(world.bytes_of("config") == "mine\n");
  fs::remove(world.folder.path_of("config"));
  CHECK(world.content_of(world.take("two").tree, "config") == "as committed\n");
}

TEST_CASE("info/exclude is followed when it is a link, and a dangling one excludes nothing") {
  World world;
  test::TemporaryFolder shared;
  std::ofstream(shared.path_of("exclude")) << "secret\n";
  world.write("a", "a\n");
  fs::remove(world.folder.path_of(".git/info/exclude"));
  fs::create_directories(world.folder.path_of(".git/info"));
  fs::create_symlink(shared.path_of("exclude"), world.folder.path_of(".git/info/exclude"));
  const git::Snapshot taken = world.take("one");
  world.write("secret", "s\n");
  CHECK(world.paths_of(world.capture().tree) == std::vector<std::string>{"a"});
  world.go_back(taken);
  CHECK(world.bytes_of("secret") == "s\n");
  fs::remove(shared.path_of("exclude"));
  CHECK(world.paths_of(world.capture().tree) == std::vector<std::string>{"a", "secret"});
}

TEST_CASE("names that git refuses elsewhere are held, and what it always refuses is named and stays") {
  World world;
  world.write("git~1", "1\n");
  world.write("sub/.git /x", "x\n");
  world.write(".GIT/y", "y\n");
  const git::Snapshot taken = world.take("one");
  CHECK(world.paths_of(taken.tree) == std::vector<std::string>{"git~1", "sub/.git /x"});
  CHECK(taken.left_out == std::vector<git::LeftOut>{{".GIT/y", git::LeftOut::Why::refused}});
  CHECK(world.snapshots().find(taken.ref)->left_out == taken.left_out);
  world.write("git~1", "2\n");
  const git::RestorePlan plan = world.go_back(taken);
  CHECK(plan.left_out == taken.left_out);
  CHECK(world.bytes_of("git~1") == "1\n");
  CHECK(world.bytes_of(".GIT/y") == "y\n");
}

TEST_CASE("a folder of the user's with the name of our staging is a folder like any other") {
  World world;
  world.write(".plankeep-rewind/new/mine", "mine\n");
  world.write("a", "a\n");
  const git::Snapshot taken = world.take("one");
  CHECK(world.paths_of(taken.tree) == std::vector<std::string>{".plankeep-rewind/new/mine", "a"});
  world.write(".plankeep-rewind/new/mine", "changed\n");
  world.write(".plankeep-rewind/old/other", "o\n");
  world.write("a", "changed\n");
  world.go_back(taken);
  CHECK(world.bytes_of(".plankeep-rewind/new/mine") == "mine\n");
  CHECK_FALSE(fs::exists(world.folder.path_of(".plankeep-rewind/old")));
  // One that was marked as ours and left behind is cleared.
  fs::remove_all(world.folder.path_of(".plankeep-rewind"));
  world.write(".plankeep-rewind/.plankeep-staging", "");
  world.write(".plankeep-rewind/new/0", "left");
  CHECK(world.paths_of(world.capture().tree) == std::vector<std::string>{"a"});
  world.go_back(taken);
  CHECK_FALSE(fs::exists(world.folder.path_of(".plankeep-rewind")));
  world.go_back(taken);
  CHECK(world.bytes_of(".plankeep-rewind/new/mine") == "mine\n");
}

TEST_CASE("a work tree whose path holds line feeds can be snapshotted") {
  World world(false);
  const std::string top = world.folder.path_of("a\nb\n");
  fs::create_directory(top);
  world.git({"init", "-q", top});
  std::ofstream(top + "/file") << "f\n";
  git::Snapshots all = world.snapshots("a\nb\n");
  CHECK(all.place().top == top);
  CHECK(all.place().git_dir == top + "/.git");
  const auto captured = all.capture({});
  if (!captured) FAIL(captured.error().message);
  CHECK(captured->tree == all.inspect({})->tree);
}

TEST_CASE("a ref that git cannot read is named and passed over, and can be dropped") {
  World world;
  world.write("a", "a\n");
  world.commit_all();
  const git::Snapshot good = world.take("good");
  const auto take_another = [&](const std::string& name) {
    world.write("a", name);
    return world.take(name);
  };
  const auto object = [&](const std::string& id) {
    return world.folder.path_of(".git/objects/" + id.substr(0, 2) + "/" + id.substr(2));
  };
  const git::Snapshot missing = take_another("missing");
  fs::remove(object(missing.commit));
  const git::Snapshot emptied = take_another("emptied");
  fs::permissions(object(emptied.commit), fs::perms::owner_all);
  fs::resize_file(object(emptied.commit), 0);
  const git::Snapshot torn = take_another("torn");
  fs::resize_file(world.folder.path_of(".git/" + torn.ref), 0);
  git::Snapshots all = world.snapshots();
  const auto found = all.list_all("refs/plankeep/");
  if (!found) FAIL(found.error().message);
  REQUIRE(found->snapshots.size() == 1);
  CHECK(found->snapshots[0].ref == good.ref);
  std::vector<std::string> broken = found->broken;
  std::sort(broken.begin(), broken.end());
  CHECK(broken == std::vector<std::string>{emptied.ref, missing.ref, torn.ref});
  REQUIRE(all.list("refs/plankeep/"));
  CHECK(all.list("refs/plankeep/")->size() == 1);
  REQUIRE(all.drop(broken));
  CHECK(all.list_all("refs/plankeep/")->broken.empty());
  CHECK(all.find(good.ref));
  world.git({"gc", "-q"});
}

TEST_CASE("a safety snapshot survives objects that the user's git wrote and never synced") {
  World world;
  world.write("a", "a\n");
  world.commit_all();
  world.write("a", "my work\n");
  world.git({"add", "a"});
  const std::string id = world.git({"rev-parse", ":a"}).output.substr(0, 40);
  const git::Snapshot safety = keep(world, capture_with(world, with_index()), "safety");
  // As a power cut leaves it.
  const std::string object = world.folder.path_of(".git/objects/" + id.substr(0, 2) + "/" + id.substr(2));
  fs::permissions(object, fs::perms::owner_all);
  fs::resize_file(object, 0);
  CHECK(world.content_of(safety.tree, "a") == "my work\n");
}

TEST_CASE("of a linked work tree a snapshot says which one it is") {
  World world;
  world.write("a", "a\n");
  world.commit_all();
  test::TemporaryFolder other;
  world.git({"worktree", "add", "-q", other.path_of("w")});
  auto place = git::open_snapshots(world.processes, world.files, other.path_of("w"));
  REQUIRE(place);
  git::Snapshots all(world.processes, world.files, **place, {});
  const auto captured = all.capture({});
  REQUIRE(captured);
  REQUIRE(all.keep(*captured, "refs/plankeep/w/x", test::kTime, "x"));
  (void)world.take("main");
  const auto listed = world.snapshots().list("refs/plankeep/");
  REQUIRE(listed);
  REQUIRE(listed->size() == 2);
  for (const git::Snapshot& one : *listed)
    CHECK(one.work_tree == (one.ref == "refs/plankeep/w/x" ? "worktrees/w" : ""));
}

TEST_CASE("what will go is checked against the safety snapshot, file by file") {
  World world;
  world.write("a", "a\n");
  world.write("odd \"name\\\n", "o\n");
  fs::create_symlink("a", world.folder.path_of("link"));
  world.commit_all();
  const git::Snapshot taken = world.take("one");
  world.write("a", "changed\n");
  world.write("odd \"name\\\n", "changed\n");
  world.write("since", "new\n");
  fs::remove(world.folder.path_of("link"));
  fs::create_symlink("b", world.folder.path_of("link"));
  const git::Captured now = world.capture();
  const auto change = GENERATE(0, 1, 2, 3, 4, 5);
  // Between the safety snapshot and the staging.
  if (change == 1) world.write("a", "written\n");
  if (change == 2) world.write("odd \"name\\\n", "written\n");
  if (change == 3) world.write("since", "nev\n");
  if (change == 4) {
    fs::remove(world.folder.path_of("link"));
    fs::create_symlink("c", world.folder.path_of("link"));
  }
  git::Snapshots all = world.snapshots();
  git::TreeRestore restore(all, world.files);
  REQUIRE(restore.begin());
  const auto plan = restore.preview(now, taken, {});
  REQUIRE(plan);
  REQUIRE(plan->changes.size() == 4);
  REQUIRE(restore.stage(*plan, ""));
  if (change == 5) fs::remove(world.folder.path_of("since"));
  const auto held = restore.still_held(*plan);
  REQUIRE(held);
  CHECK(*held == (change == 0));
  REQUIRE(restore.drop());
}

// Real repositories in temporary folders, with a configuration of their own.

#include "git/git.hpp"

#include <rapidcheck.h>
#include <unistd.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>

#include "git/repository.hpp"

namespace fs = std::filesystem;
using namespace plankeep;
using base::ErrorKind;
using test::Repository;

TEST_CASE("a folder without a repository, a bare one and the inside of .git have no work tree") {
  Repository none(false);
  const auto nothing = none.ask.work_tree(none.folder.path());
  REQUIRE(nothing);
  CHECK_FALSE(*nothing);
  none.git({"init", "-q", "--bare", "bare.git"});
  const auto bare = none.ask.work_tree(none.folder.path_of("bare.git"));
  REQUIRE(bare);
  CHECK_FALSE(*bare);
  Repository some;
  const auto inside = some.ask.work_tree(some.folder.path_of(".git"));
  REQUIRE(inside);
  CHECK_FALSE(*inside);
}

TEST_CASE("a work tree is known from its top and from below it, with and without a commit") {
  Repository repo;
  CHECK(repo.tree().top == repo.folder.path());
  CHECK(repo.tree().head.empty());
  CHECK(repo.tree().object_format == "sha1");
  repo.write("src/a.txt", "a");
  repo.commit_all();
  const auto below = repo.ask.work_tree(repo.folder.path_of("src"));
  REQUIRE(below);
  REQUIRE(*below);
  CHECK((*below)->top == repo.folder.path());
  CHECK((*below)->head + "\n" == repo.git({"rev-parse", "HEAD"}).output);
}

TEST_CASE("a folder's name may hold a line feed") {
  Repository repo(false);
  fs::create_directory(repo.folder.path_of("two\nlines"));
  repo.git({"init", "-q", "two\nlines"});
  const auto found = repo.ask.work_tree(repo.folder.path_of("two\nlines"));
  REQUIRE(found);
  REQUIRE(*found);
  CHECK((*found)->top == repo.folder.path_of("two\nlines"));
}

TEST_CASE("without a git program that is what is said") {
  class NoGit : public system::PosixProcesses {
   public:
    base::Result<std::unique_ptr<system::RunningProcess>> start(const system::Run&) override {
      return base::fail(ErrorKind::not_found, "cannot run git");
    }
  };
  NoGit processes;
  system::PosixFileSystem files;
  CHECK(git::Git(processes, files).work_tree("/").error().kind == ErrorKind::not_found);
}

TEST_CASE("variables that git sets for its hooks do not lead to another repository") {
  Repository other;
  Repository repo;
  repo.write("a", "a");
  repo.commit_all();
  ::setenv("GIT_DIR", other.folder.path_of(".git").c_str(), 1);
  ::setenv("GIT_INDEX_FILE", other.folder.path_of(".git/index").c_str(), 1);
  const auto found = repo.ask.work_tree(repo.folder.path());
  const std::string digest = repo.digest();
  ::unsetenv("GIT_DIR");
  ::unsetenv("GIT_INDEX_FILE");
  CHECK((*found)->top == repo.folder.path());
  CHECK(digest == repo.digest());
}

TEST_CASE("the digest stays when content moves from the work tree into the index and into a commit") {
  Repository repo;
  repo.write("a.txt", "one\n");
  repo.write("dir/b.txt", "two\n");
  repo.commit_all();
  const std::string clean = repo.digest();
  CHECK(clean.size() == 64);
  CHECK_FALSE(repo.dirty());
  repo.write("a.txt", "changed\n");
  const std::string changed = repo.digest();
  CHECK(changed != clean);
  CHECK(repo.dirty());
  repo.git({"add", "a.txt"});
  CHECK(repo.digest() == changed);
  CHECK(repo.dirty());
  repo.git({"commit", "-q", "-m", "change"});
  CHECK(repo.digest() == changed);
  CHECK_FALSE(repo.dirty());
  repo.write("a.txt", "one\n");
  CHECK(repo.digest() == clean);
}

TEST_CASE("the digest tells every kind of difference") {
  Repository repo;
  repo.write("a.txt", "one\n");
  repo.write("b.txt", "two\n");
  fs::create_symlink("a.txt", repo.folder.path_of("link"));
  repo.commit_all();
  const std::string clean = repo.digest();
  SECTION("content of the same length, at the same time") {
    const auto time = fs::last_write_time(repo.folder.path_of("a.txt"));
    repo.write("a.txt", "ONE\n");
    fs::last_write_time(repo.folder.path_of("a.txt"), time);
    CHECK(repo.digest() != clean);
  }
  SECTION("a file that is gone") {
    fs::remove(repo.folder.path_of("a.txt"));
    CHECK(repo.digest() != clean);
    CHECK(repo.dirty());
  }
  SECTION("a file that may be executed now") {
    fs::permissions(repo.folder.path_of("a.txt"), fs::perms::owner_all);
    CHECK(repo.digest() != clean);
  }
  SECTION("a link that leads elsewhere, as before and after its commit") {
    fs::remove(repo.folder.path_of("link"));
    fs::create_symlink("b.txt", repo.folder.path_of("link"));
    const std::string moved = repo.digest();
    CHECK(moved != clean);
    repo.commit_all();
    CHECK(repo.digest() == moved);
  }
  SECTION("a link that leads nowhere") {
    fs::remove(repo.folder.path_of("link"));
    fs::create_symlink("nowhere", repo.folder.path_of("link"));
    CHECK(repo.digest() != clean);
  }
  SECTION("a file in place of a link") {
    fs::remove(repo.folder.path_of("link"));
    repo.write("link", "a.txt");
    CHECK(repo.digest() != clean);
  }
  SECTION("a new file, tracked or not") {
    repo.write("new.txt", "new\n");
    const std::string with = repo.digest();
    CHECK(with != clean);
    repo.git({"add", "new.txt"});
    CHECK(repo.digest() == with);
    repo.commit_all();
    CHECK(repo.digest() == with);
  }
  SECTION("two files whose contents changed places") {
    repo.write("a.txt", "two\n");
    repo.write("b.txt", "one\n");
    CHECK(repo.digest() != clean);
  }
}

TEST_CASE("what git ignores or was only touched does not count") {
  Repository repo;
  repo.write(".gitignore", "build/\n");
  repo.write("a.txt", "one\n");
  repo.commit_all();
  const std::string clean = repo.digest();
  repo.write("build/out", "x");
  fs::last_write_time(repo.folder.path_of("a.txt"), fs::file_time_type::clock::now() + std::chrono::hours(1));
  CHECK(repo.digest() == clean);
  CHECK_FALSE(repo.dirty());
}

TEST_CASE("HEAD and dirty flag come together, with and without a commit") {
  Repository repo;
  repo.write("a.txt", "one\n");
  repo.git({"add", "a.txt"});
  const git::WorkTree tree = repo.tree();
  const auto unborn = repo.ask.head_status(tree, {});
  REQUIRE(unborn);
  CHECK(unborn->head.empty());
  CHECK(unborn->dirty);
  repo.commit_all();
  const auto clean = repo.ask.head_status(tree, {});
  REQUIRE(clean);
  CHECK(clean->head + "\n" == repo.git({"rev-parse", "HEAD"}).output);
  CHECK_FALSE(clean->dirty);
}

TEST_CASE("files can be left out of digest and dirty flag") {
  Repository repo;
  repo.write("a.txt", "one\n");
  repo.write("plans/p/plan.md", "- [ ] x\n");
  repo.commit_all();
  const auto plan = [](std::string_view path) { return path == "plans/p/plan.md"; };
  const std::string clean = repo.digest(plan);
  CHECK(clean != repo.digest());
  repo.write("plans/p/plan.md", "- [x] x\n");
  CHECK(repo.digest(plan) == clean);
  CHECK_FALSE(repo.dirty(plan));
  CHECK(repo.dirty());
  repo.write("a.txt", "two\n");
  CHECK(repo.digest(plan) != clean);
  CHECK(repo.dirty(plan));
}

TEST_CASE("names of every kind are told apart") {
  Repository repo;
  const std::vector<std::string> names{"with space", "line\nfeed", "\"quoted\"", "-dash", "tab\tinside", "ä"};
  for (const std::string& name : names) repo.write(name, "1");
  repo.commit_all();
  std::vector<std::string> seen{repo.digest()};
  for (const std::string& name : names) {
    CAPTURE(name);
    repo.write(name, "22");
    const std::string now = repo.digest();
    CHECK(std::find(seen.begin(), seen.end(), now) == seen.end());
    seen.push_back(now);
  }
  repo.commit_all();
  CHECK(repo.digest() == seen.back());
}

TEST_CASE("unmerged paths count with what stands in the work tree") {
  Repository repo;
  repo.write("a.txt", "base\n");
  repo.commit_all();
  repo.git({"checkout", "-q", "-b", "other"});
  repo.write("a.txt", "theirs\n");
  repo.commit_all();
  repo.git({"checkout", "-q", "main"});
  repo.write("a.txt", "ours\n");
  repo.commit_all();
  system::Run merge;
  merge.words = {"git", "-C", repo.folder.path(), "merge", "-q", "other"};
  merge.timeout = std::chrono::minutes(2);
  merge.keep_errors = true;
  REQUIRE(repo.processes.run(merge));
  const std::string conflict = repo.digest();
  CHECK(repo.dirty());
  repo.write("a.txt", "solved\n");
  const std::string solved = repo.digest();
  CHECK(solved != conflict);
  repo.commit_all();
  CHECK(repo.digest() == solved);
}

TEST_CASE("a submodule counts with its files") {
  Repository inner;
  inner.write("a", "1");
  inner.commit_all();
  Repository repo;
  repo.git({"-c", "protocol.file.allow=always", "submodule", "--quiet", "add", inner.folder.path(), "sub"});
  repo.commit_all();
  const std::string clean = repo.digest();
  repo.write("sub/a", "2");
  const std::string changed = repo.digest();
  CHECK(changed != clean);
  repo.git({"-C", "sub", "commit", "-qam", "more"});
  repo.commit_all();
  CHECK(repo.digest() == changed);
  repo.write("sub/new", "new");
  CHECK(repo.digest() != changed);
  fs::remove(repo.folder.path_of("sub/new"));
  // Not checked out: by its commit.
  repo.git({"submodule", "--quiet", "deinit", "-f", "sub"});
  const std::string absent = repo.digest();
  CHECK(absent != changed);
  CHECK(repo.digest() == absent);
}

TEST_CASE("asking changes neither index nor objects") {
  Repository repo;
  repo.write("a.txt", "one\n");
  repo.commit_all();
  repo.write("a.txt", "two\n");
  const std::string index = repo.bytes_of(".git/index");
  const std::string objects = repo.git({"count-objects"}).output;
  repo.digest();
  repo.dirty();
  CHECK(repo.bytes_of(".git/index") == index);
  CHECK(repo.git({"count-objects"}).output == objects);
}

TEST_CASE("no monitor that the configuration names is started") {
  Repository repo;
  repo.write("a.txt", "one\n");
  repo.write("monitor", "#!/bin/sh\ntouch \"" + repo.folder.path_of("was-run") + "\"\n");
  fs::permissions(repo.folder.path_of("monitor"), fs::perms::owner_all);
  repo.commit_all();
  repo.git({"config", "core.fsmonitor", repo.folder.path_of("monitor")});
  repo.git({"config", "diff.external", repo.folder.path_of("monitor")});
  repo.write("a.txt", "two\n");
  repo.digest();
  repo.dirty();
  CHECK_FALSE(fs::exists(repo.folder.path_of("was-run")));
}

TEST_CASE("a repository of SHA-256 names has digests too") {
  Repository repo(false);
  repo.git({"init", "-q", "--object-format=sha256"});
  repo.write("a.txt", "one\n");
  repo.commit_all();
  CHECK(repo.tree().object_format == "sha256");
  CHECK(repo.tree().head.size() == 64);
  const std::string clean = repo.digest();
  repo.write("a.txt", "two\n");
  CHECK(repo.digest() != clean);
}

TEST_CASE("configuration is read, set and taken out") {
  Repository repo;
  const std::string& top = repo.folder.path();
  CHECK(repo.ask.config(top, "merge.plankeep.driver").value() == std::nullopt);
  REQUIRE(repo.ask.set_config(top, "merge.plankeep.driver", "plankeep merge %A"));
  CHECK(repo.ask.config(top, "merge.plankeep.driver").value() == "plankeep merge %A");
  REQUIRE(repo.ask.set_config(top, "merge.plankeep.driver", "two\nlines"));
  CHECK(repo.ask.config(top, "merge.plankeep.driver").value() == "two\nlines");
  REQUIRE(repo.ask.set_config(top, "merge.plankeep.driver", std::nullopt));
  REQUIRE(repo.ask.set_config(top, "merge.plankeep.driver", std::nullopt));
  CHECK(repo.ask.config(top, "merge.plankeep.driver").value() == std::nullopt);
  repo.git({"config", "--add", "x.y", "1"});
  repo.git({"config", "--add", "x.y", "2"});
  CHECK(repo.ask.config_values(top, "x.y").value() == std::vector<std::string>{"1", "2"});
  CHECK_FALSE(repo.ask.config(top, "no key"));
}

TEST_CASE("files of the repository are found where the configuration and linked work trees put them") {
  Repository repo;
  repo.write("a", "a");
  repo.commit_all();
  CHECK(repo.ask.git_path(repo.folder.path(), "hooks").value() == repo.folder.path_of(".git/hooks"));
  repo.git({"worktree", "add", "-q", "linked"});
  CHECK(repo.ask.git_path(repo.folder.path_of("linked"), "info/attributes").value() ==
        repo.folder.path_of(".git/info/attributes"));
  repo.git({"config", "core.hooksPath", repo.folder.path_of("my-hooks")});
  CHECK(repo.ask.git_path(repo.folder.path(), "hooks").value() == repo.folder.path_of("my-hooks"));
}

TEST_CASE("the work trees of a repository are named, the main one first, but not those that are gone") {
  Repository repo;
  CHECK(repo.ask.work_trees("/") == std::vector<std::string>());
  repo.write("a", "a");
  repo.commit_all();
  repo.git({"worktree", "add", "-q", "linked"});
  repo.git({"worktree", "add", "-q", "gone"});
  std::filesystem::remove_all(repo.folder.path_of("gone"));
  const std::vector<std::string> tops{repo.folder.path(), repo.folder.path_of("linked")};
  CHECK(repo.ask.work_trees(repo.folder.path()) == tops);
  CHECK(repo.ask.work_trees(repo.folder.path_of("linked")) == tops);
}

TEST_CASE("law: two work trees have one digest exactly when git would commit one tree of them") {
  Repository repo;
  const auto names = std::vector<std::string>{"a", "b", "dir/c", "dir/d e"};
  for (const std::string& name : names) repo.write(name, "start");
  repo.commit_all();
  std::map<std::string, std::string> digest_of_tree;
  std::map<std::string, std::string> tree_of_digest;
  CHECK(rc::check("digest", [&] {
    const std::string& name = *rc::gen::elementOf(names);
    const int what = *rc::gen::inRange(0, 6);
    if (what < 3) {
      repo.write(name, *rc::gen::element<std::string>("1", "2", "three"));
    } else if (what == 3) {
      std::error_code ignored;
      fs::remove(repo.folder.path_of(name), ignored);
    } else {
      repo.git({"add", "-u"});
      if (what == 5) repo.commit_all();
    }
    const std::string digest = repo.digest();
    // What is staged for a moment, so that git itself says what the tree is. The copy is as old as the index:
    // a younger one hides what was changed within a second.
    fs::copy_file(repo.folder.path_of(".git/index"), repo.folder.path_of(".git/kept"),
                  fs::copy_options::overwrite_existing);
    fs::last_write_time(repo.folder.path_of(".git/kept"),
                        fs::last_write_time(repo.folder.path_of(".git/index")));
    repo.git({"add", "-A"});
    const std::string tree = repo.git({"write-tree"}).output;
    fs::rename(repo.folder.path_of(".git/kept"), repo.folder.path_of(".git/index"));
    RC_ASSERT(digest_of_tree.try_emplace(tree, digest).first->second == digest);
    RC_ASSERT(tree_of_digest.try_emplace(digest, tree).first->second == tree);
  }));
  CHECK(digest_of_tree.size() > 10);
}

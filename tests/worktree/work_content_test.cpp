// What counts is in git_test.cpp, as far as it is the same for everything; here is what git would overlook,
// what is remembered, and what a commit leaves out.

#include "worktree/work_content.hpp"

#include <catch2/catch.hpp>
#include <chrono>
#include <filesystem>
#include <iterator>
#include <string>
#include <vector>

#include "git/repository.hpp"

namespace fs = std::filesystem;
using namespace plankeep;
using git::ContentChange;
using test::Repository;
using Kind = ContentChange::Kind;

namespace {

std::vector<std::string> not_in_head(Repository& repo) {
  auto found = repo.ask.not_in_head(repo.tree(), {});
  if (!found) FAIL(found.error().message);
  return *found;
}

// Older than what a look relies on.
void age(const Repository& repo) {
  for (const auto& entry : fs::recursive_directory_iterator(repo.folder.path())) {
    if (entry.path().string().find("/.git") != std::string::npos || !entry.is_regular_file()) continue;
    fs::last_write_time(entry.path(), fs::file_time_type::clock::now() - std::chrono::hours(1));
  }
}

using Files = std::vector<std::string>;

}  // namespace

TEST_CASE("what git was told to overlook is not overlooked") {
  Repository repo;
  repo.write("a.txt", "one\n");
  repo.write("b.txt", "two\n");
  SECTION("line ends") {
    repo.write(".gitattributes", "*.txt text eol=lf\n");
    repo.commit_all();
    const std::string clean = repo.digest();
    repo.write("a.txt", "one\r\n");
    CHECK(repo.digest() != clean);
    repo.git({"add", "a.txt"});
    CHECK(not_in_head(repo).empty());  // git commits the same
  }
  SECTION("the executable bit with core.fileMode=false") {
    repo.commit_all();
    repo.git({"config", "core.fileMode", "false"});
    const std::string clean = repo.digest();
    fs::permissions(repo.folder.path_of("a.txt"), fs::perms::owner_all);
    CHECK(repo.digest() != clean);
  }
  SECTION("assume-unchanged and skip-worktree") {
    repo.commit_all();
    const std::string clean = repo.digest();
    for (const char* flag : {"--assume-unchanged", "--skip-worktree"}) {
      CAPTURE(flag);
      repo.git({"update-index", flag, "a.txt"});
      CHECK(repo.digest() == clean);
      CHECK(not_in_head(repo).empty());
      repo.write("a.txt", "broken\n");
      CHECK(repo.digest() != clean);
      CHECK(not_in_head(repo) == Files{"a.txt"});
      repo.write("a.txt", "one\n");
      CHECK(repo.digest() == clean);
      repo.git({"update-index", "--no-assume-unchanged", "--no-skip-worktree", "a.txt"});
    }
  }
  SECTION("a file that a sparse checkout leaves out counts as the index has it") {
    repo.write("dir/c.txt", "three\n");
    repo.commit_all();
    repo.git({"sparse-checkout", "set", "--no-cone", "/*.txt"});
    REQUIRE_FALSE(fs::exists(repo.folder.path_of("dir/c.txt")));
    CHECK(not_in_head(repo).empty());
    const std::string sparse = repo.digest();
    repo.write("dir/c.txt", "changed\n");
    CHECK(repo.digest() != sparse);
    CHECK(not_in_head(repo) == Files{"dir/c.txt"});
  }
}

TEST_CASE("one change among thousands of files is found, wherever it is") {
  Repository repo;
  constexpr int kFiles = 2500;  // enough for a second thread
  const auto name = [](int i) { return "d" + std::to_string(i % 40) + "/" + std::to_string(i) + ".txt"; };
  for (int i = 0; i < kFiles; ++i) repo.write(name(i), std::to_string(i));
  repo.commit_all();
  age(repo);
  const std::string clean = repo.digest();
  CHECK(repo.digest() == clean);
  git::WorkContent content(repo.processes, repo.files, std::chrono::minutes(2));
  REQUIRE(content.digest(repo.folder.path(), {}));
  REQUIRE(content.remember());
  for (const int i : {0, 255, 256, 1300, kFiles - 1}) {
    CAPTURE(i);
    repo.write(name(i), "changed");
    REQUIRE(content.digest(repo.folder.path(), {}));
    CHECK(content.changes_since(clean) == std::vector<ContentChange>{{Kind::changed, name(i)}});
    repo.write(name(i), std::to_string(i));
    CHECK(repo.digest() == clean);
  }
  fs::remove_all(repo.folder.path_of("d7"));
  repo.write("d7", "a file");
  REQUIRE(content.digest(repo.folder.path(), {}));
  const auto changes = content.changes_since(clean);
  REQUIRE(changes);
  CHECK(changes->size() == 1 + static_cast<std::size_t>((kFiles - 8) / 40 + 1));
}

TEST_CASE("what a commit leaves out is named") {
  Repository inner;
  inner.write("a", "1");
  inner.commit_all();
  Repository repo;
  repo.write(".gitignore", "out\n");
  repo.write("a.txt", "one\n");
  repo.git({"-c", "protocol.file.allow=always", "submodule", "--quiet", "add", inner.folder.path(), "sub"});
  repo.commit_all();
  CHECK(not_in_head(repo).empty());
  repo.write("out", "ignored");
  CHECK(not_in_head(repo).empty());
  repo.write("deep/er/helper.txt", "new");
  repo.write("sub/a", "2");
  repo.write("a.txt", "two\n");
  repo.git({"add", "a.txt"});
  CHECK(not_in_head(repo) == Files{"a.txt", "deep/er/helper.txt", "sub"});
}

TEST_CASE("repositories inside that are no submodules do not count") {
  Repository repo;
  repo.write("a.txt", "one\n");
  repo.commit_all();
  const std::string clean = repo.digest();
  repo.git({"worktree", "add", "-q", "trees/other"});
  repo.write("trees/other/new.txt", "new\n");
  CHECK(repo.digest() == clean);
  CHECK(not_in_head(repo).empty());
}

TEST_CASE("a submodule whose repository is damaged is an error") {
  Repository inner;
  inner.write("a", "1");
  inner.commit_all();
  Repository repo;
  repo.git({"-c", "protocol.file.allow=always", "submodule", "--quiet", "add", inner.folder.path(), "sub"});
  repo.commit_all();
  repo.write("sub/.git", "gitdir: nowhere\n");
  git::WorkContent content(repo.processes, repo.files);
  CHECK_FALSE(content.digest(repo.folder.path(), {}));
}

TEST_CASE("a damaged index is an error, an unreadable file too") {
  Repository repo;
  repo.write("a.txt", "one\n");
  repo.commit_all();
  git::WorkContent content(repo.processes, repo.files);
  repo.write(".git/index", "garbage");
  const auto damaged = content.digest(repo.folder.path(), {});
  REQUIRE_FALSE(damaged);
  CHECK(damaged.error().kind == base::ErrorKind::io);
}

TEST_CASE("what was remembered names what differs") {
  Repository repo;
  repo.write("a.txt", "one\n");
  repo.write("b.txt", "two\n");
  repo.write("c.txt", "three\n");
  repo.commit_all();
  git::WorkContent content(repo.processes, repo.files);
  const std::string before = content.digest(repo.folder.path(), {}).value().value();
  CHECK_FALSE(content.changes_since(before));
  REQUIRE(content.remember());
  REQUIRE(content.remember());
  CHECK(content.changes_since(before).value().empty());
  repo.write("a.txt", "ONE\n");
  fs::remove(repo.folder.path_of("b.txt"));
  repo.write("new.txt", "new\n");
  REQUIRE(content.digest(repo.folder.path(), {}));
  CHECK(content.changes_since(before).value() == std::vector<ContentChange>{{Kind::changed, "a.txt"},
                                                                            {Kind::removed, "b.txt"},
                                                                            {Kind::added, "new.txt"}});
  CHECK_FALSE(content.changes_since(std::string(64, '0')));
  CHECK_FALSE(content.changes_since("../../index"));
  SECTION("a damaged memory names nothing") {
    repo.write(".git/plankeep/files/" + before, repo.bytes_of(".git/plankeep/files/" + before).substr(0, 90));
    CHECK_FALSE(content.changes_since(before));
  }
  SECTION("only the newest are kept") {
    for (int i = 0; i < 12; ++i) {
      repo.write("new.txt", std::to_string(i));
      REQUIRE(content.digest(repo.folder.path(), {}));
      REQUIRE(content.remember());
    }
    const auto kept = std::distance(fs::directory_iterator(repo.folder.path_of(".git/plankeep/files")), {});
    CHECK(kept <= 9);
    CHECK(content.changes_since(*content.digest(repo.folder.path(), {}).value()));
  }
}

TEST_CASE("a folder without a repository is listed by a git directory elsewhere, and stays as it is") {
  Repository repo;
  repo.write("a.txt", "one\n");
  repo.write("dir/b.txt", "two\n");
  repo.write(".gitignore", "*.log\n");
  repo.write("c.log", "noise\n");
  fs::create_symlink("a.txt", repo.folder.path_of("link"));
  const std::string in_git = repo.digest();
  fs::remove_all(repo.folder.path_of(".git"));
  const test::TemporaryFolder own;
  git::WorkContent content(repo.processes, repo.files, std::chrono::minutes(2));
  const auto look = [&](const git::LeaveOut& leave_out = {}) {
    auto found = content.digest_without_repository(repo.folder.path(), own.path(), leave_out);
    if (!found) FAIL(found.error().message);
    return *found;
  };
  const std::string before = look();
  CHECK(before == in_git);
  REQUIRE(content.remember());
  repo.write("c.log", "more noise\n");
  CHECK(look() == before);
  repo.write("dir/b.txt", "TWO\n");
  repo.write("new.txt", "new\n");
  CHECK(look() != before);
  CHECK(content.changes_since(before).value() ==
        std::vector<ContentChange>{{Kind::changed, "dir/b.txt"}, {Kind::added, "new.txt"}});
  repo.write("dir/b.txt", "two\n");
  CHECK(look([](std::string_view path) { return path == "new.txt"; }) == before);
  CHECK_FALSE(fs::exists(repo.folder.path_of(".git")));
  SECTION("a repository inside counts with its files, whether they are committed or not") {
    const std::string alone = look();
    fs::create_directory(repo.folder.path_of("inner"));
    repo.git({"init", "-q", "inner"});
    CHECK(look() == alone);
    repo.write("inner/a.c", "1");
    const std::string with = look();
    CHECK(with != alone);
    repo.git({"-C", "inner", "add", "-A"});
    repo.git({"-C", "inner", "commit", "-qm", "first"});
    CHECK(look() == with);
    repo.write("inner/a.c", "2");
    CHECK(look() != with);
  }
  SECTION("a git directory of ours that was damaged is put right") {
    std::ofstream(own.path_of("HEAD")) << "garbage";
    std::ofstream(own.path_of("config")) << "[core\n";
    fs::remove_all(own.path_of("refs"));
    CHECK(look([](std::string_view path) { return path == "new.txt"; }) == before);
  }
  SECTION("what git refuses there is an error, not an answer") {
    std::ofstream(own.path_of("index")) << "garbage";
    CHECK_FALSE(content.digest_without_repository(repo.folder.path(), own.path(), {}));
  }
  SECTION("a folder that is not there is an error") {
    CHECK_FALSE(content.digest_without_repository(repo.folder.path_of("nowhere"), own.path(), {}));
  }
  SECTION("time is bounded") {
    git::WorkContent hasty(repo.processes, repo.files, std::chrono::milliseconds(0));
    CHECK_FALSE(hasty.digest_without_repository(repo.folder.path(), own.path(), {}));
  }
}

TEST_CASE("a look gives the same with and without the memory of the last one") {
  Repository repo;
  for (int i = 0; i < 40; ++i)
    repo.write("d" + std::to_string(i % 4) + "/f" + std::to_string(i), "x" + std::to_string(i));
  fs::create_symlink("d0/f0", repo.folder.path_of("link"));
  repo.commit_all();
  age(repo);
  const std::string first = repo.digest();
  CHECK(fs::exists(repo.folder.path_of(".git/plankeep/files/last")));
  CHECK(repo.digest() == first);
  // As long as before, in the same file, with the time it had.
  const auto time = fs::last_write_time(repo.folder.path_of("d1/f1"));
  repo.write("d1/f1", "y1");
  fs::last_write_time(repo.folder.path_of("d1/f1"), time);
  CHECK(repo.digest() != first);
  fs::permissions(repo.folder.path_of("d2/f2"), fs::perms::owner_all);
  const std::string with = repo.digest();
  CHECK(with != first);
  for (const char* memory : {"", "plankeep-files 1", "garbage"}) {
    repo.write(".git/plankeep/files/last", memory);
    CHECK(repo.digest() == with);
  }
  fs::remove_all(repo.folder.path_of(".git/plankeep"));
  CHECK(repo.digest() == with);
}

TEST_CASE("a look that takes too long is busy, and the next goes on") {
  Repository repo;
  repo.write("a.txt", "one\n");
  repo.commit_all();
  age(repo);
  git::WorkContent hasty(repo.processes, repo.files, std::chrono::milliseconds(0));
  const auto late = hasty.digest(repo.folder.path(), {});
  REQUIRE_FALSE(late);
  CHECK(late.error().kind == base::ErrorKind::busy);
  repo.digest();
  // Nothing has to be read any more.
  CHECK(hasty.digest(repo.folder.path(), {}));
}

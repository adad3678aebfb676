#include "worktree/work_status.hpp"

#include <rapidcheck.h>

#include <algorithm>
#include <catch2/catch.hpp>

#include "git/repository.hpp"
#include "support/hostile_text.hpp"

using namespace plankeep;
using namespace plankeep::git;

namespace {

// Lines as `git status --porcelain=v2 --branch -z` gives them.
std::string joined(const std::vector<std::string>& entries) {
  std::string output;
  for (const std::string& entry : entries) output += entry + std::string(1, '\0');
  return output;
}

const std::string kFields = " N... 100644 100644 100644 aaaa bbbb ";

WorkStatus status_of(test::Repository& repository, const std::string& below = {}) {
  Git git(repository.processes, repository.files);
  auto question = WorkStatusQuestion::ask(git, repository.folder.path() + below);
  REQUIRE(question);
  auto answer = question->answer();
  REQUIRE(answer);
  REQUIRE(*answer);
  return std::move(**answer);
}

}  // namespace

TEST_CASE("branch, head and commits ahead are read") {
  const auto work =
      read_work_status(joined({"# branch.oid 1234567890123456789012345678901234567890", "# branch.head main",
                               "# branch.upstream origin/main", "# branch.ab +3 -1"}));
  REQUIRE(work.has_value());
  CHECK(work->head == "1234567890123456789012345678901234567890");
  CHECK(work->status.branch == "main");
  CHECK(work->status.commit_count == 3);
  CHECK(work->clean());
}

TEST_CASE("an unborn branch has no head, a detached head no branch, and no upstream no count") {
  const auto work = read_work_status(joined({"# branch.oid (initial)", "# branch.head (detached)"}));
  REQUIRE(work.has_value());
  CHECK(work->head.empty());
  CHECK(work->status.branch.empty());
  CHECK_FALSE(work->status.commit_count.has_value());
}

TEST_CASE("files are counted where they differ, and listed by path whatever it holds") {
  const auto work = read_work_status(
      joined({"1 M." + kFields + "z staged", "1 .M" + kFields + "both\nlines", "1 AM" + kFields + "new",
              "1 .D" + kFields + "gone", "1 .T" + kFields + "link",
              "u UU N... 100644 100644 100644 100644 aaaa bbbb cccc merged", "? build/", "! ignored"}));
  REQUIRE(work.has_value());
  CHECK(work->status.staged_files == 2);
  CHECK(work->status.unstaged_files == 5);
  CHECK(work->status.untracked_files == 1);
  std::vector<std::string> told;
  for (const core::FileChange& file : work->files) told.push_back(file.path + ": " + file.status);
  CHECK(told == std::vector<std::string>{"both\nlines: modified", "build/: untracked", "gone: deleted",
                                         "link: type_changed", "merged: unmerged", "new: added",
                                         "z staged: modified"});
  CHECK_FALSE(work->clean());
}

TEST_CASE("lines go to their files, what is no text has none") {
  auto files = read_work_status(joined({"1 .M" + kFields + "a", "1 .M" + kFields + "b"}))->files;
  read_numstat(joined({"3\t4\ta", "-\t-\tb", "1\t1\telsewhere", "x"}), files);
  CHECK(files[0].lines_changed == 7);
  CHECK_FALSE(files[1].lines_changed.has_value());
}

TEST_CASE("whatever git says, reading it ends") {
  CHECK(rc::check([] {
    const auto work = read_work_status(test::hostile_bytes());
    std::vector<core::FileChange> files{{"a", "modified", {}, {}}};
    read_numstat(test::hostile_bytes(), files);
  }));
  CHECK_FALSE(read_work_status(joined({"1 M." + kFields})).has_value());
  CHECK_FALSE(read_work_status("nonsense").has_value());
}

TEST_CASE("a repository is asked, from any folder of it, whatever its files are called") {
  test::Repository repository;
  repository.write("deep/er/kept", "1\n");
  repository.write("*", "1\n2\n");
  repository.write(":(top)x", "1\n");
  repository.write("gone", "1\n");
  repository.commit_all();
  repository.write("*", "1\n2\n3\n4\n");
  repository.write(":(top)x", "2\n");
  repository.write("new", "1\n");
  std::filesystem::remove(repository.folder.path_of("gone"));
  for (const char* below : {"", "/deep/er"}) {
    const WorkStatus work = status_of(repository, below);
    CHECK(work.head.size() == 40);
    CHECK_FALSE(work.clean());
    CHECK(work.status.unstaged_files == 3);
    CHECK(work.status.untracked_files == 1);
    using core::FileChange;
    CHECK(work.files == std::vector<FileChange>{{"*", "modified", 2, std::nullopt},
                                                {":(top)x", "modified", 2, std::nullopt},
                                                {"gone", "deleted", 1, std::nullopt},
                                                {"new", "untracked", std::nullopt, std::nullopt}});
  }
}

TEST_CASE("lines are counted from HEAD, wherever they were changed") {
  test::Repository repository;
  for (const char* name : {"staged", "changed", "both", "removed", "gone", "linked", "moved", "binary"})
    repository.write(name, "1\n2\n3\n");
  repository.commit_all();
  repository.write("staged", "1\n2\n3\n4\n");
  repository.write("added", "1\n2\n");
  repository.write("binary", std::string("1\0", 2));
  repository.git({"add", "staged", "added", "binary"});
  repository.git({"rm", "-q", "removed"});
  repository.git({"mv", "moved", "to"});
  repository.write("changed", "1\n");
  std::filesystem::remove(repository.folder.path_of("gone"));
  std::filesystem::remove(repository.folder.path_of("linked"));
  std::filesystem::create_symlink("staged", repository.folder.path_of("linked"));
  const bool with_both = GENERATE(false, true);
  CAPTURE(with_both);
  if (with_both) {
    repository.write("both", "1\n2\n3\n4\n");
    repository.git({"add", "both"});
    repository.write("both", "4\n");
  }
  const WorkStatus work = status_of(repository);
  CHECK(work.both == with_both);
  // What git itself says of HEAD and the work tree.
  std::vector<core::FileChange> wanted = work.files;
  for (core::FileChange& file : wanted) file.lines_changed.reset();
  read_numstat(repository.git({"diff", "--numstat", "-z", "--no-renames", "HEAD"}).output, wanted);
  CHECK(work.files == wanted);
  CHECK(wanted.size() == (with_both ? 10U : 9U));
  CHECK(std::count_if(wanted.begin(), wanted.end(), [](const core::FileChange& file) {
          return file.lines_changed.has_value();
        }) == (with_both ? 9 : 8));
}

TEST_CASE("files that a merge left in pieces are counted, too") {
  test::Repository repository;
  repository.write("a", "1\n");
  repository.commit_all();
  repository.git({"checkout", "-q", "-b", "other"});
  repository.write("a", "2\n");
  repository.commit_all();
  repository.git({"checkout", "-q", "main"});
  repository.write("a", "3\n");
  repository.commit_all();
  system::Run merge;
  merge.words = {"git", "-C", repository.folder.path(), "merge", "other"};
  merge.timeout = std::chrono::minutes(2);
  REQUIRE(repository.processes.run(merge));
  const WorkStatus work = status_of(repository);
  CHECK(work.both);
  REQUIRE(work.files.size() == 1);
  CHECK(work.files[0].status == "unmerged");
}

TEST_CASE("of many changed files the lines of the first are counted") {
  test::Repository repository;
  const auto name = [](std::size_t i) { return "f" + std::to_string(1000 + i); };
  for (std::size_t i = 0; i < kMostCounted + 5; ++i) repository.write(name(i), "1\n");
  repository.commit_all();
  for (std::size_t i = 0; i < kMostCounted + 5; ++i) repository.write(name(i), "1\n2\n");
  const WorkStatus work = status_of(repository);
  REQUIRE(work.files.size() == kMostCounted + 5);
  CHECK(work.files[kMostCounted - 1].lines_changed == std::optional<std::int64_t>(1));
  CHECK_FALSE(work.files[kMostCounted].lines_changed);
}

TEST_CASE("without a work tree there is no answer, and that is no error") {
  test::Repository nothing(false);
  git::Git git(nothing.processes, nothing.files);
  auto question = WorkStatusQuestion::ask(git, nothing.folder.path());
  REQUIRE(question);
  const auto answer = question->answer();
  REQUIRE(answer);
  CHECK_FALSE(*answer);
}

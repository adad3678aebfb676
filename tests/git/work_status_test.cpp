#include "git/work_status.hpp"

#include <rapidcheck.h>

#include <catch2/catch.hpp>

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

TEST_CASE("lines go to their files; what is no text has none") {
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

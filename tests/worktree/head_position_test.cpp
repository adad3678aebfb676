#include "worktree/head_position.hpp"

#include <catch2/catch.hpp>
#include <optional>
#include <string>
#include <utility>

#include "git/repository.hpp"

using namespace plankeep;

namespace {

struct World : test::Repository {
  World() {
    write("a", "one");
    commit_all("first");
    first = said({"rev-parse", "HEAD"});
    write("a", "two");
    commit_all("second");
    second = said({"rev-parse", "HEAD"});
    auto place = git::open_snapshots(processes, files, folder.path());
    REQUIRE(place);
    REQUIRE(*place);
    snapshots.emplace(processes, files, std::move(**place), nullptr);
  }

  std::string said(const std::vector<std::string>& words) {
    std::string output = git(words).output;
    while (output.ends_with('\n')) output.pop_back();
    return output;
  }

  git::HeadPosition position() {
    auto found = git::head_position(*snapshots);
    REQUIRE(found);
    return *found;
  }

  std::string first;
  std::string second;
  std::optional<git::Snapshots> snapshots;
};

}  // namespace

TEST_CASE_METHOD(World, "HEAD is on a branch, detached or unborn") {
  CHECK(position().branch == "refs/heads/main");
  CHECK(position().commit == second);
  git({"checkout", "-q", "--detach", first});
  CHECK(position().branch.empty());
  CHECK(position().commit == first);
  git({"checkout", "-q", "--orphan", "new"});
  CHECK(position().branch == "refs/heads/new");
  CHECK(position().commit.empty());
}

TEST_CASE_METHOD(World, "HEAD moves there and back, and only from where it is expected") {
  const git::HeadPosition before = position();
  git::HeadPosition to{"", first, before.index};
  REQUIRE(git::put_head(*snapshots, before, to));
  CHECK(position().branch.empty());
  CHECK(position().commit == first);
  CHECK(said({"rev-parse", "main"}) == second);
  const auto again = git::put_head(*snapshots, before, {"", second, {}});
  REQUIRE_FALSE(again);
  CHECK(again.error().kind == base::ErrorKind::conflict);
  REQUIRE(git::put_head(*snapshots, position(), before));
  CHECK(position().branch == "refs/heads/main");
}

TEST_CASE_METHOD(World, "HEAD does not go to a branch that points elsewhere") {
  git({"branch", "old", first});
  const auto moved = git::put_head(*snapshots, position(), {"refs/heads/old", second, {}});
  REQUIRE_FALSE(moved);
  CHECK(moved.error().kind == base::ErrorKind::conflict);
  CHECK(position().branch == "refs/heads/main");
}

TEST_CASE_METHOD(World, "a branch is free where it points to the commit and no other work tree has it") {
  CHECK(git::branch_at(*snapshots, "refs/heads/main", second).value() == "refs/heads/main");
  CHECK(git::branch_at(*snapshots, "refs/heads/main", first).value().empty());
  CHECK(git::branch_at(*snapshots, "refs/heads/none", first).value().empty());
  git({"worktree", "add", "-q", folder.path() + "-linked", "-b", "other"});
  CHECK(git::branch_at(*snapshots, "refs/heads/other", second).value().empty());
  git({"worktree", "remove", folder.path() + "-linked"});
  CHECK(git::branch_at(*snapshots, "refs/heads/other", second).value() == "refs/heads/other");
}

TEST_CASE_METHOD(World, "commits that no branch leads to are counted") {
  git({"checkout", "-q", "--detach", first});
  commit_all("on no branch");
  const std::string lost = said({"rev-parse", "HEAD"});
  git({"checkout", "-q", "main"});
  CHECK(git::commits_without_branch(*snapshots, lost, "HEAD").value() == 1);
  CHECK(git::commits_without_branch(*snapshots, first, "HEAD").value() == 0);
}

TEST_CASE_METHOD(World, "the index of a commit keeps the flags of entries that stay") {
  write("b", "same");
  commit_all("third");
  git({"update-index", "--assume-unchanged", "b"});
  write("a", "changed");
  write("b", "changed too");
  const auto bytes = git::index_of_commit(*snapshots, files, second);
  REQUIRE(bytes);
  const git::HeadPosition before = position();
  REQUIRE(git::put_index(*snapshots, files, before.index, *bytes));
  CHECK(position().index == git::index_facts(*snapshots, *bytes).value().digest);
  CHECK(said({"ls-files"}) == "a");
  const auto third = git::index_of_commit(*snapshots, files, said({"rev-parse", "HEAD"}));
  REQUIRE(third);
  REQUIRE(git::put_index(*snapshots, files, position().index, *third));
  CHECK(said({"ls-files", "-v"}) == "H a\nH b");
  CHECK(bytes_of("b") == "changed too");
}

TEST_CASE_METHOD(World, "the index is not replaced while git holds it, nor when somebody changed it") {
  const auto bytes = git::index_of_commit(*snapshots, files, first);
  REQUIRE(bytes);
  const git::HeadPosition before = position();
  write(".git/index.lock", "somebody's");
  const auto locked = git::put_index(*snapshots, files, before.index, *bytes);
  REQUIRE_FALSE(locked);
  CHECK(locked.error().kind == base::ErrorKind::busy);
  CHECK(git::remove_own_index_lock(*snapshots, files, "", "").value() == false);
  CHECK(bytes_of(".git/index.lock") == "somebody's");
  REQUIRE(std::filesystem::remove(folder.path_of(".git/index.lock")));

  write("b", "staged meanwhile");
  git({"add", "b"});
  const auto changed = git::put_index(*snapshots, files, before.index, *bytes);
  REQUIRE_FALSE(changed);
  CHECK(changed.error().kind == base::ErrorKind::conflict);
  CHECK(said({"ls-files"}) == "a\nb");
  CHECK_FALSE(std::filesystem::exists(folder.path_of(".git/index.lock")));
}

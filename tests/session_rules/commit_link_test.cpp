#include "session_rules/commit_link.hpp"

#include <rapidcheck.h>

#include <algorithm>
#include <catch2/catch.hpp>

using namespace plankeep::core;

namespace {

SessionActivity session_of(const std::vector<std::string>& paths) {
  SessionActivity activity;
  for (const std::string& path : paths) activity.paths.push_back({path, Touch::written});
  return activity;
}

CommitAttempt attempt_with(const std::string& source) {
  CommitAttempt attempt;
  attempt.source = source;
  return attempt;
}

const std::string kHex = "a1b2c3d4e5f6";
const std::string kOther = "00112233aabb";
const std::string kUlid = "01HF7YAT00000G40R40M30E209";

}  // namespace

TEST_CASE("commits that people make may be linked, merges may not") {
  for (const char* source : {"", "message", "template", "squash", "commit"})
    CHECK(may_link(attempt_with(source)));
  for (const char* source : {"merge", "something new"}) CHECK_FALSE(may_link(attempt_with(source)));
}

TEST_CASE("nothing is linked where it is switched off, left to Entire, or git replays commits") {
  for (bool CommitAttempt::*reason :
       {&CommitAttempt::disabled, &CommitAttempt::entire_links, &CommitAttempt::in_progress}) {
    CommitAttempt attempt;
    REQUIRE(may_link(attempt));
    attempt.*reason = true;
    CHECK_FALSE(may_link(attempt));
  }
}

TEST_CASE("a commit is left to Entire where nothing else keeps it from being linked") {
  CommitAttempt attempt;
  CHECK_FALSE(is_left_to_entire(attempt));
  attempt.entire_links = true;
  CHECK(is_left_to_entire(attempt));
  attempt.in_progress = true;
  CHECK_FALSE(is_left_to_entire(attempt));
  attempt.in_progress = false;
  attempt.source = "merge";
  CHECK_FALSE(is_left_to_entire(attempt));
}

TEST_CASE("a commit that keeps HEAD's author and time amends it, unless it may just follow it") {
  const std::string author = author_of_attempt("Kim K", "kim@example.org", "@1700000000 +0100");
  REQUIRE(author == "Kim K <kim@example.org> 1700000000");
  const auto may = [&](std::int64_t milliseconds) {
    return may_amend(author, plankeep::base::Instant{1'700'000'000'000 + milliseconds});
  };
  CHECK(may(3000));
  CHECK_FALSE(may(2999));
  CHECK_FALSE(may(-5000));
  CHECK_FALSE(may_amend("", plankeep::base::Instant{1'700'000'009'000}));
  for (const char* date :
       {"", "1700000000 +0000", "@", "@x +0000", "@-1 +0000", "@99999999999999999999 +0000"})
    CHECK(author_of_attempt("Kim", "kim@example.org", date).empty());
}

TEST_CASE("what git writes for a revert is known by its line") {
  const std::string id(40, 'a');
  CHECK(is_revert("Revert \"work\"\n\nThis reverts commit " + id + ".\n"));
  CHECK(is_revert("Revert \"merge\"\n\nThis reverts commit " + id + ", reversing\nchanges made to " + id +
                  ".\n"));
  CHECK(is_revert("This reverts commit " + std::string(64, '0') + "."));
  CHECK_FALSE(is_revert("Revert \"work\" by hand\n\nThis reverts commit abc.\n"));
  CHECK_FALSE(is_revert("subject\n\n> This reverts commit " + id + ".\n"));
  CHECK_FALSE(is_revert("This reverts commit "));
  CHECK_FALSE(is_revert(""));
}

TEST_CASE("a commit belongs to the sessions that touched a staged file") {
  const std::vector<SessionActivity> sessions{session_of({"a", "b"}), session_of({"c"}), session_of({}),
                                              session_of({"b", "d/e"})};
  CHECK(sessions_of_commit(sessions, {"z", "b"}) == std::vector<std::size_t>{0, 3});
  CHECK(sessions_of_commit(sessions, {"d/e", "c"}) == std::vector<std::size_t>{1, 3});
  CHECK(sessions_of_commit(sessions, {"d"}).empty());
  CHECK(sessions_of_commit(sessions, {}).empty());
  CHECK(sessions_of_commit({}, {"a"}).empty());
}

TEST_CASE("a squash names its commits, and no message among them can") {
  const std::string one(40, '1');
  const std::string two(40, '2');
  const std::string text = "Squashed commit of the following:\n\ncommit " + one +
                           "\nAuthor: Kim <kim@example.org>\nDate:   today\n\n    subject\n    commit " +
                           std::string(40, '3') + "\n\ncommit " + two +
                           "\n\n    other\n\ncommit 123\ncommit " + std::string(40, 'G') + "\n";
  CHECK(squashed_commits(text) == std::vector{one, two});
  CHECK(squashed_commits("").empty());
  CHECK(squashed_commits("commit " + one) == std::vector{one});
}

TEST_CASE("of a squash no more than 1000 commits are asked about") {
  std::string text;
  for (int i = 0; i < 1500; ++i) text += "commit " + std::string(40, 'f') + "\n";
  CHECK(squashed_commits(text).size() == 1000);
}

TEST_CASE("a squash inherits the ids of the commits that changed a staged file, oldest first") {
  const std::vector<SquashedCommit> commits{
      {{kUlid}, {"a"}}, {{kOther, kUlid}, {"only in this one"}}, {{kHex, "no id"}, {"b", "c"}}, {{}, {"a"}}};
  CHECK(inherited_checkpoints(commits, {"a", "b"}) == std::vector{kHex, kUlid});
  CHECK(inherited_checkpoints(commits, {"c"}) == std::vector{kHex});
  CHECK(inherited_checkpoints(commits, {"d"}).empty());
  CHECK(inherited_checkpoints(commits, {}).empty());
}

TEST_CASE("an id is inherited once, whatever the number of commits that have it") {
  CHECK(rc::check([] {
    const auto ids = rc::gen::container<std::vector<std::string>>(rc::gen::element(kHex, kOther, kUlid));
    const auto paths =
        rc::gen::container<std::vector<std::string>>(rc::gen::element<std::string>("a", "b", "c"));
    std::vector<SquashedCommit> commits;
    for (int n = *rc::gen::inRange(0, 6); n > 0; --n) commits.push_back({*ids, *paths});
    const auto staged = *paths;
    const auto inherited = inherited_checkpoints(commits, staged);
    for (const std::string& id : {kHex, kOther, kUlid}) {
      bool expected = false;
      for (const SquashedCommit& commit : commits) {
        for (const std::string& path : commit.paths) {
          const bool is_staged = std::find(staged.begin(), staged.end(), path) != staged.end();
          const bool has_id =
              std::find(commit.checkpoints.begin(), commit.checkpoints.end(), id) != commit.checkpoints.end();
          expected = expected || (is_staged && has_id);
        }
      }
      RC_ASSERT(std::count(inherited.begin(), inherited.end(), id) == (expected ? 1 : 0));
    }
  }));
}

#include "session_rules/attribution_trees.hpp"

#include <catch2/catch.hpp>

using namespace plankeep;
using namespace plankeep::core;

namespace {

constexpr base::Instant at(std::int64_t seconds) {
  return {1'700'000'000'000 + seconds * 1000};
}

const std::string kParent = "parent";

WorkMoment moment(std::int64_t second, const std::string& tree, bool before_prompt = false,
                  const std::string& session = "s1") {
  WorkMoment made;
  made.time = at(second);
  made.session = session;
  made.before_prompt = before_prompt;
  made.turn_end = !before_prompt;
  made.head = kParent;
  made.tree = tree;
  return made;
}

SessionPart part(const std::vector<std::int64_t>& prompts, std::int64_t last_write) {
  SessionPart made;
  made.files = {"a.c"};
  for (const std::int64_t second : prompts) made.prompt_times.emplace_back(at(second));
  made.last_write = at(last_write);
  return made;
}

AttributionChoice choose(const std::vector<WorkMoment>& moments, const SessionPart& part) {
  return choose_trees(moments, "s1", part, kParent, at(100));
}

}  // namespace

TEST_CASE("the newest snapshot of the session is compared, and what a person changed before each prompt") {
  const auto chosen = choose({moment(1, "start", true), moment(20, "one"), moment(30, "one-and-mine", true),
                              moment(50, "two"), moment(60, "outside", false, std::string(kOutsideSessions))},
                             part({1, 30}, 45));
  REQUIRE(chosen.trees);
  CHECK(chosen.reason.empty());
  CHECK(chosen.trees->base == kParent);
  CHECK(chosen.trees->snapshot == "two");
  CHECK(chosen.trees->edits == std::vector<EditedTrees>{{1, kParent, "start"}, {2, "one", "one-and-mine"}});
}

TEST_CASE("no snapshot before a prompt means that nothing had changed") {
  const auto chosen =
      choose({moment(0, "start", true), moment(20, "one"), moment(50, "two")}, part({1, 30}, 45));
  REQUIRE(chosen.trees);
  CHECK(chosen.trees->edits == std::vector<EditedTrees>{{1, kParent, "start"}});
}

TEST_CASE("what a turn left beside the parent's commit was not changed before the next prompt") {
  WorkMoment earlier = moment(-20, "both-files");
  earlier.head = "grandparent";
  const std::vector<WorkMoment> later{moment(1, "second-file", true), moment(20, "one"),
                                      moment(30, "mine", true), moment(50, "two")};
  const auto edits = [&](const std::optional<WorkMoment>& before) {
    std::vector<WorkMoment> moments = later;
    if (before) moments.insert(moments.begin(), *before);
    const auto chosen = choose(moments, part({1, 30}, 45));
    REQUIRE(chosen.trees);
    return chosen.trees->edits;
  };
  CHECK(edits(earlier) ==
        std::vector<EditedTrees>{{1, kParent, "second-file", "both-files"}, {2, "one", "mine", ""}});
  CHECK(edits({}).front().left.empty());
  // Of these nobody knows what they left, or who.
  WorkMoment partial = earlier;
  partial.whole = false;
  CHECK(edits(partial).front().left.empty());
  WorkMoment by_hand = earlier;
  by_hand.turn_end = false;
  CHECK(edits(by_hand).front().left.empty());
  WorkMoment imported = earlier;
  imported.imported = true;
  CHECK(edits(imported).front().left.empty());
}

TEST_CASE("there is no number where an input is missing, but a reason") {
  const std::vector<WorkMoment> good{moment(1, "start", true), moment(20, "one")};
  REQUIRE(choose(good, part({1}, 15)).trees);
  SECTION("no parent") {
    const auto chosen = choose_trees(good, "s1", part({1}, 15), "", at(100));
    CHECK_FALSE(chosen.trees);
    CHECK(chosen.reason == "the commit has no parent to compare with");
  }
  SECTION("nothing written") {
    SessionPart nothing = part({1}, 15);
    nothing.files.clear();
    CHECK(choose(good, nothing).reason == "no file was written");
  }
  SECTION("writes without a time") {
    SessionPart untimed = part({1}, 15);
    untimed.writes_are_timed = false;
    CHECK(choose(good, untimed).reason == "it is not known when files were written");
  }
  SECTION("a prompt without a time") {
    SessionPart untimed = part({1}, 15);
    untimed.prompt_times.emplace_back();
    CHECK(choose(good, untimed).reason == "it is not known when prompts were sent");
  }
  SECTION("something written after the last snapshot") {
    CHECK(choose(good, part({1}, 25)).reason == "files were written after the last snapshot");
  }
  SECTION("no snapshot before the commit on its parent") {
    const std::string reason = "no snapshot of the session was taken on the commit's parent";
    CHECK(choose({}, part({1}, 15)).reason == reason);
    CHECK(choose({moment(120, "late")}, part({1}, 15)).reason == reason);
    WorkMoment elsewhere = moment(20, "one");
    elsewhere.head = "another";
    CHECK(choose({elsewhere}, part({1}, 15)).reason == reason);
    WorkMoment bare = moment(20, "");
    CHECK(choose({bare}, part({1}, 15)).reason == reason);
    CHECK(choose({moment(20, "one", false, "s2")}, part({1}, 15)).reason == reason);
  }
  SECTION("nothing is known of what was there before the first prompt") {
    CHECK(choose({moment(20, "one")}, part({1}, 15)).reason ==
          "it is not known what was there before a prompt");
  }
  SECTION("another session changed files before the prompt") {
    CHECK(choose({moment(1, "start", true), moment(5, "theirs", false, "s2"), moment(20, "one")},
                 part({10}, 15))
              .reason == "another session worked between two turns");
  }
}

TEST_CASE(
    "a snapshot of a prompt with files in it that were changed after the prompt tells nothing of a person") {
  std::vector<WorkMoment> moments{moment(1, "start", true), moment(20, "one")};
  REQUIRE(choose(moments, part({1}, 15)).trees);
  moments[0].late = true;
  CHECK(choose(moments, part({1}, 15)).reason ==
        "what was there before a prompt was looked at after the first write");
}

TEST_CASE("a turn that goes on behind a commit has no edits before it") {
  const auto chosen = choose({moment(20, "one")}, part({}, 15));
  REQUIRE(chosen.trees);
  CHECK(chosen.trees->edits.empty());
}

TEST_CASE(
    "a snapshot before a prompt that is finished after the agent's first write tells nothing of a person") {
  const std::vector<WorkMoment> moments{moment(5, "start", true), moment(20, "one")};
  SessionPart quick = part({1}, 15);
  quick.writes = {at(15)};
  CHECK(choose(moments, quick).trees);
  quick.writes = {at(4), at(15)};
  const auto chosen = choose(moments, quick);
  CHECK_FALSE(chosen.trees);
  CHECK(chosen.reason == "what was there before a prompt was looked at after the first write");
}

TEST_CASE("a snapshot that was taken between two turns is a person's, and one within a turn the agent's") {
  WorkMoment closed = moment(30, "one-and-mine");  // the client was closed
  closed.turn_end = false;
  const std::vector<WorkMoment> moments{moment(1, "start", true), moment(20, "one"), closed};
  SessionPart once = part({1}, 15);
  once.writes = {at(15)};
  REQUIRE(choose(moments, once).trees);
  CHECK(choose(moments, once).trees->snapshot == "one");
  // The person's edits before the next prompt stay theirs.
  SessionPart twice = part({1, 40}, 45);
  twice.writes = {at(15), at(45)};
  auto longer = moments;
  longer.push_back(moment(50, "two"));
  REQUIRE(choose(longer, twice).trees);
  CHECK(choose(longer, twice).trees->edits ==
        std::vector<EditedTrees>{{1, kParent, "start"}, {2, "one", "one-and-mine"}});
  // Closed, or compacted, before the turn had ended.
  WorkMoment compacted = moment(48, "half-of-two");
  compacted.turn_end = false;
  longer.back() = compacted;
  REQUIRE(choose(longer, twice).trees);
  CHECK(choose(longer, twice).trees->snapshot == "half-of-two");
}

TEST_CASE("an imported snapshot is none of the session's") {
  WorkMoment imported = moment(60, "old");
  imported.imported = true;
  imported.turn_end = false;
  const auto chosen = choose({moment(1, "start", true), moment(20, "one"), imported}, part({1, 55}, 15));
  REQUIRE(chosen.trees);
  CHECK(chosen.trees->snapshot == "one");
}

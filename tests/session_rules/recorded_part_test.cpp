#include "session_rules/recorded_part.hpp"

#include <catch2/catch.hpp>

using namespace plankeep;
using namespace plankeep::core;

namespace {

constexpr base::Instant at(std::int64_t seconds) {
  return {1'700'000'000'000 + seconds * 1000};
}

CommandUsed used(const std::string& tool, const std::string& target, std::int64_t second) {
  CommandUsed one;
  one.type = tool;
  one.target = target;
  one.timestamp = at(second);
  return one;
}

WorkMoment turn(const std::string& session, std::int64_t second, const std::string& prompt) {
  WorkMoment moment;
  moment.id = "cp_1a2b3c_001";
  moment.time = at(second);
  moment.session = session;
  moment.turn_end = true;
  moment.prompt = prompt;
  return moment;
}

const CommitSpan kSpan{at(10), at(100), "/repo", {"a.c", "b.c"}};

}  // namespace

TEST_CASE("a session's tools tell which files it wrote, and when") {
  WorkMoment first = turn("s1", 50, "do it");
  first.tools = {used("Edit", "/repo/a.c", 5), used("Read", "/repo/b.c", 20),
                 used("Write", "/repo/sub/new.c", 30), used("Write", "/elsewhere/x.c", 31),
                 used("Edit", "/repo/late.c", 150)};
  first.changed = {"not-by-us.c"};
  auto part = recorded_part({first, turn("s2", 60, "another")}, "s1", kSpan);
  REQUIRE(part);
  CHECK(part->files == std::set<std::string>{"sub/new.c"});
  CHECK_FALSE(part->touches_commit);
  CHECK(part->prompts == Strings{"do it"});
  CHECK_FALSE(part->writes_are_timed);
  CHECK(part->transcript.empty());

  first.tools.push_back(used("MultiEdit", "/repo/a.c", 40));
  part = recorded_part({first}, "s1", kSpan);
  REQUIRE(part);
  CHECK(part->touches_commit);
}

TEST_CASE("a turn that ended after the commit counts when it wrote before") {
  WorkMoment late = turn("s1", 120, "write and commit");
  late.tools = {used("Write", "/repo/a.c", 90)};
  const auto part = recorded_part({late}, "s1", kSpan);
  REQUIRE(part);
  CHECK(part->touches_commit);
  CHECK(part->prompts == Strings{"write and commit"});
  CHECK_FALSE(recorded_part({turn("s1", 120, "later")}, "s1", kSpan));
}

TEST_CASE("of a client whose tools nobody knows the files count that differed when its turns ended") {
  WorkMoment before = turn("s1", 5, "too early");
  before.changed = {"b.c"};
  WorkMoment prompt = turn("s1", 20, "do it");
  prompt.turn_end = false;
  prompt.changed = {"b.c"};
  WorkMoment end = turn("s1", 50, "do it");
  end.changed = {"a.c", "../out.c"};
  const auto part = recorded_part({before, prompt, end}, "s1", kSpan);
  REQUIRE(part);
  CHECK(part->files == std::set<std::string>{"a.c"});
  CHECK(part->prompts == Strings{"do it"});
  CHECK_FALSE(recorded_part({before}, "s1", kSpan));
  CHECK_FALSE(recorded_part({before, end}, "s2", kSpan));
}

TEST_CASE("what the tools of clients are called") {
  for (const char* tool : {"Edit", "Write", "write_file", "replace", "apply_patch", "edit", "create"})
    CHECK(is_writing_tool(tool));
  for (const char* tool : {"Read", "Bash", "Grep", "read_file", ""}) CHECK_FALSE(is_writing_tool(tool));
}

TEST_CASE("what was seen in a commit's second before HEAD was at it tells that the commit is later") {
  std::vector<WorkMoment> moments;
  for (const auto& [time, head] : std::vector<std::pair<std::int64_t, std::string>>{
           {900, "old"}, {1100, "old"}, {1400, "old"}, {1600, "new"}, {1800, "other"}, {2100, "old"}}) {
    WorkMoment& moment = moments.emplace_back();
    moment.time = {time};
    moment.head = head;
  }
  CHECK(seen_before_commit(moments, "new", {"old"}, {1000}) == base::Instant{1400});
  CHECK_FALSE(seen_before_commit(moments, "new", {"old"}, {5000}));
  CHECK_FALSE(seen_before_commit({moments[3]}, "new", {"old"}, {1000}));
  // The next commits were made in the same second, before anything was seen.
  CHECK_FALSE(seen_before_commit({moments[4]}, "new", {"old"}, {1000}));
  CHECK_FALSE(seen_before_commit(moments, "new", {}, {1000}));
  moments[2].imported = true;
  CHECK(seen_before_commit(moments, "new", {"old", "side"}, {1000}) == base::Instant{1100});
}

#include "session_rules/compatible_attribution.hpp"

#include <rapidcheck.h>

#include <catch2/catch.hpp>

using namespace plankeep::core;

namespace {

std::string lines(const std::string& name, int first, int last) {
  std::string text;
  for (int i = first; i <= last; ++i) text += name + std::to_string(i) + "\n";
  return text;
}

struct Commit {
  std::vector<TouchedFile> touched;
  std::vector<UntouchedFile> others;
  std::vector<PromptEdits> edits;

  CompatibleAttribution by(AttributionMetric metric) const {
    const auto result = compatible_attribution(touched, others, edits, metric);
    REQUIRE(result);
    return *result;
  }
  CompatibleAttribution added() const { return by(AttributionMetric::added_lines); }
  CompatibleAttribution changed() const { return by(AttributionMetric::changed_lines); }
};

}  // namespace

TEST_CASE("an agent and a person in one commit, to the last digit") {
  // The agent writes main.c (10 lines) and takes 2 lines out of a.txt; the person adds 3 lines to main.c
  // between prompts; the agent adds 5 more; the person replaces 2 lines of main.c and adds notes.md (4
  // lines).
  const std::string a_before = lines("a", 1, 6);
  const std::string a_after = lines("a", 1, 4);
  const std::string snapshot = lines("agent", 1, 10) + lines("person", 1, 3) + lines("agent", 11, 15);
  const std::string commit =
      lines("changed", 1, 2) + lines("agent", 3, 10) + lines("person", 1, 3) + lines("agent", 11, 15);
  const std::string notes = lines("note", 1, 4);
  const Commit example{{{"main.c", "", snapshot, commit}, {"a.txt", a_before, a_after, a_after}},
                       {{"notes.md", "", "", notes}},
                       {{2, {{"main.c", {3, 0}}}}}};
  const CompatibleAttribution first = example.added();
  CHECK(first.agent_lines == 15);
  CHECK(first.human_added == 7);
  CHECK(first.human_modified == 2);
  CHECK(first.human_removed == 0);
  CHECK(first.total_committed == 22);
  CHECK(first.agent_percentage == 68.18181818181817);
  const CompatibleAttribution second = example.changed();
  CHECK(second.agent_lines == 15);
  CHECK(second.agent_removed == 2);
  CHECK(second.total_changed == 26);
  CHECK(second.agent_percentage == 65.38461538461539);
}

TEST_CASE("no touched file is no number") {
  const std::string text = lines("x", 1, 3);
  for (const AttributionMetric metric : {AttributionMetric::added_lines, AttributionMetric::changed_lines})
    CHECK_FALSE(compatible_attribution({}, {{"notes.md", "", "", text}}, {}, metric));
}

TEST_CASE("an agent alone wrote all of it") {
  const std::string text = lines("x", 1, 10);
  const Commit alone{{{"a.c", "", text, text}}, {}, {}};
  CHECK(alone.added().agent_percentage == 100);
  CHECK(alone.added().total_committed == 10);
  CHECK(alone.changed().agent_percentage == 100);
}

TEST_CASE("a commit that only takes out says nothing of added lines, and all of changed ones") {
  const std::string text = lines("x", 1, 10);
  const Commit removal{{{"a.c", text, "", ""}}, {}, {}};
  CHECK(removal.added() == CompatibleAttribution{});
  CHECK(removal.changed().agent_removed == 10);
  CHECK(removal.changed().agent_percentage == 100);
}

TEST_CASE("lines that a person put back are not taken out by the agent") {
  const std::string text = lines("x", 1, 10);
  const std::string half = lines("x", 1, 5);
  const Commit restored{{{"a.c", text, half, text}}, {}, {}};
  CHECK(restored.changed().agent_removed == 0);
}

TEST_CASE("a commit of notes alone has none of what the agent wrote and did not commit") {
  const std::string text = lines("x", 1, 10);
  const std::string notes = lines("n", 1, 4);
  const Commit only{{{"a.c", "", text, ""}}, {{"notes.md", "", "", notes}}, {}};
  CHECK(only.added().agent_lines == 0);
  CHECK(only.added().agent_percentage == 0);
  CHECK(only.changed().agent_percentage == 0);
}

TEST_CASE("a file that the session did not touch is the person's") {
  const std::string text = lines("x", 1, 10);
  const std::string notes = lines("n", 1, 10);
  const Commit both{{{"a.c", "", text, text}}, {{"notes.md", "", "", notes}}, {}};
  CHECK(both.added().agent_percentage == 50);
  CHECK(both.changed().agent_percentage == 50);
  // What came in with other commits since the session began counts in the first metric only.
  const Commit merged{{{"a.c", "", text, text}}, {{"notes.md", "", notes, notes}}, {}};
  CHECK(merged.added().agent_percentage == 50);
  CHECK(merged.changed().agent_percentage == 100);
}

TEST_CASE("what was changed before the session began is nobody's in the second metric") {
  const std::string text = lines("x", 1, 10);
  const Commit dirty{{{"a.c", "", text, text}}, {}, {{1, {{"a.c", {4, 0}}}}}};
  CHECK(dirty.added().agent_lines == 6);
  CHECK(dirty.added().human_added == 4);
  CHECK(dirty.changed().agent_lines == 6);
  CHECK(dirty.changed().human_added == 0);
  CHECK(dirty.changed().agent_percentage == 100);
}

TEST_CASE(
    "edits of files that are not in the commit change nothing but what they removed in the first metric") {
  const std::string text = lines("x", 1, 10);
  const Commit plain{{{"a.c", "", text, text}}, {}, {}};
  const Commit with{{{"a.c", "", text, text}}, {}, {{2, {{"settings.json", {7, 0}}}}}};
  CHECK(with.added() == plain.added());
  CHECK(with.changed() == plain.changed());
  const Commit removed{{{"a.c", "", text, text}}, {}, {{2, {{"settings.json", {0, 7}}}}}};
  CHECK(removed.added().human_removed == 7);
  CHECK(removed.changed() == plain.changed());
}

TEST_CASE("a person who takes out first takes out what is theirs") {
  const std::string snapshot = lines("agent", 1, 10) + lines("person", 1, 4);
  const std::string commit = lines("agent", 1, 10) + lines("new", 1, 4);
  const Commit own{{{"a.c", "", snapshot, commit}}, {}, {{2, {{"a.c", {4, 0}}}}}};
  CHECK(own.added().human_modified == 4);
  CHECK(own.added().agent_lines == 10);
}

TEST_CASE("whatever stands in the files, the numbers stay in their bounds") {
  CHECK(rc::check([] {
    const auto text = [] {
      return *rc::gen::container<std::string>(rc::gen::element('a', 'b', 'c', '\n', '\n'));
    };
    std::vector<std::string> texts;
    for (int i = 0; i < 12; ++i) texts.push_back(text());
    Commit commit{{{"f", texts[0], texts[1], texts[2]}, {"g", texts[3], texts[4], texts[5]}},
                  {{"h", texts[6], texts[7], texts[8]}},
                  {}};
    for (const char* path : {"f", "g", "h", "elsewhere"})
      commit.edits.push_back(
          {*rc::gen::inRange(0, 4),
           {{path, {*rc::gen::inRange<std::int64_t>(0, 9), *rc::gen::inRange<std::int64_t>(0, 9)}}}});
    for (const AttributionMetric metric :
         {AttributionMetric::added_lines, AttributionMetric::changed_lines}) {
      const auto result = compatible_attribution(commit.touched, commit.others, commit.edits, metric);
      RC_ASSERT(result.has_value());
      RC_ASSERT(result->agent_percentage >= 0 && result->agent_percentage <= 100);
      for (const std::int64_t count :
           {result->agent_lines, result->agent_removed, result->human_added, result->human_modified,
            result->human_removed, result->total_committed, result->total_changed})
        RC_ASSERT(count >= 0);
    }
  }));
}

#include "commits/merge_attributes.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

using namespace plankeep::app;

namespace {

bool has(const std::vector<std::string>& lines, const std::string& line) {
  return std::find(lines.begin(), lines.end(), line) != lines.end();
}

}  // namespace

TEST_CASE("every known layout has a line, but not one that a file's name covers") {
  const std::vector<std::string> lines = merge_attribute_lines({});
  CHECK(lines.front() == "plan.md merge=plankeep");
  CHECK(has(lines, "specs/*/tasks.md merge=plankeep"));
  CHECK(has(lines, "plans/*.md merge=plankeep"));
  CHECK_FALSE(has(lines, "conductor/tracks/*/plan.md merge=plankeep"));
  CHECK_FALSE(has(lines, ".ralph/fix_plan.md merge=plankeep"));
}

TEST_CASE("a tracked plan has a line of its own where no layout covers it as git compares") {
  const std::size_t layouts = merge_attribute_lines({}).size();
  CHECK(merge_attribute_lines({"a/plan.md", "specs/1/tasks.md", "plans/x.md"}).size() == layouts);
  const auto lines = merge_attribute_lines({"a/Plan.md", "specs/1/2/tasks.md", "a/Plan.md"});
  CHECK(lines.size() == layouts + 2);
  CHECK(has(lines, "/a/Plan.md merge=plankeep"));
  CHECK(has(lines, "/specs/1/2/tasks.md merge=plankeep"));
}

TEST_CASE("a plan in capitals has a line, since git compares with letter case") {
  const std::vector<std::string> lines = merge_attribute_lines({});
  CHECK(has(lines, "PLAN.md merge=plankeep"));
  CHECK(merge_attribute_lines({"PLAN.md", "a/PLAN.md"}) == lines);
  CHECK(is_merge_attribute_line("PLAN.md merge=plankeep"));
}

TEST_CASE("a path is written so that it names this file alone") {
  CHECK(exact_attribute_pattern("#1.md") == "/#1.md");
  CHECK(exact_attribute_pattern("a b.md") == "\"/a b.md\"");
  CHECK(exact_attribute_pattern("a[1]*?.md") == "/a\\[1\\]\\*\\?.md");
  CHECK(exact_attribute_pattern("a [1].md") == "\"/a \\\\[1\\\\].md\"");
  CHECK(exact_attribute_pattern("a\n\"b\".md") == "\"/a\\012\\\"b\\\".md\"");
}

TEST_CASE("what is written is known again, what others wrote is not") {
  for (const std::string& line : merge_attribute_lines({"a b.md", "x/y.md", "q\".md"}))
    CHECK(is_merge_attribute_line(line));
  CHECK(is_merge_attribute_line("  plan.md merge=plankeep\r"));
  CHECK_FALSE(is_merge_attribute_line("*.md merge=plankeep"));
  CHECK_FALSE(is_merge_attribute_line("/a.md text merge=plankeep"));
  CHECK_FALSE(is_merge_attribute_line("#/a.md merge=plankeep"));
  CHECK_FALSE(is_merge_attribute_line("plan.md merge=union"));
  CHECK_FALSE(is_merge_attribute_line(""));
}

// What the halves of a conflict hold: what the sides have, with the ticks of both.

#include "merge/merge_halves.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <string>

#include "merge/changed_text.hpp"
#include "merge/merge_plan.hpp"

using namespace plankeep::markdown;

TEST_CASE("a conflict beside a task that one side took out has it in the half of the other") {
  const std::string base = "# P\n\n- [ ] Alpha one\n- [ ] Beta two\n- [ ] Gamma three\n";
  const std::string ours = with(base, "Alpha one\n- [ ] Beta two", "Alpha one and Beta two");
  const std::string theirs = with(base, "[ ] Alpha", "[x] Alpha");
  CHECK(merge_plans(base, ours, theirs).text ==
        "# P\n\n<<<<<<< ours\n- [ ] Alpha one and Beta two\n=======\n- [x] Alpha one\n- [ ] Beta two\n"
        ">>>>>>> theirs\n- [ ] Gamma three\n");
  const std::string second = with(base, "Alpha one\n- [ ] Beta two", "Beta two and Alpha one");
  CHECK(merge_plans(base, second, with(base, "[ ] Beta", "[x] Beta")).text ==
        "# P\n\n<<<<<<< ours\n- [ ] Beta two and Alpha one\n=======\n- [ ] Alpha one\n- [x] Beta two\n"
        ">>>>>>> theirs\n- [ ] Gamma three\n");
}

TEST_CASE("a task that one side moved is in both halves") {
  const std::string mails = "- [ ] Send the mails\n  - [ ] Commit\n  - [ ] Review\n";
  const std::string first = "# P\n\n## A\n\n- [ ] Alpha one\n  - [ ] Commit\n  - [ ] Review\n\n## B\n\n";
  const std::string base = first + mails + "- [ ] Gamma three\n";
  const std::string moved = with(first, "## A\n\n", "## A\n\n" + mails) + "- [ ] Gamma three\n";
  const std::string done = "- [x] Send the mails\n  - [x] Review\n";
  const std::string ours = with(base, mails, done);
  const MergedPlan merged = merge_plans(base, ours, moved);
  CHECK(merged.conflicts.size() == 2);
  CHECK(half_of(merged.text, '<') == ours);
  CHECK(half_of(merged.text, '>') == with(with(moved, "[ ] Send", "[x] Send"), "  - [ ] Review\n- [ ] Alpha",
                                          "  - [x] Review\n- [ ] Alpha"));
}

TEST_CASE("no half has a tick of the other side at other words") {
  const std::string base = "- [ ] T101 Lexer\n  - [ ] T102 Write tests\n";
  const std::string ours = "- [ ] T101 Billing\n  - [x] T102 Write tests\n";
  const std::string theirs =
      "- [ ] T101 Parser\n  - [ ] T102 Write tests\n- [ ] T103 Lexer\n  - [ ] T104 Write tests\n";
  const MergedPlan merged = merge_plans(base, ours, theirs);
  CHECK(half_of(merged.text, '<') == ours);
  CHECK(half_of(merged.text, '>') == theirs);
}

namespace {

// The lines that stand in no conflict.
std::string outside_of(const std::string& text) {
  std::string outside;
  bool inside = false;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
    const std::string line = text.substr(at, end - at);
    at = end;
    if (line.starts_with("<<<<<<<")) inside = true;
    if (!inside) outside += line;
    if (line.starts_with(">>>>>>>")) inside = false;
  }
  return outside;
}

}  // namespace

TEST_CASE("a tick that no side has for these words stands in a conflict") {
  const std::string base = "- [ ] Billing\n  - [ ] Write tests\n- [ ] Lexer\n  - [ ] Write tests\n";
  const std::string ours = with(base, "Billing", "New Billing");
  const std::string theirs = with(base, "[ ] Write", "[x] Write");
  const MergedPlan merged = merge_plans(base, ours, theirs);
  CHECK(merged.text ==
        "- [ ] New Billing\n<<<<<<< ours\n  - [ ] Write tests\n=======\n  - [x] Write tests\n>>>>>>> theirs\n"
        "- [ ] Lexer\n  - [ ] Write tests\n");
  REQUIRE(merged.conflicts.size() == 1);
  CHECK(merged.conflicts[0].line == 2);
  CHECK(merged.conflicts[0].message == "\"Write tests\" is ticked on neither side");
  CHECK(half_of(merge_plans(base, theirs, ours).text, '<') ==
        "- [ ] New Billing\n  - [x] Write tests\n- [ ] Lexer\n  - [ ] Write tests\n");
}

TEST_CASE("a tick below a task that both sides reworded stands in the conflict with it") {
  const std::string base =
      "- [ ] Lexer\n  - [ ] Write tests\n  - [ ] Commit\n- [ ] Parser\n  - [ ] Write tests\n";
  const std::string ours = with(with(base, "Lexer", "Old lexer"), "[ ] Write", "[x] Write");
  const std::string theirs = with(base, "Lexer", "New lexer");
  for (const bool mirrored : {false, true}) {
    const MergedPlan merged = mirrored ? merge_plans(base, theirs, ours) : merge_plans(base, ours, theirs);
    INFO(merged.text);
    CHECK_FALSE(merged.conflicts.empty());
    CHECK(outside_of(merged.text).find("[x]") == std::string::npos);
    CHECK(half_of(merged.text, mirrored ? '>' : '<') == ours);
    CHECK(half_of(merged.text, mirrored ? '<' : '>') == theirs);
  }
}

// What the halves of a conflict hold: what the sides have, with the ticks of both.

#include "merge/merge_halves.hpp"

#include <catch2/catch.hpp>

#include "merge/changed_text.hpp"
#include "merge/merge_plan.hpp"

using namespace plankeep::markdown;

namespace {}  // namespace

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

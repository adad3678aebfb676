#include "rules/structure_hash.hpp"

#include <catch2/catch.hpp>
#include <set>

using namespace plankeep::core;

namespace {

constexpr std::string_view kText = "# Plan\n- [ ] One\n- [ ] Two\n";

// The two boxes of a text whose lines are those of kText.
Plan boxes_of(std::string_view text) {
  Plan plan;
  plan.phases.push_back({PhaseId("p"), "P", 1, {}, {}});
  for (std::size_t at = text.find('['); at != std::string_view::npos; at = text.find('[', at + 1)) {
    Task& task = plan.phases[0].tasks.emplace_back();
    task.boxes.push_back({at + 1, text.find(']', at) - at - 1});
  }
  return plan;
}

std::string shape(std::string_view text) {
  return structure_hash(text, boxes_of(text));
}

}  // namespace

TEST_CASE("a tick, of whatever length, leaves the shape as it is") {
  const std::string whole = shape(kText);
  CHECK(whole.size() == 16);
  CHECK(shape("# Plan\n- [x] One\n- [ ] Two\n") == whole);
  CHECK(shape("# Plan\n- [x] One\n- [~] Two\n") == whole);
  CHECK(shape("# Plan\n- [ ] One\n- [✓] Two\n") == whole);
}

TEST_CASE("every other byte counts") {
  std::set<std::string> seen{shape(kText)};
  for (std::size_t i = 0; i < kText.size(); ++i) {
    if (i > 0 && kText[i - 1] == '[') continue;
    std::string text(kText);
    text[i] = text[i] == 'Q' ? 'q' : 'Q';
    CAPTURE(i);
    // The boxes are where they were.
    CHECK(seen.insert(structure_hash(text, boxes_of(kText))).second);
  }
  CHECK(seen.insert(shape("# Plan\n- [ ] One\n- [ ] Two")).second);
  CHECK(seen.insert(shape("")).second);
  CHECK(seen.insert(shape(std::string(7, '\0'))).second);
  CHECK(seen.insert(shape(std::string(8, '\0'))).second);
}

TEST_CASE("boxes in any order, twice or beyond the end do no harm") {
  Plan plan = boxes_of(kText);
  std::swap(plan.phases[0].tasks[0], plan.phases[0].tasks[1]);
  plan.phases[0].tasks[0].boxes.push_back(plan.phases[0].tasks[1].boxes[0]);
  CHECK(structure_hash(kText, plan) == shape(kText));
  plan.phases[0].tasks[0].boxes.push_back({1000, 1});
  CHECK(structure_hash(kText, plan) == shape(kText));
}

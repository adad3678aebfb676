#include "rules/matching/predecessor.hpp"

#include <catch2/catch.hpp>

using namespace plankeep;
using Indexes = std::vector<std::size_t>;
using Titles = std::vector<std::string>;

namespace {

core::Plan plan_with_titles(const Titles& titles) {
  core::Plan plan;
  core::Phase& phase = plan.phases.emplace_back();
  for (const std::string& title : titles) phase.tasks.emplace_back().title = title;
  return plan;
}

core::GonePlan gone_plan(const std::string& name, const Titles& titles, const std::string& checksum = "old") {
  core::GonePlan gone;
  gone.name = name;
  gone.state.checksum = checksum;
  core::PhaseState& phase = gone.state.phases.emplace_back();
  for (const std::string& title : titles) phase.tasks.emplace_back().title = title;
  return gone;
}

Indexes predecessors(const Titles& now, const std::vector<core::GonePlan>& gone) {
  return core::predecessors_of(plan_with_titles(now), "now", gone);
}

}  // namespace

TEST_CASE("a file was the plan whose boxes it has") {
  const auto road = gone_plan("road.md", {"a", "b", "c"});
  const auto shop = gone_plan("shop.md", {"x", "y", "z"});
  CHECK(predecessors({"a", "b", "c"}, {road, shop}) == Indexes{0});
  CHECK(predecessors({"z", "y", "new"}, {road, shop}) == Indexes{1});
  CHECK(predecessors({"a", "b", "c", "d", "e", "f"}, {road}) == Indexes{0});
  CHECK(predecessors({"c"}, {gone_plan("one.md", {"c"})}) == Indexes{0});
}

TEST_CASE("a file with less than half of the boxes in common is another plan") {
  const auto road = gone_plan("road.md", {"a", "b", "c"});
  CHECK(predecessors({"a", "x", "y"}, {road}).empty());
  CHECK(predecessors({"a"}, {road}).empty());
  CHECK(predecessors({"p", "q"}, {road}).empty());
  CHECK(predecessors({}, {road}).empty());
  CHECK(predecessors({"a"}, {gone_plan("empty.md", {})}).empty());
  CHECK(predecessors({"a"}, {}).empty());
}

TEST_CASE(
    "of several plans that are alike the one with more boxes in common was meant, else nobody can tell") {
  const auto road = gone_plan("road.md", {"a", "b", "c"});
  const auto copy = gone_plan("copy.md", {"a", "b", "c"});
  const auto part = gone_plan("part.md", {"a", "b"});
  CHECK(predecessors({"a", "b", "c"}, {part, road}) == Indexes{1});
  CHECK(predecessors({"a", "b", "c"}, {road, copy}) == Indexes{0, 1});
  CHECK(predecessors({"a", "b", "c"}, {road, gone_plan("same.md", {"a", "b", "c"}, "now")}) == Indexes{1});
}

TEST_CASE("a plan that is over was the file before only with its text or most of its ticks") {
  auto over = gone_plan("over.md", {"a", "b", "c"});
  over.state.archived_at = base::Instant{1};
  CHECK(predecessors({"a", "b", "c"}, {over}).empty());
  for (core::TaskState& task : over.state.phases[0].tasks) task.done = true;
  CHECK(predecessors({"a", "b", "c"}, {over}).empty());
  core::Plan plan = plan_with_titles({"a", "b", "c", "d"});
  for (std::size_t i = 0; i < 2; ++i) plan.phases[0].tasks[i].state = core::BoxState::done;
  CHECK(core::predecessors_of(plan, "now", {over}) == Indexes{0});
  CHECK(core::predecessors_of(plan, "now", {over, gone_plan("road.md", {"a", "b", "c"})}) == Indexes{1});
  CHECK(core::predecessors_of(plan, "now", {over, over}).empty());
  over.state.checksum = "now";
  CHECK(predecessors({"a", "b", "c"}, {over}) == Indexes{0});
}

#include "tracking/cache/next_extract.hpp"

#include <rapidcheck.h>

#include <catch2/catch.hpp>

#include "model/random_plan.hpp"
#include "render/progress/next.hpp"
#include "render/samples.hpp"

namespace plankeep::render {
namespace {

// Random plans know no `after`: here tasks come after others, after themselves and after nothing that is.
core::Plan with_dependencies(core::Plan plan) {
  for (core::Phase& phase : plan.phases) {
    for (core::Task& task : phase.tasks) {
      const int count = *rc::gen::inRange(0, 3);
      for (int i = 0; i < count; ++i)
        task.after.emplace_back(*rc::gen::element<std::string>("a", "b", "c", "d", "nowhere"));
    }
  }
  return plan;
}

StatusView named(StatusView view) {
  view.plan_id = "auth";
  view.path = "/home/kim/plan.md";
  view.file = "plan.md";
  return view;
}

std::string json_of(const StatusView& extract) {
  base::JsonWriter out(base::JsonWriter::Layout::compact);
  app::write_next_extract(out, extract);
  return out.finish();
}

base::Result<StatusView> read_back(const std::string& text) {
  StatusView view;
  base::JsonReader in(text);
  TRY(app::read_next_extract(in, view));
  TRY(in.end());
  return view;
}

}  // namespace

TEST_CASE(
    "What `next` says of the extract is what it says of the whole plan, also when it was written down") {
  CHECK(rc::check("the extract is enough", [] {
    const core::Plan plan = with_dependencies(*rc::gen::arbitrary<bool>() ? core::random_marked_plan()
                                                                          : core::random_unmarked_plan());
    const StatusView whole = named(view_of(plan));
    auto kept = read_back(json_of(app::extract_for_next(plan)));
    RC_ASSERT(kept.has_value());
    const StatusView extract = named(std::move(*kept));
    RC_ASSERT(next_json(extract) == next_json(whole));
    RC_ASSERT(next_text(extract, Style{}) == next_text(whole, Style{}));
    RC_ASSERT(extract.warnings == whole.warnings);
  }));
}

TEST_CASE("The samples, with criteria, steps, blockers and diagnostics, are said the same") {
  for (const core::Plan& plan : {sample_plan(), chinese_plan(), large_plan(500), core::Plan{}}) {
    const StatusView whole = named(view_of(plan));
    auto kept = read_back(json_of(app::extract_for_next(plan)));
    REQUIRE(kept.has_value());
    const StatusView extract = named(std::move(*kept));
    CHECK(next_json(extract) == next_json(whole));
    CHECK(extract.warnings == whole.warnings);
  }
}

TEST_CASE("The extract of a plan in which nothing waits has one task, however many there are") {
  core::Plan plan;
  plan.phases.emplace_back().id = core::PhaseId("p");
  for (int i = 0; i < 3000; ++i) {
    const std::string id = "t" + std::to_string(i);
    plan.phases[0].tasks.push_back(task(id, "Task " + id, core::BoxState::open, i + 1));
  }
  const StatusView extract = app::extract_for_next(plan);
  REQUIRE(extract.phases.size() == 1);
  CHECK(extract.phases[0].tasks.size() == 1);
  CHECK(extract.phases[0].total == 3000);
}

TEST_CASE("An extract that leads nowhere is refused") {
  const std::string good = json_of(app::extract_for_next(sample_plan()));
  REQUIRE(read_back(good).has_value());
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string text = good;
    const std::size_t at = text.find(from);
    REQUIRE(at != std::string::npos);
    return text.replace(at, from.size(), to);
  };
  CHECK_FALSE(read_back(with("\"currentPhase\":0", "\"currentPhase\":7")).has_value());
  CHECK_FALSE(read_back(with("\"currentTask\":", "\"currentTask\":9")).has_value());
  CHECK_FALSE(read_back(with("\"currentPhase\":0,", "")).has_value());
  CHECK_FALSE(read_back(with("\"total\":", "\"total\":-")).has_value());
  CHECK_FALSE(read_back(with("\"state\":\"", "\"state\":\"un")).has_value());
  CHECK_FALSE(read_back(with("\"phases\":[", "\"phases\":[5,")).has_value());
  CHECK_FALSE(read_back(good.substr(0, good.size() / 2)).has_value());
}

}  // namespace plankeep::render

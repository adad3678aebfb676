#include "tracking/cache/packed_records.hpp"

#include <catch2/catch.hpp>

#include "base/enum_names.hpp"
#include "model/random_plan.hpp"
#include "model/random_state.hpp"

using namespace plankeep;
using app::pack;
using app::PackedRecords;
using app::unpack;

namespace {

// What random_plan leaves as it is.
core::Plan full_plan() {
  core::Plan plan = core::random_plan();
  plan.title = test::hostile_text();
  plan.skipped = *rc::gen::inRange<std::int64_t>(0, 1000);
  plan.skipped_boxes = {{test::hostile_text(), core::TaskId("a"), {}}, {"", {}, core::CriterionId("c")}};
  plan.has_markers = *rc::gen::arbitrary<bool>();
  plan.diagnostics.push_back(
      {7, 3, core::DiagnosticCode::unproven_criterion, test::hostile_text(), test::hostile_text()});
  for (core::Phase& phase : plan.phases) {
    phase.line = *rc::gen::arbitrary<std::int64_t>();
    for (core::Task& task : phase.tasks) {
      task.boxes = {{*rc::gen::arbitrary<std::size_t>(), 3}, {}};
      task.section = {"", test::hostile_text()};
      task.after = {core::TaskId("a"), core::TaskId(test::hostile_text())};
    }
    for (core::Criterion& criterion : phase.acceptance) {
      criterion.verify = test::hostile_text();
      criterion.boxes = {{1, 1}};
      criterion.parent = core::TaskId("a");
      criterion.section = {"part"};
    }
  }
  return plan;
}

}  // namespace

TEST_CASE("what is packed is unpacked as it was") {
  CHECK(rc::check("unpack(pack(records)) is the records", [] {
    const PackedRecords records{full_plan(), core::random_state()};
    const auto again = unpack(pack(records.plan, records.state));
    RC_ASSERT(again.has_value());
    RC_ASSERT(*again == records);
  }));
}

TEST_CASE("every enumerator is packed, and no other value is unpacked") {
  core::Plan plan;
  plan.phases.push_back({core::PhaseId("p"), "", 1, {core::Task()}, {}});
  const auto with = [&plan](std::size_t state) {
    plan.phases[0].tasks[0].state = static_cast<core::BoxState>(state);
    return unpack(pack(plan, {}));
  };
  const std::size_t states = base::enumerator_count<core::BoxState>();
  for (std::size_t state = 0; state < states; ++state) CHECK(with(state)->plan == plan);
  CHECK_FALSE(with(states).has_value());
  plan = {};
  for (const core::DiagnosticRule& rule : core::diagnostic_rules()) {
    plan.diagnostics = {{1, 1, rule.code, "", ""}};
    CHECK(unpack(pack(plan, {}))->plan == plan);
  }
  plan.diagnostics[0].code = static_cast<core::DiagnosticCode>(core::diagnostic_rules().size());
  CHECK_FALSE(unpack(pack(plan, {})).has_value());
}

TEST_CASE("what does not hold together is refused, whatever it is") {
  CHECK(rc::check("cut, lengthened and changed records", [] {
    const std::string whole = pack(full_plan(), core::random_state());
    const auto at = *rc::gen::inRange<std::size_t>(0, whole.size());
    RC_ASSERT_FALSE(unpack(whole.substr(0, at)).has_value());
    RC_ASSERT_FALSE(unpack(whole + "x").has_value());
    std::string changed = whole;
    changed[at] = *rc::gen::arbitrary<char>();
    // Another plan perhaps, and then a sound one.
    if (const auto read = unpack(changed)) RC_ASSERT(unpack(pack(read->plan, read->state)) == *read);
  }));
  CHECK_FALSE(unpack("").has_value());
  CHECK_FALSE(unpack(std::string(10, '\xff')).has_value());
  CHECK_FALSE(unpack(std::string(1 << 20, '\xff')).has_value());
}

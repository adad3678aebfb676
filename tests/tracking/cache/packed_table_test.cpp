#include "tracking/cache/packed_table.hpp"

#include <catch2/catch.hpp>

#include "model/random_plan.hpp"
#include "model/random_state.hpp"

using namespace plankeep;
using app::pack_table;
using app::unpack_table;

namespace {

core::TaskTable table_of(const core::Plan& plan, const core::State& state) {
  core::ViewInput input;
  input.plan = &plan;
  input.state = &state;
  return core::make_table(core::make_view(input), plan);
}

core::TaskTable random_table(const core::State& state) {
  core::Plan plan = core::random_plan();
  plan.title = test::hostile_text();
  for (core::Phase& phase : plan.phases) {
    for (core::Task& task : phase.tasks) {
      task.section = {"", test::hostile_text()};
      task.id_in_text = *rc::gen::arbitrary<bool>();
    }
    for (core::Criterion& criterion : phase.acceptance) criterion.section = {"part"};
  }
  plan.decisions.push_back({test::hostile_text(), test::hostile_text(), 7});
  plan.blockers.push_back({test::hostile_text(), 9});
  return table_of(plan, state);
}

}  // namespace

TEST_CASE("a packed table is unpacked as it was, with the state but for its phases") {
  CHECK(rc::check("unpack_table(pack_table(table)) is the table", [] {
    const core::State state = core::random_state();
    const core::TaskTable table = random_table(state);
    const std::string packed = pack_table(table, state);
    const auto again = unpack_table(packed);
    RC_ASSERT(again.has_value());
    core::State expected = state;
    expected.phases.clear();
    RC_ASSERT(again->state == expected);
    RC_ASSERT(pack_table(again->table, state) == packed);
    RC_ASSERT(again->table.phases.size() == table.phases.size());
    for (std::size_t p = 0; p < table.phases.size(); ++p) {
      RC_ASSERT(again->table.phases[p].tasks.bytes() == table.phases[p].tasks.bytes());
      RC_ASSERT(again->table.phases[p].acceptance.bytes() == table.phases[p].acceptance.bytes());
    }
    RC_ASSERT(again->table.note == table.note);
    RC_ASSERT(again->table.progress == table.progress);
  }));
}

TEST_CASE("bytes that are no table are refused") {
  CHECK(rc::check("cut, lengthened and changed tables", [] {
    const core::State state = core::random_state();
    const std::string whole = pack_table(random_table(state), state);
    const auto at = *rc::gen::inRange<std::size_t>(0, whole.size());
    RC_ASSERT_FALSE(unpack_table(whole.substr(0, at)).has_value());
    RC_ASSERT_FALSE(unpack_table(whole + "x").has_value());
    std::string changed = whole;
    changed[at] = *rc::gen::arbitrary<char>();
    // Another table perhaps, and then a sound one.
    if (const auto read = unpack_table(changed)) {
      const std::string packed = pack_table(read->table, read->state);
      const auto again = unpack_table(packed);
      RC_ASSERT(again.has_value());
      RC_ASSERT(pack_table(again->table, again->state) == packed);
    }
  }));
}

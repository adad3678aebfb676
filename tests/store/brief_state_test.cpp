#include "store/brief_state.hpp"

#include <catch2/catch.hpp>

#include "model/json/state_json.hpp"
#include "model/random_state.hpp"
#include "store/paths.hpp"
#include "support/desk.hpp"

using namespace plankeep;

namespace {

constexpr std::uint64_t kLarge = store::kSmallState + 1;

// Every field that is meant to be missing, and no other.
void leave_out_tasks(core::State& state) {
  state.phases.clear();
  state.current_task.reset();
  state.blockers.clear();
  state.decisions.clear();
  state.session_notes.reset();
  state.note_is_automatic = false;
  state.removed.clear();
  state.lint_errors.clear();
  state.unknown.clear();
}

}  // namespace

TEST_CASE("a brief says everything that its state says but the tasks and the texts") {
  CHECK(rc::check("read_brief after write_brief", [] {
    test::Desk desk;
    desk.put(std::string(store::kState), "{}");
    core::State state = core::random_state();
    state.history_offset = 0;
    state.history_offset_known = true;
    // As the file keeps it: some times are not written of what has not happened.
    state = core::decode_state(core::encode_state(state)).value();
    store::write_brief(*desk.folder, state, kLarge);
    const auto brief = store::read_brief(*desk.folder);
    RC_ASSERT(brief.has_value());
    leave_out_tasks(state);
    RC_ASSERT(*brief == core::decode_state(core::encode_state(state)).value());
  }));
}

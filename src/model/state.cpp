#include "model/state.hpp"

namespace plankeep::core {
namespace {

struct Anything {
  template <class T>
  operator T() const;
};

// Only the fields of a part are checked by structured bindings, so a fifth part would be forgotten silently.
template <class Whole>
concept has_four_parts = requires {
  Whole{FromPlan(), FromHistory(), Bookkeeping(), Stamp()};
}
&&!requires {
  Whole{FromPlan(), FromHistory(), Bookkeeping(), Stamp(), Anything()};
};
static_assert(
    has_four_parts<State>,
    "list the new part in store/brief_state, tracking/cache/packed_records and rules/rebuild_history");

}  // namespace

std::string_view name_of(AgentStatus status) {
  switch (status) {
    case AgentStatus::running:
      return "running";
    case AgentStatus::stopped:
      return "stopped";
    case AgentStatus::lost:
      return "lost";
  }
  return "running";
}

std::string_view name_of(StateSource source) {
  switch (source) {
    case StateSource::state:
      return "state";
    case StateSource::recovery:
      return "recovery";
    case StateSource::history:
      return "history";
    case StateSource::none:
      return "none";
  }
  return "none";
}

void take_back_times(PhaseState& phase) {
  if (phase.status != PhaseStatus::completed) phase.completed_at.reset();
  if (phase.status == PhaseStatus::pending) phase.started_at.reset();
}

}  // namespace plankeep::core

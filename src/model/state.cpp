#include "model/state.hpp"

namespace plankeep::core {

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

}  // namespace plankeep::core

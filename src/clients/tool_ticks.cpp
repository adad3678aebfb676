#include "clients/tool_ticks.hpp"

#include <iterator>
#include <utility>

#include "clients/dialect.hpp"

namespace plankeep::clients {
namespace {

using base::JsonReader;
using base::JsonType;
using base::Status;

// "mcp__plankeep__complete_task", "mcp__plugin_plankeep_plankeep__complete_task": what a server is called is
// the user's choice, our name is in it by default.
bool is_complete_task(std::string_view tool) {
  return tool.starts_with("mcp__") && tool.ends_with("__complete_task") &&
         tool.find("plankeep") != std::string_view::npos;
}

struct TickCall {
  std::string tool;
  std::string action;
  std::string actor;
  std::vector<std::string> ids;
};

Status read_input(JsonReader& in, TickCall& call) {
  return object_or_skip(in, [&](std::string_view key) -> Status {
    if (key == "action") return text_or_skip(in, call.action);
    if (key == "actor") return text_or_skip(in, call.actor);
    if (key != "ids" || in.peek() != JsonType::array) return in.skip();
    return in.array([&]() -> Status { return text_or_skip(in, call.ids.emplace_back()); });
  });
}

Status read_calls(JsonReader& in, std::vector<std::string>& ids) {
  if (in.peek() != JsonType::array) return in.skip();
  return in.array([&]() -> Status {
    TickCall call;
    TRY(object_or_skip(in, [&](std::string_view key) -> Status {
      if (key == "tool_name") return text_or_skip(in, call.tool);
      if (key == "tool_input") return read_input(in, call);
      return in.skip();
    }));
    const bool ticks = (call.action.empty() || call.action == "done") && call.actor.empty();
    if (is_complete_task(call.tool) && ticks)
      ids.insert(ids.end(), std::make_move_iterator(call.ids.begin()),
                 std::make_move_iterator(call.ids.end()));
    return {};
  });
}

}  // namespace

base::Result<Reading> read_tool_ticks(std::string_view text, std::vector<std::string>& ids) {
  return read_tolerant(text, [&](std::string_view json) -> base::Result<Reading> {
    JsonReader in(json);
    std::vector<std::string> found;
    Status status = in.object([&](std::string_view key) -> Status {
      return key == "tool_calls" ? read_calls(in, found) : in.skip();
    });
    TRY_ASSIGN(const Reading reading, whole_or_truncated(in, json, std::move(status)));
    if (reading == Reading::complete) ids = std::move(found);
    return reading;
  });
}

}  // namespace plankeep::clients

#include "clients/own_calls.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "base/text.hpp"
#include "clients/dialect.hpp"

namespace plankeep::clients {
namespace {

using base::JsonReader;
using base::JsonType;
using base::Status;

constexpr std::size_t kAnswer = 16 << 10;  // bytes of an answer that are looked at

// "mcp__plankeep__complete_task", "mcp__plugin_plankeep_plankeep__complete_task": what a server is called is
// the user's choice, our name is in it by default.
bool is_own(std::string_view tool, std::string_view name) {
  return tool.starts_with("mcp__") && tool.ends_with(name) && tool.find("plankeep") != std::string_view::npos;
}

struct Call {
  std::string tool;
  std::string action;
  std::string actor;
  std::string id;
  std::string plan;
  bool release = false;
  std::vector<std::string> ids;
  std::string_view answer{};  // JSON
};

Status read_input(JsonReader& in, Call& call) {
  return object_or_skip(in, [&](std::string_view key) -> Status {
    if (key == "action") return text_or_skip(in, call.action);
    if (key == "actor") return text_or_skip(in, call.actor);
    if (key == "id") return text_or_skip(in, call.id);
    if (key == "plan") return text_or_skip(in, call.plan);
    if (key == "release" && in.peek() == JsonType::boolean) return in.boolean(call.release);
    if (key != "ids" || in.peek() != JsonType::array) return in.skip();
    return in.array([&]() -> Status { return text_or_skip(in, call.ids.emplace_back()); });
  });
}

// The number that follows the first "fence" in the text; 0 if none does.
std::int64_t fence_in(std::string_view text) {
  constexpr std::string_view kName = "fence";
  const std::size_t name = text.find(kName);
  if (name == std::string_view::npos) return 0;
  const std::size_t at = name + kName.size();
  const std::size_t first = std::min(text.find_first_not_of("\\\": ", at), text.size());
  std::int64_t fence = 0;
  const auto read = std::from_chars(text.data() + first, text.data() + text.size(), fence);
  return first > at && read.ec == std::errc{} && fence > 0 ? fence : 0;
}

// The fence of the claim that this answer grants. The answer is JSON: an object, an object as a string, or
// the text for people, whose first line ends with the fence. A title cannot pass for the fence: in the text
// it comes after that line, and in JSON its quotes are escaped once more.
std::int64_t fence_of(std::string_view answer) {
  answer = answer.substr(0, kAnswer);
  const bool object = answer.starts_with('{');
  const std::string_view key = object ? R"("lease":)" : R"(\"lease\":)";
  for (std::size_t at = answer.find(key); at != std::string_view::npos; at = answer.find(key, at + 1)) {
    if (answer[at - 1] == '\\') continue;
    const std::string_view lease = base::trimmed(answer.substr(at + key.size()));
    return lease.starts_with('{') ? fence_in(lease) : 0;
  }
  const std::string_view line = answer.substr(0, answer.find(R"(\n)"));
  return object || line.find(R"(\")") != std::string_view::npos ? 0 : fence_in(line);
}

// The calls that named this plan.
core::OwnCalls& calls_of(std::vector<core::OwnCalls>& calls, const std::string& plan) {
  const auto known = std::find_if(calls.begin(), calls.end(),
                                  [&plan](const core::OwnCalls& one) { return one.plan == plan; });
  if (known != calls.end()) return *known;
  core::OwnCalls& fresh = calls.emplace_back();
  fresh.plan = plan;
  return fresh;
}

void add_call(Call call, std::vector<core::OwnCalls>& all) {
  if (!call.actor.empty()) return;
  const bool ticks = is_own(call.tool, "__complete_task");
  if (!ticks && !is_own(call.tool, "__claim_task")) return;
  core::OwnCalls& calls = calls_of(all, call.plan);
  if (ticks && (call.action.empty() || call.action == "done")) {
    calls.ticked.insert(calls.ticked.end(), std::make_move_iterator(call.ids.begin()),
                        std::make_move_iterator(call.ids.end()));
  }
  if (!ticks && !call.release) {
    const std::int64_t fence = fence_of(call.answer);
    if (!call.id.empty() || fence > 0) calls.claims.push_back({std::move(call.id), fence});
  }
}

Status read_calls(JsonReader& in, std::vector<core::OwnCalls>& calls) {
  if (in.peek() != JsonType::array) return in.skip();
  return in.array([&]() -> Status {
    Call call;
    TRY(object_or_skip(in, [&](std::string_view key) -> Status {
      if (key == "tool_name") return text_or_skip(in, call.tool);
      if (key == "tool_input") return read_input(in, call);
      return key == "tool_response" ? in.raw(call.answer) : in.skip();
    }));
    add_call(std::move(call), calls);
    return {};
  });
}

}  // namespace

base::Result<Reading> read_own_calls(std::string_view text, std::vector<core::OwnCalls>& calls) {
  return read_tolerant(text, [&](std::string_view json) -> base::Result<Reading> {
    JsonReader in(json);
    std::vector<core::OwnCalls> found;
    Status status = in.object([&](std::string_view key) -> Status {
      return key == "tool_calls" ? read_calls(in, found) : in.skip();
    });
    TRY_ASSIGN(const Reading reading, whole_or_truncated(in, json, std::move(status)));
    std::erase_if(found, [](const core::OwnCalls& one) { return one.empty(); });
    if (reading == Reading::complete) calls = std::move(found);
    return reading;
  });
}

}  // namespace plankeep::clients

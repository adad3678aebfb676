#include "model/json/removed_json.hpp"

#include <string_view>

#include "model/json/json_fields.hpp"

namespace plankeep::core {

void write_removed(base::JsonWriter& out, const RemovedTask& removed) {
  out.begin_object();
  out.key("taskId").value(removed.task.text);
  if (!removed.phase.empty()) out.key("phaseId").value(removed.phase.text);
  if (!removed.title.empty()) out.key("title").value(removed.title);
  out.key("completedAt").value(base::to_iso8601(removed.completed_at));
  if (!removed.completed_by.empty()) out.key("completedBy").value(removed.completed_by);
  out.key("removedAt").value(base::to_iso8601(removed.removed_at));
  out.end_object();
}

base::Status read_removed(base::JsonReader& in, RemovedTask& removed) {
  bool named = false;
  bool completed = false;
  bool gone = false;
  TRY(in.object([&](std::string_view key) -> base::Status {
    if (key == "phaseId") return in.string(removed.phase.text);
    if (key == "title") return in.string(removed.title);
    if (key == "completedBy") return in.string(removed.completed_by);
    if (key == "taskId") {
      named = true;
      return in.string(removed.task.text);
    }
    if (key == "completedAt") {
      completed = true;
      return read_time(in, removed.completed_at);
    }
    if (key == "removedAt") {
      gone = true;
      return read_time(in, removed.removed_at);
    }
    return in.skip();
  }));
  if (!named || !completed || !gone) return in.error("a taskId, a completedAt and a removedAt");
  return {};
}

}  // namespace plankeep::core

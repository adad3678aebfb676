#include "project/plan_list.hpp"

#include <algorithm>
#include <cstdint>

#include "base/json_reader.hpp"
#include "base/json_writer.hpp"
#include "project/known_layouts.hpp"

namespace plankeep::app {
namespace {

using base::ErrorKind;
using base::Result;
using base::Status;

// A path below the project's root, as we write it.
bool is_path_below(std::string_view path) {
  if (path.empty() || path.front() == '/' || path.find('\0') != std::string_view::npos) return false;
  const std::vector<std::string_view> parts = path_parts(path);
  return std::none_of(parts.begin(), parts.end(),
                      [](std::string_view part) { return part == "." || part == ".."; });
}

Status read_path(base::JsonReader& in, std::string& path) {
  TRY(in.string(path));
  return is_path_below(path) ? Status{} : in.error("a path below the project");
}

Status read_time(base::JsonReader& in, std::optional<base::Instant>& time) {
  std::string text;
  TRY(in.string(text));
  time = base::parse_iso8601(text);
  return time ? Status{} : in.error("a time");
}

Status read_plan_entry(base::JsonReader& in, KnownPlan& plan) {
  TRY(in.object([&](std::string_view key) -> Status {
    if (key == "path") return read_path(in, plan.path);
    if (key == "archived") return in.boolean(plan.archived);
    if (key == "touched") return in.boolean(plan.touched);
    if (key == "complete") return read_time(in, plan.complete);
    if (key == "found") return read_time(in, plan.found);
    if (key == "mtimeNs" || key == "size") {
      if (!plan.stamp) plan.stamp.emplace();
      return key == "size" ? in.integer(plan.stamp->size) : in.integer(plan.stamp->mtime_ns);
    }
    return in.skip();
  }));
  return plan.path.empty() ? in.error("a \"path\"") : Status{};
}

Status read_session_entry(base::JsonReader& in, KnownSession& session) {
  TRY(in.object([&](std::string_view key) -> Status {
    if (key == "id") return in.string(session.id);
    if (key == "process") return in.string(session.process);
    if (key == "plan") return read_path(in, session.plan);
    return in.skip();
  }));
  return session.plan.empty() || session.id.empty() ? in.error("\"id\" and \"plan\"") : Status{};
}

}  // namespace

Result<PlanList> decode_plan_list(std::string_view json) {
  PlanList list;
  base::JsonReader in(json);
  std::int64_t version = 0;
  TRY(in.object([&](std::string_view key) -> Status {
    if (key == "version") return in.integer(version);
    if (key == "project") return in.string(list.project);
    if (key == "plans") {
      return in.array([&]() -> Status {
        if (list.plans.size() == kMostKnownPlans) return in.error("fewer plans");
        return read_plan_entry(in, list.plans.emplace_back());
      });
    }
    if (key == "begun") return read_path(in, list.begun);
    if (key == "untracked") {
      return in.array([&]() -> Status {
        if (list.untracked.size() == kMostUntracked) return in.error("fewer files");
        return read_path(in, list.untracked.emplace_back());
      });
    }
    if (key == "sessions") {
      return in.array([&]() -> Status {
        if (list.sessions.size() == kMostKnownSessions) return in.error("fewer sessions");
        return read_session_entry(in, list.sessions.emplace_back());
      });
    }
    return in.skip();
  }));
  TRY(in.end());
  if (version != 1) return base::fail(ErrorKind::corrupt, "a list of plans of another version");
  const auto by_path = [](const KnownPlan& a, const KnownPlan& b) { return a.path < b.path; };
  std::sort(list.plans.begin(), list.plans.end(), by_path);
  return list;
}

std::string encode_plan_list(const PlanList& list) {
  base::JsonWriter out(base::JsonWriter::Layout::indented);
  out.begin_object();
  out.key("version").value(1);
  out.key("project").value(list.project);
  out.key("plans").begin_array();
  for (const KnownPlan& plan : list.plans) {
    out.begin_object();
    out.key("path").value(plan.path);
    if (plan.complete) out.key("complete").value(base::to_iso8601(*plan.complete));
    if (plan.archived) out.key("archived").value(true);
    if (plan.stamp) out.key("mtimeNs").value(plan.stamp->mtime_ns).key("size").value(plan.stamp->size);
    if (plan.found) out.key("found").value(base::to_iso8601(*plan.found));
    if (plan.touched) out.key("touched").value(true);
    out.end_object();
  }
  out.end_array();
  if (!list.begun.empty()) out.key("begun").value(list.begun);
  if (!list.untracked.empty()) {
    out.key("untracked").begin_array();
    for (const std::string& path : list.untracked) out.value(path);
    out.end_array();
  }
  out.key("sessions").begin_array();
  for (const KnownSession& session : list.sessions) {
    out.begin_object();
    out.key("id").value(session.id);
    if (!session.process.empty()) out.key("process").value(session.process);
    out.key("plan").value(session.plan);
    out.end_object();
  }
  out.end_array();
  out.end_object();
  return out.finish();
}

}  // namespace plankeep::app

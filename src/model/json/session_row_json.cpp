#include "model/json/session_row_json.hpp"

#include <cmath>

#include "base/json_reader.hpp"
#include "base/json_writer.hpp"

namespace plankeep::core {
namespace {

using base::JsonReader;
using base::JsonWriter;
using base::Result;
using base::Status;

constexpr double kMillionths = 1e6;

Status read_listed_session(JsonReader& in, ListedSession& session) {
  return in.object([&](std::string_view key) -> Status {
    if (key == "slot") return in.integer(session.slot);
    if (key == "session") return in.string(session.session_id);
    if (key == "agent") return in.string(session.agent);
    if (key == "model") return in.string(session.model);
    return in.skip();
  });
}

Status read_row_field(JsonReader& in, std::string_view key, SessionRow& row) {
  if (key == "id") return in.string(row.id);
  if (key == "layout") {
    std::string name;
    TRY(in.string(name));
    row.layout = name == name_of(SessionLayout::refs) ? SessionLayout::refs : SessionLayout::branch;
    return {};
  }
  if (key == "source") return in.string(row.source);
  if (key == "object") return in.string(row.object);
  if (key == "created") return in.integer(row.created.emplace().milliseconds);
  if (key == "branch") return in.string(row.branch);
  if (key == "version") return in.string(row.cli_version);
  if (key == "strategy") return in.string(row.strategy);
  if (key == "count") return in.integer(row.checkpoints_count);
  if (key == "slots") return in.integer(row.slots);
  if (key == "sessions")
    return in.array([&]() -> Status { return read_listed_session(in, row.sessions.emplace_back()); });
  if (key == "files") return in.strings(row.files);
  if (key == "agentMillionths") {
    std::int64_t millionths = 0;
    TRY(in.integer(millionths));
    row.agent_percentage = static_cast<double>(millionths) / kMillionths;
    return {};
  }
  if (key == "tokens") return in.integer(row.tokens.emplace());
  if (key == "plan") return in.string(row.plan_id);
  if (key == "phase") return in.string(row.phase_id);
  if (key == "phaseTitle") return in.string(row.phase_title);
  if (key == "tasks") return in.strings(row.tasks_done);
  if (key == "problems") return in.strings(row.problems);
  return in.skip();
}

}  // namespace

std::string_view name_of(SessionLayout layout) {
  return layout == SessionLayout::refs ? "refs" : "branch";
}

std::string encode_session_row(const SessionRow& row) {
  JsonWriter out(JsonWriter::Layout::compact);
  out.begin_object();
  out.key("id").value(row.id);
  out.key("layout").value(name_of(row.layout));
  out.key("source").value(row.source);
  out.key("object").value(row.object);
  if (row.created) out.key("created").value(row.created->milliseconds);
  out.key("branch").value(row.branch);
  out.key("version").value(row.cli_version);
  out.key("strategy").value(row.strategy);
  out.key("count").value(row.checkpoints_count);
  out.key("slots").value(row.slots);
  out.key("sessions").begin_array();
  for (const ListedSession& session : row.sessions) {
    out.begin_object();
    out.key("slot").value(session.slot);
    out.key("session").value(session.session_id);
    out.key("agent").value(session.agent);
    out.key("model").value(session.model);
    out.end_object();
  }
  out.end_array();
  out.key("files").strings(row.files);
  if (row.agent_percentage)
    out.key("agentMillionths")
        .value(static_cast<std::int64_t>(std::llround(*row.agent_percentage * kMillionths)));
  if (row.tokens) out.key("tokens").value(*row.tokens);
  out.key("plan").value(row.plan_id);
  out.key("phase").value(row.phase_id);
  out.key("phaseTitle").value(row.phase_title);
  out.key("tasks").strings(row.tasks_done);
  out.key("problems").strings(row.problems);
  out.end_object();
  return out.finish();
}

Result<SessionRow> decode_session_row(std::string_view text) {
  SessionRow row;
  JsonReader in(text);
  TRY(in.object([&](std::string_view key) -> Status { return read_row_field(in, key, row); }));
  TRY(in.end());
  return row;
}

}  // namespace plankeep::core

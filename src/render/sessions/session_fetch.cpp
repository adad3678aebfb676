#include "render/sessions/session_fetch.hpp"

#include "base/json_writer.hpp"
#include "base/text.hpp"
#include "render/json_parts.hpp"

namespace plankeep::render {

std::string session_fetched_text(const app::SessionFetched& fetched) {
  std::vector<std::string> parts;
  if (!fetched.fetched.empty())
    parts.push_back(counted(fetched.fetched.size(), "session checkpoint", "session checkpoints"));
  if (fetched.branch) parts.emplace_back("the branch entire/checkpoints/v1");
  if (fetched.files > 0) parts.push_back(counted(fetched.files, "file", "files") + " of it");
  const std::string remote = "remote " + safe_line(fetched.remote);
  if (parts.empty()) return "nothing new at " + remote + "\n";
  return "fetched from " + remote + ": " + base::joined(parts) + "\n";
}

std::string session_fetched_json(const app::SessionFetched& fetched) {
  base::JsonWriter out(base::JsonWriter::Layout::indented);
  out.begin_object();
  out.key("kind").value("fetch");
  out.key("remote").value(fetched.remote);
  out.key("url").value(fetched.url);
  write_strings(out, "fetched", fetched.fetched);
  out.key("branch").value(fetched.branch);
  out.key("files").value(fetched.files);
  write_strings(out, "warnings", fetched.warnings);
  out.end_object();
  return out.finish();
}

std::string remote_sessions_text(const app::RemoteSessions& there, base::Instant now, const Style& style) {
  constexpr std::size_t kIdColumns = 26;
  constexpr std::size_t kSinceColumns = 12;
  std::string text;
  for (const app::RemoteSession& one : there.checkpoints) {
    std::string line = pad_right(safe_line(one.id), kIdColumns) + "  " +
                       pad_right(one.time ? base::ago(*one.time, now) : "time unknown", kSinceColumns) +
                       "  " + (one.is_here ? "here" : "not fetched");
    text += line + "\n";
  }
  const std::string remote = "remote " + safe_line(there.remote);
  if (there.has_branch) {
    text += paint(style, Paint::dim,
                  there.branch_is_here ? "The branch entire/checkpoints/v1 of " + remote + " is here."
                                       : "The branch entire/checkpoints/v1 of " + remote +
                                             " has not been fetched in its current version.") +
            "\n";
  } else if (there.checkpoints.empty()) {
    text += remote + " has no session checkpoints\n";
  }
  return text;
}

std::string remote_sessions_json(const app::RemoteSessions& there) {
  base::JsonWriter out(base::JsonWriter::Layout::indented);
  out.begin_object();
  out.key("kind").value("remote");
  out.key("remote").value(there.remote);
  out.key("url").value(there.url);
  out.key("checkpoints").begin_array();
  for (const app::RemoteSession& one : there.checkpoints) {
    out.begin_object();
    out.key("id").value(one.id);
    if (one.time) out.key("created_at").value(base::to_iso8601(*one.time));
    out.key("commit").value(one.object);
    out.key("here").value(one.is_here);
    out.end_object();
  }
  out.end_array();
  out.key("branch").value(there.has_branch);
  out.key("branch_here").value(there.branch_is_here);
  out.end_object();
  return out.finish();
}

}  // namespace plankeep::render

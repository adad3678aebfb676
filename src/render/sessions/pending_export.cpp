#include "render/sessions/pending_export.hpp"

#include <vector>

#include "base/json_writer.hpp"
#include "base/text.hpp"
#include "clients/agent_name.hpp"
#include "render/json_parts.hpp"
#include "render/sessions/redaction.hpp"

namespace plankeep::render {
namespace {

// As JSON says it.
std::string_view status_of(const app::PendingExport& done, const app::PendingExport::Snapshot& snapshot) {
  if (done.dry_run) return "would_write";
  return snapshot.commit.empty() ? "unchanged" : "written";
}

std::string what_happened(const app::PendingExport& done, const app::PendingExport::Snapshot& snapshot) {
  if (done.dry_run) return "would be written";
  return snapshot.commit.empty() ? "nothing new" : "written as " + short_commit(snapshot.commit);
}

std::string session_words(const std::string& session, const std::string& client) {
  return "session " + safe_line(session) + " (" + safe_line(clients::agent_name(client)) + ")";
}

std::string lines_of(const app::PendingExport& done, const app::PendingExport::Snapshot& one,
                     const Style& style) {
  std::vector<std::string> facts{"files of " + one.checkpoint,
                                 base::counted(one.prompts, "prompt", "prompts")};
  const std::string& why = one.transcript_left_out;
  facts.push_back(one.has_transcript ? "transcript"
                                     : "no transcript" + (why.empty() ? "" : " (" + safe_line(why) + ")"));
  std::string text = paint(style, Paint::strong, one.branch) + " " + safe_line(one.subject) + "\n  " +
                     session_words(one.session, one.client) + ": " + what_happened(done, one) + "\n    " +
                     base::joined(facts) + "\n";
  if (const std::string redacted = redacted_words(one.redacted); !redacted.empty())
    text += "    " + redacted + "\n";
  return text;
}

}  // namespace

std::string pending_export_text(const app::PendingExport& done, const Style& style) {
  std::string text;
  for (const app::PendingExport::Snapshot& one : done.snapshots) text += lines_of(done, one, style);
  for (const app::PendingExport::LeftOut& one : done.left_out)
    text += session_words(one.session, one.client) + ": left out, " + safe_line(one.reason) + "\n";
  return text.empty() ? "no session is running\n" : text;
}

std::string pending_export_json(const app::PlanLocation& plan, const app::PendingExport& done) {
  base::JsonWriter out(base::JsonWriter::Layout::indented);
  out.begin_object();
  write_plan_reference(out, plan);
  out.key("dry_run").value(done.dry_run);
  out.key("commits_looked_at").value(0);
  out.key("commits").begin_array();
  out.end_array();
  out.key("pending").begin_array();
  for (const app::PendingExport::Snapshot& one : done.snapshots) {
    out.begin_object();
    out.key("session_id").value(one.session);
    out.key("client").value(one.client);
    out.key("status").value(status_of(done, one));
    out.key("branch").value(one.branch);
    out.key("checkpoint").value(one.checkpoint);
    write_optional(out, "commit", one.commit);
    out.key("subject").value(one.subject);
    out.key("prompts").value(one.prompts);
    out.key("transcript").value(one.has_transcript);
    write_optional(out, "transcript_left_out", one.transcript_left_out);
    write_redacted(out, one.redacted);
    out.end_object();
  }
  for (const app::PendingExport::LeftOut& one : done.left_out) {
    out.begin_object();
    out.key("session_id").value(one.session);
    out.key("client").value(one.client);
    out.key("status").value("left_out");
    out.key("reason").value(one.reason);
    out.end_object();
  }
  out.end_array();
  write_strings(out, "put_back", {});
  write_strings(out, "warnings", done.warnings);
  out.end_object();
  return out.finish();
}

}  // namespace plankeep::render

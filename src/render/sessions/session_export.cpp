#include "render/sessions/session_export.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/json_writer.hpp"
#include "base/text.hpp"
#include "clients/agent_name.hpp"
#include "render/json_parts.hpp"
#include "render/sessions/put_back.hpp"
#include "render/sessions/redaction.hpp"

namespace plankeep::render {
namespace {

constexpr double kTenths = 10;

// "written", "unchanged", "would_write": as JSON says it.
std::string_view status_of(const app::SessionExport& done, const app::ExportedSession& session) {
  if (done.dry_run) return "would_write";
  return session.is_new ? "written" : "unchanged";
}

std::string_view status_words(std::string_view status) {
  if (status == "would_write") return "would be written";
  return status == "unchanged" ? "already there" : status;
}

std::string line_of(const app::SessionExport& done, const app::ExportedSession& session) {
  std::vector<std::string> facts;
  facts.push_back(base::counted(session.prompts, "prompt", "prompts"));
  facts.push_back(base::counted(session.files.size(), "file", "files"));
  if (session.has_transcript) {
    facts.emplace_back("transcript");
  } else {
    facts.push_back("no transcript" + (session.transcript_left_out.empty()
                                           ? ""
                                           : " (" + safe_line(session.transcript_left_out) + ")"));
  }
  if (session.agent_percentage) {
    facts.push_back("agent " + percent(std::llround(*session.agent_percentage * kTenths)) + " %");
  } else {
    facts.push_back("agent's share unknown (" + safe_line(session.no_attribution) + ")");
  }
  std::string text =
      "  session " + safe_line(session.session) + " (" + safe_line(clients::agent_name(session.client)) +
      "): " + std::string(status_words(status_of(done, session))) + "\n    " + base::joined(facts) + "\n";
  if (const std::string redacted = redacted_words(session.redacted); !redacted.empty())
    text += "    " + redacted + "\n";
  return text;
}

std::string line_of(const app::LeftOutSession& session) {
  return "  session " + safe_line(session.session) + " (" + safe_line(clients::agent_name(session.client)) +
         "): left out, " + safe_line(session.reason) + "\n";
}

std::string summary_of(const app::SessionExport& done) {
  if (done.commits == 0) return "no commits to export\n";
  if (done.exported.empty())
    return done.commits == 1
               ? "no session wrote a file of this commit\n"
               : "no session wrote a file of these " + std::to_string(done.commits) + " commits\n";
  const auto written =
      std::count_if(done.sessions.begin(), done.sessions.end(),
                    [&](const app::ExportedSession& one) { return one.is_new || done.dry_run; });
  const std::ptrdiff_t unchanged = std::ssize(done.sessions) - written;
  std::vector<std::string> parts;
  if (written > 0 || done.sessions.empty())
    parts.push_back(base::counted(written, "session", "sessions") +
                    (done.dry_run ? " would be written" : " written"));
  if (unchanged > 0) parts.push_back(std::to_string(unchanged) + " already there");
  if (!done.left_out.empty()) parts.push_back(std::to_string(done.left_out.size()) + " left out");
  std::string text = base::counted(done.commits, "commit", "commits") + ": " + base::joined(parts);
  if (const std::size_t without = done.commits - done.exported.size(); without > 0)
    text += "; " + base::counted(without, "commit", "commits") + " without a session";
  return text + "\n";
}

void write_session(base::JsonWriter& out, const app::SessionExport& done,
                   const app::ExportedSession& session) {
  out.begin_object();
  out.key("session_id").value(session.session);
  out.key("client").value(session.client);
  out.key("status").value(status_of(done, session));
  write_strings(out, "files_touched", session.files);
  out.key("prompts").value(session.prompts);
  out.key("transcript").value(session.has_transcript);
  write_optional(out, "transcript_left_out", session.transcript_left_out);
  if (session.agent_percentage)
    out.key("agent_percentage").tenths(std::llround(*session.agent_percentage * kTenths));
  write_optional(out, "attribution_unknown", session.no_attribution);
  write_redacted(out, session.redacted);
  out.end_object();
}

void write_session(base::JsonWriter& out, const app::LeftOutSession& session) {
  out.begin_object();
  out.key("session_id").value(session.session);
  out.key("client").value(session.client);
  out.key("status").value("left_out");
  out.key("reason").value(session.reason);
  out.end_object();
}

}  // namespace

std::string session_export_text(const app::SessionExport& done, const Style& style) {
  std::string text;
  for (const app::ExportedCommit& commit : done.exported) {
    text += paint(style, Paint::strong, "Commit " + short_commit(commit.commit)) + " " +
            safe_line(commit.subject) + "\n  session checkpoint " + commit.checkpoint + " (" +
            std::string(core::name_of(commit.layout)) + ")\n";
    if (commit.lines) {
      text += "  lines: agent " + std::to_string(commit.lines->agent) + ", person " +
              std::to_string(commit.lines->person) + ", unknown " + std::to_string(commit.lines->unknown) +
              "\n";
    } else {
      text += "  lines not counted: " + safe_line(commit.no_lines) + "\n";
    }
    for (const app::ExportedSession& session : done.sessions)
      if (session.commit == commit.commit) text += line_of(done, session);
    for (const app::LeftOutSession& session : done.left_out)
      if (session.commit == commit.commit) text += line_of(session);
  }
  return text + put_back_text(done.put_back) + summary_of(done);
}

std::string session_export_json(const app::PlanLocation& plan, const app::SessionExport& done) {
  base::JsonWriter out(base::JsonWriter::Layout::indented);
  out.begin_object();
  write_plan_reference(out, plan);
  out.key("dry_run").value(done.dry_run);
  out.key("commits_looked_at").value(done.commits);
  out.key("commits").begin_array();
  for (const app::ExportedCommit& commit : done.exported) {
    out.begin_object();
    out.key("sha").value(commit.commit);
    out.key("subject").value(commit.subject);
    out.key("checkpoint").value(commit.checkpoint);
    out.key("layout").value(core::name_of(commit.layout));
    if (commit.lines) {
      out.key("lines").begin_object();
      out.key("agent").value(commit.lines->agent);
      out.key("person").value(commit.lines->person);
      out.key("unknown").value(commit.lines->unknown);
      out.end_object();
    }
    write_optional(out, "lines_unknown", commit.no_lines);
    out.key("sessions").begin_array();
    for (const app::ExportedSession& session : done.sessions)
      if (session.commit == commit.commit) write_session(out, done, session);
    for (const app::LeftOutSession& session : done.left_out)
      if (session.commit == commit.commit) write_session(out, session);
    out.end_array();
    out.end_object();
  }
  out.end_array();
  write_strings(out, "put_back", done.put_back);
  write_strings(out, "warnings", done.warnings);
  out.end_object();
  return out.finish();
}

}  // namespace plankeep::render

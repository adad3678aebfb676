#include <algorithm>
#include <cmath>

#include "base/json_writer.hpp"
#include "base/utf8.hpp"
#include "render/json_parts.hpp"
#include "render/sessions/session.hpp"

namespace plankeep::render {
namespace {

void write_percentage(base::JsonWriter& out, const std::optional<double>& percentage) {
  constexpr double kTenthsOfPercent = 10;
  if (percentage) out.key("agent_percentage").tenths(std::llround(*percentage * kTenthsOfPercent));
}

void write_number(base::JsonWriter& out, std::string_view name, const std::optional<std::int64_t>& number) {
  if (number) out.key(name).value(*number);
}

void write_commits(base::JsonWriter& out, const std::vector<core::SessionLink>& links) {
  out.key("commits").begin_array();
  for (const core::SessionLink& link : links) {
    out.begin_object();
    out.key("sha").value(link.commit);
    out.key("mentioned").value(link.mentioned);
    out.end_object();
  }
  out.end_array();
}

void write_place(base::JsonWriter& out, std::string_view id, core::SessionLayout layout,
                 std::string_view ref) {
  out.key("id").value(id);
  out.key("layout").value(core::name_of(layout));
  out.key("ref").value(ref);
}

void write_row(base::JsonWriter& out, const app::SessionListItem& item) {
  const core::SessionRow& row = item.row;
  out.begin_object();
  write_place(out, row.id, row.layout, row.source);
  if (row.created) out.key("created_at").value(base::to_iso8601(*row.created));
  write_optional(out, "branch", row.branch);
  write_optional(out, "cli_version", row.cli_version);
  out.key("strategy").value(row.strategy);
  out.key("checkpoints_count").value(row.checkpoints_count);
  write_strings(out, "files_touched", row.files);
  write_percentage(out, row.agent_percentage);
  write_number(out, "tokens", row.tokens);
  write_commits(out, item.links);
  out.key("session_count").value(row.slots);
  out.key("sessions").begin_array();
  for (const core::ListedSession& session : row.sessions) {
    out.begin_object();
    out.key("slot").value(session.slot);
    out.key("session_id").value(session.session_id);
    write_optional(out, "agent", session.agent);
    write_optional(out, "model", session.model);
    out.end_object();
  }
  out.end_array();
  if (!row.plan_id.empty()) {
    out.key("plan").begin_object();
    out.key("plan_id").value(row.plan_id);
    write_optional(out, "phase_id", row.phase_id);
    write_optional(out, "phase_title", row.phase_title);
    write_strings(out, "tasks_done", row.tasks_done);
    out.end_object();
  }
  write_strings(out, "problems", row.problems);
  out.end_object();
}

void write_usage(base::JsonWriter& out, const core::TokenUsage& usage) {
  out.key("token_usage").begin_object();
  write_number(out, "input_tokens", usage.input);
  write_number(out, "cache_creation_tokens", usage.cache_creation);
  write_number(out, "cache_read_tokens", usage.cache_read);
  write_number(out, "output_tokens", usage.output);
  write_number(out, "api_call_count", usage.api_calls);
  out.end_object();
}

void write_attribution(base::JsonWriter& out, std::string_view name, const core::LineAttribution& lines) {
  out.key(name).begin_object();
  write_number(out, "agent_lines", lines.agent_lines);
  write_number(out, "agent_removed", lines.agent_removed);
  write_number(out, "human_added", lines.human_added);
  write_number(out, "human_modified", lines.human_modified);
  write_number(out, "human_removed", lines.human_removed);
  write_number(out, "total_committed", lines.total_committed);
  write_number(out, "total_lines_changed", lines.total_changed);
  write_percentage(out, core::percentage_of(lines));
  write_number(out, "metric_version", lines.metric);
  out.end_object();
}

// The first of them, each cut: what a model is told of a stranger's texts.
core::Strings brief_of(const core::Strings& texts, std::size_t most) {
  constexpr std::size_t kLongest = 500;
  core::Strings some;
  for (std::size_t i = 0; i < std::min(texts.size(), most); ++i)
    some.push_back(base::fit_to_bytes(base::printable(texts[i], true), kLongest));
  return some;
}
constexpr std::size_t kBriefPrompts = 5;
constexpr std::size_t kBriefFiles = 100;

void write_session(base::JsonWriter& out, const sessions::StoredSession& session, bool brief) {
  out.begin_object();
  out.key("slot").value(session.slot);
  if (session.metadata) {
    const core::SessionMetadata& data = *session.metadata;
    out.key("session_id").value(data.session_id);
    out.key("created_at").value(data.created_at);
    write_optional(out, "agent", data.agent.value_or(""));
    write_optional(out, "model", data.model.value_or(""));
    write_optional(out, "branch", data.branch.value_or(""));
    write_optional(out, "turn_id", data.turn_id.value_or(""));
    out.key("strategy").value(data.strategy);
    write_number(out, "checkpoints_count", data.checkpoints_count);
    const core::Strings files = data.files_touched.value_or(core::Strings());
    write_strings(out, "files_touched", brief ? brief_of(files, kBriefFiles) : files);
    if (data.token_usage) write_usage(out, *data.token_usage);
    if (data.initial_attribution) write_attribution(out, "attribution", *data.initial_attribution);
    if (data.summary) {
      out.key("summary").begin_object();
      out.key("intent").value(data.summary->intent);
      out.key("outcome").value(data.summary->outcome);
      out.end_object();
    }
  }
  write_strings(out, "prompts", brief ? brief_of(session.prompts, kBriefPrompts) : session.prompts);
  if (!session.transcript.empty()) {
    out.key("transcript").begin_object();
    out.key("bytes").value(static_cast<std::size_t>(session.transcript_bytes));
    out.key("parts").value(session.transcript.size());
    out.key("first_line").value(session.metadata ? core::first_line_of(*session.metadata) : 0);
    write_optional(out, "content_hash", session.content_hash);
    out.end_object();
  }
  write_strings(out, "unknown_files", session.unknown);
  out.end_object();
}

}  // namespace

std::string session_list_json(const app::SessionList& list) {
  base::JsonWriter out(base::JsonWriter::Layout::indented);
  out.begin_object();
  out.key("kind").value("list");
  out.key("checkpoints").begin_array();
  for (const app::SessionListItem& item : list.items) write_row(out, item);
  out.end_array();
  write_strings(out, "warnings", list.warnings);
  out.end_object();
  return out.finish();
}

std::string pending_sessions_json(const app::PendingSessions& pending) {
  base::JsonWriter out(base::JsonWriter::Layout::indented);
  out.begin_object();
  out.key("kind").value("pending");
  out.key("branches").begin_array();
  for (const app::PendingBranch& branch : pending.branches) {
    const sessions::ShadowSession& one = branch.tip;
    out.begin_object();
    out.key("branch").value(one.branch);
    out.key("base_commit").value(one.parts.commit);
    write_optional(out, "work_tree", one.parts.work_tree);
    out.key("tip").value(one.tip);
    if (one.time) out.key("time").value(base::to_iso8601(*one.time));
    write_optional(out, "session_id", one.session_id);
    out.key("subject").value(one.subject);
    out.key("snapshots").begin_array();
    for (const sessions::ShadowSnapshot& snapshot : branch.history.snapshots) {
      out.begin_object();
      out.key("commit").value(snapshot.commit);
      if (snapshot.time) out.key("time").value(base::to_iso8601(*snapshot.time));
      out.key("session_id").value(snapshot.session_id);
      out.key("subject").value(snapshot.subject);
      write_optional(out, "tool_use_id", snapshot.task);
      out.end_object();
    }
    out.end_array();
    out.key("more").value(!branch.history.whole);
    out.end_object();
  }
  out.end_array();
  out.key("running").begin_array();
  for (const app::SeenSession& session : pending.running) {
    out.begin_object();
    out.key("session_id").value(session.id);
    write_optional(out, "client", session.client);
    out.key("plan_id").value(session.plan_id);
    out.key("started_at").value(base::to_iso8601(session.started_at));
    out.key("last_active").value(base::to_iso8601(session.last_active));
    out.end_object();
  }
  out.end_array();
  out.end_object();
  return out.finish();
}

std::string session_json(const app::SessionView& view, bool brief) {
  const sessions::StoredCheckpoint& checkpoint = view.checkpoint;
  base::JsonWriter out(base::JsonWriter::Layout::indented);
  out.begin_object();
  out.key("kind").value("checkpoint");
  out.key("checkpoint").begin_object();
  write_place(out, checkpoint.found.id, checkpoint.found.layout, checkpoint.found.source);
  if (checkpoint.root) {
    const core::SessionRoot& root = *checkpoint.root;
    write_optional(out, "cli_version", root.cli_version.value_or(""));
    out.key("strategy").value(root.strategy);
    write_optional(out, "branch", root.branch.value_or(""));
    out.key("checkpoints_count").value(root.checkpoints_count);
    const core::Strings files = root.files_touched.value_or(core::Strings());
    write_strings(out, "files_touched", brief ? brief_of(files, kBriefFiles) : files);
    if (root.token_usage) write_usage(out, *root.token_usage);
    if (root.combined_attribution) write_attribution(out, "attribution", *root.combined_attribution);
  }
  if (!view.author.name.empty()) {
    out.key("author").begin_object();
    out.key("name").value(view.author.name);
    out.key("email").value(view.author.email);
    out.end_object();
  }
  if (view.signature) {
    out.key("signature").begin_object();
    out.key("verdict").value(sessions::name_of(view.signature->verdict));
    write_optional(out, "signer", view.signature->signer);
    write_optional(out, "key", view.signature->key);
    out.end_object();
  }
  write_commits(out, view.links);
  if (checkpoint.plan) {
    const core::PlanLink& plan = *checkpoint.plan;
    out.key("plan").begin_object();
    out.key("plan_id").value(plan.plan_id);
    write_optional(out, "phase_id", plan.phase_id.value_or(""));
    write_optional(out, "phase_title", plan.phase_title.value_or(""));
    write_strings(out, "tasks_done", plan.tasks_done.value_or(core::Strings()));
    write_strings(out, "criteria_met", plan.criteria_met.value_or(core::Strings()));
    write_optional(out, "tier", plan.tier.value_or(""));
    if (plan.lines) {
      out.key("lines").begin_object();
      out.key("agent").value(plan.lines->agent);
      out.key("person").value(plan.lines->person);
      out.key("unknown").value(plan.lines->unknown);
      out.end_object();
    }
    write_optional(out, "transcript_left_out", plan.transcript_left_out.value_or(""));
    out.end_object();
  }
  out.key("sessions").begin_array();
  for (const sessions::StoredSession& session : checkpoint.sessions) write_session(out, session, brief);
  out.end_array();
  write_strings(out, "unknown_files", checkpoint.unknown);
  write_strings(out, "problems", view.problems());
  out.end_object();
  out.end_object();
  return out.finish();
}

std::string session_check_json(const app::SessionCheck& check) {
  base::JsonWriter out(base::JsonWriter::Layout::indented);
  out.begin_object();
  out.key("kind").value("check");
  out.key("checkpoints").value(check.checkpoints);
  out.key("sessions").value(check.sessions);
  out.key("transcripts_read").value(check.transcripts);
  out.key("transcript_bytes").value(static_cast<std::size_t>(check.transcript_bytes));
  out.key("findings_count").value(check.all_findings);
  out.key("findings").begin_array();
  for (const app::SessionFinding& finding : check.findings) {
    out.begin_object();
    write_optional(out, "checkpoint", finding.id);
    out.key("text").value(finding.text);
    out.end_object();
  }
  out.end_array();
  out.end_object();
  return out.finish();
}

}  // namespace plankeep::render

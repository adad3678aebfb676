#include "render/sessions/why.hpp"

#include <algorithm>

#include "base/json_writer.hpp"
#include "base/text.hpp"
#include "base/utf8.hpp"
#include "model/item_key.hpp"
#include "render/json_parts.hpp"

namespace plankeep::render {
namespace {

using app::WhyCommit;
using app::WhyLink;
using app::WhyProof;
using app::WhyReport;
using app::WhySession;

constexpr std::size_t kShownPrompts = 3;
constexpr std::size_t kPromptLines = 6;
constexpr std::size_t kWidest = 100;

std::size_t columns_of(const Style& style) {
  return std::clamp(style.columns, kNarrowest, kWidest);
}

// A prompt as it was typed, as far as a few lines go.
std::string prompt_lines(std::string_view prompt, std::string_view indent, const Style& style) {
  std::string text;
  std::string safe = base::printable(prompt, true);
  std::string_view rest = base::trimmed(safe);
  const std::size_t columns = columns_of(style) - indent.size() - 2;
  std::size_t left = kPromptLines;
  while (!rest.empty() && left > 0) {
    const std::size_t end = rest.find('\n');
    const std::string line = safe_line(rest.substr(0, end));
    rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
    if (line.empty()) continue;
    for (const std::string& part : wrap(line, columns, left)) {
      text += std::string(indent) + paint(style, Paint::strong, "> " + part) + "\n";
      if (--left == 0) break;
    }
  }
  if (left == 0 && !base::trimmed(rest).empty()) text += std::string(indent) + "> …\n";
  return text;
}

// "Claude Code (m-1)", "a subagent of Claude Code (m-1)"
std::string who_of(const WhySession& session) {
  std::string who = session.client.empty() ? "An unknown client" : safe_line(session.client);
  if (!session.model.empty()) who += " (" + safe_line(session.model) + ")";
  return session.subagent ? "A subagent of " + who : who;
}

std::string checkpoint_words(const WhySession& session) {
  std::string text;
  if (!session.session.empty()) text = "session " + safe_line(session.session);
  if (!session.checkpoint.empty())
    base::append_listed(text, "session checkpoint " + safe_line(session.checkpoint) +
                                  (session.mentioned ? " (only mentioned in the message)" : ""));
  return text;
}

// `what` may have been written by a tool call, which was looked for; empty: none was looked for.
std::string session_block(const WhySession& session, std::string_view what, std::string_view indent,
                          base::Instant now, const Style& style) {
  const std::string start(indent);
  if (!session.missing.empty())
    return start + "session checkpoint " + safe_line(session.checkpoint) + ": " + safe_line(session.missing) +
           "\n";
  std::string text;
  const std::size_t shown = std::min(session.prompts.size(), kShownPrompts);
  for (std::size_t i = session.prompts.size() - shown; i < session.prompts.size(); ++i)
    text += prompt_lines(session.prompts[i].text, indent, style);
  if (session.proof == WhyProof::tool_call) {
    const bool known = session.prompts.size() == 1;
    text += start + who_of(session) + " wrote " + std::string(what) + " with " + safe_line(session.tool) +
            (known ? " for this prompt" : "; which prompt it was for is not known");
    if (known && session.prompts.front().time) text += ", " + base::ago(*session.prompts.front().time, now);
    text += ".\n";
  } else if (session.prompts.empty()) {
    text += start + who_of(session) + " worked on it; the record holds no prompt.\n";
  } else {
    text += start + who_of(session) + ": " +
            (session.all_prompts == 1      ? "the session's only prompt"
             : session.all_prompts > shown ? "the last " + std::to_string(shown) + " of the session's " +
                                                 std::to_string(session.all_prompts) + " prompts"
                                           : "the session's prompts") +
            (what.empty() ? "" : "; no tool call is known to have written " + std::string(what)) + ".\n";
  }
  return text + start + paint(style, Paint::dim, checkpoint_words(session)) + "\n";
}

std::string commit_line(const WhyCommit& commit, base::Instant now) {
  if (commit.lines.commit.empty()) return "not committed yet";
  return "commit " + short_commit(commit.lines.commit) + "  " + safe_line(commit.lines.author) + ", " +
         base::ago(commit.lines.time, now) + ": " + safe_line(commit.lines.subject);
}

std::string plan_line(const WhyCommit& commit) {
  if (!commit.plan) return {};
  std::string text = "plan " + safe_line(commit.plan->plan_id);
  const std::string phase = commit.plan->phase_title.value_or(commit.plan->phase_id.value_or(""));
  if (!phase.empty()) text += ", phase " + safe_line(phase);
  constexpr std::size_t kTasks = 5;
  if (commit.plan->tasks_done && !commit.plan->tasks_done->empty())
    text += "; tasks done: " + base::first_joined(*commit.plan->tasks_done, kTasks,
                                                  [](const std::string& id) { return safe_line(id); });
  return text + "\n";
}

std::string without_session(const WhyCommit& commit) {
  if (commit.history_ends) return "This shallow clone ends here. Older commits: git fetch --unshallow\n";
  return commit.lines.commit.empty()
             ? "No session known to plankeep wrote it.\n"
             : "The commit has no session checkpoint: a person made it, or nothing was recorded.\n";
}

std::string more_line(const WhyCommit& commit, const Style& style) {
  for (const WhySession& session : commit.sessions) {
    if (session.checkpoint.empty() || !session.missing.empty()) continue;
    return paint(style, Paint::dim, "More: plankeep session show " + safe_line(session.checkpoint)) + "\n";
  }
  return {};
}

std::string line_text(const WhyReport& report, base::Instant now, const Style& style) {
  const std::size_t columns = columns_of(style);
  std::string text = paint(style, Paint::strong, safe_line(place(report.path, report.line)));
  const std::string line = safe_line(report.text);
  if (!line.empty()) text += "  " + base::fit_to_width(line, columns);
  text += "\n\n";
  for (const WhyCommit& commit : report.commits) {
    for (const WhySession& session : commit.sessions)
      text += session_block(session, "the line", {}, now, style) + "\n";
    if (commit.sessions.empty()) text += without_session(commit) + "\n";
    text += commit_line(commit, now) + "\n" + plan_line(commit) + more_line(commit, style);
  }
  return text;
}

std::string_view words_of(WhyLink link) {
  switch (link) {
    case WhyLink::plan_link:
      return "its session checkpoint says that it did the task";
    case WhyLink::box:
      return "it changed the task's line last";
    case WhyLink::phase:
      return "the first recorded commit of the phase since then";
    case WhyLink::last_change:
      return "the last commit that changed the file";
    case WhyLink::line:
      break;
  }
  return {};
}

std::string file_text(const WhyReport& report, base::Instant now, const Style& style) {
  std::string text = paint(style, Paint::strong, safe_line(report.path));
  text += report.binary ? "  binary file\n"
                        : "  lines from " + counted(report.all_commits, "commit", "commits") + "\n";
  for (const WhyCommit& commit : report.commits) {
    text += "\n" + (report.binary ? std::string() : counted(commit.lines.count, "line", "lines") + ", ") +
            commit_line(commit, now) + "\n";
    for (const WhySession& session : commit.sessions) text += session_block(session, {}, "  ", now, style);
    if (commit.sessions.empty() && !commit.lines.commit.empty()) text += "  " + without_session(commit);
    if (const std::string plan = plan_line(commit); !plan.empty()) text += "  " + plan;
  }
  if (report.all_commits > report.commits.size())
    text +=
        "\nand " + counted(report.all_commits - report.commits.size(), "more commit", "more commits") + "\n";
  if (!report.binary) text += paint(style, Paint::dim, "One line: plankeep session why FILE:LINE") + "\n";
  return text;
}

std::string task_heading(const app::TaskReport& task, base::Instant now, const Style& style) {
  const core::TaskRow* const row = task.task();
  const core::CriterionRow* const criterion = task.criterion_row();
  const std::string& id = row != nullptr ? row->id.text : criterion->id.text;
  const std::string& title = row != nullptr ? row->title : criterion->title;
  std::string text = paint(style, Paint::strong, safe_line(id));
  if (const std::string words = safe_line(core::title_beside_id(title, id)); !words.empty())
    text += "  " + words;
  text += "\nphase " + safe_line(core::title_or_id(task.phase_row()));
  if (criterion != nullptr) {
    text += criterion->met ? ", met" : ", not met yet";
  } else if (row->state != core::BoxState::done) {
    text += ", not done yet";
  } else {
    text += ", done";
    if (!row->completed_by.empty()) text += " by " + safe_line(row->completed_by);
    if (row->completed_at) text += ", " + base::ago(*row->completed_at, now);
  }
  return text + "\n";
}

std::string task_text(const WhyReport& report, base::Instant now, const Style& style) {
  std::string text = task_heading(*report.task, now, style);
  const core::TaskRow* const row = report.task->task();
  const bool done = row != nullptr ? row->state == core::BoxState::done : report.task->criterion_row()->met;
  if (report.commits.empty() && done) text += "\nNo commit or session is known to have done it.\n";
  for (const WhyCommit& commit : report.commits) {
    text += "\n";
    for (const WhySession& session : commit.sessions)
      text += session_block(session, "its box", {}, now, style);
    if (commit.sessions.empty() && !commit.lines.commit.empty()) text += without_session(commit);
    text += commit_line(commit, now) + "\n";
    if (!commit.lines.commit.empty() && !commit.history_ends)
      text += "  (" + std::string(words_of(commit.link)) + ")\n";
    text += plan_line(commit) + more_line(commit, style);
  }
  if (report.all_commits > report.commits.size())
    text +=
        "\nand " + counted(report.all_commits - report.commits.size(), "more commit", "more commits") + "\n";
  return text;
}

void write_session(base::JsonWriter& out, const WhySession& session) {
  out.begin_object();
  write_optional(out, "checkpoint", session.checkpoint);
  write_optional(out, "session_id", session.session);
  write_optional(out, "agent", session.client);
  write_optional(out, "model", session.model);
  out.key("mentioned").value(session.mentioned);
  if (session.missing.empty()) {
    out.key("proof").value(app::name_of(session.proof));
    write_optional(out, "tool", session.tool);
    if (session.subagent) out.key("subagent").value(true);
  } else {
    out.key("missing").value(session.missing);
  }
  out.key("prompts").begin_array();
  for (const app::WhyPrompt& prompt : session.prompts) {
    out.begin_object();
    out.key("text").value(prompt.text);
    if (prompt.time) out.key("time").value(base::to_iso8601(*prompt.time));
    out.end_object();
  }
  out.end_array();
  out.key("prompts_count").value(session.all_prompts);
  out.end_object();
}

void write_commit(base::JsonWriter& out, const WhyCommit& commit) {
  out.begin_object();
  if (!commit.lines.commit.empty()) {
    out.key("sha").value(commit.lines.commit);
    out.key("author").value(commit.lines.author);
    out.key("time").value(base::to_iso8601(commit.lines.time));
    out.key("subject").value(commit.lines.subject);
  }
  out.key("link").value(app::name_of(commit.link));
  if (commit.history_ends) out.key("history_ends").value(true);
  write_optional(out, "path", commit.lines.path);
  write_line(out, commit.lines.line);
  if (commit.lines.count > 0) out.key("lines").value(commit.lines.count);
  out.key("sessions").begin_array();
  for (const WhySession& session : commit.sessions) write_session(out, session);
  out.end_array();
  if (commit.plan) {
    out.key("plan").begin_object();
    out.key("plan_id").value(commit.plan->plan_id);
    if (commit.plan->phase_id) out.key("phase_id").value(*commit.plan->phase_id);
    if (commit.plan->phase_title) out.key("phase_title").value(*commit.plan->phase_title);
    write_strings(out, "tasks_done", commit.plan->tasks_done.value_or(core::Strings()));
    out.end_object();
  }
  out.end_object();
}

void write_task(base::JsonWriter& out, const app::TaskReport& task) {
  const core::TaskRow* const row = task.task();
  const core::CriterionRow* const criterion = task.criterion_row();
  out.key("task").begin_object();
  out.key("id").value(row != nullptr ? row->id.text : criterion->id.text);
  out.key("title").value(row != nullptr ? row->title : criterion->title);
  out.key("phase_id").value(task.phase_row().id.text);
  write_optional(out, "phase_title", task.phase_row().title);
  out.key("criterion").value(criterion != nullptr);
  out.key("done").value(row != nullptr ? row->state == core::BoxState::done : criterion->met);
  if (row != nullptr) {
    if (row->completed_at) out.key("completed_at").value(base::to_iso8601(*row->completed_at));
    write_optional(out, "completed_by", row->completed_by);
  }
  out.end_object();
}

}  // namespace

std::string why_text(const WhyReport& report, base::Instant now, const Style& style) {
  switch (report.kind) {
    case WhyReport::Kind::line:
      return line_text(report, now, style);
    case WhyReport::Kind::file:
      return file_text(report, now, style);
    case WhyReport::Kind::task:
      break;
  }
  return task_text(report, now, style);
}

std::string why_json(const WhyReport& report) {
  base::JsonWriter out(base::JsonWriter::Layout::indented);
  out.begin_object();
  out.key("kind").value("why");
  switch (report.kind) {
    case WhyReport::Kind::line:
      out.key("about").value("line");
      break;
    case WhyReport::Kind::file:
      out.key("about").value("file");
      break;
    case WhyReport::Kind::task:
      out.key("about").value("task");
      break;
  }
  write_optional(out, "path", report.path);
  write_line(out, report.line);
  if (report.kind == WhyReport::Kind::line) out.key("text").value(report.text);
  if (report.kind == WhyReport::Kind::file) out.key("binary").value(report.binary);
  if (report.task) write_task(out, *report.task);
  out.key("commits").begin_array();
  for (const WhyCommit& commit : report.commits) write_commit(out, commit);
  out.end_array();
  out.key("commits_count").value(report.all_commits);
  write_strings(out, "warnings", report.warnings);
  out.end_object();
  return out.finish();
}

}  // namespace plankeep::render

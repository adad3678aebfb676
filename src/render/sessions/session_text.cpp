#include <algorithm>
#include <cmath>
#include <set>

#include "base/text.hpp"
#include "base/utf8.hpp"
#include "render/sessions/session.hpp"

namespace plankeep::render {
namespace {

constexpr std::size_t kShownTasks = 10;
constexpr std::size_t kTimeColumns = 12;

std::string time_words(const std::optional<base::Instant>& time, base::Instant now) {
  return time ? base::ago(*time, now) : "time unknown";
}

std::string percent_words(double percentage) {
  constexpr double kTenthsOfPercent = 10;
  return percent(std::llround(percentage * kTenthsOfPercent)) + " %";
}

std::string byte_words(std::uint64_t bytes) {
  constexpr std::uint64_t kKilo = 1000;
  if (bytes < 10 * kKilo) return counted(bytes, "byte", "bytes");
  if (bytes < kKilo * kKilo * 10) return std::to_string(bytes / kKilo) + " kB";
  return std::to_string(bytes / (kKilo * kKilo)) + " MB";
}

// "Claude Code", "Claude Code, Gemini CLI"
std::string clients_of(const core::SessionRow& row) {
  std::vector<std::string> names;
  for (const core::ListedSession& session : row.sessions) {
    std::string name = session.agent.empty() ? "unknown client" : safe_line(session.agent);
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(std::move(name));
  }
  return base::joined(names);
}

std::string commits_in_words(const std::vector<core::SessionLink>& links) {
  std::vector<std::string> words;
  words.reserve(links.size());
  for (const core::SessionLink& link : links)
    words.push_back(short_commit(link.commit) + (link.mentioned ? " (mentioned)" : ""));
  constexpr std::size_t kMost = 3;
  return base::first_joined(words, kMost, [](const std::string& one) { return one; });
}

constexpr std::size_t kMostLinesOfSession = 100;  // lines, more than any text of ours takes

// On as many lines as it takes, the further ones indented.
std::string wrapped_text(std::string_view line, std::size_t columns, std::size_t indent) {
  if (base::display_width(line) <= columns) return std::string(line) + "\n";
  const std::size_t first = wrap(line, columns, 2).front().size();
  std::string text = std::string(line.substr(0, first)) + "\n";
  line.remove_prefix(std::min(line.find_first_not_of(' ', first), line.size()));
  for (const std::string& more : wrap(line, columns - indent, kMostLinesOfSession))
    text += std::string(indent, ' ') + more + "\n";
  return text;
}

std::string list_line(const app::SessionListItem& item, base::Instant now, std::size_t id_columns) {
  const core::SessionRow& row = item.row;
  std::string line =
      pad_right(safe_line(row.id), id_columns) + "  " + pad_right(time_words(row.created, now), kTimeColumns);
  std::vector<std::string> parts;
  if (std::string clients = clients_of(row); !clients.empty()) parts.push_back(std::move(clients));
  if (!row.sessions.empty() && !row.sessions.back().model.empty())
    parts.push_back(safe_line(row.sessions.back().model));
  if (row.slots > 1) parts.push_back(std::to_string(row.slots) + " sessions");
  if (!item.links.empty()) parts.push_back("commit " + commits_in_words(item.links));
  if (!row.branch.empty()) parts.push_back("on " + safe_line(row.branch));
  parts.push_back(counted(row.files.size(), "file", "files"));
  if (row.agent_percentage) parts.push_back("agent " + percent_words(*row.agent_percentage));
  const std::string& phase = row.phase_title.empty() ? row.phase_id : row.phase_title;
  if (!phase.empty()) parts.push_back("phase " + safe_line(phase));
  if (!row.problems.empty()) parts.push_back(counted(row.problems.size(), "problem", "problems"));
  return line + "  " + base::joined(parts);
}

void add_session(std::string& text, const sessions::StoredSession& session, base::Instant now,
                 const Style& style) {
  text += "\n";
  if (!session.metadata) {
    text += paint(style, Paint::strong, "Session " + std::to_string(session.slot)) + " (unreadable)\n";
    return;
  }
  const core::SessionMetadata& data = *session.metadata;
  text += paint(style, Paint::strong, "Session " + safe_line(data.session_id)) + ", " +
          time_words(base::parse_iso8601(data.created_at), now) + "\n";
  std::vector<std::string> facts;
  facts.push_back(data.agent && !data.agent->empty() ? safe_line(*data.agent) : "unknown client");
  if (data.model && !data.model->empty()) facts.push_back(safe_line(*data.model));
  if (data.token_usage) facts.push_back(counted(core::total_of(*data.token_usage), "token", "tokens"));
  if (data.initial_attribution) {
    if (const auto percentage = core::percentage_of(*data.initial_attribution))
      facts.push_back("agent " + percent_words(*percentage));
  }
  facts.push_back(session.transcript.empty()
                      ? std::string("no transcript")
                      : "transcript " + byte_words(session.transcript_bytes) +
                            (session.transcript.size() > 1
                                 ? " in " + std::to_string(session.transcript.size()) + " parts"
                                 : std::string()));
  text += "  " + base::joined(facts) + "\n";
  const std::size_t columns = std::max(style.columns, kNarrowest);
  constexpr std::size_t kPromptsListed = 5;
  constexpr std::size_t kPromptColumns = 120;
  for (std::size_t i = 0; i < std::min(session.prompts.size(), kPromptsListed); ++i)
    text += "  > " +
            base::fit_to_width(safe_line(session.prompts[i]), std::min(columns, kPromptColumns) - 4) + "\n";
  if (session.prompts.size() > kPromptsListed)
    text += "  > and " + std::to_string(session.prompts.size() - kPromptsListed) + " more (--prompts)\n";
  if (data.summary) {
    if (!data.summary->intent.empty()) text += "  intent: " + safe_line(data.summary->intent) + "\n";
    if (!data.summary->outcome.empty()) text += "  outcome: " + safe_line(data.summary->outcome) + "\n";
  }
}

std::string signature_words(const sessions::CommitSignature& signature) {
  using Verdict = sessions::CommitSignature::Verdict;
  std::string text = "Signature: ";
  switch (signature.verdict) {
    case Verdict::none:
      return text + "none";
    case Verdict::good:
      text += "good";
      break;
    case Verdict::untrusted:
      text += "good, by a key that you do not trust";
      break;
    case Verdict::expired:
      text += "good, but expired";
      break;
    case Verdict::expired_key:
      text += "good, but the key has expired";
      break;
    case Verdict::revoked_key:
      text += "good, but the key was revoked";
      break;
    case Verdict::bad:
      text += "bad";
      break;
    case Verdict::unchecked:
      text += "cannot be checked";
      break;
  }
  if (!signature.signer.empty()) text += ", " + safe_line(signature.signer);
  if (!signature.key.empty()) text += ", key " + safe_line(signature.key);
  return text;
}

void add_plan(std::string& text, const core::PlanLink& plan, const Style& style) {
  text += paint(style, Paint::strong, "Plan") + " " + safe_line(plan.plan_id);
  const std::string phase = plan.phase_title.value_or(plan.phase_id.value_or(""));
  if (!phase.empty()) text += ", phase " + safe_line(phase);
  text += "\n";
  const auto list = [&](std::string_view what, const std::optional<core::Strings>& names) {
    if (!names || names->empty()) return;
    text += "  " + std::string(what) + ": " +
            base::first_joined(*names, kShownTasks, [](const std::string& one) { return safe_line(one); }) +
            "\n";
  };
  list("tasks done", plan.tasks_done);
  list("criteria met", plan.criteria_met);
  if (plan.lines) {
    text += "  lines: agent " + std::to_string(plan.lines->agent) + ", person " +
            std::to_string(plan.lines->person) + ", unknown " + std::to_string(plan.lines->unknown) + "\n";
  }
  if (plan.transcript_left_out)
    text += "  transcript left out: " + safe_line(*plan.transcript_left_out) + "\n";
}

}  // namespace

std::string session_list_text(const app::SessionList& list, base::Instant now, const Style& style) {
  if (list.items.empty()) return "no session checkpoints\n";
  const std::size_t columns = std::max(style.columns, kNarrowest);
  std::size_t id_columns = 0;
  for (const app::SessionListItem& item : list.items) id_columns = std::max(id_columns, item.row.id.size());
  std::string text;
  for (const app::SessionListItem& item : list.items)
    text += wrapped_text(list_line(item, now, id_columns), columns, 4);
  return text + paint(style, Paint::dim, "Show one: plankeep session show ID") + "\n";
}

namespace {

std::string pending_branch(const app::PendingBranch& branch, base::Instant now, std::size_t columns) {
  const sessions::ShadowSession& one = branch.tip;
  std::string line = pad_right(safe_line(one.branch), 21) + "  " +
                     pad_right(time_words(one.time, now), kTimeColumns) + "  since " +
                     safe_line(one.parts.commit);
  if (!one.session_id.empty()) line += ", session " + safe_line(one.session_id);
  if (!one.subject.empty()) line += ": " + safe_line(one.subject);
  std::string text = wrapped_text(line, columns, 4);
  if (branch.history.snapshots.empty()) return text + "  no snapshot of a session\n";
  for (const sessions::ShadowSnapshot& snapshot : branch.history.snapshots) {
    std::string row = "  " + short_commit(snapshot.commit) + "  " +
                      pad_right(time_words(snapshot.time, now), kTimeColumns) + "  " +
                      safe_line(snapshot.subject);
    if (snapshot.session_id != one.session_id) row += ", session " + safe_line(snapshot.session_id);
    if (!snapshot.task.empty()) row += ", subagent " + safe_line(snapshot.task);
    text += wrapped_text(row, columns, 6);
  }
  if (!branch.history.whole) text += "  and older ones: git log " + safe_line(one.branch) + "\n";
  return text;
}

}  // namespace

std::string pending_sessions_text(const app::PendingSessions& pending, base::Instant now,
                                  const Style& style) {
  if (pending.branches.empty() && pending.running.empty()) return "no pending sessions\n";
  const std::size_t columns = std::max(style.columns, kNarrowest);
  std::string text;
  bool any = false;
  for (const app::PendingBranch& branch : pending.branches) {
    text += pending_branch(branch, now, columns);
    any = any || !branch.history.snapshots.empty();
  }
  for (const app::SeenSession& session : pending.running) {
    const std::string line = "running  session " + safe_line(session.id) + ", " + safe_line(session.client) +
                             ", active " + base::ago(session.last_active, now) + ", plan " +
                             safe_line(session.plan_id);
    text += wrapped_text(line, columns, 4);
  }
  if (any)
    text +=
        paint(style, Paint::dim, "Put files back: plankeep checkpoint import --from entire COMMIT") + "\n";
  return text;
}

std::string session_text(const app::SessionView& view, base::Instant now, const Style& style) {
  const sessions::StoredCheckpoint& checkpoint = view.checkpoint;
  std::string text = paint(style, Paint::strong, "Session checkpoint " + safe_line(checkpoint.found.id));
  if (const auto* last = view.session(); last != nullptr && last->metadata) {
    text += ", " + time_words(base::parse_iso8601(last->metadata->created_at), now);
  }
  text += "\n";
  std::vector<std::string> facts;
  if (!view.links.empty()) facts.push_back("commit " + commits_in_words(view.links));
  if (checkpoint.root && checkpoint.root->branch && !checkpoint.root->branch->empty())
    facts.push_back("branch " + safe_line(*checkpoint.root->branch));
  if (!view.author.name.empty())
    facts.push_back("recorded by " + safe_line(view.author.name) + " <" + safe_line(view.author.email) + ">");
  facts.push_back("kept in " + safe_line(checkpoint.found.source));
  text += paint(style, Paint::dim, base::joined(facts)) + "\n";
  if (view.signature) text += signature_words(*view.signature) + "\n";
  if (checkpoint.plan) add_plan(text, *checkpoint.plan, style);
  for (const sessions::StoredSession& session : checkpoint.sessions) add_session(text, session, now, style);
  if (checkpoint.root && checkpoint.root->files_touched && !checkpoint.root->files_touched->empty()) {
    const core::Strings& files = *checkpoint.root->files_touched;
    text += "\n" + paint(style, Paint::strong, "Files") + " (" + std::to_string(files.size()) + ")\n";
    constexpr std::size_t kShownFiles = 20;
    for (std::size_t i = 0; i < std::min(files.size(), kShownFiles); ++i)
      text += "  " + safe_line(files[i]) + "\n";
    if (files.size() > kShownFiles)
      text += "  and " + std::to_string(files.size() - kShownFiles) + " more: plankeep session show " +
              checkpoint.found.id + " --files\n";
  }
  return text;
}

std::string session_prompts_text(const app::SessionView& view, const sessions::StoredSession* only,
                                 const Style& style) {
  std::string text;
  for (const sessions::StoredSession& session : view.checkpoint.sessions) {
    if (only != nullptr && only != &session) continue;
    for (const std::string& prompt : session.prompts) {
      if (!text.empty()) text += paint(style, Paint::dim, "---") + "\n";
      std::string shown = base::printable(prompt, true);
      if (!shown.ends_with('\n')) shown += '\n';
      text += shown;
    }
  }
  return text.empty() ? "no prompts\n" : text;
}

std::string session_files_text(const app::SessionView& view, const sessions::StoredSession* only) {
  std::set<std::string> files;
  const auto add = [&](const std::optional<core::Strings>& names) {
    if (names) files.insert(names->begin(), names->end());
  };
  if (only == nullptr && view.checkpoint.root) add(view.checkpoint.root->files_touched);
  for (const sessions::StoredSession& session : view.checkpoint.sessions) {
    if (session.metadata && (only == nullptr || only == &session)) add(session.metadata->files_touched);
  }
  std::string text;
  for (const std::string& file : files) text += safe_line(file) + "\n";
  return text.empty() ? "no files\n" : text;
}

std::string session_check_text(const app::SessionCheck& check, const Style& style) {
  std::string text;
  for (const app::SessionFinding& finding : check.findings) {
    text +=
        (finding.id.empty() ? std::string() : safe_line(finding.id) + ": ") + safe_line(finding.text) + "\n";
  }
  if (check.all_findings > check.findings.size())
    text += "and " + std::to_string(check.all_findings - check.findings.size()) + " more\n";
  text +=
      paint(style, Paint::strong, counted(check.checkpoints, "session checkpoint", "session checkpoints")) +
      ", " + counted(check.sessions, "session", "sessions");
  if (check.transcripts > 0)
    text += ", " + counted(check.transcripts, "transcript", "transcripts") + " read (" +
            byte_words(check.transcript_bytes) + ")";
  text += ": " + (check.all_findings == 0 ? std::string("no problems")
                                          : counted(check.all_findings, "problem", "problems"));
  return text + "\n";
}

}  // namespace plankeep::render

#include "session_rules/recorded_part.hpp"

#include <algorithm>
#include <array>

namespace plankeep::core {
namespace {

bool is_within(base::Instant time, const CommitSpan& span) {
  const auto before = last_before(span);
  return time <= end_of_commit(span.commit) && (!before || time > *before);
}

void add_file(SessionPart& part, const std::string& path, const CommitSpan& span) {
  auto inside = path_in_repository(path, span);
  if (!inside) return;
  part.touches_commit = part.touches_commit || span.changed.contains(*inside);
  part.files.insert(std::move(*inside));
}

}  // namespace

bool is_writing_tool(std::string_view tool) {
  // Claude Code, Copilot CLI; Gemini CLI and Qwen Code; Codex; opencode.
  constexpr std::array<std::string_view, 14> kWriting{"Edit",        "MultiEdit",
                                                      "Write",       "NotebookEdit",
                                                      "create",      "str_replace_editor",
                                                      "write_file",  "replace",
                                                      "apply_patch", "edit",
                                                      "write",       "patch",
                                                      "multiedit",   "insert_edit_into_file"};
  return std::find(kWriting.begin(), kWriting.end(), tool) != kWriting.end();
}

std::optional<SessionPart> recorded_part(const std::vector<WorkMoment>& moments, const std::string& session,
                                         const CommitSpan& span) {
  const bool knows_tools = std::any_of(moments.begin(), moments.end(), [&](const WorkMoment& moment) {
    return moment.session == session && !moment.tools.empty();
  });
  SessionPart part;
  bool speaks = false;
  for (const WorkMoment& moment : moments) {
    if (moment.session != session) continue;
    bool concerns = is_within(moment.time, span);
    for (const CommandUsed& tool : moment.tools) {
      if (!tool.timestamp || !is_within(*tool.timestamp, span) || !is_writing_tool(tool.type)) continue;
      concerns = true;
      add_file(part, tool.target, span);
    }
    if (!concerns) continue;
    speaks = true;
    if (!knows_tools && moment.turn_end) {
      for (const std::string& path : moment.changed) add_file(part, path, span);
    }
    const bool repeated = !part.prompts.empty() && part.prompts.back() == moment.prompt;
    if (!moment.prompt.empty() && !repeated) part.prompts.push_back(moment.prompt);
    part.turn = moment.id;
  }
  if (!speaks) return std::nullopt;
  part.prompt_times.resize(part.prompts.size());
  part.writes_are_timed = false;
  return part;
}

}  // namespace plankeep::core

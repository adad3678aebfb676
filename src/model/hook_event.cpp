#include "model/hook_event.hpp"

#include "base/utf8.hpp"

namespace plankeep::core {
namespace {

constexpr std::size_t kLongestHookName = 64;

/// A name from a payload as it may stand in a record: one word, printable, not endless.
std::string as_word(std::string_view text) {
  std::string word;
  std::size_t characters = 0;
  const std::string safe = base::printable(text);
  for (std::size_t at = 0; at < safe.size() && characters < kLongestHookName; ++characters) {
    const base::CodePoint character = base::decode_at(safe, at);
    if (base::is_space(character.value)) {
      word += '-';
    } else {
      word.append(safe, at, character.length);
    }
    at += character.length;
  }
  return word.empty() ? "unknown" : word;
}

}  // namespace

std::string_view name_of(HookKind kind) {
  switch (kind) {
    case HookKind::nothing:
      return "nothing";
    case HookKind::session_start:
      return "session_start";
    case HookKind::prompt_submitted:
      return "prompt_submitted";
    case HookKind::file_written:
      return "file_written";
    case HookKind::tools_settled:
      return "tools_settled";
    case HookKind::shell_started:
      return "shell_started";
    case HookKind::shell_ran:
      return "shell_ran";
    case HookKind::subagent_assigned:
      return "subagent_assigned";
    case HookKind::subagent_started:
      return "subagent_started";
    case HookKind::subagent_stopped:
      return "subagent_stopped";
    case HookKind::turn_ended:
      return "turn_ended";
    case HookKind::before_compact:
      return "before_compact";
    case HookKind::session_ended:
      return "session_ended";
  }
  return "nothing";
}

std::string actor_of(const HookEvent& event) {
  if (event.outside) return "external";
  if (!event.team.empty()) return "team:" + as_word(event.team);
  if (event.agent_id.empty()) return "main";
  return "subagent:" + as_word(event.agent_type);
}

bool real_prompt(const HookEvent& event) {
  if (!event.notified.empty()) return false;
  for (std::size_t at = 0; at < event.prompt.size();) {
    const base::CodePoint character = base::decode_at(event.prompt, at);
    if (!base::is_space(character.value)) return true;
    at += character.length;
  }
  return false;
}

}  // namespace plankeep::core

// Edits of a plan: what is said of them, and whose commands in the shell are over.
#include <algorithm>
#include <utility>

#include "policy/hook_policy.hpp"
#include "render/progress/hook_words.hpp"

namespace plankeep::core {
namespace {

bool newly_unreadable(const EditFacts& facts) {
  return !facts.readable && facts.recorded && !facts.warning.empty();
}

}  // namespace

bool worth_reporting(const EditFacts& facts) {
  return newly_unreadable(facts) || !facts.notices.empty() || !facts.new_errors.empty();
}

HookAnswer report_edit(EditFacts facts, std::string file, bool tells_model) {
  render::EditNews news;
  if (newly_unreadable(facts)) news.unreadable = std::move(facts.warning);
  news.notices = std::move(facts.notices);
  news.new_errors = std::move(facts.new_errors);
  news.file = std::move(file);
  HookAnswer answer;
  (tells_model ? answer.context : answer.notice) = render::edit_news(news);
  return answer;
}

ShellsOver shells_over(const HookEvent& event) {
  switch (event.kind) {
    case HookKind::shell_ran:
    case HookKind::tools_settled:
    case HookKind::prompt_submitted:
    case HookKind::turn_ended:
    case HookKind::subagent_stopped:
      return ShellsOver::agents;
    case HookKind::session_start:
    case HookKind::session_ended:
      return ShellsOver::sessions;
    default:
      return ShellsOver::none;
  }
}

// Includes ids of background commands, for which no shell command is noted.
std::vector<std::string> agents_over(const HookEvent& event) {
  std::vector<std::string> over;
  for (const Notified& notified : event.notified) {
    if (!notified.task_id.empty()) over.push_back(notified.task_id);
  }
  return over;
}

}  // namespace plankeep::core

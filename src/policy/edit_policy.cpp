// Edits of a plan: what is said of them, and whose commands in the shell are over.
#include <algorithm>
#include <utility>

#include "model/find_task.hpp"
#include "model/item_key.hpp"
#include "policy/hook_policy.hpp"
#include "render/progress/hook_words.hpp"
#include "rules/matching/vanished.hpp"

namespace plankeep::core {
namespace {

bool newly_unreadable(const EditFacts& facts) {
  return !facts.readable && facts.recorded && !facts.warning.empty();
}

// In the order in which they come, each once.
struct Names {
  std::vector<std::string> list;
  void add(std::string name) {
    if (std::find(list.begin(), list.end(), name) == list.end()) list.push_back(std::move(name));
  }
};

const CriterionState* find_criterion(const State& state, const Event& event) {
  const PhaseState* phase = find_phase(state, event.phase);
  if (phase == nullptr) return nullptr;
  const auto found =
      std::find_if(phase->acceptance.begin(), phase->acceptance.end(),
                   [&event](const CriterionState& criterion) { return criterion.id == event.criterion; });
  return found == phase->acceptance.end() ? nullptr : &*found;
}

// Also if it has another number, or stands in another phase.
bool stands_somewhere(const State& now, const VanishedTask& one) {
  const std::string_view words = written_number(one.title, one.id.text).words;
  const auto same = [&](const TaskState& task) {
    return written_number(task.title, task.id.text).words == words;
  };
  return !one.criterion && std::any_of(now.phases.begin(), now.phases.end(), [&](const PhaseState& phase) {
    return std::any_of(phase.tasks.begin(), phase.tasks.end(), same);
  });
}

// `events` of several saves, each with a time of its own.
std::vector<VanishedTask> still_vanished(const std::vector<Event>& events, const State& now) {
  std::vector<VanishedTask> all;
  for (auto begin = events.begin(); begin != events.end();) {
    const auto end =
        std::find_if(begin, events.end(), [begin](const Event& event) { return event.time != begin->time; });
    for (VanishedTask& one : vanished_by({begin, end}, true))
      if (!is_back(now.phases, one) && !stands_somewhere(now, one)) all.push_back(std::move(one));
    begin = end;
  }
  return all;
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

bool answers_main(const HookEvent& event) {
  // A subagent's end is answered to the one that started it.
  return event.kind != HookKind::subagent_started &&
         (event.agent_id.empty() || event.kind == HookKind::subagent_stopped);
}

const std::vector<EventKind>& kinds_behind_news() {
  static const std::vector<EventKind> kinds{EventKind::task_reopened,    EventKind::task_removed,
                                            EventKind::acceptance_unmet, EventKind::acceptance_removed,
                                            EventKind::task_added,       EventKind::acceptance_added,
                                            EventKind::parse_error};
  return kinds;
}

UnsaidNews unsaid_news(const std::vector<Event>& events, const State& now, bool readable) {
  Names reopened;
  Names removed;
  Names unmet;
  Names gone;
  UnsaidNews news;
  for (const Event& event : events) {
    const TaskState* task = find_task(now, event.phase, event.task);
    const CriterionState* criterion = find_criterion(now, event);
    switch (event.kind) {
      case EventKind::task_reopened:
        if (task != nullptr && !task->done) reopened.add(task_name(event.task, event.title));
        break;
      case EventKind::acceptance_unmet:
        if (criterion != nullptr && !criterion->met) unmet.add(criterion_name(event.criterion, event.title));
        break;
      case EventKind::parse_error:
        news.unreadable = !readable;
        break;
      default:
        break;
    }
  }
  for (const VanishedTask& one : still_vanished(events, now))
    (one.criterion ? gone : removed).add(task_name(one.id, one.title));
  std::size_t tasks = removed.list.size();
  for (const PhaseState& phase : now.phases) tasks += phase.tasks.size();
  if (!reopened.list.empty()) news.notices.push_back(tasks_reopened(reopened.list));
  if (!removed.list.empty()) news.notices.push_back(tasks_removed(removed.list, tasks));
  if (!unmet.list.empty()) news.notices.push_back(criteria_unmet(unmet.list));
  if (!gone.list.empty()) news.notices.push_back(criteria_removed(gone.list));
  return news;
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

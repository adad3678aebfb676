// `done`, `reopen` and `start`: one command in three wordings.

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "cli/arguments.hpp"
#include "cli/commands/all.hpp"
#include "cli/locate.hpp"
#include "cli/own_actor.hpp"
#include "cli/report.hpp"
#include "editing/complete.hpp"
#include "editing/missing_plans.hpp"
#include "model/find_task.hpp"
#include "model/plan.hpp"
#include "render/style.hpp"
#include "rules/notice.hpp"

namespace plankeep::cli {
namespace {

struct BoxCommand {
  std::string_view name;
  std::string_view description;
  core::BoxState state = core::BoxState::done;
  std::string_view already;  // "is done already"
};

// The tasks around those that were just done whose steps are all done now: what is left is to tick them.
std::string offers(const app::Outcome& outcome) {
  if (!outcome.read) return {};
  std::set<std::pair<std::string, std::string>> around;  // phase, task
  for (const core::Event& event : outcome.events) {
    if (event.kind != core::EventKind::task_completed) continue;
    const core::Task* task = core::find_task(*outcome.read, event.phase, event.task);
    if (task != nullptr && !task->parent.empty()) around.emplace(event.phase.text, task->parent.text);
  }
  std::string text;
  for (const core::Phase& phase : outcome.read->phases) {
    for (const core::Task& task : phase.tasks) {
      if (task.done() || !around.contains({phase.id.text, task.id.text})) continue;
      const bool open = std::any_of(phase.tasks.begin(), phase.tasks.end(), [&task](const core::Task& step) {
        return step.parent == task.id && !step.optional && !step.done();
      });
      if (open) continue;
      text += "all steps of " + render::safe_line(core::task_name(task.id, task.title)) +
              " are done; to tick it: plankeep done " + render::safe_line(task.id.text) + "\n";
    }
  }
  return text;
}

ExitCode run_set_boxes(Program& program, const Words& words, const BoxCommand& command) {
  std::vector<std::string> ids;
  std::optional<std::string> named;
  std::string actor;
  bool json = false;
  Arguments arguments(program, command.name, command.description);
  arguments.positionals(
      "ID", ids, "A task or criterion: its id, PHASE/ID, the beginning of its id or title, or FILE:LINE",
      Arguments::Need::required);
  arguments.plan(named);
  arguments.actor(actor);
  arguments.json(json);
  if (const auto stop = arguments.parse(words)) return *stop;

  ExitCode code = ExitCode::fine;
  named = named_plan(program, named, ids);
  const auto plan = locate_tracked(program, named, code);
  if (!plan) return code;
  if (const auto guess = app::refuse_guess(program.context, *plan, named, ids); !guess)
    return program.fail(guess.error(), About::plan);
  const auto completed =
      app::set_tasks(program.context, *plan, ids, command.state, own_author(program, *plan, actor));
  if (!completed) return program.fail(completed.error(), About::request);
  std::vector<std::string> remarks;
  for (const std::string& id : completed->already) remarks.push_back(id + " " + std::string(command.already));
  const ExitCode told = report_work(program, completed->outcome, json, remarks);
  if (json || program.globals.quiet || command.state != core::BoxState::done) return told;
  const std::string more = offers(completed->outcome);
  return more.empty() ? told : program.print(more, told);
}

}  // namespace

ExitCode run_done(Program& program, const Words& words) {
  return run_set_boxes(
      program, words,
      {"done",
       "Ticks tasks or criteria: sets [x] in the plan, changes no other byte, and records who did it.",
       core::BoxState::done, "is already done"});
}

ExitCode run_reopen(Program& program, const Words& words) {
  return run_set_boxes(program, words,
                       {"reopen", "Unticks tasks or criteria: sets [ ] in the plan, and records who did it.",
                        core::BoxState::open, "is already open"});
}

ExitCode run_start(Program& program, const Words& words) {
  return run_set_boxes(
      program, words,
      {"start",
       "Marks tasks as in progress: sets [~] in the plan. They still count as open. A done task is "
       "refused: reopen it first.",
       core::BoxState::active, "is already started"});
}

}  // namespace plankeep::cli

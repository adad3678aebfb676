// `done`, `reopen` and `start`: one command in three wordings.

#include <string>
#include <string_view>

#include "cli/arguments.hpp"
#include "cli/commands/all.hpp"
#include "cli/locate.hpp"
#include "cli/own_actor.hpp"
#include "cli/report.hpp"
#include "editing/complete.hpp"
#include "model/plan.hpp"

namespace plankeep::cli {
namespace {

struct BoxCommand {
  std::string_view name;
  std::string_view description;
  core::BoxState state = core::BoxState::done;
  std::string_view already;  // "is done already"
};

ExitCode run_set_boxes(Program& program, const Words& words, const BoxCommand& command) {
  std::vector<std::string> ids;
  std::optional<std::string> named;
  std::string actor;
  bool json = false;
  Arguments arguments(program, command.name, command.description);
  arguments.positionals("ID", ids, "A task or criterion id, or PHASE/ID if it is not unique",
                        Arguments::Need::required);
  arguments.plan(named);
  arguments.actor(actor);
  arguments.json(json);
  if (const auto stop = arguments.parse(words)) return *stop;

  ExitCode code = ExitCode::fine;
  const auto plan = locate_tracked(program, named, code);
  if (!plan) return code;
  const auto completed =
      app::set_tasks(program.context, *plan, ids, command.state, own_actor(program, *plan, actor));
  if (!completed) return program.fail(completed.error(), About::request);
  std::vector<std::string> remarks;
  for (const std::string& id : completed->already) remarks.push_back(id + " " + std::string(command.already));
  return report(program, completed->outcome, json, remarks);
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
      {"start", "Marks tasks as in progress: sets [~] in the plan. They still count as open.",
       core::BoxState::active, "is already started"});
}

}  // namespace plankeep::cli

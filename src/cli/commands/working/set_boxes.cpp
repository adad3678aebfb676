#include "cli/commands/working/set_boxes.hpp"

#include "cli/arguments.hpp"
#include "cli/locate.hpp"
#include "cli/report.hpp"
#include "editing/complete.hpp"

namespace plankeep::cli {

ExitCode run_set_boxes(Program& program, const Words& words, const BoxCommand& command) {
  std::vector<std::string> ids;
  std::optional<std::string> named;
  std::string actor = "main";
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
  const auto completed = app::set_tasks(program.context, *plan, ids, command.state, actor);
  if (!completed) return program.fail(completed.error(), About::request);
  std::vector<std::string> remarks;
  for (const std::string& id : completed->already) remarks.push_back(id + " " + std::string(command.already));
  return report(program, completed->outcome, json, remarks);
}

}  // namespace plankeep::cli

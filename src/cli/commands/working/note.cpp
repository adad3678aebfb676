#include "cli/arguments.hpp"
#include "cli/commands/all.hpp"
#include "cli/locate.hpp"
#include "cli/own_actor.hpp"
#include "cli/report.hpp"
#include "editing/missing_plans.hpp"
#include "editing/record.hpp"

namespace plankeep::cli {

ExitCode run_note(Program& program, const Words& words) {
  std::string text;
  std::optional<std::string> named;
  std::string actor;
  bool clear = false;
  bool json = false;
  Arguments arguments(
      program, "note",
      "Leaves a note for the next session: plankeep resume shows it. A new note replaces the old one. The\n"
      "plan's text is not changed.");
  arguments.positional("TEXT", text, "The note", Arguments::Need::optional);
  arguments.flag("--clear", clear, "Remove the note");
  arguments.plan(named);
  arguments.actor(actor);
  arguments.json(json);
  if (const auto stop = arguments.parse(words)) return *stop;
  if (text.empty() != clear) {
    return program.fail({base::ErrorKind::invalid_input,
                         clear ? "--clear cannot be combined with a text" : "TEXT is required",
                         {},
                         "plankeep help note"},
                        About::request);
  }

  ExitCode code = ExitCode::fine;
  const auto plan = locate_tracked(program, named, code);
  if (!plan) return code;
  auto outcome = app::save_note(program.context, *plan, text, own_actor(program, *plan, actor));
  if (!outcome) return program.fail(outcome.error(), About::request);
  app::warn_of_guess(program.context, *plan, named, outcome->warnings);
  return report_work(program, *outcome, json);
}

}  // namespace plankeep::cli

#include "cli/arguments.hpp"
#include "cli/commands/all.hpp"
#include "cli/locate.hpp"
#include "cli/tell.hpp"
#include "editing/record.hpp"

namespace plankeep::cli {

ExitCode run_note(Program& program, const Words& words) {
  std::string text;
  std::optional<std::string> named;
  std::string actor = "main";
  bool clear = false;
  bool json = false;
  Arguments arguments(
      program, "note",
      "Keeps a note for whoever goes on: resume shows it. A new note replaces the old one. The plan's\n"
      "text stays as it is.");
  arguments.positional("TEXT", text, "The note", Arguments::Need::optional);
  arguments.flag("--clear", clear, "Take the note away");
  arguments.plan(named);
  arguments.actor(actor);
  arguments.json(json);
  if (const auto stop = arguments.parse(words)) return *stop;
  if (text.empty() != clear) {
    return program.fail({base::ErrorKind::invalid_input,
                         clear ? "a text and --clear say two different things" : "TEXT is required",
                         {},
                         "plankeep help note"},
                        About::request);
  }

  ExitCode code = ExitCode::fine;
  const auto plan = locate_tracked(program, named, code);
  if (!plan) return code;
  const auto outcome = app::save_note(program.context, *plan, text, actor);
  if (!outcome) return program.fail(outcome.error(), About::request);
  return tell(program, *outcome, json);
}

}  // namespace plankeep::cli

#include "rewind/rewind.hpp"

#include <algorithm>
#include <charconv>

#include "checkpoints/job.hpp"
#include "cli/arguments.hpp"
#include "cli/commands/all.hpp"
#include "cli/locate.hpp"
#include "project/plan_location.hpp"
#include "render/recorded/rewind.hpp"
#include "render/recorded/rewind_choices.hpp"
#include "rewind/rewind_choices.hpp"

namespace plankeep::cli {
namespace {

base::Error rewind_mistake(std::string message, std::string hint) {
  return {base::ErrorKind::invalid_input, std::move(message), {}, std::move(hint)};
}

std::optional<std::size_t> number_of(const std::string& text) {
  std::size_t number = 0;
  const auto [end, ec] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (ec != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return number;
}

struct Listing {
  std::size_t count = 20;
  bool json = false;
  bool wanted = false;  // --list: the list is the answer
};

// Without a target: which one, if somebody can be asked; else the list, and how to choose. nullopt: `code`
// is the exit status.
std::optional<std::string> choose(Program& program, const app::PlanLocation& plan, const Listing& listing,
                                  ExitCode& code) {
  const auto found = app::rewind_choices(program.context, plan, listing.count);
  if (!found) {
    code = program.fail(found.error(), About::request);
    return std::nullopt;
  }
  if (listing.json) {
    code = program.print(render::rewind_choices_json(plan, *found),
                         listing.wanted ? ExitCode::fine : exit_code(rewind_mistake({}, {}), About::request));
    return std::nullopt;
  }
  for (const std::string& warning : found->warnings) program.warn(warning);
  const std::string text =
      render::rewind_choices_text(*found, program.context.clock.now(), program.list_style());
  if (listing.wanted) {
    code = program.print(text);
    return std::nullopt;
  }
  if (found->choices.empty()) {
    code = program.fail({base::ErrorKind::not_found,
                         "there are no checkpoints yet",
                         {},
                         "make one: plankeep checkpoint create"},
                        About::request);
    return std::nullopt;
  }
  program.print(text);
  if (!program.on_terminal || !program.console.can_ask()) {
    code = program.fail(
        rewind_mistake("which checkpoint?", "plankeep rewind ID, --turn N, --message ID, --undo or --redo"),
        About::request);
    return std::nullopt;
  }
  const std::string answer = program.console.ask(
      "Rewind to which? [1-" + std::to_string(found->choices.size()) + ", Enter to cancel] ");
  const auto number = number_of(answer);
  if (number && *number >= 1 && *number <= found->choices.size())
    return found->choices[*number - 1].checkpoint.head.id.text;
  if (!answer.empty()) {
    code = program.fail(rewind_mistake("\"" + answer + "\" is not a number in the list", {}), About::request);
    return std::nullopt;
  }
  program.console.write_error("Nothing changed.\n");
  code = ExitCode::fine;
  return std::nullopt;
}

}  // namespace

ExitCode run_rewind(Program& program, const Words& words) {
  std::string which;
  std::string turn;
  std::string message;
  bool undo = false;
  bool redo = false;
  bool only_plan = false;
  bool only_files = false;
  bool all = false;
  bool head = false;
  Listing listing;
  bool& json = listing.json;
  std::optional<std::string> named;
  app::RewindRequest request;
  Arguments arguments(
      program, "rewind",
      "Rewinds to a checkpoint: the plan's text, the files of the git work tree (including uncommitted\n"
      "changes), or both. The present state is saved in a checkpoint first, so that --undo can bring it\n"
      "back. Submodules, other branches, ignored files and files in no checkpoint stay as they are; so do\n"
      "HEAD and the index, except with --head. --undo and --redo go one step back and forth each time, as\n"
      "in an editor; with --plan or --files the other part of the step can still be undone. A new rewind\n"
      "discards what could be redone.\n"
      "\n"
      "Without a target it lists the choices and, on a terminal, asks for one.");
  arguments.positional(
      "CHECKPOINT", which,
      "Id, prefix or suffix (_007), \"last\" (newest not made by a rewind), a time as log prints it, in UTC, "
      "or a row of --list (7)",
      Arguments::Need::optional);
  arguments.positionals("PATH", request.paths, "Only these files and folders; put them after \"--\"",
                        Arguments::Need::optional);
  arguments.option("--turn", turn, "N", "The end of this turn (numbered per plan)");
  arguments.option("--message", message, "ID", "The turn that ended with this client message");
  arguments.flag("--list", listing.wanted, "Only list the choices, newest first");
  arguments.number("-n,--lines", listing.count, "N", "Maximum number to list (default: 20)");
  arguments.flag("--undo", undo, "Undo the last rewind; repeat to undo earlier ones");
  arguments.flag("--redo", redo, "Redo what the last --undo undid");
  arguments.flag("--plan", only_plan, "Only the plan's text");
  arguments.flag("--files", only_files, "Only the files");
  arguments.flag("--all", all, "Plan and files (default)");
  arguments.flag(
      "--head", head,
      "Plan, files and HEAD: on its branch if that is still there, else detached. Nothing is staged "
      "then, except with --undo and --redo");
  arguments.flag("--dry-run", request.dry, "Show what would change; write nothing");
  arguments.actor(request.actor);
  // --plan says what is to come back here (spec 14), so which plan it is has another name.
  named = program.globals.plan;
  arguments.option("--of", named, "PATH", "The plan: a file, or the folder that contains it");
  arguments.json(json);
  if (const auto stop = arguments.parse(words)) return *stop;

  // "--turn 3 -- src": the first text is no checkpoint.
  const bool other_target = !turn.empty() || !message.empty() || undo || redo;
  if (other_target && !which.empty() && std::find(words.begin(), words.end(), "--") != words.end()) {
    request.paths.insert(request.paths.begin(), which);
    which.clear();
  }
  const int targets = (which.empty() ? 0 : 1) + (turn.empty() ? 0 : 1) + (message.empty() ? 0 : 1) +
                      (undo ? 1 : 0) + (redo ? 1 : 0);
  // Everywhere else a plan follows --plan.
  const std::string may_mean_a_plan = "to name a plan: --of PLAN; --plan means its text alone here";
  if (targets > 1)
    return program.fail(
        rewind_mistake(
            "give only one of CHECKPOINT, --turn, --message, --undo and --redo",
            only_plan && !which.empty() ? may_mean_a_plan : "plankeep rewind --list shows the checkpoints"),
        About::request);
  if (targets == 1 && listing.wanted)
    return program.fail(rewind_mistake("--list cannot be combined with a checkpoint", may_mean_a_plan),
                        About::request);
  if (static_cast<int>(only_plan) + static_cast<int>(only_files) + static_cast<int>(all) +
          static_cast<int>(head) >
      1)
    return program.fail(rewind_mistake("give only one of --plan, --files, --all and --head", {}),
                        About::request);
  request.which = which.empty() ? message : which;
  if (!message.empty()) request.by = app::RewindRequest::By::message;
  if (undo) request.by = app::RewindRequest::By::undo;
  if (redo) request.by = app::RewindRequest::By::redo;
  if (!turn.empty()) {
    request.by = app::RewindRequest::By::turn;
    const auto [end, ec] = std::from_chars(turn.data(), turn.data() + turn.size(), request.turn);
    if (ec != std::errc{} || end != turn.data() + turn.size() || request.turn < 1)
      return program.fail(rewind_mistake("\"" + turn + "\" is not a turn number", {}), About::request);
  }
  if (only_plan) request.what = app::RewindWhat::plan;
  if (only_files) request.what = app::RewindWhat::files;
  if (all) request.what = app::RewindWhat::all;
  if (head) request.what = app::RewindWhat::head;
  if (!request.paths.empty()) {
    if (only_plan || all || head)
      return program.fail(
          rewind_mistake("PATH works only with --files; --plan means the plan's text alone here",
                         "to name a plan: --of PLAN"),
          About::request);
    request.what = app::RewindWhat::files;
  }

  ExitCode code = ExitCode::fine;
  const auto plan = locate_recorded(program, named, code);
  if (!plan) return code;
  if (targets == 0) {
    const auto chosen = choose(program, *plan, listing, code);
    if (!chosen) return code;
    request.which = *chosen;
  }
  const auto rewound = app::rewind(program.context, *plan, request);
  if (!rewound) return program.fail(rewound.error(), About::request);
  const ExitCode told = [&] {
    if (json) return program.print(render::rewind_json(*rewound));
    for (const std::string& warning : rewound->warnings) program.warn(warning);
    const std::string text = render::rewind_text(*rewound, program.context.clock.now(), program.list_style(),
                                                 named.value_or(std::string()));
    return request.dry ? program.print(text) : program.report_change(text);
  }();
  if (rewound->outcome) app::spawn_job_after_return(program.context, *rewound->outcome, "rewind");
  return told;
}

}  // namespace plankeep::cli

#include "cli/program.hpp"

#include <algorithm>
#include <array>

#include "base/utf8.hpp"
#include "checkpoints/job.hpp"
#include "cli/commands/all.hpp"
#include "commits/link_work.hpp"
#include "render/error.hpp"

namespace plankeep::cli {
namespace {

constexpr std::string_view kSetUp = "Start and read";
constexpr std::string_view kWork = "Work on the plan";
constexpr std::string_view kRecords = "History";
constexpr std::string_view kClients = "AI coding clients";
constexpr std::string_view kRest = "Program";

constexpr std::array kCommands{
    Command{"init", "Start tracking a plan", kSetUp, run_init},
    Command{"new", "Make a plan from a template", kSetUp, run_new},
    Command{"status", "Show progress", kSetUp, run_status, true},
    Command{"board", "Show the plan full-screen, updated live", kSetUp, run_board},
    Command{"next", "Show what to do now", kSetUp, run_next, true},
    Command{"list", "List tasks", kSetUp, run_list, true},
    Command{"show", "Show everything about a task", kSetUp, run_show, true},
    Command{"search", "Search plans and their history", kSetUp, run_search, true},
    Command{"graph", "Show task dependencies", kSetUp, run_graph, true},
    Command{"resume", "Print a hand-over for the next session", kSetUp, run_resume, true},
    Command{"report", "Write an HTML report with charts and a forecast", kSetUp, run_report},
    Command{"plans", "Show every plan below a folder", kSetUp, run_plans, true},
    Command{"parse", "Show how a plan file is read, without recording anything", kSetUp, run_parse, true},
    Command{"lint", "Check plans for mistakes", kSetUp, run_lint, true},
    Command{"annotate", "Add missing markers to phases and boxes", kSetUp, run_annotate},
    Command{"export", "Print a plan as JSON, CSV or a task list", kSetUp, run_export},
    Command{"import", "Convert a prd.json to a plan", kSetUp, run_import},
    Command{"done", "Tick tasks or criteria", kWork, run_done},
    Command{"reopen", "Untick tasks or criteria", kWork, run_reopen},
    Command{"start", "Mark tasks as in progress", kWork, run_start},
    Command{"add", "Add a task to the plan", kWork, run_add},
    Command{"claim", "Claim a task for a limited time", kWork, run_claim},
    Command{"release", "Release a claimed task", kWork, run_release},
    Command{"decide", "Add a decision to the plan", kWork, run_decide},
    Command{"block", "Add a blocker to the plan", kWork, run_block},
    Command{"unblock", "Remove a blocker", kWork, run_unblock},
    Command{"archive", "Archive a finished plan", kWork, run_archive},
    Command{"note", "Leave a note for the next session", kWork, run_note},
    Command{"verify", "Run the commands of criteria and record the results", kWork, run_verify},
    Command{"commit", "Commit the work on a phase", kWork, run_commit},
    Command{"sync", "Record what changed in the plan", kRecords, run_sync},
    Command{"watch", "Watch plans and record changes as they happen", kRecords, run_watch},
    Command{"log", "Show what happened, when and by whom", kRecords, run_log, true},
    Command{"timeline", "Show events, checkpoints and commits in one timeline", kRecords, run_timeline, true},
    Command{"restore", "Restore an earlier version of the plan", kRecords, run_restore},
    Command{"checkpoint", "Make, list and compare checkpoints of the work", kRecords, run_checkpoint, true},
    Command{"session", "Show what AI sessions did for commits", kRecords, run_session, true},
    Command{"rewind", "Rewind plan, files or both to a checkpoint", kRecords, run_rewind},
    Command{"doctor", "Check plankeep's files and hooks, and repair them", kRecords, run_doctor, true},
    Command{"install", "Add plankeep's hooks to a client's settings", kClients, run_install},
    Command{"uninstall", "Remove plankeep's hooks from a client's settings", kClients, run_uninstall},
    Command{"hook", "Handle a hook call of an AI coding client", kClients, run_hook},
    Command{"statusline", "Print progress for a client's status line", kClients, run_statusline},
    Command{"mcp", "Run the MCP server for a client", kClients, run_mcp},
    Command{"lsp", "Run the language server for an editor", kClients, run_lsp},
    Command{"fleet", "Share plans between machines through PostgreSQL", kRest, run_fleet},
    Command{"git-setup", "Make git merge plans box by box", kRest, run_git_setup},
    Command{"git-hook", "Handle a git hook", kRest, run_git_hook},
    Command{"merge-driver", "Merge versions of a plan, for git", kRest, run_merge_driver},
    Command{"use", "Choose the plan of this project", kRest, run_use},
    Command{"completion", "Print a shell completion script", kRest, run_completion},
    Command{"version", "Print the version", kRest, run_version},
    Command{"help", "Explain a command", kRest, run_help, true},
};

std::string in_locale(std::string_view text, const render::Style& style) {
  return style.ascii ? render::in_ascii(text) : std::string(text);
}

// Not for people, so in no list: how the program calls itself.
constexpr Command kAfterHook{app::kAfterHook, "", "", run_after_hook};
constexpr Command kAfterCommit{app::kAfterCommit, "", "", run_after_commit};

}  // namespace

ExitCode Program::fail(const base::Error& error, About about) {
  return fail(error, exit_code(error, about));
}

std::string short_words(std::string text, std::span<const std::string> typed) {
  constexpr std::size_t kLong = 500;
  constexpr std::size_t kShown = 100;
  for (const std::string& word : typed) {
    for (const std::size_t begin : {std::size_t{0}, word.find('=') + 1}) {
      const std::string_view value = std::string_view(word).substr(begin);
      if (value.size() <= kLong) continue;
      const std::string cut =
          base::fit_to_bytes(value, kShown) + " (" + std::to_string(value.size()) + " bytes)";
      for (std::size_t at = text.find(value); at != std::string::npos; at = text.find(value, at + cut.size()))
        text.replace(at, value.size(), cut);
    }
  }
  return text;
}

ExitCode Program::fail(const base::Error& whole, ExitCode code) {
  base::Error error = whole;
  error.message = short_words(std::move(error.message), typed);
  error.hint = short_words(std::move(error.hint), typed);
  if (never_fails) {
    // A client reads every status but 0 as a refusal, and standard output as the reply.
    const std::string hint = error.hint.empty() ? std::string() : "; " + error.hint;
    const std::string line = base::fit_to_bytes(base::printable(error.message + hint), 500);
    console.write_error(
        in_locale("plankeep: " + std::string(never_failing) + ": " + line + "\n", error_style));
    return ExitCode::fine;
  }
  console.write_error(in_locale(render::error_text(error, error_style), error_style));
  if (globals.json && !has_printed) {
    has_printed = true;
    console.write(render::error_json(error, static_cast<int>(code)));
  }
  return code;
}

void Program::warn(std::string_view warning) {
  if (globals.quiet) return;
  console.write_error(in_locale(render::warning_text(warning, error_style), error_style));
}

void Program::explain(std::string_view text) {
  if (!globals.verbose) return;
  console.write_error(in_locale("plankeep: " + render::safe_line(text) + "\n", error_style));
}

ExitCode Program::print(std::string_view text, ExitCode code) {
  if (globals.json) return print_data(text, code);
  std::string ascii;
  if (style.ascii) text = ascii = render::in_ascii(text);
  // Counted only where it matters: a list may have thousands of lines.
  const auto lines = [text] { return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')); };
  if (pages && on_terminal && globals.pager && lines() >= rows) {
    console.page(text);
  } else {
    console.write(text);
  }
  return code;
}

ExitCode Program::report_change(std::string_view text, ExitCode code) {
  const bool silent = globals.quiet && code == ExitCode::fine;
  return silent ? code : print(text, code);
}

ExitCode Program::print_data(std::string_view text, ExitCode code) {
  has_printed = true;
  console.write(text);
  return code;
}

ExitCode Program::end(ExitCode code) {
  if (end_process) end_process(code);
  return code;
}

std::span<const Command> commands() {
  return kCommands;
}

const Command* find_command(std::string_view name) {
  for (const Command& command : kCommands) {
    if (command.name == name) return &command;
  }
  if (name == kAfterHook.name) return &kAfterHook;
  if (name == kAfterCommit.name) return &kAfterCommit;
  return nullptr;
}

std::string overview() {
  std::string text =
      "plankeep keeps a Markdown plan truthful: it reads the plan and records who\n"
      "finished what, and when.\n"
      "\n"
      "Usage: plankeep [GLOBAL OPTIONS] COMMAND [OPTIONS]\n";
  std::string_view group;
  for (const Command& command : kCommands) {
    if (command.group != group) {
      group = command.group;
      text += "\n" + std::string(group) + ":\n";
    }
    text += "  " + render::pad_right(std::string(command.name), 14) + std::string(command.summary) + "\n";
  }
  text +=
      "\n"
      "plankeep help COMMAND explains one of them.\n"
      "\n"
      "Global options, before or after the command:\n"
      "  -C DIR                Work as if started in DIR\n"
      "  --plan PATH           The plan: a file, or the folder that contains it\n"
      "  --json                Print JSON; an error is a JSON object on standard output\n"
      "                        as well\n"
      "  -q, --quiet           No warnings, no progress, no reports of what was changed\n"
      "  -v, --verbose         Say which plan is meant\n"
      "  --color WHEN          auto (default), always or never\n"
      "  --no-color            The same as --color never\n"
      "  --no-pager            Never show long output with $PAGER\n"
      "  -h, --help            Explain the command\n"
      "  --version             Print the version\n"
      "\n"
      "The plan is the one named by --plan (a file, a folder or an id that plankeep\n"
      "plans shows), else by $PLANKEEP_PLAN, else the one that the AI session running\n"
      "this command last wrote in, else the one chosen with plankeep use, else the\n"
      "plan in this folder or the nearest parent, else the project's only active plan.\n"
      "\n"
      "Exit status: 0 success; 1 a check failed (such as lint errors or missing\n"
      "markers); 2 usage error; 3 no plan or several; 4 cannot read or write; 5 busy;\n"
      "130 interrupted; merge-driver: 129 if nothing was merged.\n";
  return text;
}

}  // namespace plankeep::cli

#include "cli/program.hpp"

#include <array>

#include "checkpoints/later.hpp"
#include "cli/commands/all.hpp"
#include "render/error.hpp"

namespace plankeep::cli {
namespace {

constexpr std::string_view kSetUp = "Start and read";
constexpr std::string_view kWork = "Work on the plan";
constexpr std::string_view kRecords = "What was recorded";
constexpr std::string_view kClients = "AI coding clients";
constexpr std::string_view kRest = "The program itself";

constexpr std::array kCommands{
    Command{"init", "Start tracking a plan", kSetUp, run_init},
    Command{"status", "Show how far the plan is", kSetUp, run_status},
    Command{"next", "Show what to do now", kSetUp, run_next},
    Command{"graph", "Show which tasks wait for which", kSetUp, run_graph},
    Command{"resume", "Print where things stand, for whoever goes on", kSetUp, run_resume},
    Command{"plans", "Show every plan below a folder", kSetUp, run_plans},
    Command{"parse", "Show a plan as it is read, without recording anything", kSetUp, run_parse},
    Command{"lint", "Check plans for mistakes", kSetUp, run_lint},
    Command{"annotate", "Give every phase and box its marker", kSetUp, run_annotate},
    Command{"export", "Print a plan as JSON, CSV or a task list", kSetUp, run_export},
    Command{"import", "Make a plan out of a prd.json", kSetUp, run_import},
    Command{"done", "Tick tasks or criteria", kWork, run_done},
    Command{"reopen", "Untick tasks or criteria", kWork, run_reopen},
    Command{"start", "Mark tasks as being worked on", kWork, run_start},
    Command{"claim", "Take a task for a while", kWork, run_claim},
    Command{"release", "Give a claimed task back", kWork, run_release},
    Command{"decide", "Write a decision into the plan", kWork, run_decide},
    Command{"block", "Write a blocker into the plan", kWork, run_block},
    Command{"unblock", "Take a blocker out of the plan", kWork, run_unblock},
    Command{"note", "Keep a note for whoever goes on", kWork, run_note},
    Command{"verify", "Run the commands of criteria, and keep what they showed", kWork, run_verify},
    Command{"commit", "Commit the work as a checkpoint of its phase", kWork, run_commit},
    Command{"sync", "Record what changed in the plan", kRecords, run_sync},
    Command{"watch", "Record what changes in plans, as it changes", kRecords, run_watch},
    Command{"log", "Show what happened, when and by whom", kRecords, run_log},
    Command{"timeline", "Show events, checkpoints and commits on one line of time", kRecords, run_timeline},
    Command{"restore", "Put back an earlier text of the plan", kRecords, run_restore},
    Command{"checkpoint", "Keep records of the work, and go on from one", kRecords, run_checkpoint},
    Command{"rewind", "Go back to a checkpoint: plan, files or both", kRecords, run_rewind},
    Command{"doctor", "Check the files kept about a plan, and repair them", kRecords, run_doctor},
    Command{"install", "Add our hooks to a client's settings", kClients, run_install},
    Command{"uninstall", "Take our hooks out of a client's settings", kClients, run_uninstall},
    Command{"hook", "Answer a hook call of an AI coding client", kClients, run_hook},
    Command{"statusline", "Print the plan as a client's status line", kClients, run_statusline},
    Command{"mcp", "Serve plans to a client as an MCP server", kClients, run_mcp},
    Command{"git-setup", "Make git merge plans box by box", kRest, run_git_setup},
    Command{"git-hook", "Answer a hook of git's", kRest, run_git_hook},
    Command{"merge-driver", "Merge versions of a plan, for git", kRest, run_merge_driver},
    Command{"use", "Choose the plan of this project", kRest, run_use},
    Command{"completion", "Print completions for a shell", kRest, run_completion},
    Command{"version", "Print the version", kRest, run_version},
    Command{"help", "Explain a command", kRest, run_help},
};

// Not for people, so in no list: how the program calls itself.
constexpr Command kAfterHook{app::kAfterHook, "", "", run_after_hook};

}  // namespace

ExitCode Program::fail(const base::Error& error, About about) {
  console.write_error(render::error_text(error, error_style));
  return exit_code(error, about);
}

void Program::warn(std::string_view warning) {
  console.write_error(render::warning_text(warning, error_style));
}

ExitCode Program::print(std::string_view text, ExitCode code) {
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
  return nullptr;
}

std::string overview() {
  std::string text =
      "plankeep keeps the plan: it reads a Markdown plan and remembers who finished what, and when.\n"
      "\n"
      "Usage: plankeep COMMAND [OPTIONS]\n";
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
      "The plan is the one named by --plan PATH (a file or folder), else by $PLANKEEP_PLAN, else the plan.md "
      "in this\n"
      "folder or the nearest one above, else the only one below plans/ or docs/plans/, else the one chosen "
      "with\n"
      "plankeep use.\n"
      "\n"
      "Exit status: 0 fine; 1 the answer is no (lint errors, missing markers); 2 usage; 3 no plan or "
      "several;\n"
      "4 cannot read or write; 5 busy; of merge-driver also 129 nothing was merged.\n";
  return text;
}

}  // namespace plankeep::cli

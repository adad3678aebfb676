#include "base/text.hpp"
#include "cli/arguments.hpp"
#include "cli/commands/all.hpp"

namespace plankeep::cli {
namespace {

struct Described {
  const Command* command = nullptr;
  std::vector<std::string> options;
};

// Commands that take the ids of tasks.
bool takes_ids(std::string_view name) {
  return name == "done" || name == "reopen" || name == "start" || name == "claim" || name == "release";
}

// Each command is run only as far as to say what options it has (cli/arguments): the list cannot fall behind.
std::vector<Described> describe(const Program& program) {
  std::vector<Described> described;
  for (const Command& command : commands()) {
    Described one;
    one.command = &command;
    Program asking{program.context, program.console, program.style, program.error_style, &one.options};
    command.run(asking, {});
    described.push_back(std::move(one));
  }
  return described;
}

// One word for zsh and fish, whatever stands in it: "a client's settings".
std::string quoted(const std::string& text) {
  std::string word = "'";
  for (const char c : text) word += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return word + "'";
}

std::string names(const std::vector<Described>& all) {
  return base::joined(all, " ", [](const Described& one) { return one.command->name; });
}

std::string bash(const std::vector<Described>& all) {
  std::string text =
      "# bash completion for plankeep\n"
      "_plankeep() {\n"
      "  local current=${COMP_WORDS[COMP_CWORD]} command=${COMP_WORDS[1]} options=\n"
      "  COMPREPLY=()\n"
      "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
      "    COMPREPLY=($(compgen -W '" +
      names(all) +
      "' -- \"$current\"))\n"
      "    return\n"
      "  fi\n"
      "  case $command in\n";
  for (const Described& one : all) {
    text +=
        "    " + std::string(one.command->name) + ") options='" + base::joined(one.options, " ") + "' ;;\n";
  }
  text +=
      "  esac\n"
      "  case $current in\n"
      "    -*) COMPREPLY=($(compgen -W \"$options\" -- \"$current\")); return ;;\n"
      "  esac\n"
      "  case $command in\n"
      "    claim|done|release|reopen|start) COMPREPLY=($(compgen -W \"$(plankeep next --ids 2>/dev/null)\" "
      "-- "
      "\"$current\")) ;;\n"
      "    help) COMPREPLY=($(compgen -W '" +
      names(all) +
      "' -- \"$current\")) ;;\n"
      "    completion) COMPREPLY=($(compgen -W 'bash zsh fish' -- \"$current\")) ;;\n"
      "    *) COMPREPLY=($(compgen -f -- \"$current\")) ;;\n"
      "  esac\n"
      "}\n"
      "complete -o filenames -F _plankeep plankeep\n";
  return text;
}

std::string zsh(const std::vector<Described>& all) {
  std::string text =
      "#compdef plankeep\n"
      "_plankeep() {\n"
      "  local -a commands options ids\n"
      "  commands=(\n";
  for (const Described& one : all) {
    text += "    " + quoted(std::string(one.command->name) + ":" + std::string(one.command->summary)) + "\n";
  }
  text +=
      "  )\n"
      "  if (( CURRENT == 2 )); then\n"
      "    _describe 'command' commands\n"
      "    return\n"
      "  fi\n"
      "  case ${words[2]} in\n";
  for (const Described& one : all) {
    text +=
        "    " + std::string(one.command->name) + ") options=(" + base::joined(one.options, " ") + ") ;;\n";
  }
  text +=
      "  esac\n"
      "  if [[ ${words[CURRENT]} == -* ]]; then\n"
      "    compadd -- $options\n"
      "    return\n"
      "  fi\n"
      "  case ${words[2]} in\n"
      "    claim|done|release|reopen|start) ids=(${(f)\"$(plankeep next --ids 2>/dev/null)\"}); compadd -- "
      "$ids ;;\n"
      "    help) _describe 'command' commands ;;\n"
      "    completion) compadd -- bash zsh fish ;;\n"
      "    *) _files ;;\n"
      "  esac\n"
      "}\n"
      "compdef _plankeep plankeep\n";
  return text;
}

std::string fish(const std::vector<Described>& all) {
  std::string text =
      "# fish completion for plankeep\n"
      "complete -c plankeep -n __fish_use_subcommand -f\n";
  for (const Described& one : all) {
    const std::string name(one.command->name);
    text += "complete -c plankeep -n __fish_use_subcommand -a " + name + " -d " +
            quoted(std::string(one.command->summary)) + "\n";
    for (const std::string& option : one.options) {
      text +=
          "complete -c plankeep -n '__fish_seen_subcommand_from " + name + "' -l " + option.substr(2) + "\n";
    }
    if (takes_ids(name)) {
      text += "complete -c plankeep -n '__fish_seen_subcommand_from " + name +
              "' -f -a '(plankeep next --ids 2>/dev/null)'\n";
    }
  }
  text += "complete -c plankeep -n '__fish_seen_subcommand_from completion' -f -a 'bash zsh fish'\n";
  text += "complete -c plankeep -n '__fish_seen_subcommand_from help' -f -a '" + names(all) + "'\n";
  return text;
}

}  // namespace

ExitCode run_completion(Program& program, const Words& words) {
  std::string shell;
  Arguments arguments(program, "completion",
                      "Prints a shell completion script: commands, options and the ids of the plan's tasks.");
  arguments.choice("SHELL", shell, {"bash", "zsh", "fish"}, "The shell");
  if (const auto stop = arguments.parse(words)) return *stop;
  const std::vector<Described> all = describe(program);
  if (shell == "bash") return program.print_data(bash(all));
  return program.print_data(shell == "zsh" ? zsh(all) : fish(all));
}

}  // namespace plankeep::cli

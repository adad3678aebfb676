#include <algorithm>

#include "checkpoints/find_checkpoint.hpp"
#include "cli/arguments.hpp"
#include "cli/candidates.hpp"
#include "cli/commands/all.hpp"
#include "project/discover.hpp"
#include "project/project.hpp"
#include "remotes/remotes.hpp"
#include "sessions/sessions.hpp"
#include "settings_files/settings_format.hpp"
#include "tracking/show.hpp"
#include "tracking/workspace.hpp"

namespace plankeep::cli {
namespace {

// The shells know nothing of plankeep: they hand over the words and take what the program says, a line each;
// "@files" means that names of files may stand there too. No word of a plan is ever part of a script: bash
// would run what stands in the list of compgen -W.
constexpr std::string_view kBash =
    "# bash completion for plankeep\n"
    "_plankeep() {\n"
    "  local current=${COMP_WORDS[COMP_CWORD]} line files=\n"
    "  COMPREPLY=()\n"
    "  [[ $current == = ]] && current=\n"
    "  while IFS= read -r line; do\n"
    "    if [[ $line == @files ]]; then\n"
    "      files=1\n"
    "      compopt -o filenames 2>/dev/null\n"
    "      while IFS= read -r line; do COMPREPLY+=(\"$line\"); done < <(compgen -f -- \"$current\")\n"
    "    elif [[ -n $files ]]; then\n"
    "      COMPREPLY+=(\"${line%%$'\\t'*}\")\n"
    "    else\n"
    "      COMPREPLY+=(\"$(printf '%q' \"${line%%$'\\t'*}\")\")\n"
    "    fi\n"
    "  done < <(plankeep completion --candidates line -- \"${COMP_WORDS[@]:1:COMP_CWORD}\" 2>/dev/null)\n"
    "}\n"
    "complete -F _plankeep plankeep\n";

constexpr std::string_view kZsh =
    "#compdef plankeep\n"
    "_plankeep() {\n"
    "  local -a lines\n"
    "  local files=\n"
    "  lines=(\"${(@f)$(plankeep completion --candidates line -- \"${(@)words[2,CURRENT]}\" "
    "2>/dev/null)}\")\n"
    "  if [[ ${lines[1]} == @files ]]; then\n"
    "    files=1\n"
    "    shift lines\n"
    "  fi\n"
    "  lines=(\"${(@)lines%%$'\\t'*}\")\n"
    "  lines=(\"${(@)lines:#}\")\n"
    "  compadd -- \"${(@)lines}\"\n"
    "  [[ -n $files ]] && _files\n"
    "}\n"
    "compdef _plankeep plankeep\n";

constexpr std::string_view kFish =
    "# fish completion for plankeep\n"
    "function __plankeep_candidates\n"
    "  set -l typed (commandline -opc) (commandline -ct)\n"
    "  set -l lines (plankeep completion --candidates line -- $typed[2..-1] 2>/dev/null)\n"
    "  if test \"$lines[1]\" = @files\n"
    "    set -e lines[1]\n"
    "    __fish_complete_path (commandline -ct)\n"
    "  end\n"
    "  test (count $lines) -gt 0; and printf '%s\\n' $lines\n"
    "end\n"
    "complete -c plankeep -f -a '(__plankeep_candidates)'\n";

// A command is run only as far as to say what it takes (cli/arguments): the list cannot fall behind.
std::vector<ArgumentSketch> describe(const Program& program, const std::string& name) {
  std::vector<ArgumentSketch> sketches;
  const Command* command = find_command(name);
  if (command == nullptr) return sketches;
  Program asking{program.context, program.console, program.style, program.error_style, &sketches};
  command->run(asking, {});
  return sketches;
}

// Candidates of one kind. What cannot be found has none: nobody reads errors while typing.
class Lookup {
 public:
  Lookup(const Program& program, std::optional<std::string> plan)
      : program_(program), named_(std::move(plan)) {}

  std::vector<std::string> all(const std::string& kind) const {
    if (kind == "commands") return command_names();
    if (kind == "events") return texts(core::event_names());
    if (kind == "types") return texts(core::checkpoint_type_names());
    if (kind == "clients") return client_names();
    if (kind == "plans") return plans();
    if (kind == "checkpoints") return checkpoints();
    if (kind == "sessions") return sessions();
    if (kind == "remotes") return remotes();
    if (kind == "tasks" || kind == "criteria" || kind == "phases" || kind == "actors") return of_plan(kind);
    return {};
  }

 private:
  template <class Names>
  static std::vector<std::string> texts(const Names& names) {
    return {names.begin(), names.end()};
  }

  static std::vector<std::string> command_names() {
    std::vector<std::string> names;
    for (const Command& command : commands())
      names.push_back(std::string(command.name) + "\t" + std::string(command.summary));
    return names;
  }

  static std::vector<std::string> client_names() {
    std::vector<std::string> names;
    for (const clients::SettingsFormat& format : clients::settings_formats())
      names.emplace_back(format.client);
    return names;
  }

  std::vector<std::string> plans() const {
    std::vector<std::string> names;
    const auto found = app::survey(program_.context, app::Project::here(program_.context).root());
    if (!found) return names;
    for (const app::PlanOverview& row : found->plans)
      names.push_back(app::shown_path(program_.context, row.plan.path()));
    return names;
  }

  std::vector<std::string> checkpoints() const {
    std::vector<std::string> ids{"last"};
    const auto plan = app::discover(program_.context, named_);
    if (!plan) return ids;
    const auto found = app::list_checkpoints(program_.context, plan->plan, {});
    if (!found) return ids;
    for (const core::ListedCheckpoint& one : found->listed) ids.push_back(one.head.id.text);
    return ids;
  }

  std::vector<std::string> sessions() const {
    constexpr std::size_t kMostOffered = 200;
    auto opened = app::Sessions::open(program_.context);
    if (!opened) return {};
    return opened->ids(kMostOffered).value_or(std::vector<std::string>());
  }

  std::vector<std::string> remotes() const {
    const app::Context& context = program_.context;
    if (context.processes == nullptr) return {};
    git::Git git(*context.processes, context.files);
    git::Remotes remotes(git, context.environment, context.environment.working_directory());
    return remotes.names().value_or(std::vector<std::string>());
  }

  std::vector<std::string> of_plan(const std::string& kind) const {
    std::vector<std::string> words;
    if (kind == "actors") words = {"main", "external", "person", "subagent:", "team:"};
    const auto plan = app::discover(program_.context, named_);
    if (!plan) return words;
    const auto shown = app::load_shown(program_.context, plan->plan, 0);
    if (!shown) return words;
    const core::StatusView view = app::view_of(*shown);
    for (const core::PhaseRow& phase : view.phases) {
      if (kind == "phases") words.push_back(phase.id.text + "\t" + phase.title);
      for (const core::TaskRow& task : phase.tasks) {
        if (kind == "tasks") words.push_back(task.id.text + "\t" + task.title);
        if (kind == "actors" && !task.completed_by.empty()) words.push_back(task.completed_by);
      }
      for (const core::CriterionRow& criterion : phase.acceptance) {
        if (kind == "tasks" || kind == "criteria")
          words.push_back(criterion.id.text + "\t" + criterion.title);
      }
    }
    return words;
  }

  const Program& program_;
  std::optional<std::string> named_;
};

// One line each, once, those that begin as what was typed does.
std::string lines_of(const std::vector<std::string>& words, std::string_view typed) {
  std::vector<std::string> seen;
  std::string text;
  for (const std::string& word : words) {
    const std::size_t tab = word.find('\t');
    const std::string value = render::safe_line(word.substr(0, tab));
    if (value.empty() || !value.starts_with(typed) ||
        std::find(seen.begin(), seen.end(), value) != seen.end())
      continue;
    seen.push_back(value);
    text += value;
    if (tab != std::string::npos) text += "\t" + render::safe_line(word.substr(tab + 1));
    text += "\n";
  }
  return text;
}

ExitCode offer(Program& program, const std::string& kind, const std::vector<std::string>& typed) {
  if (kind != "line")
    return program.print_data(lines_of(Lookup(program, program.globals.plan).all(kind), ""));
  const TypedLine line = read_typed_line(typed);
  if (program.change_folder) {
    for (const std::string& folder : line.globals.folders) {
      if (!program.change_folder(folder)) return ExitCode::fine;
    }
  }
  const Wanted wanted = wanted_at_end(line, describe(program, line.command));
  std::optional<std::string> named = line.globals.plan;
  for (std::size_t i = 0; i + 1 < line.behind.size(); ++i) {
    if (line.behind[i] == "--plan" && line.command != "rewind") named = line.behind[i + 1];
  }
  std::vector<std::string> words = wanted.words;
  const Lookup lookup(program, named);
  for (const std::string& one : wanted.kinds) {
    const std::vector<std::string> found = lookup.all(one);
    words.insert(words.end(), found.begin(), found.end());
  }
  return program.print_data((wanted.files ? "@files\n" : "") + lines_of(words, line.current));
}

}  // namespace

ExitCode run_completion(Program& program, const Words& words) {
  // For the scripts below, in no help.
  if (words.size() >= 2 && words[0] == "--candidates") {
    const auto typed = std::find(words.begin(), words.end(), "--");
    return offer(program, words[1], {typed == words.end() ? typed : typed + 1, words.end()});
  }
  std::string shell;
  Arguments arguments(
      program, "completion",
      "Prints a shell completion script. It completes commands, options and their values: ids of\n"
      "tasks, phases and checkpoints, names of events, plans and clients.");
  arguments.choice("SHELL", shell, {"bash", "zsh", "fish"}, "The shell");
  if (const auto stop = arguments.parse(words)) return *stop;
  if (shell == "bash") return program.print_data(kBash);
  return program.print_data(shell == "zsh" ? kZsh : kFish);
}

}  // namespace plankeep::cli

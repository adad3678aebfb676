#include <algorithm>
#include <map>
#include <set>

#include "base/text.hpp"
#include "checkpoints/find_checkpoint.hpp"
#include "cli/arguments.hpp"
#include "cli/candidates.hpp"
#include "cli/commands/all.hpp"
#include "project/discover.hpp"
#include "project/project.hpp"
#include "remotes/remotes.hpp"
#include "rewind/restore.hpp"
#include "sessions/sessions.hpp"
#include "settings_files/settings_format.hpp"
#include "tracking/show.hpp"
#include "tracking/workspace.hpp"

namespace plankeep::cli {
namespace {

// The shells know nothing of plankeep: they hand over the words and take what the program says, a line each;
// "@files" means that names of files may stand there too. No word of a plan is ever part of a script: bash
// would run what stands in the list of compgen -W.
//
// bash breaks words at the characters of COMP_WORDBREAKS, "=" and ":" among them, and replaces only what
// stands behind the last: the words are put together again, and the part in front is cut from what is
// offered.
constexpr std::string_view kBash =
    "# bash completion for plankeep\n"
    "_plankeep() {\n"
    "  local -a words=()\n"
    "  local i word rest=$COMP_LINE current line front= prefix= files=\n"
    "  for ((i = 0; i <= COMP_CWORD; i++)); do\n"
    "    word=${COMP_WORDS[i]}\n"
    "    if ((i > 0)) && [[ $rest != [[:space:]]* && -n $rest ]] &&\n"
    "      [[ $word == [=:]* || ${COMP_WORDS[i - 1]} == *[=:] ]]; then\n"
    "      words[${#words[@]}-1]+=$word\n"
    "    else\n"
    "      words+=(\"$word\")\n"
    "    fi\n"
    "    rest=${rest#\"${rest%%[![:space:]]*}\"}\n"
    "    rest=${rest#\"$word\"}\n"
    "  done\n"
    "  # What was typed quoted or with backslashes is the word without them.\n"
    "  for i in \"${!words[@]}\"; do\n"
    "    word=${words[i]}\n"
    "    case $word in\n"
    "      \\\"* | \\'*)\n"
    "        rest=${word:0:1}\n"
    "        word=${word#\"$rest\"}\n"
    "        word=${word%\"$rest\"}\n"
    "        ;;\n"
    "      *\\\\*) word=${word//\\\\/} ;;\n"
    "    esac\n"
    "    words[i]=$word\n"
    "  done\n"
    "  current=${words[${#words[@]}-1]}\n"
    "  [[ $current == *[=:]* && $COMP_WORDBREAKS == *[=:]* ]] && front=${current%\"${current##*[=:]}\"}\n"
    "  [[ $current == --*=* ]] && prefix=${current%%=*}=\n"
    "  COMPREPLY=()\n"
    "  while IFS= read -r line; do\n"
    "    line=${line%%$'\\t'*}\n"
    "    if [[ $line == @files ]]; then\n"
    "      files=1\n"
    "      compopt -o filenames 2>/dev/null\n"
    "      while IFS= read -r line; do COMPREPLY+=(\"$line\"); done < "
    "<(compgen -f -- \"${current#\"$prefix\"}\")\n"
    "    elif [[ $line == \"$front\" ]]; then\n"
    "      continue\n"
    "    elif [[ -n $files ]]; then\n"
    "      COMPREPLY+=(\"${line#\"$front\"}\")\n"
    "    else\n"
    "      COMPREPLY+=(\"$(printf '%q' \"${line#\"$front\"}\")\")\n"
    "    fi\n"
    "  done < <(plankeep completion --candidates line -- \"${words[@]:1}\" 2>/dev/null)\n"
    "}\n"
    "complete -F _plankeep plankeep\n";

// Works from a file of $fpath, where its text is the function's body, and where it is sourced.
constexpr std::string_view kZsh =
    "#compdef plankeep\n"
    "_plankeep() {\n"
    "  local -a lines typed\n"
    "  local files=\n"
    "  typed=(\"${(@Q)words[2,CURRENT]}\")\n"
    "  lines=(\"${(@f)$(plankeep completion --candidates line -- \"${(@)typed}\" 2>/dev/null)}\")\n"
    "  if [[ ${lines[1]} == @files ]]; then\n"
    "    files=1\n"
    "    shift lines\n"
    "  fi\n"
    "  lines=(\"${(@)lines%%$'\\t'*}\")\n"
    "  lines=(\"${(@)lines:#}\")\n"
    "  (( $#lines )) && compadd -- \"${(@)lines}\"\n"
    "  if [[ -n $files ]]; then\n"
    "    compset -P '--*='\n"
    "    _files\n"
    "  fi\n"
    "}\n"
    "if [[ ${funcstack[1]} == _plankeep ]]; then\n"
    "  _plankeep \"$@\"\n"
    "else\n"
    "  compdef _plankeep plankeep\n"
    "fi\n";

constexpr std::string_view kFish =
    "# fish completion for plankeep\n"
    "function __plankeep_candidates\n"
    "  set -l typed (commandline -opc) (commandline -ct)\n"
    "  set -l lines (plankeep completion --candidates line -- $typed[2..-1] 2>/dev/null)\n"
    "  if test \"$lines[1]\" = @files\n"
    "    set -e lines[1]\n"
    "    set -l path (commandline -ct)\n"
    "    set -l option (string match -r -- '^--[^=]*=' $path)\n"
    "    if test -n \"$option\"\n"
    "      __fish_complete_path (string replace -- $option '' $path) | string replace -r '^' -- $option\n"
    "    else\n"
    "      __fish_complete_path $path\n"
    "    end\n"
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
  /// `client`: the one whose events are asked for.
  Lookup(const Program& program, std::optional<std::string> plan, std::string client = {})
      : program_(program), named_(std::move(plan)), client_(std::move(client)) {}

  std::vector<std::string> all(const std::string& kind, std::string_view typed = {}) const {
    if (kind == "commands") return command_names();
    if (kind == "events") return texts(core::event_names());
    if (kind == "types") return texts(core::checkpoint_type_names());
    if (kind == "clients") return client_names(false);
    if (kind == "status line clients") return client_names(true);
    if (kind == "client events") return client_events();
    if (kind == "git hooks") return {"prepare-commit-msg", "commit-msg", "post-commit", "post-rewrite"};
    if (kind == "times") return {"2h", "1d", "3d", "7d", "30d"};
    if (kind == "plans") return plans(true);
    if (kind == "runs") return plans(false);
    if (kind == "checkpoints" || kind == "messages" || kind == "turns") return checkpoints(kind);
    if (kind == "versions") return versions();
    if (kind == "sessions") return sessions();
    if (kind == "recorded sessions") return recorded_sessions();
    if (kind == "remotes") return remotes();
    if (kind == "branches") return refs({"refs/heads"});
    if (kind == "commits") return commits();
    return of_plan(kind, typed);
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

  static std::vector<std::string> client_names(bool with_status_line) {
    std::vector<std::string> names;
    for (const clients::SettingsFormat& format : clients::settings_formats()) {
      if (format.status_line || !with_status_line) names.emplace_back(format.client);
    }
    return names;
  }

  std::vector<std::string> client_events() const {
    std::vector<std::string> names;
    const clients::SettingsFormat* format = clients::find_settings_format(client_);
    if (format == nullptr) return names;
    for (const clients::HookEntry& entry : format->entries) names.emplace_back(entry.event);
    return names;
  }

  std::vector<std::string> plans(bool paths_too) const {
    std::vector<std::string> names;
    const auto found = app::survey(program_.context, app::Project::here(program_.context).root());
    if (!found) return names;
    for (const app::PlanOverview& row : found->plans) {
      if (paths_too) names.push_back(app::shown_path(program_.context, row.plan.path()));
      names.push_back(row.id + "\t" + row.shown);
    }
    return names;
  }

  // Their ids, the client's messages that ended their turns, or the numbers of those.
  std::vector<std::string> checkpoints(const std::string& kind) const {
    std::vector<std::string> words;
    if (kind == "checkpoints") words.emplace_back("last");
    const auto plan = app::discover(program_.context, named_);
    if (!plan) return words;
    const auto found = app::list_checkpoints(program_.context, plan->plan, {});
    if (!found) return words;
    for (const core::ListedCheckpoint& one : found->listed) {
      std::string word = kind == "checkpoints" ? one.head.id.text
                         : kind == "messages"  ? one.message_id
                         : one.turn > 0        ? std::to_string(one.turn)
                                               : std::string();
      if (!word.empty()) words.push_back(std::move(word) + "\t" + one.prompt);
    }
    return words;
  }

  std::vector<std::string> versions() const {
    std::vector<std::string> words;
    const auto plan = app::discover(program_.context, named_);
    if (!plan) return words;
    const auto found = app::earlier_texts(program_.context, plan->plan);
    if (!found) return words;
    for (const app::EarlierText& text : found->texts)
      words.push_back(std::to_string(text.number) + "\t" + base::to_iso8601(text.time));
    return words;
  }

  std::vector<std::string> sessions() const {
    auto opened = app::Sessions::open(program_.context);
    if (!opened) return {};
    return opened->ids(kMostOffered).value_or(std::vector<std::string>());
  }

  // The clients' own ids, of what session checkpoints hold.
  std::vector<std::string> recorded_sessions() const {
    std::vector<std::string> words;
    auto opened = app::Sessions::open(program_.context);
    if (!opened) return words;
    app::SessionListRequest request;
    request.count = kMostOffered;
    const auto found = opened->list(request);
    if (!found) return words;
    for (const app::SessionListItem& item : found->items) {
      for (const core::ListedSession& session : item.row.sessions)
        words.push_back(session.session_id + "\t" + session.agent);
    }
    return words;
  }

  std::vector<std::string> remotes() const {
    const app::Context& context = program_.context;
    if (context.processes == nullptr) return {};
    git::Git git(*context.processes, context.files);
    git::Remotes remotes(git, context.environment, context.environment.working_directory());
    return remotes.names().value_or(std::vector<std::string>());
  }

  std::vector<std::string> git_lines(const std::vector<std::string>& command) const {
    const app::Context& context = program_.context;
    if (context.processes == nullptr) return {};
    git::Git git(*context.processes, context.files);
    const auto said = git.run(context.environment.working_directory(), command);
    if (!said || said->status != 0) return {};
    std::vector<std::string> lines = base::parts_of(said->output, '\n');
    std::erase(lines, std::string());
    return lines;
  }

  std::vector<std::string> refs(const std::vector<std::string>& below) const {
    std::vector<std::string> command{"for-each-ref", "--format=%(refname:short)",
                                     "--count=" + std::to_string(kMostOffered)};
    command.insert(command.end(), below.begin(), below.end());
    return git_lines(command);
  }

  std::vector<std::string> commits() const {
    std::vector<std::string> words{"HEAD"};
    for (auto& ref : refs({"refs/heads", "refs/tags"})) words.push_back(std::move(ref));
    for (auto& line : git_lines({"log", "-n", "30", "--no-show-signature", "--format=%h%x09%s"}))
      words.push_back(std::move(line));
    return words;
  }

  std::vector<std::string> of_plan(const std::string& kind, std::string_view typed) const {
    std::vector<std::string> words;
    if (kind == "actors") words = {"main", "external", "person", "subagent:", "team:"};
    const auto plan = app::discover(program_.context, named_);
    if (!plan) return words;
    const auto shown = app::load_shown(program_.context, plan->plan, 0);
    if (!shown) return words;
    const core::StatusView view = app::view_of(*shown);
    if (kind == "blockers") return view.blockers;
    if (kind == "client sessions" && shown->state) {
      for (const core::SessionState& session : shown->state->sessions)
        words.push_back(session.id + "\t" + session.client);
    }
    std::map<std::string, int> times;
    for (const core::PhaseRow& phase : view.phases) {
      for (const core::TaskRow& task : phase.tasks) ++times[task.id.text];
      for (const core::CriterionRow& criterion : phase.acceptance) ++times[criterion.id.text];
    }
    for (const core::PhaseRow& phase : view.phases) {
      if (kind == "phases") words.push_back(phase.id.text + "\t" + phase.title);
      // An id that is not alone is named with its phase, and so is what is typed like that.
      const auto name = [&](const std::string& id) {
        return times[id] > 1 || typed.find('/') != std::string_view::npos ? phase.id.text + "/" + id : id;
      };
      for (const core::TaskRow& task : phase.tasks) {
        if (kind == "tasks") words.push_back(name(task.id.text) + "\t" + task.title);
        if (kind == "actors" && !task.completed_by.empty()) words.push_back(task.completed_by);
      }
      for (const core::CriterionRow& criterion : phase.acceptance) {
        if (kind == "tasks" || kind == "criteria")
          words.push_back(name(criterion.id.text) + "\t" + criterion.title);
      }
    }
    return words;
  }

  static constexpr std::size_t kMostOffered = 200;
  const Program& program_;
  std::optional<std::string> named_;
  std::string client_;
};

// One line each, once, those that begin as what was typed does.
std::string lines_of(const std::vector<std::string>& words, const std::string& prefix,
                     std::string_view typed) {
  std::set<std::string> seen;
  std::string text;
  for (const std::string& word : words) {
    const std::size_t tab = word.find('\t');
    const std::string own = render::safe_line(word.substr(0, tab));
    const std::string value = prefix + own;
    if (own.empty() || !value.starts_with(typed) || !seen.insert(value).second) continue;
    text += value;
    if (tab != std::string::npos) text += "\t" + render::safe_line(word.substr(tab + 1));
    text += "\n";
  }
  return text;
}

ExitCode offer(Program& program, const std::string& kind, const std::vector<std::string>& typed) {
  if (kind != "line")
    return program.print_data(lines_of(Lookup(program, program.globals.plan).all(kind), "", ""));
  const TypedLine line = read_typed_line(typed);
  if (program.change_folder) {
    for (const std::string& folder : line.globals.folders) {
      if (!program.change_folder(folder)) return ExitCode::fine;
    }
  }
  const Wanted wanted = wanted_at_end(line, describe(program, line.command));
  std::optional<std::string> named = line.globals.plan;
  constexpr std::string_view kPlan = "--plan";
  for (std::size_t i = 0; i < line.behind.size() && line.command != "rewind"; ++i) {
    const std::string& word = line.behind[i];
    if (word == kPlan && i + 1 < line.behind.size()) named = line.behind[i + 1];
    if (word.starts_with("--plan=")) named = word.substr(kPlan.size() + 1);
  }
  const auto client = std::find_if(line.behind.begin(), line.behind.end(),
                                   [](const std::string& word) { return !word.starts_with('-'); });
  std::vector<std::string> words = wanted.words;
  const Lookup lookup(program, named, client == line.behind.end() ? std::string() : *client);
  for (const std::string& one : wanted.kinds) {
    const std::vector<std::string> found = lookup.all(one, line.current);
    words.insert(words.end(), found.begin(), found.end());
  }
  const std::string lines = lines_of(words, wanted.prefix, line.current);
  // Where a plan is wanted and one begins so, other files and folders are in the way.
  const bool plans = std::find(wanted.kinds.begin(), wanted.kinds.end(), "plans") != wanted.kinds.end();
  const bool files = wanted.files && !(plans && !lines.empty());
  return program.print_data((files ? "@files\n" : "") + lines);
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
      "tasks, phases, checkpoints and sessions, names of events, plans, clients, branches and remotes.");
  arguments.choice("SHELL", shell, {"bash", "zsh", "fish"}, "The shell");
  if (const auto stop = arguments.parse(words)) return *stop;
  if (shell == "bash") return program.print_data(kBash);
  return program.print_data(shell == "zsh" ? kZsh : kFish);
}

}  // namespace plankeep::cli

#include "cli/candidates.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "base/text.hpp"

namespace plankeep::cli {
namespace {

struct KindOf {
  std::string_view command;  // empty: of any
  std::string_view name;     // of the option; of an argument its placeholder
  std::string_view kind;
};

// The first that fits.
constexpr std::array kKinds{
    KindOf{"", "--plan", "plans"},
    KindOf{"", "--of", "plans"},
    KindOf{"", "--run", "runs"},
    KindOf{"", "--parent", "tasks"},
    KindOf{"", "--after", "tasks"},
    KindOf{"", "--client", "clients"},
    KindOf{"", "--task", "tasks"},
    KindOf{"", "--phase", "phases"},
    KindOf{"", "--event", "events"},
    KindOf{"", "--by", "actors"},
    KindOf{"", "--branch", "branches"},
    KindOf{"", "--commit", "commits"},
    KindOf{"", "--since", "times"},
    KindOf{"", "--older-than", "times"},
    KindOf{"session", "--session", "recorded sessions"},
    KindOf{"", "--session", "client sessions"},
    KindOf{"rewind", "--message", "messages"},
    KindOf{"rewind", "--turn", "turns"},
    KindOf{"verify", "ID", "criteria"},
    KindOf{"", "ID", "tasks"},
    KindOf{"", "CHECKPOINT", "checkpoints"},
    KindOf{"commit", "REV", "commits"},
    KindOf{"restore", "WHICH", "versions"},
    KindOf{"unblock", "TEXT|N", "blockers"},
    KindOf{"hook", "EVENT", "client events"},
    KindOf{"git-hook", "EVENT", "git hooks"},
    KindOf{"statusline", "CLIENT", "status line clients"},
    KindOf{"", "PLAN", "plans"},
    KindOf{"", "CLIENT", "clients"},
    KindOf{"", "COMMAND", "commands"},
};

// What the words behind the action of a command are; of the last one there may be any number.
struct ActionWords {
  std::string_view command;
  std::string_view action;
  std::array<Wanted (*)(), 2> words;
};

Wanted nothing() {
  return {};
}
Wanted some_checkpoint() {
  return {{"checkpoints"}, {}, false, {}};
}
Wanted some_file() {
  return {{}, {}, true, {}};
}
Wanted some_session() {
  return {{"sessions"}, {}, false, {}};
}
Wanted some_remote() {
  return {{"remotes"}, {}, false, {}};
}

constexpr std::array kActions{
    ActionWords{"checkpoint", "show", {some_checkpoint, nothing}},
    ActionWords{"checkpoint", "diff", {some_checkpoint, some_checkpoint}},
    ActionWords{"checkpoint", "checkout", {some_checkpoint, some_file}},
    ActionWords{"checkpoint",
                "import",
                {[] {
                   return Wanted{{"commits"}, {}, false, {}};
                 },
                 nothing}},
    ActionWords{"checkpoint",
                "export",
                {[] {
                   return Wanted{{"checkpoints", "client sessions"}, {}, false, {}};
                 },
                 [] {
                   return Wanted{{"checkpoints", "client sessions"}, {}, false, {}};
                 }}},
    ActionWords{"checkpoint", "create", {nothing, nothing}},
    ActionWords{"checkpoint", "list", {nothing, nothing}},
    ActionWords{"checkpoint", "cleanup", {nothing, nothing}},
    ActionWords{"session",
                "show",
                {[] {
                   return Wanted{{"sessions", "recorded sessions", "commits"}, {}, false, {}};
                 },
                 nothing}},
    ActionWords{"session",
                "resume",
                {[] {
                   return Wanted{{"sessions", "recorded sessions", "commits"}, {}, false, {}};
                 },
                 nothing}},
    ActionWords{"session",
                "why",
                {[] {
                   return Wanted{{"tasks"}, {}, true, {}};
                 },
                 nothing}},
    ActionWords{"session", "clean", {some_session, some_session}},
    ActionWords{"session", "push", {some_remote, nothing}},
    ActionWords{"session", "list", {some_remote, nothing}},
    ActionWords{"session", "check", {nothing, nothing}},
    ActionWords{"session",
                "fetch",
                {[] {
                   return Wanted{{"sessions", "remotes"}, {}, false, {}};
                 },
                 [] {
                   return Wanted{{"sessions", "remotes"}, {}, false, {}};
                 }}},
};

bool is_file(std::string_view placeholder) {
  constexpr std::array<std::string_view, 9> kFiles{"PATH", "FILE",   "FOLDER", "PLAN",   "BASE",
                                                   "OURS", "THEIRS", "DIR",    "PATH|ID"};
  return std::find(kFiles.begin(), kFiles.end(), placeholder) != kFiles.end();
}

Wanted values(std::string_view command, std::string_view name, const ArgumentSketch& argument,
              std::string_view typed) {
  Wanted wanted;
  wanted.files = is_file(argument.placeholder);
  for (const KindOf& one : kKinds) {
    if ((!one.command.empty() && one.command != command) || one.name != name) continue;
    wanted.kinds.emplace_back(one.kind);
    break;
  }
  if (!wanted.files && wanted.kinds.empty() && argument.placeholder.find('|') != std::string::npos)
    wanted.words = base::parts_of(argument.placeholder, '|');
  // "ID,...": what is in front of the last comma stays.
  if (argument.placeholder.ends_with(",...")) {
    const std::size_t comma = typed.rfind(',');
    if (comma != std::string_view::npos) wanted.prefix = std::string(typed.substr(0, comma + 1));
  }
  return wanted;
}

const std::vector<ArgumentSketch>& global_sketches() {
  static const std::vector<ArgumentSketch> all{
      {{"-C"}, "DIR", false},           {{"--plan"}, "PATH", false},
      {{"--json"}, "", false},          {{"--quiet", "-q"}, "", false},
      {{"--verbose", "-v"}, "", false}, {{"--color"}, "auto|always|never", false},
      {{"--no-color"}, "", false},      {{"--no-pager"}, "", false},
      {{"--help", "-h"}, "", false},    {{"--version"}, "", false}};
  return all;
}

const ArgumentSketch* option_named(const std::vector<ArgumentSketch>& arguments, const std::string& name) {
  for (const auto* all : {&arguments, &global_sketches()}) {
    for (const ArgumentSketch& one : *all) {
      if (std::find(one.names.begin(), one.names.end(), name) != one.names.end()) return &one;
    }
  }
  return nullptr;
}

Wanted options_of(const std::vector<ArgumentSketch>& arguments) {
  Wanted wanted;
  for (const auto* all : {&arguments, &global_sketches()}) {
    for (const ArgumentSketch& one : *all) {
      for (const std::string& name : one.names) {
        const bool is_new = std::find(wanted.words.begin(), wanted.words.end(), name) == wanted.words.end();
        if (name.starts_with("--") && is_new) wanted.words.push_back(name);
      }
    }
  }
  return wanted;
}

}  // namespace

TypedLine read_typed_line(std::vector<std::string> words) {
  TypedLine line;
  if (words.empty()) return line;
  line.current = std::move(words.back());
  words.pop_back();
  // An option whose value is being typed is not complete: it belongs to what comes in front.
  CommandLine read = read_command_line(words);
  line.globals = std::move(read.globals);
  line.command = std::move(read.command);
  line.behind = std::move(read.words);
  if (line.command.empty()) line.behind = std::move(words);
  return line;
}

Wanted wanted_at_end(const TypedLine& line, const std::vector<ArgumentSketch>& arguments) {
  const bool only_arguments = std::find(line.behind.begin(), line.behind.end(), "--") != line.behind.end();
  if (!line.behind.empty() && !only_arguments) {
    const std::string& before = line.behind.back();
    const ArgumentSketch* option = option_named(arguments, before);
    if (option != nullptr && !option->placeholder.empty())
      return values(line.command, option->names.front(), *option, line.current);
  }
  if (line.current.starts_with('-') && !only_arguments) {
    const std::size_t equals = line.current.find('=');
    if (equals == std::string::npos) return options_of(arguments);
    const ArgumentSketch* option = option_named(arguments, line.current.substr(0, equals));
    if (option == nullptr || option->placeholder.empty()) return {};
    const std::string_view typed = std::string_view(line.current).substr(equals + 1);
    Wanted wanted = values(line.command, option->names.front(), *option, typed);
    wanted.prefix = line.current.substr(0, equals + 1) + wanted.prefix;
    return wanted;
  }
  if (line.command.empty()) return {{"commands"}, {}, false, {}};
  // Which argument it is: those that were given are neither options nor their values.
  std::size_t given = 0;
  std::string first;
  for (std::size_t i = 0; i < line.behind.size(); ++i) {
    const ArgumentSketch* option = option_named(arguments, line.behind[i]);
    if (option == nullptr) {
      if (line.behind[i].starts_with('-')) continue;
      if (given++ == 0) first = line.behind[i];
    } else if (!option->placeholder.empty()) {
      ++i;
    }
  }
  // Behind the dashes stand the files that a comparison is about.
  if (only_arguments && line.command == "checkpoint") return some_file();
  for (const ActionWords& one : kActions) {
    if (given > 0 && one.command == line.command && one.action == first)
      return one.words[std::min(given, one.words.size()) - 1]();
  }
  for (const ArgumentSketch& one : arguments) {
    if (!one.names.empty()) continue;
    if (given == 0 || one.repeats) return values(line.command, one.placeholder, one, line.current);
    --given;
  }
  return {};
}

}  // namespace plankeep::cli

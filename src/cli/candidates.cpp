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
    KindOf{"", "--parent", "tasks"},
    KindOf{"", "--after", "tasks"},
    KindOf{"", "--client", "clients"},
    KindOf{"", "--task", "tasks"},
    KindOf{"", "--phase", "phases"},
    KindOf{"", "--event", "events"},
    KindOf{"", "--by", "actors"},
    KindOf{"verify", "ID", "criteria"},
    KindOf{"checkpoint", "ID", "checkpoints"},
    KindOf{"session", "ID", "sessions"},
    KindOf{"", "ID", "tasks"},
    KindOf{"", "CHECKPOINT", "checkpoints"},
    KindOf{"", "PLAN", "plans"},
    KindOf{"", "CLIENT", "clients"},
    KindOf{"", "COMMAND", "commands"},
};

bool is_file(std::string_view placeholder) {
  constexpr std::array<std::string_view, 9> kFiles{"PATH", "FILE",   "FOLDER", "PLAN",   "BASE",
                                                   "OURS", "THEIRS", "DIR",    "PATH|ID"};
  return std::find(kFiles.begin(), kFiles.end(), placeholder) != kFiles.end();
}

Wanted values(std::string_view command, std::string_view name, const ArgumentSketch& argument) {
  Wanted wanted;
  wanted.files = is_file(argument.placeholder);
  if (!wanted.files && argument.placeholder.find('|') != std::string::npos) {
    wanted.words = base::parts_of(argument.placeholder, '|');
    return wanted;
  }
  for (const KindOf& one : kKinds) {
    if ((!one.command.empty() && one.command != command) || one.name != name) continue;
    wanted.kinds.emplace_back(one.kind);
    break;
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
  // bash takes "--plan=x" for three words.
  std::erase(words, "=");
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
      return values(line.command, option->names.front(), *option);
  }
  if (line.current.starts_with('-') && !only_arguments) return options_of(arguments);
  if (line.command.empty()) return {{"commands"}, {}, false};
  const auto action = std::find_if(line.behind.begin(), line.behind.end(),
                                   [](const std::string& word) { return !word.starts_with('-'); });
  if (line.command == "session" && action != line.behind.end()) {
    if (*action == "why") return {{"tasks"}, {}, true};
    if (*action == "push" || *action == "list") return {{"remotes"}, {}, false};
    if (*action == "fetch") return {{"sessions", "remotes"}, {}, false};
  }
  // Which argument it is: those that were given are neither options nor their values.
  std::size_t given = 0;
  for (std::size_t i = 0; i < line.behind.size(); ++i) {
    const ArgumentSketch* option = option_named(arguments, line.behind[i]);
    if (option == nullptr) {
      if (!line.behind[i].starts_with('-')) ++given;
    } else if (!option->placeholder.empty()) {
      ++i;
    }
  }
  for (const ArgumentSketch& one : arguments) {
    if (!one.names.empty()) continue;
    if (given == 0 || one.repeats) return values(line.command, one.placeholder, one);
    --given;
  }
  return {};
}

}  // namespace plankeep::cli

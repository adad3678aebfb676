#include "cli/commands/program/fleet_options.hpp"

namespace plankeep::cli {
namespace {

// Without the address, which is passed in the environment, and without options that are passed from
// `globals`.
std::vector<std::string> words_without(const Words& words, std::initializer_list<std::string_view> options) {
  std::vector<std::string> left;
  for (std::size_t i = 0; i < words.size(); ++i) {
    bool drop = false;
    for (const std::string_view option : options) {
      if (words[i] == option) {
        ++i;  // its value
        drop = true;
      } else if (words[i].starts_with(option) && words[i].substr(option.size()).starts_with('=')) {
        drop = true;
      }
      if (drop) break;
    }
    if (!drop) left.push_back(words[i]);
  }
  return left;
}

}  // namespace

ExitCode run_fleet(Program& program, const Words& words) {
  FleetOptions options;
  if (const auto stop = read_fleet_options(program, words, options)) return *stop;
  // become_fleet adds -C, --plan and --color, which may also come before the command's name.
  Words passed = words_without(words, {"--fleet", "-C", "--plan", "--color"});
  std::erase_if(passed, [](const std::string& word) {
    return word == "--json" || word == "-q" || word == "--quiet" || word == "-v" || word == "--verbose" ||
           word == "--no-pager" || word == "--no-color";
  });
  if (options.plan) program.globals.plan = options.plan;
  if (options.json) program.globals.json = true;
  return become_fleet(program, std::move(passed), options.address);
}

}  // namespace plankeep::cli

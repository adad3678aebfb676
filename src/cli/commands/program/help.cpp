#include "cli/arguments.hpp"
#include "cli/commands/all.hpp"

namespace plankeep::cli {

ExitCode run_help(Program& program, const Words& words) {
  std::string name;
  Arguments arguments(program, "help", "Explains a command, or lists them all.");
  arguments.positional("COMMAND", name, "The command to explain", Arguments::Need::optional);
  if (const auto stop = arguments.parse(words)) return *stop;
  if (name.empty()) return program.print(overview());
  const Command* command = find_command(name);
  if (command != nullptr) return command->run(program, {"--help"});
  return program.fail(
      {base::ErrorKind::not_found, "unknown command " + name, {}, "plankeep --help lists the commands"},
      About::request);
}

}  // namespace plankeep::cli

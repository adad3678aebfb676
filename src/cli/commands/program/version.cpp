#include "cli/version.hpp"

#include "base/json_writer.hpp"
#include "cli/arguments.hpp"
#include "cli/commands/all.hpp"

namespace plankeep::cli {

ExitCode run_version(Program& program, const Words& words) {
  bool json = false;
  Arguments arguments(program, "version", "Prints the version.");
  arguments.json(json);
  if (const auto stop = arguments.parse(words)) return *stop;
  if (!json) return program.print("plankeep " + std::string(kVersion) + "\n");
  // The version of state.json is what other tools ask for.
  base::JsonWriter out(base::JsonWriter::Layout::indented);
  out.begin_object()
      .key("name")
      .value("plankeep")
      .key("version")
      .value(kVersion)
      .key("stateVersion")
      .value(2);
  out.end_object();
  return program.print(out.finish());
}

}  // namespace plankeep::cli

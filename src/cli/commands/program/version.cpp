#include "cli/version.hpp"

#include "base/json_writer.hpp"
#include "cli/arguments.hpp"
#include "cli/commands/all.hpp"
#include "project/own_program.hpp"

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
  const auto text_or_null = [&out](std::string_view key, const std::string& text) {
    out.key(key);
    if (text.empty()) {
      out.null();
    } else {
      out.value(text);
    }
  };
  text_or_null("program", program.context.environment.program());
  const auto origin = app::program_origin(program.context, kVersion);
  text_or_null("package", origin ? origin->package : "");
  text_or_null("commit", origin ? origin->commit : "");
  out.end_object();
  return program.print(out.finish());
}

}  // namespace plankeep::cli

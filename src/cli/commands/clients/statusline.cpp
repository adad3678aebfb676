#include <chrono>

#include "base/limits.hpp"
#include "base/utf8.hpp"
#include "cli/arguments.hpp"
#include "cli/commands/all.hpp"
#include "clients/status_line.hpp"
#include "hooks/status_line.hpp"
#include "render/progress/status_line.hpp"
#include "settings_files/settings_format.hpp"

namespace plankeep::cli {
namespace {

constexpr std::size_t kInputLimit = base::kLargestSmallFile;
constexpr std::chrono::milliseconds kInputTimeout{1000};
// The client kills a status line that is still running when the next one is due; this is far beyond.
constexpr std::chrono::milliseconds kThenTimeout{5000};

// What the status line that was there before says; it gets the same input.
std::string run_then(Program& program, const std::string& command, const std::string& input) {
  if (program.context.processes == nullptr) return {};
  system::Run run;
  run.words = {"/bin/sh", "-c", command};
  run.input = input;
  run.timeout = kThenTimeout;
  const auto finished = program.context.processes->run(run);
  if (!finished) {
    program.console.write_error("plankeep: statusline: " + finished.error().message + "\n");
    return {};
  }
  std::string text = finished->output;
  if (!text.empty() && text.back() != '\n') text += '\n';
  return text;
}

}  // namespace

ExitCode run_statusline(Program& program, const Words& words) {
  // Even for a mistake in the command line: a client shows no line at all then, or an error in its place.
  program.never_fails = program.sketches == nullptr;
  program.never_failing = "statusline";
  std::string client;
  std::optional<std::string> then;
  Arguments arguments(
      program, "statusline",
      "Prints the plan's progress as one line, for a client's status line. Reads the client's JSON from\n"
      "standard input and records how full it says the context window is. Prints nothing without a\n"
      "tracked plan. Always exits with 0; mistakes, unknown options too, are reported on standard error.");
  arguments.positional("CLIENT", client, "The calling client: claude-code", Arguments::Need::required);
  arguments.option("--then", then, "COMMAND",
                   "The previous status line command: run by /bin/sh with the same input, printed first");
  if (const auto stop = arguments.parse(words)) return *stop;
  const clients::SettingsFormat* const format = clients::find_settings_format(client);
  if (format == nullptr || !format->status_line) {
    return program.fail({base::ErrorKind::invalid_input,
                         "no client with a status line is called " + client,
                         {},
                         "the one that is: claude-code"},
                        About::request);
  }

  const std::string input = read_all(program.console, kInputLimit, kInputTimeout);
  if (then && !then->empty()) program.console.write(run_then(program, *then, input));
  const auto read = clients::read_status_line_input(input);
  if (!read) {
    program.console.write_error("plankeep: statusline: " + base::printable(read.error().message) + "\n");
    return ExitCode::fine;
  }
  const auto plan = app::look_for_status_line(program.context, *read);
  if (!plan) return ExitCode::fine;
  render::Style style = program.style;
  style.columns = render::Style{}.columns;  // one line, whoever draws it
  if (const auto columns = program.context.environment.variable("COLUMNS")) {
    std::size_t number = 0;
    for (const char digit : *columns) {
      if (digit < '0' || digit > '9' || number > 10000) break;
      number = number * 10 + static_cast<std::size_t>(digit - '0');
    }
    if (number > 0) style.columns = number;
  }
  return program.print(render::status_line(plan->location.plan_id(), plan->state, style, plan->beside));
}

}  // namespace plankeep::cli

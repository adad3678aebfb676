#include "commits/git_hook.hpp"

#include "base/limits.hpp"
#include "cli/arguments.hpp"
#include "cli/commands/all.hpp"

namespace plankeep::cli {
namespace {

constexpr std::size_t kMostInput = base::kLargestForeignFile;
constexpr std::chrono::milliseconds kTimeout{2000};

std::string standard_input(Program& program) {
  std::string input;
  bool gave_up = false;
  while (!gave_up && input.size() < kMostInput) {
    const std::string more = program.console.read(std::size_t{64} << 10, kTimeout, gave_up);
    if (more.empty()) break;
    input += more;
  }
  return input;
}

}  // namespace

ExitCode run_git_hook(Program& program, const Words& words) {
  std::string event;
  Arguments arguments(
      program, "git-hook",
      "Handles a git hook; plankeep git-setup --hooks installs the calls. After a commit that completes a\n"
      "phase of a plan it writes the commit's sidecar file (.checkpoint/commits); after an amend or\n"
      "rebase it updates the sidecars. Always exits with 0: it never makes a commit fail.\n"
      "PLANKEEP_DISABLE=1 turns it off.");
  arguments.positional("EVENT", event, "post-commit or post-rewrite", Arguments::Need::required);
  if (const auto stop = arguments.parse(words)) return *stop;
  if (program.context.environment.variable("PLANKEEP_DISABLE").value_or("") == "1") return ExitCode::fine;
  base::Status done;
  if (event == "post-commit") {
    done = app::after_commit(program.context);
  } else if (event == "post-rewrite") {
    done = app::after_rewrite(program.context, standard_input(program));
  } else {
    return program.fail(
        {base::ErrorKind::invalid_input, "unknown hook: " + event, {}, "post-commit or post-rewrite"},
        About::request);
  }
  if (!done) program.warn("could not write the commit's sidecar: " + done.error().message);
  return ExitCode::fine;
}

}  // namespace plankeep::cli

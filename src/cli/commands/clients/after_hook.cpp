#include <chrono>

#include "checkpoints/job.hpp"
#include "cli/commands/all.hpp"

namespace plankeep::cli {

// What a hook has no time for: started by checkpoints/job, not by people, so it is in no list. Nobody reads
// what it would say; what goes wrong stands in the plan's errors.log.
ExitCode run_after_hook(Program& program, const Words& words) {
  auto asked = app::read_job_arguments(words);
  if (!asked) {
    return program.fail({base::ErrorKind::invalid_input,
                         "after-hook is for plankeep's own use",
                         {},
                         "to make a checkpoint: plankeep checkpoint create"},
                        About::request);
  }
  if (asked->then) {
    // A file in memory that whoever started us has filled.
    constexpr std::size_t kMost = std::size_t{256} << 20;
    constexpr std::chrono::milliseconds kReady{1000};
    app::give_text(*asked, read_all(program.console, kMost, kReady));
  }
  app::run_job(program.context, *asked, app::kTranscriptTimeout);
  return ExitCode::fine;
}

}  // namespace plankeep::cli

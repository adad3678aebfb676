#include <algorithm>
#include <chrono>

#include "checkpoints/job.hpp"
#include "cli/commands/all.hpp"
#include "project/own_program.hpp"
#include "project/project.hpp"

namespace plankeep::cli {
namespace {

// With the setting fleetPush, a push runs in the background after each turn (spec 29.5): a process of its
// own, for which neither we nor the client waits. Its errors are in errors.log.
void leave_push(const app::Context& context, const app::CheckpointJob& asked) {
  const bool turn_ended =
      std::any_of(asked.checkpoints.begin(), asked.checkpoints.end(), [](const app::WantedCheckpoint& one) {
        return one.type == core::CheckpointType::turn && !one.before_prompt;
      });
  if (!turn_ended || context.processes == nullptr) return;
  if (!app::Project(context, asked.plan.folder).settings().fleet_push) return;
  const auto program = app::fleet_program(context);
  if (!program) return;
  (void)context.processes->start_detached(
      {{*program, "push", "--background", "--plan", asked.plan.path()}, {}});
}

}  // namespace

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
  leave_push(program.context, *asked);
  return ExitCode::fine;
}

}  // namespace plankeep::cli

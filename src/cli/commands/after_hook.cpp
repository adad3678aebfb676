#include "app/later.hpp"
#include "cli/commands/all.hpp"

namespace plankeep::cli {

// What a hook has no time for: started by app/later, not by people, so it is in no list. Nobody reads what it
// would say; what goes wrong stands in the plan's errors.log.
ExitCode run_after_hook(Program& program, const Words& words) {
  const auto asked = app::read_later_words(words);
  if (!asked) {
    return program.fail({base::ErrorKind::invalid_input,
                         "after-hook is how plankeep calls itself",
                         {},
                         "plankeep checkpoint create makes a checkpoint"},
                        About::request);
  }
  app::run_later(program.context, *asked, app::kTranscriptPatience);
  return ExitCode::fine;
}

}  // namespace plankeep::cli

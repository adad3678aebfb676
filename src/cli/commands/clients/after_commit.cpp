#include "cli/commands/all.hpp"
#include "cli/version.hpp"
#include "commits/link_work.hpp"

namespace plankeep::cli {

// What a commit has no time for: started by commits/link_work, not by people, so it is in no list. Nobody
// reads what it would say; what was not done is done by the next one.
ExitCode run_after_commit(Program& program, const Words& words) {
  if (words.empty() || words.size() > 2 || !words.front().starts_with('/')) {
    return program.fail({base::ErrorKind::invalid_input, "after-commit is for plankeep's own use", {}, {}},
                        About::request);
  }
  const app::LinkJob job{words[0], words.size() > 1 ? words[1] : std::string()};
  const base::Status done = app::do_link_work(program.context, job, std::string(kVersion));
  return done ? ExitCode::fine : program.fail(done.error(), About::file);
}

}  // namespace plankeep::cli

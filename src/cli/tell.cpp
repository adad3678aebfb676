#include "cli/tell.hpp"

#include "checkpoints/later.hpp"
#include "render/recorded/changes.hpp"
#include "reports/answers.hpp"

namespace plankeep::cli {

ExitCode tell_only(Program& program, const app::Outcome& outcome, bool json,
                   const std::vector<std::string>& remarks) {
  render::Changes changes = app::changes_of(outcome);
  const ExitCode code = outcome.readable ? ExitCode::fine : ExitCode::cannot_access;
  if (json) {
    changes.warnings.insert(changes.warnings.begin(), remarks.begin(), remarks.end());
    return program.print(render::changes_json(changes), code);
  }
  changes.remarks = remarks;
  if (outcome.readable || changes.warnings.empty()) {
    return program.print(render::changes_text(changes, program.list_style()), code);
  }
  // The plan could not be read: that warning, the last one, is why the command ends as it does.
  const base::Error error{base::ErrorKind::io, changes.warnings.back(), {}, {}};
  changes.warnings.pop_back();
  (void)program.print(render::changes_text(changes, program.list_style()), code);
  return program.fail(error, About::file);
}

ExitCode tell(Program& program, const app::Outcome& outcome, bool json,
              const std::vector<std::string>& remarks) {
  const ExitCode code = tell_only(program, outcome, json, remarks);
  app::start_later(program.context, outcome, "command");
  return code;
}

}  // namespace plankeep::cli

#include "cli/report.hpp"

#include "checkpoints/job.hpp"
#include "cli/own_actor.hpp"
#include "project/plan_id.hpp"
#include "render/recorded/changes.hpp"
#include "tracking/predecessor.hpp"

namespace plankeep::cli {

ExitCode report_changes(Program& program, const app::Outcome& outcome, bool json,
                        const std::vector<std::string>& remarks) {
  render::Changes changes{outcome, remarks};
  if (!json) changes.plan_id = app::id_in_own_folder(program.context, outcome.plan);
  const ExitCode code = outcome.readable ? ExitCode::fine : ExitCode::cannot_access;
  if (outcome.readable || outcome.warnings.empty()) {
    if (json) return program.print(render::changes_json(changes), code);
    return program.report_change(render::changes_text(changes, program.list_style()), code);
  }
  // The plan could not be read: the last warning is why the command ends as it does.
  const base::Error error{
      base::ErrorKind::io, outcome.why_unreadable, {}, app::remedy_of(program.context, outcome)};
  if (json) {
    (void)program.print(render::changes_json(changes, &error, static_cast<int>(code)), code);
  } else {
    changes.last_warning_apart = true;
    (void)program.report_change(render::changes_text(changes, program.list_style()));
  }
  return program.fail(error, code);
}

ExitCode report(Program& program, const app::Outcome& outcome, bool json,
                const std::vector<std::string>& remarks) {
  const ExitCode code = report_changes(program, outcome, json, remarks);
  app::spawn_job(program.context, outcome, "command");
  return code;
}

ExitCode report_work(Program& program, const app::Outcome& outcome, bool json,
                     const std::vector<std::string>& remarks) {
  const ExitCode code = report(program, outcome, json, remarks);
  if (outcome.readable) note_own_work(program, outcome.plan, outcome.state);
  return code;
}

}  // namespace plankeep::cli

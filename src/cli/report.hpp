#pragma once
// Handing a use case's answer to the renderers.

#include <string>
#include <vector>

#include "cli/program.hpp"
#include "tracking/outcome.hpp"

namespace plankeep::cli {

/// What a changing command did. Phases that it completed get a checkpoint, which nobody waits for
/// (checkpoints/job). `remarks` are plain lines ahead of it for people, warnings for programs
/// ("auth is done already"). cannot_access when the plan could not be read as one (its last state was kept).
ExitCode report(Program& program, const app::Outcome& outcome, bool json,
                const std::vector<std::string>& remarks = {});
/// The same for work on the plan: the session that the command runs in has worked in it (cli/own_actor).
ExitCode report_work(Program& program, const app::Outcome& outcome, bool json,
                     const std::vector<std::string>& remarks = {});
/// Like report(), without the checkpoints, for commands that know better which are due.
ExitCode report_changes(Program& program, const app::Outcome& outcome, bool json,
                        const std::vector<std::string>& remarks = {});

}  // namespace plankeep::cli

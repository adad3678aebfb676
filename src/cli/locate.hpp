#pragma once
// Which plan a command is about, with the error told.

#include <optional>
#include <string>
#include <vector>

#include "cli/program.hpp"
#include "project/discover.hpp"
#include "project/plan_location.hpp"

namespace plankeep::cli {

/// The plan that is named, else the file of the first of these ids that is a FILE:LINE of a file that is
/// there: that is the plan which is meant.
std::optional<std::string> named_plan(Program& program, const std::optional<std::string>& named,
                                      const std::vector<std::string>& ids);

/// Discovery (project/discover). On failure the error has been printed and `code` says how to end.
std::optional<app::FoundPlan> find_plan(Program& program, const std::optional<std::string>& named,
                                        ExitCode& code, app::Gone gone = app::Gone::last);

/// The same where what was opened on the way is of no use.
std::optional<app::PlanLocation> locate(Program& program, const std::optional<std::string>& named,
                                        ExitCode& code);

/// The same for a command that can work on a plan that was deleted with its records, of which the git
/// directory has a copy.
std::optional<app::PlanLocation> locate_or_lost(Program& program, const std::optional<std::string>& named,
                                                ExitCode& code);

/// The same for a command that changes something: the plan has to be tracked, or one that tracking may begin
/// with.
std::optional<app::PlanLocation> locate_tracked(Program& program, const std::optional<std::string>& named,
                                                ExitCode& code, app::Gone gone = app::Gone::last);

/// The same for a command that is about records: the plan has to be tracked already.
std::optional<app::PlanLocation> locate_recorded(Program& program, const std::optional<std::string>& named,
                                                 ExitCode& code);

}  // namespace plankeep::cli

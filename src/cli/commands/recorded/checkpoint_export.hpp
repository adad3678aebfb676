#pragma once
// `checkpoint export --to entire`: the options and the run of it, for the command `checkpoint`.

#include <optional>
#include <string>
#include <vector>

#include "cli/program.hpp"

namespace plankeep::cli {

struct SessionExportOptions {
  std::vector<std::string> ids;  // checkpoints of the work, or sessions of the clients
  std::vector<std::string> commits;
  std::string since;
  bool all = false;
  std::string layout = "auto";
  bool no_transcript = false;
  bool dry_run = false;
  bool pending = false;  // snapshots of running sessions instead
  std::optional<std::string> plan;
  bool json = false;
};

/// Exit statuses: 1, something is missing and the rest was written; else as cli/exit_code.
ExitCode export_to_entire(Program& program, const SessionExportOptions& options);

}  // namespace plankeep::cli

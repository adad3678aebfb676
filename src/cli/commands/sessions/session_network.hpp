#pragma once
// The forms of `session` that use the network: push, fetch, list --remote.

#include <optional>
#include <string>
#include <vector>

#include "cli/program.hpp"

namespace plankeep::cli {

struct SessionPushOptions {
  std::optional<std::string> remote;
  bool yes = false;
  bool json = false;
};
ExitCode push_sessions(Program& program, const SessionPushOptions& options);

}  // namespace plankeep::cli

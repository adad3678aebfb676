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

/// `words`: ids, and the remote behind them.
ExitCode fetch_sessions(Program& program, const std::vector<std::string>& words, bool json);

struct RemoteListOptions {
  std::optional<std::string> remote;
  std::size_t count = 20;
  bool json = false;
};
ExitCode list_remote_sessions(Program& program, const RemoteListOptions& options);

}  // namespace plankeep::cli

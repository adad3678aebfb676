#pragma once
// The command line of `plankeep fleet` and of plankeep-fleet, which is the same: read here by the one for its
// help, its mistakes and the completions, and by the other to do it (src/fleet).

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "cli/arguments.hpp"
#include "cli/commands/all.hpp"
#include "cli/commands/working/lease_options.hpp"
#include "cli/program.hpp"

namespace plankeep::cli {

struct FleetOptions {
  std::string action;
  std::vector<std::string> names;
  std::optional<std::string> address;  // --fleet
  std::string project;
  std::optional<std::string> plan;
  std::size_t count = 20;
  bool print = false;
  bool all = false;
  bool watch = false;
  bool background = false;
  bool new_replica = false;
  bool follow = false;
  bool plan_text = false;
  std::string out;
  LeaseWords lease;
  bool json = false;
};

/// nullopt: go on with `options`. Otherwise the exit status to end with.
[[nodiscard]] std::optional<ExitCode> read_fleet_options(Program& program, const Words& words,
                                                         FleetOptions& options);

/// Runs plankeep-fleet in our place with these words, and --json and the like as they were given to us.
/// `address`: goes through the environment, since the list of processes shows words to everybody. Comes back
/// where it cannot be run, with the exit status; the error has been printed.
[[nodiscard]] ExitCode become_fleet(Program& program, std::vector<std::string> words,
                                    const std::optional<std::string>& address = std::nullopt);

/// The same for `claim`, `next` and `release` with --fleet: `words` and the options of a lease.
[[nodiscard]] ExitCode claim_in_fleet(Program& program, std::vector<std::string> words,
                                      const std::optional<std::string>& plan, const LeaseWords& lease,
                                      bool json);

}  // namespace plankeep::cli

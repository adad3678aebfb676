#pragma once
// What `claim`, `release` and `next --claim` share.

#include <optional>
#include <string>

#include "cli/arguments.hpp"
#include "cli/program.hpp"
#include "editing/claim.hpp"

namespace plankeep::cli {

struct LeaseWords {
  std::string actor;  // of --by; empty: who runs the command
  std::string ttl;
  std::string session;
  std::optional<std::string> holder_pid;
  std::optional<std::string> fence;
};

void add_lease_options(Arguments& arguments, LeaseWords& words);
/// The error has been printed when there is none.
std::optional<app::ClaimRequest> lease_request(Program& program, const LeaseWords& words);
/// The request as this plan gets it: whoever runs the command asks, where --by does not say who.
app::ClaimRequest by_own_actor(Program& program, const app::PlanLocation& plan, app::ClaimRequest request);

}  // namespace plankeep::cli

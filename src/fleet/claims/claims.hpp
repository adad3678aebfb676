#pragma once
// Claims that hold on every machine of a fleet (spec 29.7).
//
// One row a task of a plan, taken in one statement; the server's clock alone says what has expired, and its
// sequence gives the fences, which only grow. So of any number that ask at once each gets a task of its own,
// and whoever lost a task without noticing has the smaller fence. A task that any machine has ticked is not
// given out.
//
// A claim that the server granted is then recorded here, as any claim is (editing/claim), with `fleet` and
// its number. If that fails it is given back at once; if we die in between, it expires. The server is not
// asked under the plan's lock, so no hook waits for the network.
//
// Errors: busy when the server is not reached (exit status 5): there is never a local claim instead.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "editing/claim.hpp"
#include "fleet/own_place.hpp"
#include "fleet/postgres.hpp"
#include "project/context.hpp"

namespace plankeep::fleet {

/// Who has a task, as the server tells it.
struct FleetHolder {
  std::string holder;  // the actor
  std::string login;
  std::string machine;  // 16 hexadecimal digits
  std::int64_t fence = 0;
  std::string since;  // ISO 8601, the server's clock
  std::string until;
  bool here = false;  // of this folder
};

enum class FleetVerdict {
  granted,
  renewed,
  held,       // `other` has it
  done,       // ticked: by whom and where, as far as it is known, in `other`
  none_left,  // of next: no task can be begun that nobody holds
  local,      // the plan here does not let it be taken: `answer` says why
  released,
  nothing,  // it was not ours to release
};
std::string_view name_of(FleetVerdict verdict);

struct FleetClaim {
  FleetVerdict verdict = FleetVerdict::none_left;
  std::string phase;
  std::string task;
  std::string title;
  std::optional<FleetHolder> own;          // granted, renewed
  std::optional<FleetHolder> other;        // held, done
  std::optional<app::ClaimAnswer> answer;  // what the local record said
};

/// `id` as `done` takes it.
[[nodiscard]] base::Result<FleetClaim> claim_task(const app::Context& context, Connection& connection,
                                                  const OwnPlace& place, const std::string& id,
                                                  const app::ClaimRequest& request);

/// The first task that `next` would offer here and that nobody in the fleet holds or has done.
[[nodiscard]] base::Result<FleetClaim> claim_next(const app::Context& context, Connection& connection,
                                                  const OwnPlace& place, const app::ClaimRequest& request);

/// Gives back what this folder's login holds, at the server and here.
[[nodiscard]] base::Result<FleetClaim> release_task(const app::Context& context, Connection& connection,
                                                    const OwnPlace& place, const std::string& id,
                                                    const app::ClaimRequest& request);

}  // namespace plankeep::fleet

#include "cli/commands/working/lease_options.hpp"

#include <charconv>
#include <utility>

#include "cli/own_actor.hpp"

namespace plankeep::cli {
namespace {

std::optional<std::int64_t> positive(const std::string& text) {
  std::int64_t number = 0;
  const auto [end, ec] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (ec != std::errc{} || end != text.data() + text.size() || number <= 0) return std::nullopt;
  return number;
}

std::nullopt_t refuse(Program& program, std::string message, std::string hint) {
  (void)program.fail({base::ErrorKind::invalid_input, std::move(message), {}, std::move(hint)},
                     About::request);
  return std::nullopt;
}

}  // namespace

void add_lease_options(Arguments& arguments, LeaseWords& words) {
  arguments.option("--ttl", words.ttl, "TIME",
                   "How long it lasts unless renewed: 90s, 30m, 2h, 1d (default: 30m)");
  arguments.option("--session", words.session, "ID", "The client session that holds it; its hooks renew it");
  arguments.option("--holder-pid", words.holder_pid, "PID", "End the claim when this process ends");
  arguments.actor(words.actor);
}

std::optional<app::ClaimRequest> lease_request(Program& program, const LeaseWords& words) {
  app::ClaimRequest request;
  request.actor = words.actor;
  request.session = words.session;
  if (!words.ttl.empty()) {
    const auto ttl = core::parse_ttl(words.ttl);
    if (!ttl) {
      return refuse(program, "--ttl: " + words.ttl + " is not a valid duration",
                    "give 1s to 30d, such as 90s, 30m, 2h or 1d");
    }
    request.ttl = *ttl;
  }
  if (words.holder_pid) {
    request.holder_pid = positive(*words.holder_pid);
    if (!request.holder_pid)
      return refuse(program, "--holder-pid: " + *words.holder_pid + " is not a valid process id", "");
  }
  if (words.fence) {
    const auto fence = positive(*words.fence);
    if (!fence) {
      return refuse(program, "--fence: " + *words.fence + " is not a valid fence",
                    "give the number that plankeep claim printed");
    }
    request.fence = *fence;
  }
  return request;
}

app::ClaimRequest by_own_actor(Program& program, const app::PlanLocation& plan, app::ClaimRequest request) {
  request.by_default = request.actor.empty();
  request.actor = own_actor(program, plan, request.actor);
  return request;
}

}  // namespace plankeep::cli

#include "tracking/lease_holders.hpp"

#include <charconv>
#include <optional>
#include <string>
#include <unordered_map>

namespace plankeep::app {
namespace {

// The processes of this host, each asked about once.
class HoldersHere {
 public:
  explicit HoldersHere(const Context& context) : processes_(context.processes) {}

  bool gone(const core::LeaseState& lease) {
    if (processes_ == nullptr || lease.process.empty() || lease.host.empty()) return false;
    if (!host_) host_ = processes_->host();
    if (*host_ != lease.host) return false;
    const auto [known, fresh] = gone_.try_emplace(lease.process, false);
    if (fresh) known->second = ended(lease.process);
    return known->second;
  }

 private:
  // A name begins with the process's number (system/processes).
  bool ended(const std::string& name) {
    std::int64_t number = 0;
    (void)std::from_chars(name.data(), name.data() + name.size(), number);
    if (number <= 0) return false;
    const std::optional<std::string> running = processes_->identity(number);
    if (!running) return true;
    return !running->empty() && *running != name;
  }

  system::Processes* processes_;
  std::optional<std::string> host_;
  std::unordered_map<std::string, bool> gone_;
};

}  // namespace

std::vector<core::LeaseStatus> lease_statuses(const Context& context, const core::State& state,
                                              base::Instant now) {
  std::vector<core::LeaseStatus> statuses;
  statuses.reserve(state.leases.size());
  HoldersHere holders(context);
  for (const core::LeaseState& lease : state.leases)
    statuses.push_back(core::status_of(lease, state, now, holders.gone(lease)));
  return statuses;
}

}  // namespace plankeep::app

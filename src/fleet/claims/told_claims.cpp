#include "fleet/claims/told_claims.hpp"

#include <algorithm>
#include <optional>
#include <string_view>
#include <vector>

#include "fleet/history_line.hpp"
#include "fleet/local_history.hpp"
#include "model/json/event_json.hpp"
#include "rules/lease.hpp"
#include "store/tracking_folder.hpp"
#include "tracking/show.hpp"

namespace plankeep::fleet {
namespace {

using base::Result;

struct Claim {
  std::string task;
  std::int64_t fence = 0;
};

// As they stand here, with what a sync would find. nullopt: nothing can be said of them.
std::optional<app::Shown> leases_here(const app::Context& context, const OwnPlace& place) {
  auto shown = app::load_shown(context, place.plan, 0);
  if (!shown || !shown->plan || !shown->state) return std::nullopt;
  return std::move(*shown);
}

void leave_out_held(std::vector<Claim>& claims, const core::State& state) {
  std::erase_if(claims, [&](const Claim& claim) {
    return std::any_of(state.leases.begin(), state.leases.end(), [&](const core::LeaseState& lease) {
      return lease.fleet_fence == claim.fence && lease.task.text == claim.task;
    });
  });
}

// The whole history is read, which is why nobody asks without need.
Result<std::vector<Claim>> recorded_claims(const app::Context& context, const OwnPlace& place,
                                           const std::vector<Claim>& wanted) {
  std::vector<Claim> recorded;
  TRY_ASSIGN(const auto folder, context.files.open_folder(place.plan.folder));
  TRY_ASSIGN(const auto tracking, store::open_tracking(*folder, place.plan.name));
  LocalHistory history(*tracking);
  constexpr std::size_t kLines = 20'000;
  constexpr std::size_t kBytes = std::size_t{4} << 20;
  std::uint64_t offset = 0;
  for (;;) {
    TRY_ASSIGN(const HistoryPiece piece, history.read(offset, kLines, kBytes));
    if (piece.lines == 0) return recorded;
    offset = piece.end;
    const std::string_view text = piece.text;
    std::size_t at = 0;
    while ((at = text.find("\"fleetFence\"", at)) != std::string_view::npos) {
      const std::size_t before = text.rfind('\n', at);
      const std::size_t begin = before == std::string_view::npos ? 0 : before + 1;
      const std::size_t end = std::min(text.find('\n', at), text.size());
      at = end;
      const auto event = core::decode_event(text.substr(begin, end - begin));
      if (!event || event->kind != core::EventKind::task_claimed) continue;
      const bool meant = std::any_of(wanted.begin(), wanted.end(), [&](const Claim& claim) {
        return claim.fence == event->fleet_fence && claim.task == event->task.text;
      });
      if (meant) recorded.push_back({event->task.text, event->fleet_fence});
    }
  }
}

}  // namespace

Result<std::int64_t> give_back_ended(const app::Context& context, Connection& connection,
                                     const OwnPlace& place, const Registered& own) {
  TRY_ASSIGN(const Rows rows,
             connection.query("SELECT task, fence FROM plankeep.lease WHERE plan = $1 AND replica = $2",
                              {std::to_string(own.plan), own.replica}));
  std::vector<Claim> claims;
  claims.reserve(rows.size());
  for (const Row& row : rows) claims.push_back({row[0].value_or(""), number_in(row[1])});
  const auto first = leases_here(context, place);
  if (!first) return 0;
  leave_out_held(claims, *first->state);
  if (claims.empty()) return 0;
  TRY_ASSIGN(claims, recorded_claims(context, place, claims));
  // Looked at again: a claim may have been recorded only after the first look.
  const auto second = claims.empty() ? std::nullopt : leases_here(context, place);
  if (!second) return 0;
  leave_out_held(claims, *second->state);
  if (claims.empty()) return 0;
  std::string fences;
  for (const Claim& claim : claims) append_array_element(fences, std::to_string(claim.fence));
  fences += '}';
  return connection.change(
      "UPDATE plankeep.lease SET replica = NULL WHERE plan = $1 AND replica = $2 AND fence = "
      "ANY ($3::bigint[])",
      {std::to_string(own.plan), own.replica, fences});
}

Result<ToldClaims> tell_claims(const app::Context& context, Connection& connection, const OwnPlace& place,
                               const Registered& own) {
  ToldClaims told;
  TRY_ASSIGN(told.ended, give_back_ended(context, connection, place, own));
  const auto shown = leases_here(context, place);
  if (!shown) return told;
  const core::State& state = *shown->state;
  for (std::size_t i = 0; i < state.leases.size() && i < shown->statuses.size(); ++i) {
    const core::LeaseState& lease = state.leases[i];
    if (lease.fleet_fence == 0 || shown->statuses[i] != core::LeaseStatus::held) continue;
    const std::int64_t left = lease.until.milliseconds - shown->now.milliseconds;
    if (left <= 0) continue;
    // Only if less than half of its time is left there, so that not every push writes.
    TRY_ASSIGN(
        const std::int64_t changed,
        connection.change("UPDATE plankeep.lease SET ttl = $5::bigint * interval '1 millisecond' "
                          "WHERE plan = $1 AND task = $2 AND replica = $3 AND fence = $4 AND until > "
                          "clock_timestamp() AND until < clock_timestamp() + $5::bigint * interval '0.5 "
                          "millisecond'",
                          {std::to_string(own.plan), lease.task.text, own.replica,
                           std::to_string(lease.fleet_fence), std::to_string(left)}));
    told.renewed += changed;
  }
  return told;
}

}  // namespace plankeep::fleet

#pragma once
// When a recovery copy is written (spec 5), decided from what a save did. Pure.

#include <optional>
#include <span>
#include <string>

#include "model/event.hpp"
#include "model/state.hpp"

namespace plankeep::core {

inline constexpr std::int64_t kSavesPerRecovery = 5;
inline constexpr int kRecoveryGenerations = 3;

/// Why the save that made `state` out of `events` calls for a copy; nullopt when it does not.
std::optional<std::string> recovery_reason(const State& state, std::span<const Event> events);

/// A copy never replaces a good one with a worse one: false when `candidate` has no tasks while `kept` has
/// some.
bool may_replace(const State& kept, const State& candidate);

}  // namespace plankeep::core

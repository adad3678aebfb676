#pragma once
// Sizes up to which files and inputs are read (spec 16). Rooms that need one of their own derive it from
// these.

#include <cstdint>

namespace plankeep::base {

inline constexpr std::uint64_t kKibibyte = 1024;
inline constexpr std::uint64_t kMebibyte = 1024 * kKibibyte;

/// A plan, and as much of a transcript or of a line of the history.
inline constexpr std::uint64_t kLargestText = 64 * kMebibyte;
/// JSON of ours that grows with the plan: state.json, recovery.json.
inline constexpr std::uint64_t kLargestJson = 256 * kMebibyte;
/// Files of others that we read whole or edit: clients' settings, git's configuration, plans to import.
inline constexpr std::uint64_t kLargestForeignFile = 16 * kMebibyte;
/// Files that have some hundred bytes and, if they are larger, are something else: settings, lists, sidecars,
/// hooks.
inline constexpr std::uint64_t kLargestSmallFile = kMebibyte;

}  // namespace plankeep::base

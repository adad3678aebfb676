#pragma once
// Every file name that plankeep owns (spec 2). No other place spells one.

#include <cstdint>
#include <string>
#include <string_view>

#include "base/instant.hpp"
#include "base/limits.hpp"

namespace plankeep::store {

inline constexpr std::string_view kTrackingFolder = ".checkpoint";
inline constexpr std::string_view kState = "state.json";
inline constexpr std::string_view kHistory = "history.jsonl";
inline constexpr std::string_view kRecovery = "recovery.json";
inline constexpr std::string_view kLock = "lock";
inline constexpr std::string_view kGitignore = ".gitignore";
inline constexpr std::string_view kErrorLog = "errors.log";  // what hooks could not do (store/capped_log)
inline constexpr std::string_view kCleanUpLog =
    "cleanup.log";                                         // what checkpoints/retention took away, and when
inline constexpr std::string_view kHookLog = "hooks.log";  // how long the last hook calls took

inline constexpr std::string_view kBrief =
    "brief.json";  // what a large state.json says without its tasks (store/brief_state)
inline constexpr std::string_view kShown =
    "shown.bin";  // a large plan and its state as they were read last (tracking/cache/shown_cache)
inline constexpr std::string_view kNext =
    "next.json";  // what `next` shows of a large plan (tracking/cache/next_cache)
inline constexpr std::string_view kCheckpoints = "checkpoints.db";  // and what records/ keeps beside it

inline constexpr std::string_view kPlanTexts = "plans";  // a folder: earlier texts (store/plan_texts)

inline constexpr std::string_view kCommits = "commits";            // a folder: a sidecar for each commit
inline constexpr std::string_view kCommitIndex = "index.json";     // in it: which commits a run has
inline constexpr std::string_view kCommitStamp = "commits.stamp";  // beside it: what the index was made of

/// "<sha>.json".
std::string sidecar_name(std::string_view sha);
/// The commit in a sidecar's file name; empty for any other name.
std::string_view sha_in_name(std::string_view name);

inline constexpr std::string_view kDefaultPlanName = "plan.md";

/// "recovery.json", "recovery.1.json", "recovery.2.json"; generation 0 is the newest.
std::string recovery_name(int generation);

/// "<name>.damaged-20261120T154350.123Z": a damaged file set aside.
std::string damaged_name(std::string_view name, std::string_view time);
/// A moment as it stands in file names: "20261120T154350.123Z".
std::string file_time(base::Instant instant);
/// Whether `candidate` is a set-aside copy of `name`.
bool is_damaged_copy(std::string_view candidate, std::string_view name);

inline constexpr int kDamagedCopiesKept = 2;

// Read limits (spec 16).
inline constexpr std::uint64_t kPlanLimit = base::kLargestText;
inline constexpr std::uint64_t kJsonLimit = base::kLargestJson;

}  // namespace plankeep::store

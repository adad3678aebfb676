#pragma once
// The list of a project's plans as text (project/project_plans keeps it). Pure.
//
//   { "version": 1, "project": "/path/of/project",
//     "plans": [ { "path": "plans/auth/plan.md", "complete": "2026-11-20T15:43:50.123Z", "archived": true,
//                  "mtimeNs": 1, "size": 2, "found": "2026-11-20T15:43:50.123Z", "touched": true } ],
//     "begun": "plans/auth/plan.md",
//     "untracked": [ "docs/plan.md" ],
//     "sessions": [ { "id": "...", "process": "...", "plan": "plans/auth/plan.md" } ] }
//
// `complete`: since when every task is done, with the plan's stamp at that time, so that a plan that is over
// need not be opened. `found`: a session's start began to track it then, because it lay there. `touched`: a
// command that was told to work on it did, and nobody asked for it to be tracked (`plankeep init`) or wrote
// the file in a session. `begun`: the plan that `init` or `new` named last, unless somebody has begun another
// one since. `untracked`: what the last search of the project found besides (tracking/search_plans),
// at most 200. `sessions`: the plan that a client's session wrote in last; the newest last, at
// most 32.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/instant.hpp"
#include "base/result.hpp"
#include "model/state.hpp"

namespace plankeep::app {

inline constexpr std::size_t kMostKnownPlans = 1000;
inline constexpr std::size_t kMostUntracked = 200;
inline constexpr std::size_t kMostKnownSessions = 32;

struct KnownPlan {
  std::string path;  // from the project's root
  std::optional<base::Instant> complete;
  bool archived = false;
  std::optional<core::PlanStamp> stamp;  // without the inode
  std::optional<base::Instant> found{};
  bool touched = false;
  bool operator==(const KnownPlan&) const = default;
};
struct KnownSession {
  std::string id;
  std::string process;  // names the client's process (system/processes); empty: not known
  std::string plan;     // from the project's root
  bool operator==(const KnownSession&) const = default;
};
struct PlanList {
  std::string project;
  std::vector<KnownPlan> plans;        // by path
  std::string begun{};                 // from the project's root; empty: none
  std::vector<std::string> untracked;  // paths from the project's root, of no plan above
  std::vector<KnownSession> sessions;  // the newest last
  bool operator==(const PlanList&) const = default;
};

/// corrupt: not such a list, or a path in it leads out of the project.
[[nodiscard]] base::Result<PlanList> decode_plan_list(std::string_view json);
std::string encode_plan_list(const PlanList& list);

}  // namespace plankeep::app

#pragma once
// Every tracked plan below a folder, and where each stands: `plankeep plans`, `status --all`.
//
// The folder and all below it are looked through, and the linked work trees of its git repository, wherever
// they lie. Left out: what git ignores (where there is a repository; one git call for it), hidden folders,
// folders named node_modules, and links; in hidden folders a plan that the project is known to have
// (project/project_plans), or that is in a known layout, is found all the same, and so is a known plan whose
// file is gone, if no rule ignores its folder. Where git is missing or says nothing, the rest still counts.
//
// Reads only, and as little as it takes: state.json and the last event of the history. The plan itself is
// read only when it is not the file (by its stamp) that the state was made from. A plan that cannot be
// looked at is in the list with its trouble.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/instant.hpp"
#include "base/result.hpp"
#include "model/progress.hpp"
#include "project/context.hpp"
#include "project/plan_location.hpp"
#include "rules/view.hpp"

namespace plankeep::app {

inline constexpr std::int64_t kStaleDays = 14;
/// Folders below one another; deeper ones are not looked into.
inline constexpr std::size_t kWorkspaceDepth = 32;
/// Folders altogether, against a loop of mounts; what is left out is said.
inline constexpr std::size_t kWorkspaceFolders = 1'000'000;

struct PlanOverview {
  PlanLocation plan;
  std::string id;     // among the others here (project/plan_id)
  std::string shown;  // its path for people, relative where that is shorter
  core::Progress progress;
  std::string phase;  // title of the current one; empty when there is none
  std::string task;   // id of the current one, likewise
  std::string task_title;
  std::optional<base::Instant> last_activity;  // the newest event
  std::string last_by;                         // of that event, or of the newest before it that has somebody
  std::int64_t blockers = 0;
  std::int64_t agents = 0;                   // subagents that are said to run
  std::int64_t sessions = 0;                 // of clients, begun and not ended
  bool was_complete = false;                 // rules/listing/completion, as last recorded
  bool stale = false;                        // not complete, and nothing happened for so many days
  bool archived = false;                     // somebody said that it is over
  bool finished = false;                     // complete for kFinishedAfterDays (project/plan_standing)
  bool unrecorded = false;                   // the plan's file is not what the state was made from
  bool missing = false;                      // the plan's file is gone
  std::vector<core::VanishedTask> vanished;  // as Shown has them
  std::string unreadable;  // why the file that is there is no plan now; the rest is as last recorded
  bool lost = false;       // its records are gone too: what is said of it is from the second copy
  std::string problem;     // why it could not be read; empty: it was

  /// Of a plan that cannot be read nobody knows it, nor where open tasks are gone without a record.
  bool complete() const;
  bool in_flight() const { return agents > 0 || sessions > 0; }
};

/// A file that looks like a plan and that nobody tracks.
struct UntrackedPlan {
  std::string path;   // absolute
  std::string shown;  // for people
  core::Progress progress;
};

struct Workspace {
  std::string folder;  // absolute
  std::vector<PlanOverview>
      plans;  // in flight first, then those not complete, missing and archived last; by last activity
  std::vector<UntrackedPlan> untracked;  // by path; only of the project around it, where that was asked for
  std::vector<std::string> warnings;
};

/// `folder`: absolute or relative. `stale_days`: from 1. not_found when there is no such folder.
[[nodiscard]] base::Result<Workspace> survey(const Context& context, const std::string& folder,
                                             std::int64_t stale_days = kStaleDays);

/// Adds the plans of the project around the survey's folder, below that folder, that are lost but for their
/// second copy (tracking/kept_copies). For lists only: such a plan cannot be opened.
void add_lost_plans(const Context& context, Workspace& found);

/// The files below this absolute folder that look like plans, hold a box and are not tracked: those in known
/// layouts of the project around it or of the folder itself, and those that a search found
/// (tracking/search_plans).
std::vector<UntrackedPlan> untracked_plans(const Context& context, const std::string& folder);

/// What becomes of the plans that add_lost_plans() gives: somebody may have deleted them for good.
enum class LostPlans { keep, forget };

/// Puts what a survey of the project around `folder` finds in the place of the project's list, and beside it
/// what a search of its files finds (tracking/search_plans). Returns the warnings of the search.
[[nodiscard]] base::Result<std::vector<std::string>> rescan(const Context& context, const std::string& folder,
                                                            LostPlans lost);

}  // namespace plankeep::app

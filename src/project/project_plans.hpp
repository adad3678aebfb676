#pragma once
// Which plans a project has (spec 2.3): a stored list, so that no command has to search the tree.
//
//   const ProjectPlans plans(context, project);                   // one file is read
//   for (const PlanLocation& plan : plans.not_over(now)) ...      // one look at each plan
//
//   ProjectPlans::note(context, plan, standing_from(state));      // tracked, found, completed or archived
//
// A cache in the format of project/plan_list: <git-dir>/plankeep/plans.json, without git
// $XDG_STATE_HOME/plankeep/plans-<digits>.json (project/state_home); nowhere without either. Entries are
// checked against the files when they are used: a plan whose file and tracking folder are gone is skipped. If
// the list is missing or damaged, it is made anew from the folders of the known layouts
// (project/known_layouts) and those below plans/ and docs/plans/. The whole tree is searched only by `plans
// --rescan` and `doctor --repair` (tracking/workspace).
//
// Written under a lock by temporary file and rename, not synced: lost entries are found again. At most 1,000
// plans; a file over 1 MiB counts as damaged.

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/instant.hpp"
#include "base/result.hpp"
#include "project/context.hpp"
#include "project/plan_list.hpp"
#include "project/plan_location.hpp"
#include "project/plan_standing.hpp"
#include "project/project.hpp"

namespace plankeep::app {

class ProjectPlans {
 public:
  /// Reads the list, or makes it anew.
  ProjectPlans(const Context& context, const Project& project);

  /// All that are still there, by path, at most kMostKnownPlans.
  std::vector<PlanLocation> all() const;
  /// Without those that are over (project/plan_standing) and were not touched since.
  std::vector<PlanLocation> not_over(base::Instant now) const;
  /// Those whose file is there and whose records are gone (git clean), but for archived and complete ones.
  std::vector<PlanLocation> without_records() const;
  /// Those whose file and records are both gone, but for archived ones. Links that have since taken the place
  /// of a folder above are not followed.
  std::vector<PlanLocation> without_anything() const;
  /// Files that the last search of the project found to be plans, that are still there, and that the list
  /// does not have as plans.
  std::vector<PlanLocation> untracked() const;
  /// How many plans are neither complete nor archived, according to the list: no file is read.
  std::size_t count_unfinished() const;
  /// If there is exactly one, that plan; nullopt if its files are gone.
  std::optional<PlanLocation> only_unfinished() const;
  /// A session's start found this plan, and nothing has been recorded in it since.
  bool is_only_seen(const PlanLocation& plan, base::Instant last_saved) const;
  /// Which of several active plans is meant, the highest first: 3, `init` or `new` named it last; 2, `init`
  /// or a session's edit began to track it; 1, a session's start found it; 0, it is not tracked, or only
  /// because a command named it.
  int rank(const PlanLocation& plan, const PlanStanding& standing) const;
  /// Of paths from the project's root, as the list has them.
  bool knows(const std::string& path) const { return entry(path) != nullptr; }
  /// The plan of this id, if the list has exactly one and it is still there (project/plan_id). No other plan
  /// is looked at.
  std::optional<PlanLocation> named(const std::string& id) const;
  /// Whether the list has the plan as archived or complete, and its file was not touched since.
  bool is_over_as_listed(const PlanLocation& plan) const;
  /// The folders of the plans in the list, from the project's root.
  std::set<std::string> folders() const;
  /// The plan that a session wrote in last: by the session's id, or the client's session around this process.
  /// nullopt: not known, or its files are gone.
  std::optional<PlanLocation> of_session(const std::string& id) const;
  std::optional<PlanLocation> of_session_around(system::Processes& processes) const;
  /// That session itself; null: not known.
  const KnownSession* session_around(system::Processes& processes) const;

  /// Adds the tracked ones among `plans` that the list does not have: their folder was copied, cloned or
  /// renamed, or the list was lost. Does not wait for the lock; errors are ignored.
  void take_in(const std::vector<PlanLocation>& plans) const;

  /// Why a plan that the list does not have is tracked: somebody wanted it (`init`, or a session wrote the
  /// file), a session's start found it, or a command that named it worked on it.
  enum class Tracked { begun, found, touched };
  /// Adds a plan or updates its entry. Errors are ignored: it is a cache.
  static void note(const Context& context, const PlanLocation& plan, const PlanStanding& standing,
                   Tracked why = Tracked::begun);
  /// `init` or `new` has named this plan.
  static void note_begun(const Context& context, const PlanLocation& plan);
  /// The plan was moved: the old path leaves the list, and sessions that wrote in it follow it. Call it after
  /// note() for the new place.
  static void note_move(const Context& context, const PlanLocation& from, const PlanLocation& to);
  /// What a search of the project has found (tracking/search_plans): paths from its root, at most
  /// kMostUntracked. Takes the place of what an earlier one found.
  static void note_untracked(const Context& context, const Project& project, std::vector<std::string> paths);
  /// The session wrote in this plan.
  static void note_session(const Context& context, const PlanLocation& plan, const std::string& id,
                           const std::string& process);
  /// Puts these in the place of the plans in the list, and reads anew how far each is. Sessions stay.
  static base::Status replace(const Context& context, const Project& project,
                              const std::vector<PlanLocation>& plans);

 private:
  std::string whole_path(const std::string& path) const;
  bool is_touched(const KnownPlan& plan) const;
  const KnownPlan* entry(const std::string& path) const;
  std::optional<PlanLocation> located(const std::string& path) const;

  const Context* context_;
  std::string root_;
  PlanList list_;
};

/// Neither the file nor records of it are there, though they could be: what there is of the way to them holds
/// no link.
bool is_wholly_gone(const Context& context, const PlanLocation& plan);

}  // namespace plankeep::app

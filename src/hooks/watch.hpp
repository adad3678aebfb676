#pragma once
// Keeping plans up to date while nobody calls a hook: `plankeep watch`.
//
//   PlanWatch plans(context, &file_watch, PlanWatch::Which::all_of_project);
//   WatchNews news = plans.poll();          // also the first time: what changed before we came
//   while (!plans.empty() && ... wait for file_watch, or a while ...) news = plans.poll();
//
// A look records what changed as `external` (tracking/track), for each plan whose folder is there. Call it
// when the file watch tells of a change, once writing has come to rest, and also now and then: plans that are
// new in the project, and changes that nobody announces (another machine's), are found by looking only.
//
// A plan that is deleted or cannot be read stays watched: it may come back. A plan whose folder is gone is no
// longer watched, unless a later look finds it again. Nothing is held between looks: no lock, no open file.
// After a crash the files are as tracking/plan_work says.

#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/result.hpp"
#include "project/context.hpp"
#include "project/plan_location.hpp"
#include "system/file_watch.hpp"
#include "tracking/outcome.hpp"

namespace plankeep::app {

struct WatchNews {
  std::vector<PlanLocation> found;    // watched from now on
  std::vector<PlanLocation> gone;     // no longer watched: their folder is not there any more
  std::vector<Outcome> changes;       // with an event, or a warning that was not told before
  std::vector<base::Error> problems;  // what could not be done; told once for as long as it lasts
};

class PlanWatch {
 public:
  enum class Which {
    named,           // those that were added, and no others
    all_of_project,  // besides, the nearest plan and those below plans/ and docs/plans/ of the project
  };

  /// `files` may be null: then only looking finds changes.
  PlanWatch(const Context& context, system::FileWatch* files, Which which);

  /// From the next look on. A plan that is watched already is fine.
  void add(const PlanLocation& plan);

  /// Never fails as a whole: what goes wrong with one plan is among the troubles.
  WatchNews poll();

  bool empty() const { return plans_.empty(); }

 private:
  struct Watched {
    PlanLocation plan;
    bool announced = false;
    std::string problem;  // what was told last
  };

  void find_more();
  bool folder_is_gone(const PlanLocation& plan) const;
  void listen(const PlanLocation& plan);
  void bring_up_to_date(Watched& watched, WatchNews& news);

  const Context& context_;
  system::FileWatch* files_;
  Which which_;
  std::vector<Watched> plans_;
};

}  // namespace plankeep::app

#pragma once
// Which project, plan, machine and replica this is (spec 29.3): what the files and git say of it here.
//
//   TRY_ASSIGN(const OwnPlace place, own_place(context, plan, project_option));
//   TRY_ASSIGN(const std::string id, replica_of(context, place, Renew::no));
//
// A replica is one tracking folder. Its id is made once, kept in state.json and history.jsonl
// (`replica_created`), and holds only at the place where it was made: a folder that was copied, to another
// path or machine, gets a new one, and both are told apart from then on. A folder that was moved counts as
// copied: its lines are sent once more, under the new name.

#include <optional>
#include <string>

#include "base/result.hpp"
#include "project/context.hpp"
#include "project/plan_location.hpp"

namespace plankeep::fleet {

struct OwnPlace {
  app::PlanLocation plan;
  std::string project;  // its name among the fleet's
  std::string path;     // the plan's, from the project's root
  std::string machine;  // 16 hexadecimal digits
  std::string place;    // likewise, of the tracking folder
};

/// What clones of the project share. Asks git: origin's URL, else the root commit. `named`: --project, empty:
/// not given. not_found: nothing names it, or invalid_input: --project cannot be one.
[[nodiscard]] base::Result<std::string> project_name(const app::Context& context, const std::string& folder,
                                                     const std::string& named);

/// not_found: the plan is not tracked. Errors of project_name.
[[nodiscard]] base::Result<OwnPlace> own_place(const app::Context& context, const app::PlanLocation& plan,
                                               const std::string& named);

enum class Renew { no, yes };
/// The replica's id; made, and recorded under the plan's lock, where there is none yet, where the folder
/// stands elsewhere now, or with Renew::yes. Errors of tracking/plan_work.
[[nodiscard]] base::Result<std::string> replica_of(const app::Context& context, const OwnPlace& place,
                                                   Renew renew);

/// The same without making one: nullopt where replica_of would.
[[nodiscard]] base::Result<std::optional<std::string>> known_replica(const app::Context& context,
                                                                     const OwnPlace& place);
std::string new_replica_id();

}  // namespace plankeep::fleet

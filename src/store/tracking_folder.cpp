#include "store/tracking_folder.hpp"

#include "store/atomic_file.hpp"
#include "store/paths.hpp"

namespace plankeep::store {

using base::Result;

Result<std::unique_ptr<system::Folder>> open_tracking(system::Folder& plan_folder) {
  auto tracking = plan_folder.open_folder(kTrackingFolder);
  if (tracking || tracking.error().kind != base::ErrorKind::not_found) return tracking;
  return base::fail(base::ErrorKind::not_found, "nothing in " + plan_folder.path() + " is tracked yet",
                    "start with: plankeep init");
}

Result<std::unique_ptr<system::Folder>> make_tracking(system::Folder& plan_folder) {
  TRY_ASSIGN(auto tracking, plan_folder.make_folder(kTrackingFolder));
  TRY(finish_tracking(plan_folder, *tracking));
  return tracking;
}

base::Status finish_tracking(system::Folder& plan_folder, system::Folder& tracking) {
  TRY_ASSIGN(const system::FileInfo ignore, tracking.info(kGitignore));
  if (ignore.kind != system::FileKind::missing) return {};
  TRY(plan_folder.sync());
  return write_file(tracking, kGitignore, "*\n", Durability::durable);
}

}  // namespace plankeep::store

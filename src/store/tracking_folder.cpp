#include "store/tracking_folder.hpp"

#include "store/paths.hpp"
#include "system/atomic_file.hpp"

namespace plankeep::store {

using base::Result;

namespace {

constexpr int kAttempts = 100;

}  // namespace

Result<std::unique_ptr<system::Folder>> open_tracking(system::Folder& plan_folder) {
  auto tracking = plan_folder.open_folder(kTrackingFolder);
  if (tracking || tracking.error().kind != base::ErrorKind::not_found) return tracking;
  return base::fail(base::ErrorKind::not_found, "nothing in " + plan_folder.path() + " is tracked yet",
                    "to start: plankeep init");
}

Result<std::unique_ptr<system::Folder>> make_tracking(system::Folder& plan_folder) {
  TRY_ASSIGN(auto tracking, plan_folder.make_folder(kTrackingFolder));
  TRY(finish_tracking(plan_folder, *tracking));
  return tracking;
}

base::Status finish_tracking(system::Folder& plan_folder, system::Folder& tracking) {
  // No lock can be had yet, so of two that begin at the same moment one may find its temporary file taken or
  // put in place by the other.
  for (int attempt = 0;; ++attempt) {
    TRY_ASSIGN(const system::FileInfo ignore, tracking.info(kGitignore));
    if (ignore.kind != system::FileKind::missing) return {};
    TRY(plan_folder.sync());
    base::Status written = system::write_file(tracking, kGitignore, "*\n", system::Durability::durable);
    const bool taken = !written && written.error().kind == base::ErrorKind::not_found;
    if (!taken || attempt == kAttempts) return written;
  }
}

}  // namespace plankeep::store

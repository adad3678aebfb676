#pragma once
// Checkpoints that are in a copy in the git directory (tracking/kept_copies) and not in checkpoints.db, which
// was deleted, set aside as damaged, or replaced by an older or a new one.
//
//   const auto kept = kept_checkpoints(context, plan, tracking);              // to tell of them
//   TRY_ASSIGN(bool done, put_kept_checkpoints_back(context, plan, tracking, now));  // under the plan's lock
//
// A copy counts if it is of the present history and more checkpoints were ever added to it. Those are never
// fewer, cleanups or not, so a store that only lost old checkpoints lacks nothing.
//
// On disk: the store that is there is renamed "checkpoints.db.set-aside-<time>", with its log, and kept. The
// copy takes its place, log first; what only the other one has is added behind it, with the next free id.
// Killed before the copy is there: no store, which the next call puts back. Killed behind it: what only the
// other one had is in the file that was set aside.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/instant.hpp"
#include "base/result.hpp"
#include "checkpoint_db/checkpoint_store.hpp"
#include "project/context.hpp"
#include "project/plan_location.hpp"
#include "system/file_system.hpp"

namespace plankeep::app {

struct KeptCheckpoints {
  base::Instant kept;            // when the copy was made
  std::int64_t checkpoints = 0;  // in it
};
/// nullopt: no copy has more than the store. Errors as checkpoint_db/sqlite_store: corrupt when the store
/// that is there is damaged, which has to be set aside first.
[[nodiscard]] base::Result<std::optional<KeptCheckpoints>> kept_checkpoints(const Context& context,
                                                                            const PlanLocation& plan,
                                                                            system::Folder& tracking);

inline constexpr std::string_view kCheckpointsPutBack =
    "checkpoints were missing: they were put back from the copy in the git directory";
/// Under the plan's lock. False: there is nothing to put back.
[[nodiscard]] base::Result<bool> put_kept_checkpoints_back(const Context& context, const PlanLocation& plan,
                                                           system::Folder& tracking, base::Instant now);
/// The same with a lock of its own, if there is anything to put back.
[[nodiscard]] base::Status mend_checkpoints(const Context& context, const PlanLocation& plan);

/// The store to add to, under the plan's lock. One that is missing is put back where there is a copy. Ids
/// that the history names are not given again. What was done is added to `warnings`.
[[nodiscard]] base::Result<std::unique_ptr<records::CheckpointStore>> open_checkpoints(
    const Context& context, const PlanLocation& plan, system::Folder& tracking, base::Instant now,
    std::vector<std::string>& warnings);

/// How many checkpoints the history tells of.
[[nodiscard]] base::Result<std::int64_t> recorded_checkpoints(system::Folder& tracking);

}  // namespace plankeep::app

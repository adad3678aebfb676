#pragma once
// Snapshots of the work tree for a plan's checkpoints: made and dropped with worktree/snapshot as the
// settings say (spec 14). Refs: git::snapshot_refs_of, then <time>-<8 digits of the tree>.
//
// Never in one: anything below a .checkpoint folder and our temporary files, beside what worktree/snapshot
// leaves out. The plan itself is, unless git ignores it.

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "checkpoints/checkpoint.hpp"
#include "checkpoints/retention.hpp"
#include "model/checkpoint.hpp"
#include "project/context.hpp"
#include "project/plan_location.hpp"
#include "project/settings.hpp"
#include "worktree/snapshot.hpp"

namespace plankeep::app {

/// A .checkpoint folder anywhere on the way, or a temporary file of ours that is being written or was left
/// behind. Relative to the work tree's top.
bool is_ours(std::string_view path);

/// In the background nobody waits for a snapshot, and it may take twelve times as long.
enum class TakenIn { foreground, background };

/// Takes a snapshot as the settings allow; empty where they switch snapshots off. It and the dropper keep a
/// reference to the context. `then`: the plan when the checkpoint was requested; the snapshot holds that
/// text.
SnapshotTaker snapshot_taker(const Context& context, const PlanLocation& plan, const Settings& settings,
                             TakenIn taken_in = TakenIn::foreground,
                             const std::optional<PlanThen>& then = std::nullopt);

/// For checkpoints/checkpoint's clean_up_checkpoints: drops this plan's refs that no checkpoint has, and of
/// the whole repository those of linked work trees that were removed and those that git cannot read.
SnapshotDropper snapshot_dropper(const Context& context, const PlanLocation& plan);

struct TurnRequest {
  std::string session;
  std::string client_event;
  std::function<std::string()> message_id{};  // checkpoints/checkpoint
  std::function<std::string()> prompt{};      // likewise
  std::string transcript;                     // absolute; empty: none
  std::optional<int> context_percent;
  std::optional<PlanThen> then{};  // checkpoints/checkpoint
  base::Instant time{};            // when it was asked for
};
/// A turn's checkpoint (spec 14): with the work tree, the plan's text and its tasks. For the child that a
/// hook leaves behind; safe to kill at any point. Drops the plan's oldest snapshots when all of them together
/// hold more than the settings allow (looked at every 16th turn): their records stay.
[[nodiscard]] base::Result<CheckpointAnswer> take_turn(const Context& context, const PlanLocation& plan,
                                                       const TurnRequest& request);

/// What a person changed between two turns (spec 14), made in the background when the next prompt is sent: as
/// a turn's checkpoint, but with core::kBeforePrompt and without a number. nullopt when files, HEAD and the
/// plan are as the plan's newest snapshot has them (without snapshots: as the newest checkpoint has the
/// plan), and while another process takes a snapshot. Nobody waits for it, so an agent that is quick may
/// write before it has looked: with files that were changed after `request.time` it is core::kAfterPrompt,
/// and its note names them. The plan is in any case as it was when the checkpoint was requested.
[[nodiscard]] base::Result<std::optional<CheckpointAnswer>> take_before_prompt(const Context& context,
                                                                               const PlanLocation& plan,
                                                                               const TurnRequest& request);

/// Drops the plan's oldest snapshots, a quarter at a time, until the rest holds no more than `limit` bytes;
/// the newest always stays. Gives how many went.
[[nodiscard]] base::Result<std::size_t> trim_snapshots(const Context& context, const PlanLocation& plan,
                                                       std::uint64_t limit);

struct SnapshotReport {
  bool available = false;           // there is a repository to take them in
  git::SnapshotSizes sizes;         // of this plan's
  std::uint64_t limit = 0;          // bytes; of the settings
  bool on = true;                   // likewise
  std::vector<std::string> broken;  // refs of the repository that git cannot read
  /// Refs that checkpoints have and git does not, though they are newer than one that is there or none is:
  /// the oldest are dropped for want of room.
  std::vector<std::string> lost;
};
[[nodiscard]] base::Result<SnapshotReport> report_snapshots(const Context& context, const PlanLocation& plan);

/// Drops the refs of the repository whose snapshot git cannot read: git's own gc fails because of them. Gives
/// them.
[[nodiscard]] base::Result<std::vector<std::string>> drop_broken_snapshots(const Context& context,
                                                                           const PlanLocation& plan);

/// One line that names the files that were left out as secrets; empty: there are none.
std::string left_as_secrets(const std::vector<git::LeftOut>& left_out);

/// The snapshots of the work tree around a folder; nullopt where there is none, or no git can be started at
/// all (Context::processes). Errors of worktree/snapshot.
[[nodiscard]] base::Result<std::optional<git::Snapshots>> open_work_tree(const Context& context,
                                                                         const std::string& folder);
/// For looks at git that a checkpoint needs.
inline constexpr std::chrono::milliseconds kGitTimeout{5000};
/// The repository around the plan, if there is one.
[[nodiscard]] base::Result<std::optional<git::WorkTree>> work_tree_of(const Context& context, git::Git& git,
                                                                      const PlanLocation& plan);
git::SnapshotLimits snapshot_limits(const Settings& settings);
/// Keeps what was captured under a name of its own; on disk when it returns.
[[nodiscard]] base::Result<core::Snapshot> keep_snapshot(const Context& context, const PlanLocation& plan,
                                                         git::Snapshots& snapshots,
                                                         const git::Captured& captured);

}  // namespace plankeep::app

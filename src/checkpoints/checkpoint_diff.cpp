#include "checkpoints/checkpoint_diff.hpp"

#include <utility>

#include "base/sha256.hpp"
#include "checkpoints/checkpoint.hpp"
#include "checkpoints/find_checkpoint.hpp"
#include "checkpoints/rewind_paths.hpp"
#include "checkpoints/snapshots.hpp"
#include "project/project.hpp"
#include "store/plan_file.hpp"
#include "tracking/show.hpp"

namespace plankeep::app {
namespace {

using base::ErrorKind;
using base::Result;
using base::Status;

// One of the two that are compared.
struct Side {
  std::optional<core::Checkpoint> checkpoint;  // nullopt: now
  std::string plan_digest;                     // empty: the plan cannot be read
  bool knows_tasks = true;
  std::vector<core::TodoItem> todo;
};

Result<Side> side_of(const Context& context, const PlanLocation& plan, const std::string& which,
                     CheckpointDiff& diff) {
  Side side;
  TRY_ASSIGN(CheckpointAnswer found, get_checkpoint(context, plan, which));
  for (std::string& warning : found.warnings) diff.warnings.push_back(std::move(warning));
  side.plan_digest = found.checkpoint.moment.plan_digest;
  side.todo = found.checkpoint.moment.todo_snapshot;
  side.knows_tasks = found.checkpoint.moment.knows_tasks();
  side.checkpoint = std::move(found.checkpoint);
  return side;
}

Result<Side> side_now(const Context& context, const PlanLocation& plan, CheckpointDiff& diff) {
  Side side;
  TRY_ASSIGN(const Shown shown, load_shown(context, plan, 0));
  if (!shown.plan) {
    for (const std::string& warning : shown.warnings) diff.warnings.push_back(warning);
    return side;
  }
  side.todo = core::todo_of(*shown.plan);
  TRY_ASSIGN(const auto folder, context.files.open_folder(plan.folder));
  store::PlanFile file(context.files, *folder, plan.name);
  if (const auto text = file.read()) side.plan_digest = base::sha256_hex(text->bytes);
  return side;
}

class FileComparer {
 public:
  FileComparer(const Context& context, const PlanLocation& plan, const CheckpointDiffRequest& request,
               CheckpointDiff& diff)
      : context_(context), plan_(plan), request_(request), diff_(diff) {}

  Status compare(const Side& from, const Side& to) {
    TRY_ASSIGN(auto snapshots, open_work_tree(context_, plan_.folder));
    if (!snapshots) {
      diff_.warnings.emplace_back("the plan is not in a git repository: comparing only the plan");
      return {};
    }
    TRY_ASSIGN(const auto before, snapshot_of(*snapshots, from));
    if (!before) return {};
    git::TreeDiff trees{before->tree, {}, {}, {}, before->permissions, {}};
    git::Captured now;  // holds what a look wrote
    std::optional<git::Snapshot> after;
    if (to.checkpoint) {
      TRY_ASSIGN(after, snapshot_of(*snapshots, to));
      if (!after) return {};
      trees.to = after->tree;
      trees.to_permissions = after->permissions;
    } else {
      git::SnapshotLimits limits = snapshot_limits(Project(context_, plan_.folder).settings());
      limits.progress = context_.progress;
      TRY_ASSIGN(now, snapshots->inspect(limits));
      trees.to = now.tree;
      trees.how = now.seeing();
      trees.to_permissions = now.permissions;
    }
    auto paths = paths_in_tree(context_, *snapshots, *before, request_.paths);
    if (!paths && after && paths.error().kind == ErrorKind::not_found)
      paths = paths_in_tree(context_, *snapshots, *after, request_.paths);
    if (!paths) return base::fail(std::move(paths.error()));
    trees.paths = std::move(*paths);
    TRY(require_held(*snapshots, *before, {trees.to, trees.how, after ? &after->left_out : &now.left_out},
                     request_.paths, trees.paths));
    TRY_ASSIGN(diff_.files, git::differences(*snapshots, trees));
    leave_out(before->left_out, trees);
    leave_out(after ? after->left_out : now.left_out, trees);
    if (!request_.with_patch) return {};
    diff_.patch.emplace();
    if (diff_.files->empty()) return {};
    TRY_ASSIGN(diff_.patch, git::patch(*snapshots, trees));
    return {};
  }

 private:
  // What one of the two snapshots does not hold is no difference: nobody knows. A warning names it.
  void leave_out(const std::vector<git::LeftOut>& left_out, git::TreeDiff& trees) {
    std::vector<git::FileDifference>& files = *diff_.files;
    const std::size_t all = files.size();
    for (const git::LeftOut& left : left_out) {
      const auto is_of = [&left](const git::FileDifference& file) {
        return is_within(file.path, {left.path});
      };
      if (std::erase_if(files, is_of) > 0)
        diff_.warnings.push_back(left.path + " cannot be compared: one side does not hold it (" +
                                 std::string(git::name_of(left.why)) + ")");
    }
    if (files.size() == all) return;
    trees.paths.clear();
    for (const git::FileDifference& file : files) trees.paths.push_back(file.path);
  }

  // nullopt: there is no snapshot; a warning says so.
  Result<std::optional<git::Snapshot>> snapshot_of(git::Snapshots& snapshots, const Side& side) {
    const std::string& id = side.checkpoint->head.id.text;
    const auto& kept = side.checkpoint->moment.snapshot;
    if (!kept) {
      diff_.warnings.push_back(id + " has no file snapshot: comparing only the plan");
      return std::optional<git::Snapshot>();
    }
    auto found = snapshots.find(kept->commit);
    if (found) return std::optional(std::move(*found));
    if (found.error().kind != ErrorKind::not_found) return base::fail(std::move(found.error()));
    diff_.warnings.push_back("git no longer has the snapshot of " + id + ": comparing only the plan");
    return std::optional<git::Snapshot>();
  }

  const Context& context_;
  const PlanLocation& plan_;
  const CheckpointDiffRequest& request_;
  CheckpointDiff& diff_;
};

}  // namespace

Result<CheckpointDiff> diff_checkpoints(const Context& context, const PlanLocation& plan,
                                        const CheckpointDiffRequest& request) {
  CheckpointDiff diff;
  TRY_ASSIGN(const Side from, side_of(context, plan, request.from, diff));
  TRY_ASSIGN(const Side to,
             request.to ? side_of(context, plan, *request.to, diff) : side_now(context, plan, diff));
  diff.from = from.checkpoint->head;
  if (to.checkpoint) diff.to = to.checkpoint->head;
  const auto is_known = [](const Side& side) { return side.knows_tasks && !side.plan_digest.empty(); };
  if (is_known(from) && is_known(to)) {
    diff.plan_changed = from.plan_digest != to.plan_digest;
    diff.tasks = core::todo_changes(from.todo, to.todo);
  }
  TRY(FileComparer(context, plan, request, diff).compare(from, to));
  return diff;
}

}  // namespace plankeep::app

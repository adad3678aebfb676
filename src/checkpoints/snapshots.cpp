#include "checkpoints/snapshots.hpp"

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

#include "base/sha256.hpp"
#include "base/text.hpp"
#include "checkpoints/find_checkpoint.hpp"
#include "git_objects/object.hpp"
#include "project/project.hpp"
#include "store/capped_log.hpp"
#include "store/paths.hpp"
#include "store/plan_file.hpp"
#include "store/tracking_folder.hpp"
#include "system/atomic_file.hpp"
#include "worktree/tree_diff.hpp"

namespace plankeep::app {
namespace {

using base::ErrorKind;
using base::Result;
using base::Status;

constexpr std::int64_t kTurnsBetweenLooks = 16;
constexpr std::size_t kTreeDigits = 8;
constexpr int kNames = 100;
// A first snapshot of a large work tree takes long. Nobody waits for one in the background.
constexpr int kBackgroundBudgets = 12;

}  // namespace

bool is_ours(std::string_view path) {
  if (path.ends_with(system::kTemporaryEnd)) return true;
  while (!path.empty()) {
    const std::size_t end = path.find('/');
    if (path.substr(0, end) == store::kTrackingFolder) return true;
    if (end == std::string_view::npos) return false;
    path.remove_prefix(end + 1);
  }
  return false;
}

namespace {

// For people, where nobody is there to be told: the same words once, not at every turn.
void log_once(const Context& context, const PlanLocation& plan, const std::string& problem) {
  const auto folder = context.files.open_folder(plan.folder);
  if (!folder) return;
  const auto tracking = store::open_tracking(**folder, plan.name);
  if (!tracking) return;
  const auto lines = store::read_lines(**tracking, store::kErrorLog);
  const bool known = lines && std::any_of(lines->begin(), lines->end(),
                                          [&](const std::string& line) { return line.ends_with(problem); });
  if (known) return;
  (void)store::append_line(**tracking, store::kErrorLog,
                           base::to_iso8601(context.clock.now()) + " " + problem);
}

std::optional<git::TextThen> text_then(const git::SnapshotPlace& place, const PlanLocation& plan,
                                       const std::optional<PlanThen>& then) {
  const std::string top = place.top + "/";
  if (!then || !plan.path().starts_with(top)) return std::nullopt;
  return git::TextThen{plan.path().substr(top.size()), then->text};
}

// Of a linked work tree that is no longer there: nobody goes back to it.
bool work_tree_is_gone(const Context& context, const git::SnapshotPlace& place, const git::Snapshot& one) {
  if (!one.work_tree.starts_with("worktrees/") || one.work_tree.find("..") != std::string::npos) return false;
  const auto info = context.files.info(place.common_dir + "/" + one.work_tree);
  return info && info->kind == system::FileKind::missing;
}

}  // namespace

Result<std::optional<git::Snapshots>> open_work_tree(const Context& context, const std::string& folder) {
  if (context.processes == nullptr || !Project(context, folder).in_git())
    return std::optional<git::Snapshots>();
  TRY_ASSIGN(auto place, git::open_snapshots(*context.processes, context.files, folder));
  if (!place) return std::optional<git::Snapshots>();
  return std::optional<git::Snapshots>(std::in_place, *context.processes, context.files, std::move(*place),
                                       is_ours);
}

Result<std::optional<git::WorkTree>> work_tree_of(const Context& context, git::Git& git,
                                                  const PlanLocation& plan) {
  const Project project(context, plan.folder);
  if (!project.in_git()) return std::optional<git::WorkTree>();
  return git.work_tree(project.root());
}

std::string left_as_secrets(const std::vector<git::LeftOut>& left_out) {
  constexpr std::size_t kNamed = 3;
  std::vector<std::string> names;
  for (const git::LeftOut& one : left_out) {
    if (one.why == git::LeftOut::Why::secret) names.push_back(one.path);
  }
  if (names.empty()) return {};
  return "not in snapshots, since they look like secrets (setting snapshotSecrets): " +
         base::first_joined(names, kNamed, [](const std::string& name) { return name; });
}

git::SnapshotLimits snapshot_limits(const Settings& settings) {
  git::SnapshotLimits limits;
  limits.max_file_bytes = settings.snapshot_file_limit;
  limits.budget = settings.snapshot_budget;
  limits.secret_files = settings.snapshot_secrets;
  return limits;
}

Result<core::Snapshot> keep_snapshot(const Context& context, const PlanLocation& plan,
                                     git::Snapshots& snapshots, const git::Captured& captured) {
  const base::Instant now = context.clock.now();
  const std::string name = store::file_time(now) + "-" + captured.tree.substr(0, kTreeDigits);
  std::string subject = "plankeep: the work tree with plan ";
  for (const char c : plan.plan_id()) subject += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  for (int i = 1;; ++i) {
    const std::string ref =
        git::snapshot_ref(snapshots.place(), plan.path(), i == 1 ? name : name + "-" + std::to_string(i));
    const auto kept = snapshots.keep(captured, ref, now, subject);
    if (!kept && kept.error().kind == ErrorKind::conflict && i < kNames) continue;
    if (!kept) return base::fail(kept.error());
    core::Snapshot snapshot;
    snapshot.tree = kept->tree;
    snapshot.commit = kept->commit;
    snapshot.ref = kept->ref;
    snapshot.left_out_count = static_cast<std::int64_t>(kept->left_out.size());
    for (const git::LeftOut& one : kept->left_out) {
      if (snapshot.left_out.size() < core::kLeftOutNamed) snapshot.left_out.push_back(one.path);
    }
    return snapshot;
  }
}

SnapshotTaker snapshot_taker(const Context& context, const PlanLocation& plan, const Settings& settings,
                             TakenIn taken_in, const std::optional<PlanThen>& then) {
  if (!settings.snapshots || context.processes == nullptr) return {};
  git::SnapshotLimits limits = snapshot_limits(settings);
  if (taken_in == TakenIn::background) {
    limits.budget *= kBackgroundBudgets;
  } else {
    limits.progress = context.progress;
  }
  return [&context, plan, limits, taken_in, then](const git::SnapshotPlace& place) -> Result<core::Snapshot> {
    git::Snapshots snapshots(*context.processes, context.files, place, is_ours);
    const auto captured = snapshots.capture(limits, {}, text_then(place, plan, then));
    if (captured) {
      // Whoever waits is told by the answer.
      if (taken_in == TakenIn::background) {
        const std::string left = left_as_secrets(captured->left_out);
        if (!left.empty()) log_once(context, plan, left);
      }
      return keep_snapshot(context, plan, snapshots, *captured);
    }
    // What only a person can change.
    if (taken_in == TakenIn::background && captured.error().kind == ErrorKind::conflict)
      log_once(context, plan, "checkpoints are made without file snapshots: " + captured.error().message);
    return base::fail(captured.error());
  };
}

SnapshotDropper snapshot_dropper(const Context& context, const PlanLocation& plan) {
  return [&context, plan](const std::string& top, const std::vector<std::string>& kept,
                          base::Instant older_than) -> Result<std::int64_t> {
    TRY_ASSIGN(auto snapshots, open_work_tree(context, top));
    if (!snapshots) return 0;
    TRY_ASSIGN(const git::SnapshotList all, snapshots->list_all(std::string(git::kSnapshotRefs)));
    const std::string own = git::snapshot_refs_of(snapshots->place(), plan.path());
    std::vector<std::string> refs;
    for (const git::Snapshot& one : all.snapshots) {
      if (one.time >= older_than) continue;
      const bool unused = one.ref.starts_with(own) && !std::binary_search(kept.begin(), kept.end(), one.ref);
      if (unused || work_tree_is_gone(context, snapshots->place(), one)) refs.push_back(one.ref);
    }
    refs.insert(refs.end(), all.broken.begin(), all.broken.end());
    TRY(snapshots->drop(refs));
    return static_cast<std::int64_t>(refs.size());
  };
}

Result<std::size_t> trim_snapshots(const Context& context, const PlanLocation& plan, std::uint64_t limit) {
  TRY_ASSIGN(auto snapshots, open_work_tree(context, plan.folder));
  if (!snapshots) return std::size_t{0};
  const std::string prefix = git::snapshot_refs_of(snapshots->place(), plan.path());
  std::size_t dropped = 0;
  while (true) {
    TRY_ASSIGN(const git::SnapshotSizes sizes, snapshots->sizes(prefix));
    if (sizes.bytes <= limit || sizes.count <= 1) return dropped;
    TRY_ASSIGN(const std::vector<git::Snapshot> all, snapshots->list(prefix));
    // What one holds alone costs a walk to find out: a quarter at a time comes near enough.
    const std::size_t some = std::min(std::max<std::size_t>(all.size() / 4, 1), all.size() - 1);
    std::vector<std::string> refs;
    refs.reserve(some);
    for (std::size_t i = 0; i < some; ++i) refs.push_back(all[i].ref);
    TRY(snapshots->drop(refs));
    dropped += some;
  }
}

Result<CheckpointAnswer> take_turn(const Context& context, const PlanLocation& plan,
                                   const TurnRequest& request) {
  Settings settings = Project(context, plan.folder).settings();
  CheckpointRequest turn;
  turn.type = core::CheckpointType::turn;
  turn.trigger = "turn_end";
  turn.event_id = request.client_event;
  if (!request.session.empty()) turn.instance = request.session;
  turn.message_id = request.message_id;
  turn.prompt = request.prompt;
  turn.transcript = request.transcript;
  turn.context_percent = request.context_percent;
  turn.then = request.then;
  turn.leaves_edits = true;
  turn.take_snapshot = snapshot_taker(context, plan, settings, TakenIn::background, request.then);
  TRY_ASSIGN(CheckpointAnswer answer, create_checkpoint(context, plan, turn));
  if (settings.snapshots && answer.checkpoint.moment.turn % kTurnsBetweenLooks == 0) {
    const auto trimmed = trim_snapshots(context, plan, settings.snapshot_total_limit);
    if (!trimmed) answer.warnings.push_back("old snapshots remain: " + trimmed.error().message);
  }
  return answer;
}

namespace {

// Whether the newest checkpoint has the text that the plan had when this one was requested.
Result<bool> plan_is_known(const Context& context, const PlanLocation& plan,
                           const std::optional<PlanThen>& then) {
  auto opened = open_checkpoints(context, plan, records::Access::read);
  if (!opened && opened.error().kind == ErrorKind::not_found) return false;
  if (!opened) return base::fail(std::move(opened.error()));
  TRY_ASSIGN(const auto last, opened->store->latest({}));
  if (!last) return false;
  if (then) return base::sha256_hex(then->text) == last->moment.plan_digest;
  TRY_ASSIGN(const auto folder, context.files.open_folder(plan.folder));
  store::PlanFile file(context.files, *folder, plan.name);
  const auto text = file.read();
  // What cannot be read now was no better known then.
  return text ? base::sha256_hex(text->bytes) == last->moment.plan_digest : last->moment.plan_digest.empty();
}

// Of a plan that git ignores, or that lies outside, the tree says nothing.
Result<bool> holds_plan(git::Snapshots& snapshots, const git::Captured& captured, const PlanLocation& plan) {
  const std::string top = snapshots.place().top + "/";
  if (!plan.path().starts_with(top)) return false;
  TRY_ASSIGN(const system::Finished listed,
             snapshots.run({"--literal-pathspecs", "ls-tree", "-z", "--name-only", captured.tree, "--",
                            plan.path().substr(top.size())}));
  return listed.status == 0 && !listed.output.empty();
}

// Files that differ from the last snapshot and were changed after this one was requested, mostly by the
// agent. The plan is not among them: the snapshot holds its text at the request.
Result<std::vector<std::string>> written_since(const Context& context, git::Snapshots& snapshots,
                                               const PlanLocation& plan, const TurnRequest& request,
                                               const git::Snapshot* last, const git::Captured& captured) {
  // If the clock has not moved on since the request, nothing can be told to be later.
  if (context.clock.now() <= request.time) return std::vector<std::string>();
  std::string from = last != nullptr ? last->tree : captured.head;
  const auto format = git::object_format(snapshots.place().object_format);
  if (from.empty() && format) from = git::object_id(*format, git::ObjectKind::tree, {});
  TRY_ASSIGN(std::vector<std::string> differing,
             git::differing_paths(snapshots, {from, captured.tree, {}, captured.seeing(), {}, {}}));
  const auto known = text_then(snapshots.place(), plan, request.then);
  if (known) std::erase(differing, known->path);
  return git::changed_after(context.files, snapshots.place().top, std::move(differing), request.time);
}

std::string note_of_late(const std::vector<std::string>& late) {
  constexpr std::size_t kNamed = 5;
  return "holds what was changed after the prompt in " +
         base::first_joined(late, kNamed, [](const std::string& path) { return path; });
}

}  // namespace

Result<std::optional<CheckpointAnswer>> take_before_prompt(const Context& context, const PlanLocation& plan,
                                                           const TurnRequest& request) {
  using Nothing = std::optional<CheckpointAnswer>;
  const Settings settings = Project(context, plan.folder).settings();
  CheckpointRequest asked;
  asked.type = core::CheckpointType::turn;
  asked.trigger = std::string(core::kBeforePrompt);
  asked.event_id = request.client_event;
  asked.then = request.then;
  asked.leaves_edits = true;
  if (!request.session.empty()) asked.instance = request.session;
  asked.message_id = request.message_id;
  TRY_ASSIGN(std::optional<git::Snapshots> snapshots,
             settings.snapshots ? open_work_tree(context, plan.folder)
                                : Result<std::optional<git::Snapshots>>(std::nullopt));
  if (!snapshots) {
    TRY_ASSIGN(const bool known, plan_is_known(context, plan, request.then));
    if (known) return Nothing();
  } else {
    git::SnapshotLimits limits = snapshot_limits(settings);
    limits.budget *= kBackgroundBudgets;
    auto captured = snapshots->capture(limits, {}, text_then(snapshots->place(), plan, request.then));
    // The end of the turn before is being kept right now: it holds what there is.
    if (!captured && captured.error().kind == ErrorKind::busy) return Nothing();
    if (!captured) return base::fail(std::move(captured.error()));
    TRY_ASSIGN(const std::vector<git::Snapshot> kept,
               snapshots->list(git::snapshot_refs_of(snapshots->place(), plan.path())));
    if (!kept.empty() && kept.back().tree == captured->tree && kept.back().head == captured->head) {
      TRY_ASSIGN(bool known, holds_plan(*snapshots, *captured, plan));
      if (!known) {
        TRY_ASSIGN(known, plan_is_known(context, plan, request.then));
      }
      if (known) return Nothing();
    }
    TRY_ASSIGN(
        const std::vector<std::string> late,
        written_since(context, *snapshots, plan, request, kept.empty() ? nullptr : &kept.back(), *captured));
    if (!late.empty()) {
      asked.trigger = std::string(core::kAfterPrompt);
      asked.note = note_of_late(late);
    }
    asked.take_snapshot = [&context, &plan, &snapshots,
                           taken = std::move(*captured)](const git::SnapshotPlace& /*place*/) {
      return keep_snapshot(context, plan, *snapshots, taken);
    };
  }
  TRY_ASSIGN(CheckpointAnswer answer, create_checkpoint(context, plan, asked));
  return Nothing(std::move(answer));
}

namespace {

// `known`, sorted; their names begin with their times. Those of another repository have another prefix.
std::vector<std::string> lost_refs(const std::vector<std::string>& known,
                                   const std::vector<git::Snapshot>& there,
                                   const std::vector<std::string>& broken, const std::string& prefix) {
  std::set<std::string_view> present(broken.begin(), broken.end());
  for (const git::Snapshot& one : there) present.insert(one.ref);
  const auto is_own = [&prefix](std::string_view ref) { return ref.starts_with(prefix); };
  const auto oldest = std::find_if(present.begin(), present.end(), is_own);
  std::vector<std::string> lost;
  for (const std::string& ref : known) {
    const bool dropped = oldest != present.end() && std::string_view(ref) < *oldest;
    if (is_own(ref) && !dropped && !present.contains(ref)) lost.push_back(ref);
  }
  return lost;
}

}  // namespace

Result<SnapshotReport> report_snapshots(const Context& context, const PlanLocation& plan) {
  SnapshotReport report;
  const Settings settings = Project(context, plan.folder).settings();
  report.limit = settings.snapshot_total_limit;
  report.on = settings.snapshots;
  TRY_ASSIGN(auto snapshots, open_work_tree(context, plan.folder));
  if (!snapshots) return report;
  report.available = true;
  TRY_ASSIGN(git::SnapshotList all, snapshots->list_all(std::string(git::kSnapshotRefs)));
  report.broken = std::move(all.broken);
  const std::string prefix = git::snapshot_refs_of(snapshots->place(), plan.path());
  TRY_ASSIGN(report.sizes, snapshots->sizes(prefix));
  const auto opened = open_checkpoints(context, plan, records::Access::read);
  if (!opened) return report;  // said elsewhere
  TRY_ASSIGN(const std::vector<std::string> known, opened->store->snapshot_refs());
  report.lost = lost_refs(known, all.snapshots, report.broken, prefix);
  return report;
}

Result<std::vector<std::string>> drop_broken_snapshots(const Context& context, const PlanLocation& plan) {
  TRY_ASSIGN(auto snapshots, open_work_tree(context, plan.folder));
  if (!snapshots) return std::vector<std::string>();
  TRY_ASSIGN(git::SnapshotList all, snapshots->list_all(std::string(git::kSnapshotRefs)));
  TRY(snapshots->drop(all.broken));
  return std::move(all.broken);
}

}  // namespace plankeep::app

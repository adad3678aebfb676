#include "checkpoints/find_checkpoint.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/sha256.hpp"
#include "base/text.hpp"
#include "checkpoints/snapshots.hpp"
#include "project/project.hpp"
#include "store/paths.hpp"
#include "store/plan_file.hpp"
#include "store/tracking_folder.hpp"
#include "tracking/plan_work.hpp"
#include "tracking/show.hpp"

namespace plankeep::app {

using base::ErrorKind;
using base::Result;
using core::Checkpoint;

namespace {

// How things stand now, as far as a look tells.
core::SinceThen since(const Context& context, const PlanLocation& plan, const Checkpoint& checkpoint) {
  core::SinceThen since;
  since.plan = shown_path(context, plan.path());
  if (const auto shown = load_shown(context, plan, 0); shown && shown->state) {
    since.done_now = shown->state->progress.completed;
    if (!checkpoint.moment.plan_digest.empty()) {
      auto folder = context.files.open_folder(plan.folder);
      if (folder) {
        store::PlanFile file(context.files, **folder, plan.name);
        const auto text = file.read();
        if (text) since.plan_changed = base::sha256_hex(text->bytes) != checkpoint.moment.plan_digest;
      }
    }
  }
  const core::Moment& moment = checkpoint.moment;
  if (context.processes == nullptr || (moment.commit_sha.empty() && !moment.snapshot)) return since;
  git::Git git(*context.processes, context.files, kGitTimeout);
  const Project project(context, plan.folder);
  if (!project.in_git()) return since;
  const std::string& root = project.root();
  std::optional<Result<git::GitRunning>> there;
  if (moment.snapshot) there = git.start(root, {"cat-file", "-e", moment.snapshot->commit + "^{commit}"});
  const auto tree = git.work_tree(root);
  if (!tree || !*tree) return since;
  since.head = (*tree)->head;
  if (there && *there) {
    const auto finished = (*there)->finish();
    since.snapshot_gone = finished && finished->status != 0;
  }
  return since;
}

// "1", "12": how `rewind --list` numbers its rows. Never the end of an id: what a number means must not hang
// on how many rows there are.
std::optional<std::size_t> row_of(std::string_view which) {
  constexpr std::size_t kMostDigits = 2;
  if (which.size() > kMostDigits || !base::all_digits(which) || which.starts_with('0')) return std::nullopt;
  std::size_t row = 0;
  for (const char c : which) row = row * 10 + static_cast<std::size_t>(c - '0');
  return row;
}

// The rows are those that no rewind made, newest first.
Result<Checkpoint> of_row(records::CheckpointStore& store, std::size_t row) {
  for (std::size_t limit = 2 * row + 1;; limit *= 16) {
    records::CheckpointQuery query;
    query.limit = limit;
    TRY_ASSIGN(const std::vector<core::ListedCheckpoint> all, store.list(query));
    std::size_t at = 0;
    for (const core::ListedCheckpoint& one : all) {
      if (one.head.type != core::CheckpointType::pre_rewind && ++at == row) return store.get(one.head.id);
    }
    if (all.size() == limit) continue;
    return base::fail(ErrorKind::not_found, "the list has no row " + std::to_string(row),
                      "to list them: plankeep rewind --list; by the end of an id: _007");
  }
}

// The newest that no rewind made: back to what was before a rewind goes --undo.
Result<Checkpoint> newest_of_work(records::CheckpointStore& store, base::Instant until) {
  constexpr std::size_t kFirstLook = 16;
  for (std::size_t limit = kFirstLook;; limit *= 16) {
    records::CheckpointQuery query;
    query.limit = limit;
    TRY_ASSIGN(const std::vector<core::ListedCheckpoint> all, store.list(query));
    for (const core::ListedCheckpoint& one : all) {
      if (one.head.type != core::CheckpointType::pre_rewind && one.head.timestamp <= until)
        return store.get(one.head.id);
    }
    if (all.size() == limit) continue;
    if (all.empty())
      return base::fail(ErrorKind::not_found, "there are no checkpoints yet",
                        "to make one: plankeep checkpoint create");
    const core::CheckpointHead& oldest = all.back().head;
    if (oldest.timestamp > until)
      return base::fail(ErrorKind::not_found, "no checkpoint is that old",
                        "the oldest is " + oldest.id.text + " of " + base::to_iso8601(oldest.timestamp));
    return base::fail(ErrorKind::not_found, "all checkpoints until then were made by rewinds",
                      "to undo the last rewind: plankeep rewind --undo");
  }
}

}  // namespace

Result<OpenedCheckpoints> open_checkpoints(const Context& context, const PlanLocation& plan,
                                           records::Access access) {
  OpenedCheckpoints opened;
  TRY_ASSIGN(const auto folder, context.files.open_folder(plan.folder));
  auto tracking = store::open_tracking(*folder, plan.name);
  if (!tracking && tracking.error().kind == ErrorKind::not_found)
    return base::fail(not_tracked(context, plan));
  if (!tracking) return base::fail(std::move(tracking.error()));
  opened.tracking = std::move(*tracking);
  TRY_ASSIGN(opened.store, records::open_sqlite(*opened.tracking, std::string(store::kCheckpoints), access));
  return opened;
}

Result<Checkpoint> find_checkpoint(records::CheckpointStore& store, const std::string& which) {
  constexpr base::Instant kNoEnd{INT64_MAX};
  if (which == "last") return newest_of_work(store, kNoEnd);
  if (const auto row = row_of(which)) return of_row(store, *row);
  if (which.find(':') != std::string::npos) {  // no id has one
    TRY_ASSIGN(const base::Instant until, base::read_until(which));
    return newest_of_work(store, until);
  }
  for (const std::string& id : {which, std::string(core::kCheckpointPrefix) + which}) {
    if (!core::is_checkpoint_id(id)) continue;
    auto found = store.get(core::CheckpointId(id));
    if (found || found.error().kind != ErrorKind::not_found) return found;
  }
  // The beginning or the end of an id. What is listed is short: all of it is looked through.
  TRY_ASSIGN(const auto all, store.list({.limit = std::size_t{1} << 20}));
  std::vector<core::CheckpointId> matching;
  for (const core::ListedCheckpoint& one : all) {
    const std::string_view id = one.head.id.text;
    if (id.starts_with(which) || id.ends_with(which) ||
        id.substr(core::kCheckpointPrefix.size()).starts_with(which))
      matching.push_back(one.head.id);
  }
  if (matching.size() == 1) return store.get(matching.front());
  if (matching.empty()) {
    return base::fail(ErrorKind::not_found, "there is no checkpoint " + which,
                      "to list them: plankeep checkpoint list");
  }
  std::string message = "several checkpoints start or end with " + which + ":";
  constexpr std::size_t kShown = 10;
  for (std::size_t i = 0; i < std::min(matching.size(), kShown); ++i) message += "\n" + matching[i].text;
  if (matching.size() > kShown) message += "\nand " + std::to_string(matching.size() - kShown) + " more";
  return base::fail(ErrorKind::ambiguous, std::move(message), "give one of them");
}

Result<CheckpointAnswer> get_checkpoint(const Context& context, const PlanLocation& plan,
                                        const std::string& which) {
  TRY_ASSIGN(const OpenedCheckpoints opened, open_checkpoints(context, plan, records::Access::read));
  CheckpointAnswer answer;
  TRY_ASSIGN(answer.checkpoint, find_checkpoint(*opened.store, which));
  answer.warnings = opened.store->take_warnings();
  answer.instructions =
      core::recovery_instructions(answer.checkpoint, since(context, plan, answer.checkpoint));
  return answer;
}

Result<CheckpointList> list_checkpoints(const Context& context, const PlanLocation& plan,
                                        const records::CheckpointQuery& query) {
  auto opened = open_checkpoints(context, plan, records::Access::read);
  if (!opened && opened.error().kind == ErrorKind::not_found) {
    // No checkpoints are an empty list; no tracking is an error still.
    TRY_ASSIGN(const auto folder, context.files.open_folder(plan.folder));
    if (store::open_tracking(*folder, plan.name)) return CheckpointList();
  }
  if (!opened) return base::fail(std::move(opened.error()));
  CheckpointList list;
  TRY_ASSIGN(list.listed, opened->store->list(query));
  list.warnings = opened->store->take_warnings();
  return list;
}

Result<std::vector<std::string>> export_checkpoints(
    const Context& context, const PlanLocation& plan,
    const std::function<bool(const core::Checkpoint& checkpoint)>& each) {
  auto opened = open_checkpoints(context, plan, records::Access::read);
  if (!opened && opened.error().kind == ErrorKind::not_found) {
    TRY_ASSIGN(const auto folder, context.files.open_folder(plan.folder));
    if (store::open_tracking(*folder, plan.name)) return std::vector<std::string>();
  }
  if (!opened) return base::fail(std::move(opened.error()));
  TRY(opened->store->for_each(each));
  return opened->store->take_warnings();
}

}  // namespace plankeep::app

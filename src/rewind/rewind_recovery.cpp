#include "rewind/rewind_recovery.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "checkpoints/find_checkpoint.hpp"
#include "checkpoints/snapshots.hpp"
#include "rewind/other_plans.hpp"
#include "rewind/rewind_head.hpp"
#include "rewind/rewind_note.hpp"
#include "rewind/rewind_target.hpp"
#include "tracking/plan_work.hpp"
#include "tracking/restored_times.hpp"
#include "worktree/restore_tree.hpp"

namespace plankeep::app {
namespace {

using base::ErrorKind;
using base::Result;
using base::Status;
using core::Event;

// What failed once may be a passing trouble.
constexpr int kAttempts = 2;

BrokenRewind broken_of(const RewindNote& note) {
  return {note.plan, note.from, note.to, rewind_what(note.what).value_or(RewindWhat::all)};
}

// Whether the history has this rewind.
Result<bool> recorded(const Context& context, const PlanLocation& plan, const std::string& from) {
  TRY_ASSIGN(const auto last, last_rewound(context, plan));
  return last && last->from == from;
}

Status record(const Context& context, const PlanLocation& plan, const RewindNote& note,
              const core::Checkpoint& target) {
  PlanWork work(context, plan);
  TRY(work.open(PlanWork::Create::if_plan));
  TRY(work.lock(kTimeout));
  TRY(work.sync(Edit{note.by, true, target.moment.plan_reading == core::PlanReading::plan}));
  std::vector<Event> events;
  core::State state = work.state();
  if (note.plan_after != note.plan_before && work.readable()) {
    TRY_ASSIGN(const core::State then,
               state_then(work.tracking(), plan, work.bytes(), target.moment.history_offset));
    events = give_back_times(then, state);
  }
  events.push_back(rewound(note, work.now()));
  return work.save(std::move(state), std::move(events));
}

// Files, and with --head index and HEAD, are as they were to become.
Result<bool> all_moved(git::Snapshots& snapshots, git::TreeRestore& restore, const RewindNote& note) {
  TRY_ASSIGN(const bool moved, restore.all_moved());
  if (!moved || !moves_head(broken_of(note).what)) return moved;
  TRY_ASSIGN(const git::HeadPosition now, git::head_position(snapshots));
  return now.same_head({note.to_branch, note.to_commit, {}}) && now.index == note.to_index;
}

Status record_all(const Context& context, const PlanLocation& plan, const RewindNote& note, bool plan_too) {
  TRY_ASSIGN(const OpenedCheckpoints opened, open_checkpoints(context, plan, records::Access::read));
  TRY_ASSIGN(const core::Checkpoint target, opened.store->get(core::CheckpointId{note.to}));
  if (plan_too) TRY(record(context, plan, note, target));
  std::string_view rest = note.others;
  while (!rest.empty()) {
    const std::string path(rest.substr(0, rest.find('\n')));
    rest.remove_prefix(std::min(path.size() + 1, rest.size()));
    // Its own next sync finds what this cannot record.
    (void)record_other_plan(context, {parent_of(path), last_part(path)}, target.head.timestamp, note.by);
  }
  return {};
}

Result<Recovered> settle(const Context& context, git::Snapshots& snapshots, git::TreeRestore& restore,
                         const RewindNote& note) {
  Recovered recovered;
  recovered.rewind = broken_of(note);
  // Mostly this plan; another one of the same work tree is looked after just the same.
  const PlanLocation whose{parent_of(note.plan), last_part(note.plan)};
  TRY_ASSIGN(const bool told, recorded(context, whose, note.from));
  bool done = told;
  if (!told && note.plan_after != note.plan_before && digest_of(context, whose) == note.plan_after) {
    // Somebody may have written the same text.
    TRY_ASSIGN(done, all_moved(snapshots, restore, note));
  }
  if (done) {
    TRY(record_all(context, whose, note, !told));
    TRY(restore.finish());
    recovered.how = Recovered::How::finished;
    return recovered;
  }
  if (moves_head(recovered.rewind.what)) {
    if (note.safety.empty())
      return base::fail(ErrorKind::corrupt,
                        "an earlier version of plankeep started it, using git stash; see git stash list");
    TRY_ASSIGN(recovered.changed, move_head_back(context, snapshots, note));
  }
  TRY_ASSIGN(const std::vector<std::string> files, restore.undo());
  recovered.changed.insert(recovered.changed.end(), files.begin(), files.end());
  return recovered;
}

Result<std::optional<Recovered>> give_up(git::TreeRestore& restore, const BrokenRewind& rewind,
                                         const base::Error& why) {
  Recovered recovered;
  recovered.how = Recovered::How::given_up;
  recovered.rewind = rewind;
  recovered.why = why.message;
  TRY_ASSIGN(recovered.quarantined, restore.give_up());
  return std::optional(std::move(recovered));
}

}  // namespace

Result<std::optional<BrokenRewind>> broken_rewind(const Context& context, const PlanLocation& plan) {
  TRY_ASSIGN(auto snapshots, open_work_tree(context, plan.folder));
  if (!snapshots) return std::optional<BrokenRewind>();
  git::TreeRestore restore(*snapshots, context.files, context.progress);
  TRY_ASSIGN(const auto text, restore.unfinished());
  if (!text) return std::optional<BrokenRewind>();
  TRY_ASSIGN(const RewindNote note, rewind_note(*text));
  return std::optional(broken_of(note));
}

Result<std::optional<Recovered>> recover_rewind(const Context& context, const PlanLocation& plan) {
  TRY_ASSIGN(auto snapshots, open_work_tree(context, plan.folder));
  if (!snapshots) return std::optional<Recovered>();
  return recover_rewind(context, *snapshots);
}

Result<std::optional<Recovered>> recover_rewind(const Context& context, git::Snapshots& snapshots) {
  git::TreeRestore restore(snapshots, context.files, context.progress);
  TRY(restore.begin());
  const auto text = restore.unfinished();
  if (!text && text.error().kind != ErrorKind::corrupt) return base::fail(text.error());
  if (!text) return give_up(restore, {}, text.error());
  if (!*text) {
    TRY(restore.drop());  // what one left that was killed before its journal stood
    return std::optional<Recovered>();
  }
  const auto note = rewind_note(**text);
  if (!note) return give_up(restore, {}, note.error());
  for (int attempt = 1;; ++attempt) {
    auto recovered = settle(context, snapshots, restore, *note);
    if (recovered) return std::optional(std::move(*recovered));
    if (recovered.error().kind == ErrorKind::busy) return base::fail(std::move(recovered.error()));
    if (attempt == kAttempts) return give_up(restore, broken_of(*note), recovered.error());
    // Read anew: the first attempt came some of the way.
    TRY(restore.unfinished());
  }
}

std::vector<std::string> told(const Recovered& recovered) {
  std::vector<std::string> lines;
  const std::string going =
      recovered.rewind.to.empty() ? "an earlier rewind" : "the rewind to " + recovered.rewind.to;
  if (recovered.how == Recovered::How::given_up) {
    lines.push_back(going + " was interrupted and could not be completed: " + recovered.why);
    if (!recovered.rewind.from.empty())
      lines.push_back("to restore the state before it: plankeep rewind " + recovered.rewind.from +
                      (moves_head(recovered.rewind.what) ? " --head" : ""));
    lines.push_back("the files it had moved or prepared are in " + recovered.quarantined);
    return lines;
  }
  lines.push_back(going + " was interrupted and is " +
                  (recovered.how == Recovered::How::finished ? "finished" : "undone") + " now");
  for (const std::string& path : recovered.changed)
    lines.push_back(path + " was changed since and was left as it is");
  return lines;
}

}  // namespace plankeep::app

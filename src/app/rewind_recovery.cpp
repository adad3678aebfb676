#include "app/rewind_recovery.hpp"

#include <utility>

#include "app/checkpoint.hpp"
#include "app/plan_work.hpp"
#include "app/restored_times.hpp"
#include "app/rewind_head.hpp"
#include "app/rewind_note.hpp"
#include "app/rewind_target.hpp"
#include "app/snapshots.hpp"
#include "base/sha256.hpp"
#include "git/restore_tree.hpp"
#include "store/journal.hpp"
#include "store/plan_texts.hpp"

namespace plankeep::app {
namespace {

using base::Result;
using base::Status;
using core::Event;

BrokenRewind broken_of(const RewindNote& note) {
  return {note.plan, note.from, note.to, rewind_what(note.what).value_or(RewindWhat::all)};
}

// Whether the history has this rewind.
Result<bool> recorded(const Context& context, const PlanLocation& plan, const std::string& from) {
  TRY_ASSIGN(const auto last, last_rewound(context, plan));
  return last && last->from == from;
}

Status record(const Context& context, const PlanLocation& plan, const RewindNote& note) {
  PlanWork work(context, plan);
  TRY(work.open(PlanWork::Create::if_plan));
  TRY(work.lock(kPatience));
  TRY(work.sync(Edit{note.by, true, true}));
  std::vector<Event> events;
  core::State state = work.state();
  if (note.plan_after != note.plan_before && work.readable()) {
    TRY_ASSIGN(const OpenedCheckpoints opened, open_checkpoints(context, plan, records::Access::read));
    TRY_ASSIGN(const core::Checkpoint target, opened.store->get(core::CheckpointId{note.to}));
    TRY_ASSIGN(const core::State then,
               state_then(work.tracking(), plan, work.bytes(), target.moment.history_offset));
    events = give_back_times(then, state);
  }
  events.push_back(rewound(note, work.now()));
  return work.save(std::move(state), std::move(events));
}

Result<std::string> plan_text_of(const Context& context, const PlanLocation& plan,
                                 const std::string& digest) {
  TRY_ASSIGN(const OpenedCheckpoints opened, open_checkpoints(context, plan, records::Access::read));
  return opened.store->plan_text(digest);
}

// What stands in the plan now is about to be replaced and may be somebody's work: `restore` has it then. It
// is not recorded, since mostly it is only what git put there on the way.
Status keep_present_text(const Context& context, const PlanLocation& plan, const RewindNote& note) {
  const std::string text = text_of(context, plan);
  const std::string digest = base::sha256_hex(text);
  if (text.empty() || digest == note.plan_before || digest == note.plan_after) return {};
  PlanWork work(context, plan);
  TRY(work.open(PlanWork::Create::if_plan));
  TRY(work.lock(kPatience));
  TRY_ASSIGN(const std::uint64_t end, store::history_end(work.tracking()));
  return store::keep_text(work.tracking(), text, base::short_checksum(text), end, context.clock.now());
}

}  // namespace

Result<std::optional<BrokenRewind>> broken_rewind(const Context& context, const PlanLocation& plan) {
  TRY_ASSIGN(auto snapshots, open_work_tree(context, plan.folder));
  if (!snapshots) return std::optional<BrokenRewind>();
  git::TreeRestore restore(*snapshots, context.files);
  TRY_ASSIGN(const auto text, restore.unfinished());
  if (!text) return std::optional<BrokenRewind>();
  TRY_ASSIGN(const RewindNote note, rewind_note(*text));
  return std::optional(broken_of(note));
}

Result<std::optional<Recovered>> recover_rewind(const Context& context, const PlanLocation& plan) {
  TRY_ASSIGN(auto snapshots, open_work_tree(context, plan.folder));
  if (!snapshots) return std::optional<Recovered>();
  git::TreeRestore restore(*snapshots, context.files);
  TRY(restore.begin());
  TRY_ASSIGN(const auto text, restore.unfinished());
  if (!text) {
    TRY(restore.drop());  // what one left that was killed before its journal stood
    return std::optional<Recovered>();
  }
  TRY_ASSIGN(const RewindNote note, rewind_note(*text));
  Recovered recovered;
  recovered.rewind = broken_of(note);
  // Mostly this plan; another one of the same work tree is looked after just the same.
  PlanLocation whose{parent_of(note.plan), last_part(note.plan)};
  TRY_ASSIGN(const bool told, recorded(context, whose, note.from));
  bool replaced = note.plan_after != note.plan_before && digest_of(context, whose) == note.plan_after;
  const bool head = recovered.rewind.what == RewindWhat::head;
  const HeadSwitch to{note.to_commit, note.to_branch, note.from, note.popped, whose};
  if (head && !told && replaced) {
    // A commit may have the same text on the way.
    TRY_ASSIGN(replaced, is_switched(*snapshots, to));
  }
  if (told || replaced) {
    if (!told) TRY(record(context, whose, note));
    TRY(restore.finish());
    recovered.finished = true;
    return std::optional(std::move(recovered));
  }
  if (head) {
    TRY(keep_present_text(context, whose, note));
    TRY_ASSIGN(const std::string before, plan_text_of(context, whose, note.plan_before));
    std::string after;
    if (!note.popped.empty()) {
      TRY_ASSIGN(after, plan_text_of(context, whose, note.plan_after));
    }
    TRY(switch_back(context, *snapshots, {note.branch, note.commit}, to, before, after));
  }
  TRY_ASSIGN(recovered.changed, restore.undo());
  return std::optional(std::move(recovered));
}

}  // namespace plankeep::app

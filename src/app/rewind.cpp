#include "app/rewind.hpp"

#include <array>
#include <utility>

#include "app/checkpoint.hpp"
#include "app/discover.hpp"
#include "app/plan_work.hpp"
#include "app/restored_times.hpp"
#include "app/rewind_head.hpp"
#include "app/rewind_note.hpp"
#include "app/settings.hpp"
#include "app/snapshots.hpp"
#include "base/sha256.hpp"
#include "store/journal.hpp"
#include "store/plan_file.hpp"
#include "store/tracking_folder.hpp"

namespace plankeep::app {
namespace {

using base::ErrorKind;
using base::Result;
using base::Status;
using core::Event;
using core::EventKind;

// Somebody who keeps writing stops a rewind after so many attempts.
constexpr int kRounds = 5;
constexpr std::size_t kFirstLook = 16;

constexpr std::array<std::pair<RewindWhat, std::string_view>, 4> kNames{{{RewindWhat::plan, "plan"},
                                                                         {RewindWhat::files, "files"},
                                                                         {RewindWhat::all, "all"},
                                                                         {RewindWhat::head, "head"}}};

bool with_plan(RewindWhat what) {
  return what != RewindWhat::files;
}
bool with_files(RewindWhat what) {
  return what == RewindWhat::files || what == RewindWhat::all;
}

// The newest `rewound` that went back to a checkpoint; its own safety copy is what --undo wants. One that
// `restore` wrote names texts, not checkpoints.
Result<std::optional<Event>> last_rewound(const Context& context, const PlanLocation& plan) {
  TRY_ASSIGN(const auto folder, context.files.open_folder(plan.folder));
  TRY_ASSIGN(const auto tracking, store::open_tracking(*folder));
  TRY_ASSIGN(const auto last, store::last_events(*tracking, 1, [](const Event& event) {
               return event.kind == EventKind::rewound && core::is_checkpoint_id(event.from);
             }));
  if (last.empty()) return std::optional<Event>();
  return std::optional(last.back().event);
}

std::string digest_of(const Context& context, const PlanLocation& plan) {
  const auto folder = context.files.open_folder(plan.folder);
  if (!folder) return {};
  store::PlanFile file(context.files, **folder, plan.name);
  const auto text = file.read();
  return base::sha256_hex(text ? std::string_view(text->bytes) : std::string_view());
}

struct Target {
  core::Checkpoint checkpoint;
  RewindWhat what = RewindWhat::all;
  std::optional<std::string> text;  // the plan's
};

// The newest that was not taken by a rewind: back to those goes --undo.
Result<core::CheckpointId> last_checkpoint(records::CheckpointStore& store) {
  for (std::size_t limit = kFirstLook;; limit *= 16) {
    records::CheckpointQuery query;
    query.limit = limit;
    TRY_ASSIGN(const std::vector<core::CheckpointHead> heads, store.list(query));
    for (const core::CheckpointHead& head : heads) {
      if (head.type != core::CheckpointType::pre_rewind) return head.id;
    }
    if (heads.size() < limit)
      return base::fail(ErrorKind::not_found, "there is no checkpoint but those of rewinds",
                        "plankeep rewind --undo");
  }
}

Result<Target> find_target(const Context& context, const PlanLocation& plan, const RewindRequest& request) {
  Target target;
  TRY_ASSIGN(const OpenedCheckpoints opened, open_checkpoints(context, plan, records::Access::read));
  switch (request.by) {
    case RewindRequest::By::turn: {
      TRY_ASSIGN(target.checkpoint, opened.store->turn(request.turn));
      break;
    }
    case RewindRequest::By::message: {
      TRY_ASSIGN(target.checkpoint, opened.store->by_message(request.which));
      break;
    }
    case RewindRequest::By::undo: {
      TRY_ASSIGN(const auto last, last_rewound(context, plan));
      if (!last) return base::fail(ErrorKind::not_found, "nothing was rewound yet");
      TRY_ASSIGN(target.checkpoint, opened.store->get(core::CheckpointId{last->from}));
      target.what = rewind_what(last->detail).value_or(RewindWhat::all);
      break;
    }
    case RewindRequest::By::checkpoint: {
      if (request.which == "last") {
        TRY_ASSIGN(const core::CheckpointId last, last_checkpoint(*opened.store));
        TRY_ASSIGN(target.checkpoint, opened.store->get(last));
        break;
      }
      TRY_ASSIGN(CheckpointAnswer answer, get_checkpoint(context, plan, request.which));
      target.checkpoint = std::move(answer.checkpoint);
      break;
    }
  }
  if (request.what) target.what = *request.what;
  if (!target.checkpoint.moment.plan_digest.empty()) {
    TRY_ASSIGN(target.text, opened.store->plan_text(target.checkpoint.moment.plan_digest));
  }
  return target;
}

class Rewinder {
 public:
  Rewinder(const Context& context, const PlanLocation& plan, const RewindRequest& request)
      : context_(context),
        plan_(plan),
        request_(request),
        settings_(read_settings(context, project_root(context, plan.folder))) {}

  Result<Rewound> run() {
    done_.plan = plan_;
    done_.dry = request_.dry;
    TRY_ASSIGN(target_, find_target(context_, plan_, request_));
    done_.to = target_.checkpoint.head;
    TRY(look_around());
    if (target_.what == RewindWhat::head && !request_.dry) TRY(require_commit(*snapshots_, commit()));
    if (request_.dry) {
      TRY(preview());
      return std::move(done_);
    }
    TRY(clear_up());
    TRY(preview());
    if (!done_.changes() && target_.what != RewindWhat::head) return std::move(done_);
    for (int round = 0; round < kRounds; ++round) {
      TRY_ASSIGN(const bool settled, target_.what == RewindWhat::head ? switch_head() : attempt());
      if (settled) return std::move(done_);
    }
    return base::fail(ErrorKind::conflict, "somebody else kept writing while the files were to be put back",
                      "try again when the other program is done");
  }

 private:
  const std::string& commit() const { return target_.checkpoint.moment.commit_sha; }

  // What there is to go back to, and in what.
  Status look_around() {
    const core::Moment& then = target_.checkpoint.moment;
    const std::string id = target_.checkpoint.head.id.text;
    auto opened = open_work_tree(context_, plan_.folder);
    if (!opened && target_.what != RewindWhat::plan) return base::fail(std::move(opened.error()));
    if (opened && *opened) snapshots_.emplace(std::move(**opened));
    if (target_.what == RewindWhat::all && !snapshots_) {
      done_.warnings.emplace_back("the plan is in no repository: only its text is put back");
      target_.what = RewindWhat::plan;
    }
    done_.what = target_.what;
    if (target_.what != RewindWhat::plan) {
      if (!snapshots_)
        return base::fail(ErrorKind::not_found, "the plan is in no repository with a work tree");
      TRY_ASSIGN(const std::string busy, snapshots_->operation_in_progress());
      if (!busy.empty())
        return base::fail(ErrorKind::conflict, "git is in the middle of a " + busy,
                          "finish or abort it first; the plan alone: --plan");
    }
    if (with_plan(target_.what) && !target_.text)
      return base::fail(ErrorKind::not_found, id + " holds no text of the plan",
                        "the files alone: plankeep rewind " + id + " --files");
    if (!with_files(target_.what)) return {};
    if (!then.snapshot)
      return base::fail(ErrorKind::not_found, id + " holds no snapshot of the files",
                        "the plan alone: plankeep rewind " + id + " --plan");
    auto found = snapshots_->find(then.snapshot->commit);
    if (!found && found.error().kind == ErrorKind::not_found)
      return base::fail(ErrorKind::not_found, "git has the snapshot of " + id + " no more",
                        "the plan alone: plankeep rewind " + id + " --plan");
    if (!found) return base::fail(std::move(found.error()));
    snapshot_ = std::move(*found);
    if (snapshot_.head != snapshots_->place().head)
      done_.warnings.emplace_back("HEAD is another commit than then and stays where it is");
    return {};
  }

  // The plan is put back through its own door, and nothing of ours is a file of the user's.
  git::LeaveOut skipped() const {
    return [this](std::string_view path) {
      const std::string& top = snapshots_->place().top;
      const auto is = [&](const std::string& whole) {
        return whole.size() == top.size() + 1 + path.size() && whole.starts_with(top) &&
               whole.ends_with(path);
      };
      return is(plan_.path()) || is(real_plan_);
    };
  }

  Status preview() {
    store_plan_path();
    TRY_ASSIGN(const auto folder, context_.files.open_folder(plan_.folder));
    store::PlanFile file(context_.files, *folder, plan_.name);
    auto text = file.read();
    if (text) done_.plan_before = std::move(text->bytes);
    done_.plan_after = with_plan(target_.what) ? *target_.text : done_.plan_before;
    if (!with_files(target_.what)) return {};
    TRY_ASSIGN(const git::Captured now, snapshots_->capture(snapshot_limits(settings_)));
    git::TreeRestore restore(*snapshots_, context_.files);
    TRY_ASSIGN(done_.files, restore.preview(now, snapshot_, skipped()));
    return {};
  }

  void store_plan_path() {
    auto real = context_.files.real_path(plan_.path());
    real_plan_ = real ? std::move(*real) : plan_.path();
  }

  Status clear_up() {
    if (!snapshots_) return {};
    TRY_ASSIGN(const auto recovered, recover_rewind(context_, plan_));
    if (!recovered) return {};
    std::string told = "an earlier rewind that was broken off was ";
    told += recovered->finished ? "finished" : "undone";
    for (const std::string& path : recovered->changed) told += "; " + path + " was changed since and stays";
    done_.warnings.push_back(std::move(told));
    return {};
  }

  // The way back. Its snapshot is what the files are compared with.
  Result<core::Checkpoint> take_safety() {
    CheckpointRequest request;
    request.type = core::CheckpointType::pre_rewind;
    request.trigger = "rewind";
    request.note = "before going back to " + target_.checkpoint.head.id.text;
    std::optional<base::Error> trouble;
    captured_ = {};
    if (snapshots_) {
      request.take_snapshot = [this, &trouble](const git::SnapshotPlace&) -> Result<core::Snapshot> {
        git::SnapshotLimits limits = snapshot_limits(settings_);
        limits.durable = true;
        auto captured = snapshots_->capture(limits);
        if (!captured) {
          trouble = captured.error();
          return base::fail(std::move(captured.error()));
        }
        auto kept = keep_snapshot(context_, plan_, *snapshots_, *captured, true);
        if (!kept) {
          trouble = kept.error();
          return base::fail(std::move(kept.error()));
        }
        captured_ = std::move(*captured);
        return kept;
      };
    }
    TRY_ASSIGN(CheckpointAnswer answer, create_checkpoint(context_, plan_, request));
    if (target_.what != RewindWhat::plan) {
      if (trouble) return base::fail(base::with_context(*trouble, "taking the safety snapshot"));
      if (captured_.tree.empty())
        return base::fail(ErrorKind::io, "no safety snapshot of the files could be taken");
    }
    return std::move(answer.checkpoint);
  }

  RewindNote note_of(const std::string& from) const {
    RewindNote note;
    note.plan = plan_.path();
    note.from = from;
    note.to = target_.checkpoint.head.id.text;
    note.what = std::string(name_of(target_.what));
    note.by = request_.actor;
    note.plan_before = base::sha256_hex(done_.plan_before);
    note.plan_after = base::sha256_hex(done_.plan_after);
    return note;
  }

  // False: somebody wrote meanwhile, everything is as it was.
  Result<bool> attempt() {
    std::optional<git::TreeRestore> restore;
    if (with_files(target_.what)) {
      restore.emplace(*snapshots_, context_.files);
      TRY(restore->begin());
    }
    TRY_ASSIGN(const core::Checkpoint safety, take_safety());
    done_.from = safety.head.id.text;

    PlanWork work(context_, plan_);
    TRY(work.open(PlanWork::Create::if_plan));
    TRY(work.lock(kPatience));
    TRY(work.sync(Edit{}));
    if (work.readable() && base::sha256_hex(work.bytes()) != safety.moment.plan_digest) return false;
    TRY(work.save_copy("pre_rewind"));
    done_.plan_before = work.bytes();
    done_.plan_after = with_plan(target_.what) ? *target_.text : work.bytes();
    if (!restore) return put_plan_back(work);

    TRY_ASSIGN(done_.files, restore->preview(captured_, snapshot_, skipped()));
    TRY(restore->stage(done_.files, to_json(note_of(done_.from))));
    // What was looked at is what the safety snapshot holds only if nobody wrote in between.
    const auto again = snapshots_->capture(snapshot_limits(settings_));
    if (!again || again->tree != captured_.tree) {
      TRY(restore->drop());
      if (!again) return base::fail(again.error());
      return false;
    }
    Status moved = restore->move();
    if (!moved) {
      if (moved.error().kind == ErrorKind::conflict) return false;
      return base::fail(std::move(moved.error()));
    }
    auto put = put_plan_back(work);
    const bool in_place = replaced_ || done_.plan_before == done_.plan_after;
    if (put && *put) {
      TRY(restore->finish());
      return true;
    }
    if (!put && replaced_ && in_place) {
      // Plan and files are back, and could not be recorded. The journal stays: who comes next records it.
      base::Error error = put.error();
      error.message = "plan and files are put back, but that could not be recorded: " + error.message;
      return base::fail(std::move(error));
    }
    const auto undone = restore->undo();
    if (!undone) return base::fail(undone.error());
    return put;
  }

  // Replaces the plan and records it. False: somebody else wrote it meanwhile.
  Result<bool> put_plan_back(PlanWork& work) {
    std::vector<Event> events;
    core::State state = work.state();
    if (done_.plan_after != done_.plan_before) {
      const Status replaced = work.replace(done_.plan_after);
      if (!replaced && replaced.error().kind == ErrorKind::conflict) return false;
      // A folder that cannot be synced fails behind the rename.
      if (!replaced) replaced_ = digest_of(context_, plan_) == base::sha256_hex(done_.plan_after);
      TRY(replaced);
      replaced_ = true;
      TRY(work.sync_replaced(Edit{request_.actor, true, true}));
      TRY_ASSIGN(const core::State then, state_then(work.tracking(), plan_, done_.plan_after,
                                                    target_.checkpoint.moment.history_offset));
      state = work.state();
      events = give_back_times(then, state);
    }
    events.push_back(rewound(work.now()));
    TRY(work.save(std::move(state), std::move(events)));
    done_.outcome = work.take_outcome();
    return true;
  }

  Event rewound(base::Instant now) const {
    Event event;
    event.kind = EventKind::rewound;
    event.time = now;
    event.by = request_.actor;
    event.from = done_.from;
    event.text = target_.checkpoint.head.id.text;
    event.detail = std::string(name_of(target_.what));
    return event;
  }

  // git's own way. The commit, then the plan.
  Result<bool> switch_head() {
    git::TreeRestore journal(*snapshots_, context_.files);
    TRY(journal.begin());
    TRY_ASSIGN(const core::Checkpoint safety, take_safety());
    done_.from = safety.head.id.text;
    PlanWork work(context_, plan_);
    TRY(work.open(PlanWork::Create::if_plan));
    TRY(work.lock(kPatience));
    TRY(work.sync(Edit{}));
    if (work.readable() && base::sha256_hex(work.bytes()) != safety.moment.plan_digest) return false;
    TRY(work.save_copy("pre_rewind"));
    done_.plan_before = work.bytes();
    done_.plan_after = *target_.text;
    TRY_ASSIGN(const HeadStanding before, head_standing(*snapshots_));
    RewindNote note = note_of(done_.from);
    note.branch = before.branch;
    note.commit = before.commit;
    TRY(journal.stage({}, to_json(note)));
    HeadSwitch to;
    to.commit = commit();
    to.branch = target_.checkpoint.work_state.git_status.branch;
    to.label = done_.from;
    if (request_.by == RewindRequest::By::undo) to.popped = target_.checkpoint.head.id.text;
    to.plan = plan_;
    auto switched = app::switch_head(context_, *snapshots_, to, work.bytes());
    if (!switched) {
      // Everything is back as it was, unless the message says otherwise.
      (void)journal.finish();
      return base::fail(std::move(switched.error()));
    }
    done_.commit = to.commit;
    done_.branch = switched->branch;
    done_.stashed = switched->stashed;
    auto put = put_plan_back(work);
    if (put && *put) {
      TRY(journal.finish());
      return true;
    }
    if (!replaced_) {
      TRY(switch_back(context_, *snapshots_, before, done_.from, plan_, done_.plan_before));
      TRY(journal.finish());
      done_.commit.clear();
    }
    return put;
  }

  const Context& context_;
  const PlanLocation& plan_;
  const RewindRequest& request_;
  const Settings settings_;
  Target target_;
  std::optional<git::Snapshots> snapshots_;
  git::Snapshot snapshot_;  // of the target
  git::Captured captured_;  // of the safety checkpoint
  std::string real_plan_;
  bool replaced_ = false;
  Rewound done_;
};

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
  Event& event = events.emplace_back();
  event.kind = EventKind::rewound;
  event.time = work.now();
  event.by = note.by;
  event.from = note.from;
  event.text = note.to;
  event.detail = note.what;
  return work.save(std::move(state), std::move(events));
}

Result<std::string> plan_text_of(const Context& context, const PlanLocation& plan,
                                 const std::string& digest) {
  TRY_ASSIGN(const OpenedCheckpoints opened, open_checkpoints(context, plan, records::Access::read));
  return opened.store->plan_text(digest);
}

}  // namespace

std::string_view name_of(RewindWhat what) {
  for (const auto& [one, name] : kNames) {
    if (one == what) return name;
  }
  return {};
}

std::optional<RewindWhat> rewind_what(std::string_view name) {
  for (const auto& [what, one] : kNames) {
    if (one == name) return what;
  }
  return std::nullopt;
}

Result<Rewound> rewind(const Context& context, const PlanLocation& plan, const RewindRequest& request) {
  return Rewinder(context, plan, request).run();
}

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
  const bool replaced = note.plan_after != note.plan_before && digest_of(context, whose) == note.plan_after;
  if (told || replaced) {
    if (!told) TRY(record(context, whose, note));
    TRY(restore.finish());
    recovered.finished = true;
    return std::optional(std::move(recovered));
  }
  if (recovered.rewind.what == RewindWhat::head) {
    TRY_ASSIGN(const std::string before, plan_text_of(context, whose, note.plan_before));
    TRY(switch_back(context, *snapshots, {note.branch, note.commit}, note.from, whose, before));
  }
  TRY_ASSIGN(recovered.changed, restore.undo());
  return std::optional(std::move(recovered));
}

}  // namespace plankeep::app

#include "app/rewind.hpp"

#include <array>
#include <utility>

#include "app/checkpoint.hpp"
#include "app/discover.hpp"
#include "app/plan_work.hpp"
#include "app/restored_times.hpp"
#include "app/rewind_head.hpp"
#include "app/rewind_note.hpp"
#include "app/rewind_recovery.hpp"
#include "app/rewind_target.hpp"
#include "app/settings.hpp"
#include "app/snapshots.hpp"
#include "base/sha256.hpp"
#include "store/plan_file.hpp"

namespace plankeep::app {
namespace {

using base::ErrorKind;
using base::Result;
using base::Status;
using core::Event;

// Somebody who keeps writing stops a rewind after so many attempts.
constexpr int kRounds = 5;

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
    TRY_ASSIGN(const git::Captured now, snapshots_->look(snapshot_limits(settings_)));
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
        auto captured = snapshots_->capture(snapshot_limits(settings_));
        if (!captured) {
          trouble = captured.error();
          return base::fail(std::move(captured.error()));
        }
        auto kept = keep_snapshot(context_, plan_, *snapshots_, *captured);
        if (!kept) {
          trouble = kept.error();
          return base::fail(std::move(kept.error()));
        }
        captured_ = std::move(*captured);
        return kept;
      };
    }
    TRY_ASSIGN(CheckpointAnswer answer, create_checkpoint(context_, plan_, request));
    found_.insert(found_.end(), answer.events.begin(), answer.events.end());
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

  // The plan under its lock. False: it is no longer the one of the safety checkpoint.
  Result<bool> take_plan(PlanWork& work, const core::Checkpoint& safety) {
    TRY(work.open(PlanWork::Create::if_plan));
    TRY(work.lock(kPatience));
    TRY(work.sync(Edit{}));
    if (work.readable() && base::sha256_hex(work.bytes()) != safety.moment.plan_digest) return false;
    TRY(work.save_copy("pre_rewind"));
    done_.plan_before = work.bytes();
    done_.plan_after = with_plan(target_.what) ? *target_.text : work.bytes();
    return true;
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
    TRY_ASSIGN(const bool same, take_plan(work, safety));
    if (!same) return false;
    const RewindNote note = note_of(done_.from);
    if (!restore) return put_plan_back(work, note);

    TRY_ASSIGN(done_.files, restore->preview(captured_, snapshot_, skipped()));
    TRY(restore->stage(done_.files, to_json(note)));
    // What was looked at is what the safety snapshot holds only if nobody wrote in between.
    const auto again = snapshots_->look(snapshot_limits(settings_));
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
    auto put = put_plan_back(work, note);
    if (put && *put) {
      TRY(restore->finish());
      return true;
    }
    if (!put && counts()) {
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
  Result<bool> put_plan_back(PlanWork& work, const RewindNote& note) {
    std::vector<Event> events;
    core::State state = work.state();
    if (done_.plan_after != done_.plan_before) {
      const Status replaced = work.replace(done_.plan_after);
      if (!replaced && replaced.error().kind == ErrorKind::conflict) return false;
      // A folder that cannot be synced fails behind the rename.
      if (!replaced) replaced_ = digest_of(context_, plan_) == note.plan_after;
      TRY(replaced);
      replaced_ = true;
      TRY(work.sync_replaced(Edit{request_.actor, true, true}));
      TRY_ASSIGN(const core::State then, state_then(work.tracking(), plan_, done_.plan_after,
                                                    target_.checkpoint.moment.history_offset));
      state = work.state();
      events = give_back_times(then, state);
    }
    events.push_back(rewound(note, work.now()));
    TRY(work.save(std::move(state), std::move(events)));
    done_.outcome = work.take_outcome();
    done_.outcome->events.insert(done_.outcome->events.begin(), found_.begin(), found_.end());
    return true;
  }

  // The plan or the history says that it happened: from here on it is only finished, never undone.
  bool counts() const {
    if (replaced_) return true;
    const auto last = last_rewound(context_, plan_);
    return last && *last && (*last)->from == done_.from;
  }

  // git's own way. The commit, then the plan.
  Result<bool> switch_head() {
    git::TreeRestore journal(*snapshots_, context_.files);
    TRY(journal.begin());
    TRY_ASSIGN(const core::Checkpoint safety, take_safety());
    done_.from = safety.head.id.text;
    PlanWork work(context_, plan_);
    TRY_ASSIGN(const bool same, take_plan(work, safety));
    if (!same) return false;
    TRY_ASSIGN(const HeadStanding before, head_standing(*snapshots_));
    if (before.commit.empty())
      return base::fail(ErrorKind::conflict, "there is no commit yet, so there is nothing to switch from");
    HeadSwitch to;
    to.commit = commit();
    to.branch = target_.checkpoint.work_state.git_status.branch;
    to.label = done_.from;
    if (request_.by == RewindRequest::By::undo) to.popped = target_.checkpoint.head.id.text;
    to.plan = plan_;
    TRY(settle(*snapshots_, to));
    RewindNote note = note_of(done_.from);
    note.branch = before.branch;
    note.commit = before.commit;
    note.to_branch = to.branch;
    note.to_commit = to.commit;
    note.popped = to.popped;
    TRY(journal.stage({}, to_json(note)));
    // With this text of the plan. The journal stays where that cannot be done.
    const auto go_back = [&](const std::string& text) -> Status {
      TRY(switch_back(context_, *snapshots_, before, to, text, done_.plan_after));
      return journal.finish();
    };
    const auto failed = [&](base::Error error) -> Result<bool> {
      if (const Status back = go_back(done_.plan_before); !back) {
        error.message += "; and not everything could be put back: " + back.error().message;
        error.hint = "plankeep doctor --repair";
      }
      return base::fail(std::move(error));
    };
    const auto stashed = app::switch_head(context_, *snapshots_, to, work.bytes());
    if (!stashed) return failed(stashed.error());
    auto put = put_plan_back(work, note);
    if (!put && !counts()) return failed(std::move(put.error()));
    // The journal stays here too: who comes next records it.
    if (!put) return put;
    if (!*put) {
      TRY(go_back(text_of(context_, plan_)));
      return false;
    }
    done_.commit = to.commit;
    done_.branch = to.branch;
    done_.stashed = *stashed;
    TRY(journal.finish());
    return true;
  }

  const Context& context_;
  const PlanLocation& plan_;
  const RewindRequest& request_;
  const Settings settings_;
  RewindTarget target_;
  std::optional<git::Snapshots> snapshots_;
  git::Snapshot snapshot_;  // of the target
  git::Captured captured_;  // of the safety checkpoint
  std::string real_plan_;
  std::vector<Event> found_;  // what the safety checkpoint recorded
  bool replaced_ = false;
  Rewound done_;
};

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

}  // namespace plankeep::app

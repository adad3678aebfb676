#include "rewind/rewind.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "base/sha256.hpp"
#include "checkpoints/checkpoint.hpp"
#include "checkpoints/rewind_paths.hpp"
#include "checkpoints/snapshots.hpp"
#include "project/project.hpp"
#include "rewind/other_plans.hpp"
#include "rewind/rewind_head.hpp"
#include "rewind/rewind_note.hpp"
#include "rewind/rewind_recovery.hpp"
#include "rewind/rewind_target.hpp"
#include "rules/rewind_steps.hpp"
#include "store/plan_file.hpp"
#include "tracking/plan_work.hpp"
#include "tracking/restored_times.hpp"

namespace plankeep::app {
namespace {

using base::ErrorKind;
using base::Result;
using base::Status;
using core::Event;

// Somebody who keeps writing stops a rewind after so many attempts.
constexpr int kRewindRounds = 5;

bool with_plan(RewindWhat what) {
  return what != RewindWhat::files && what != RewindWhat::files_and_head;
}
bool with_files(RewindWhat what) {
  return what != RewindWhat::plan;
}

std::string without_prefix(const std::string& branch) {
  constexpr std::string_view kBranchRefs = "refs/heads/";
  return branch.starts_with(kBranchRefs) ? branch.substr(kBranchRefs.size()) : branch;
}

class Rewinder {
 public:
  Rewinder(const Context& context, const PlanLocation& plan, const RewindRequest& request)
      : context_(context),
        plan_(plan),
        request_(request),
        settings_(Project(context, plan.folder).settings()) {}

  Result<Rewound> run() {
    done_.plan = plan_;
    done_.dry = request_.dry;
    TRY_ASSIGN(target_, find_target(context_, plan_, request_));
    done_.to = target_.checkpoint.head;
    done_.undid = target_.undoes;
    if (!request_.what) done_.behind = target_.behind;
    TRY(look_around());
    if (with_head()) TRY(require_commit(*snapshots_, target_.checkpoint.moment.commit_sha));
    if (request_.dry) {
      TRY(preview());
      return std::move(done_);
    }
    TRY(clear_up());
    for (int round = 0; round < kRewindRounds; ++round) {
      TRY_ASSIGN(const bool settled, attempt());
      if (settled) return std::move(done_);
    }
    return base::fail(ErrorKind::conflict, "another program kept changing the files during the rewind",
                      "try again when the other program has finished");
  }

 private:
  bool with_head() const { return moves_head(target_.what); }

  // What there is to go back to, and in what.
  Status look_around() {
    const core::Moment& then = target_.checkpoint.moment;
    const std::string id = target_.checkpoint.head.id.text;
    auto real = context_.files.real_path(plan_.path());
    real_plan_ = real ? std::move(*real) : plan_.path();
    auto opened = open_work_tree(context_, plan_.folder);
    if (!opened && target_.what != RewindWhat::plan) return base::fail(std::move(opened.error()));
    if (opened && *opened) snapshots_.emplace(std::move(**opened));
    if (target_.what == RewindWhat::all && !snapshots_) {
      done_.warnings.emplace_back("the plan is not in a git repository: restoring only its text");
      target_.what = RewindWhat::plan;
    }
    done_.what = target_.what;
    if (target_.what != RewindWhat::plan) {
      if (!snapshots_)
        return base::fail(ErrorKind::not_found, "the plan is not in a git repository with a work tree");
      TRY_ASSIGN(const std::string busy, snapshots_->operation_in_progress());
      if (!busy.empty())
        return base::fail(ErrorKind::conflict, "git is in the middle of a " + busy,
                          "finish or abort it first; to rewind only the plan: --plan");
    }
    if (with_plan(target_.what) && !target_.text && !target_.plan_was_missing())
      return base::fail(ErrorKind::not_found, id + " does not contain the plan's text",
                        "to rewind only the files: plankeep rewind " + id + " --files");
    if (with_plan(target_.what) && snapshots_)
      permissions_then_ = plan_permissions(*snapshots_, then, real_plan_);
    if (!with_files(target_.what)) return {};
    if (!then.snapshot)
      return base::fail(ErrorKind::not_found, id + " has no file snapshot",
                        "to rewind only the plan: plankeep rewind " + id + " --plan");
    auto found = snapshots_->find(then.snapshot->commit);
    if (!found && found.error().kind == ErrorKind::not_found)
      return base::fail(
          ErrorKind::not_found,
          "git no longer has the snapshot of " + id + ": it was cleaned up, or its ref was deleted",
          "to rewind only the plan: plankeep rewind " + id + " --plan");
    if (!found) return base::fail(std::move(found.error()));
    snapshot_ = std::move(*found);
    TRY_ASSIGN(paths_, paths_in_tree(context_, *snapshots_, snapshot_, request_.paths));
    for (const std::string& path : paths_) {
      if (snapshots_->place().top + "/" + path == plan_.path())
        return base::fail(ErrorKind::invalid_input, path + " is the plan itself",
                          "to restore its text: --plan");
    }
    if (!with_head() && snapshot_.head != snapshots_->place().head)
      done_.warnings.emplace_back("HEAD has moved since and is not changed");
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
      return is(plan_.path()) || is(real_plan_) || !is_within(path, paths_);
    };
  }

  git::SnapshotLimits limits_here() const {
    git::SnapshotLimits limits = snapshot_limits(settings_);
    limits.progress = context_.progress;
    return limits;
  }

  Status preview() {
    TRY(inspect_plan());
    if (!with_files(target_.what)) return {};
    TRY(capture({}, Capture::looked_at));
    return {};
  }

  Status inspect_plan() {
    TRY_ASSIGN(const auto folder, context_.files.open_folder(plan_.folder));
    store::PlanFile file(context_.files, *folder, plan_.name);
    auto text = file.read();
    if (with_plan(target_.what) && !text) {
      TRY_ASSIGN(const system::FileInfo there, folder->info(plan_.name));
      // What no checkpoint can hold stays.
      if (there.kind != system::FileKind::missing)
        return base::fail(base::with_context(std::move(text.error()), "what is there now cannot be kept"));
    }
    done_.plan_permissions_before = text ? std::optional(text->info.mode) : std::nullopt;
    set_plans(text ? std::move(text->bytes) : std::string(),
              !text && text.error().kind == ErrorKind::not_found);
    return {};
  }

  // What stands under the plan's name, and what is to.
  void set_plans(std::string bytes, bool missing) {
    done_.plan_before = std::move(bytes);
    done_.plan_missing_before = missing;
    done_.plan_after = with_plan(target_.what) ? target_.text.value_or(std::string()) : done_.plan_before;
    done_.plan_missing_after = with_plan(target_.what) ? target_.plan_was_missing() : missing;
    done_.plan_permissions_after = permissions_then_ ? permissions_then_ : done_.plan_permissions_before;
  }

  // With `head`: which index and which HEAD come. Before the files, which go by what that index leaves out.
  Status plan_head() {
    if (!with_head()) return {};
    TRY_ASSIGN(head_, prepare_head(context_, *snapshots_, target_.checkpoint, snapshot_));
    done_.commit = head_->after.commit;
    done_.branch = without_prefix(head_->after.branch);
    done_.head_moved = !head_->before.same_head(head_->after) || head_->before.index != head_->after.index;
    done_.left_commit = head_->before.commit;
    done_.nothing_staged = head_->of_commit;
    return {};
  }

  Status plan_files(git::TreeRestore& restore, const git::Captured& now) {
    TRY_ASSIGN(done_.files, restore.preview(now, snapshot_, skipped(), head_ ? &head_->coming : nullptr));
    keep_old_place();
    done_.other_plans.clear();
    done_.other_plans_shown.clear();
    for (const PlanLocation& plan : other_plans(context_, snapshots_->place().top, done_.files.changes)) {
      done_.other_plans.push_back(plan.path());
      done_.other_plans_shown.push_back(shown_path(context_, plan.path()));
    }
    return {};
  }

  // Where the plan was then, if its folder was renamed since: two plans would come of one.
  void keep_old_place() {
    const git::SnapshotPlace& place = snapshots_->place();
    const std::string& then = target_.checkpoint.moment.snapshot->ref;  // is of the plan's place
    std::vector<git::TreeChange>& changes = done_.files.changes;
    const auto is_old_place = [&](const git::TreeChange& change) {
      return change.what == git::TreeChange::What::added &&
             then.starts_with(git::snapshot_refs_of(place, place.top + "/" + change.path));
    };
    const auto old = std::find_if(changes.begin(), changes.end(), is_old_place);
    if (old == changes.end()) return;
    done_.files.kept.push_back({old->path, "the plan was there, and is " + plan_.path() + " now"});
    changes.erase(old);
  }

  Status clear_up() {
    if (!snapshots_) return {};
    TRY_ASSIGN(const auto recovered, recover_rewind(context_, *snapshots_));
    if (!recovered) return {};
    const std::vector<std::string> lines = told(*recovered);
    done_.warnings.insert(done_.warnings.end(), lines.begin(), lines.end());
    return {};
  }

  enum class Capture { looked_at, kept };

  // What the work tree holds now, and what is to be done with it. Ignored files that are in the way stay.
  // With `head` git is to have them as it had them then: they are held too, so that they can be replaced.
  Result<git::Captured> capture(git::SafetyParts parts, Capture how) {
    const git::SnapshotLimits limits = limits_here();
    const auto once = [&] {
      return how == Capture::kept ? snapshots_->capture(limits, parts) : snapshots_->inspect(limits, parts);
    };
    // Before the index is copied: whoever changes it in between is seen when it is replaced.
    TRY(plan_head());
    TRY_ASSIGN(git::Captured captured, once());
    if (!with_files(target_.what)) return captured;
    Status held = require_held(*snapshots_, snapshot_, {captured.tree, captured.seeing(), &captured.left_out},
                               request_.paths, paths_);
    if (!held) {
      misnamed_ = held.error();
      return base::fail(std::move(held.error()));
    }
    git::TreeRestore restore(*snapshots_, context_.files, context_.progress);
    TRY(plan_files(restore, captured));
    if (!with_head() || done_.files.unheld.empty()) return captured;
    parts.also = std::move(done_.files.unheld);
    TRY_ASSIGN(captured, once());
    TRY(plan_files(restore, captured));
    return captured;
  }

  Result<git::Captured> capture_safety() {
    git::SafetyParts parts;
    parts.index = with_head();
    return capture(std::move(parts), Capture::kept);
  }

  // The way back. Its snapshot is what the files are compared with. nullopt: there is nothing to put back.
  Result<std::optional<core::Checkpoint>> take_safety() {
    CheckpointRequest request;
    request.type = core::CheckpointType::pre_rewind;
    request.any_text = true;
    request.trigger = "rewind";
    request.note = "before rewinding to " + target_.checkpoint.head.id.text;
    std::optional<base::Error> problem;
    captured_ = {};
    if (snapshots_) {
      request.take_snapshot = [this, &problem](const git::SnapshotPlace&) -> Result<core::Snapshot> {
        auto captured = capture_safety();
        if (!captured) {
          problem = captured.error();
          return base::fail(std::move(captured.error()));
        }
        captured_ = std::move(*captured);
        if (!done_.changes()) return core::Snapshot();
        auto kept = keep_snapshot(context_, plan_, *snapshots_, captured_);
        if (!kept) {
          problem = kept.error();
          return base::fail(std::move(kept.error()));
        }
        return kept;
      };
    }
    // Of files nothing is known before they were captured.
    request.wanted = [this, &problem] {
      if (with_files(target_.what) && (problem || captured_.tree.empty())) return false;
      return done_.changes();
    };
    TRY_ASSIGN(CheckpointAnswer answer, create_checkpoint(context_, plan_, request));
    if (misnamed_) return base::fail(*misnamed_);
    found_.insert(found_.end(), answer.events.begin(), answer.events.end());
    if (target_.what != RewindWhat::plan) {
      if (problem) {
        base::Error error = base::with_context(*problem, "could not take the safety snapshot");
        if (error.kind == ErrorKind::busy && error.hint.empty())
          error.hint =
              "to allow more time: \"snapshotBudget\" in .plankeep.json, in milliseconds; the next try "
              "continues from here";
        return base::fail(std::move(error));
      }
      if (captured_.tree.empty())
        return base::fail(ErrorKind::io, "could not take a safety snapshot of the files");
    }
    if (answer.checkpoint.head.id.text.empty()) return std::optional<core::Checkpoint>();
    return std::optional(std::move(answer.checkpoint));
  }

  RewindNote note_of(const std::string& from) const {
    RewindNote note;
    note.plan = plan_.path();
    note.from = from;
    note.to = target_.checkpoint.head.id.text;
    const bool some_paths = !paths_.empty() && !is_within({}, paths_);
    note.what = std::string(some_paths ? core::kSomePaths : name_of(target_.what));
    note.by = request_.actor;
    if (!done_.plan_missing_before) note.plan_before = base::sha256_hex(done_.plan_before);
    if (!done_.plan_missing_after) note.plan_after = base::sha256_hex(done_.plan_after);
    return note;
  }

  // The plan under its lock. False: it is no longer the one of the safety checkpoint.
  Result<bool> take_plan(PlanWork& work, const core::Checkpoint& safety) {
    TRY(work.open(PlanWork::Create::if_plan));
    TRY(work.lock(kTimeout));
    TRY(work.sync(Edit{}));
    const bool missing = work.text_problem() && work.text_problem()->kind == ErrorKind::not_found;
    const bool held = missing ? safety.moment.plan_reading == core::PlanReading::missing
                              : base::sha256_hex(work.bytes()) == safety.moment.plan_digest;
    const bool goes = with_plan(target_.what) || !work.text_problem();
    if (goes && !held) return false;
    TRY(work.save_copy("pre_rewind"));
    set_plans(work.bytes(), missing);
    return true;
  }

  // False: somebody wrote meanwhile, everything is as it was.
  Result<bool> attempt() {
    done_.from.clear();
    TRY(inspect_plan());
    if (!with_files(target_.what) && !done_.changes()) return true;
    std::optional<git::TreeRestore> restore;
    if (with_files(target_.what)) {
      restore.emplace(*snapshots_, context_.files);
      TRY(restore->begin());
    }
    TRY_ASSIGN(const auto taken, take_safety());
    if (!taken) return true;
    const core::Checkpoint& safety = *taken;
    done_.from = safety.head.id.text;

    std::optional<PlanWork> work(std::in_place, context_, plan_);
    TRY_ASSIGN(const bool same, take_plan(*work, safety));
    if (!same) return false;
    RewindNote note = note_of(done_.from);
    if (!restore) return put_plan_back(*work, note);

    for (const std::string& path : done_.other_plans) note.others += path + "\n";
    if (head_) {
      if (head_->before.commit != safety.moment.commit_sha) return false;
      if (head_->before.branch != captured_.branch) return false;
      note_head(*head_, safety.moment.snapshot->commit, note);
    }
    TRY(restore->stage(done_.files, to_json(note)));
    // Somebody may have written since the safety snapshot: what it does not hold must not go.
    auto held = restore->still_held(done_.files);
    if (!held || !*held) {
      TRY(restore->drop());
      return held;
    }
    Status moved = restore->move();
    if (!moved) {
      if (moved.error().kind == ErrorKind::conflict) return false;
      return base::fail(std::move(moved.error()));
    }
    Result<bool> put = head_ ? and_head(*head_, *work, note) : put_plan_back(*work, note);
    if (!put && counts()) {
      // All is back, and could not be recorded. The journal stays: who comes next records it.
      base::Error error = put.error();
      error.message = "plan and files were restored, but the rewind could not be recorded: " + error.message;
      return base::fail(std::move(error));
    }
    if (!put || !*put) {
      TRY(go_back(*restore, note, put ? std::nullopt : std::optional(put.error())));
      return put;
    }
    work.reset();  // its lock
    finish_up();
    TRY(restore->finish());
    return true;
  }

  Result<bool> and_head(const HeadMove& head, PlanWork& work, const RewindNote& note) {
    const Status moved = move_head(context_, *snapshots_, head);
    if (!moved && moved.error().kind == ErrorKind::conflict) return false;
    TRY(moved);
    return put_plan_back(work, note);
  }

  // Where it cannot be done the journal stays, for the next rewind or doctor.
  Status go_back(git::TreeRestore& restore, const RewindNote& note, const std::optional<base::Error>& why) {
    const auto all = [&]() -> Status {
      if (with_head()) TRY(move_head_back(context_, *snapshots_, note));
      TRY(restore.undo());
      return {};
    };
    Status back = all();
    if (back) return back;
    base::Error error = std::move(back.error());
    error.message = (why ? why->message + "; and " : std::string()) +
                    "not everything could be restored: " + error.message;
    error.hint = "plankeep doctor --repair";
    return base::fail(std::move(error));
  }

  // Nothing of this can undo what was done.
  void finish_up() {
    for (const std::string& path : done_.other_plans) {
      const Status recorded =
          record_other_plan(context_, {parent_of(path), last_part(path)}, done_.to.timestamp, request_.actor);
      if (!recorded)
        done_.warnings.push_back(path + " could not be recorded yet: " + recorded.error().message);
    }
    if (with_head()) done_.left_behind = left_behind(*snapshots_, done_.left_commit);
  }

  // Replaces the plan and records it. False: somebody else wrote it meanwhile.
  Result<bool> put_plan_back(PlanWork& work, const RewindNote& note) {
    std::vector<Event> events;
    core::State state = work.state();
    if (done_.plan_changes()) {
      const Status replaced =
          done_.plan_missing_after ? work.remove() : work.replace(done_.plan_after, permissions_then_);
      if (!replaced && replaced.error().kind == ErrorKind::conflict) return false;
      // A folder that cannot be synced fails behind the rename.
      if (!replaced) replaced_ = digest_of(context_, plan_) == note.plan_after;
      TRY(replaced);
      replaced_ = true;
      TRY(record_plan(work));
      state = work.state();
    }
    events.push_back(rewound(note, work.now()));
    TRY(work.save(std::move(state), std::move(events)));
    if (!done_.plan_changes() && done_.plan_permissions_change()) {
      const Status changed = work.replace(done_.plan_after, permissions_then_);
      if (!changed)
        done_.warnings.push_back("the plan's permissions were not changed: " + changed.error().message);
    }
    done_.outcome = work.take_outcome();
    const std::vector<std::string>& more = done_.outcome->warnings;
    done_.warnings.insert(done_.warnings.end(), more.begin(), more.end());
    done_.outcome->events.insert(done_.outcome->events.begin(), found_.begin(), found_.end());
    return true;
  }

  // What was no plan, or missing, is none again: what was recorded before is kept.
  Status record_plan(PlanWork& work) {
    if (done_.plan_missing_after) return work.sync(Edit{});
    if (target_.reading() != core::PlanReading::plan) return work.sync_replaced(Edit{request_.actor, true});
    TRY_ASSIGN(const core::State then, state_then(work.tracking(), plan_, done_.plan_after,
                                                  target_.checkpoint.moment.history_offset));
    Edit edit{request_.actor, true, true};
    edit.then = &then;
    return work.sync_replaced(edit);
  }

  // The plan or the history says that it happened: from here on it is only finished, never undone.
  bool counts() const {
    if (replaced_) return true;
    const auto last = last_rewound(context_, plan_);
    return last && *last && (*last)->from == done_.from;
  }

  const Context& context_;
  const PlanLocation& plan_;
  const RewindRequest& request_;
  const Settings settings_;
  RewindTarget target_;
  std::optional<git::Snapshots> snapshots_;
  git::Snapshot snapshot_;  // of the target
  std::optional<HeadMove> head_;
  git::Captured captured_;  // of the safety checkpoint
  std::string real_plan_;
  std::optional<std::uint32_t> permissions_then_;  // of the plan, as the target's snapshot has them
  std::vector<std::string> paths_;                 // relative to the top; empty: all
  std::optional<base::Error> misnamed_;            // one of them is in no checkpoint
  std::vector<Event> found_;                       // what the safety checkpoint recorded
  bool replaced_ = false;
  Rewound done_;
};

}  // namespace

Result<Rewound> rewind(const Context& context, const PlanLocation& plan, const RewindRequest& request) {
  return Rewinder(context, plan, request).run();
}

}  // namespace plankeep::app

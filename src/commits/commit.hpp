#pragma once
// Committing the work as a checkpoint of a phase: `plankeep commit` (spec 13).
//
//   TRY_ASSIGN(auto commit, Commit::begin(context, plan, request));   // looks, chooses the phase
//   TRY(commit.announce());                                           // with request.all
//   ... verify commit.criteria(), if that was asked for ...
//   TRY_ASSIGN(auto report, commit.make());                           // or commit.preview()
//
// What is committed: what is staged, as with git commit; with `all` every change of the work tree first, new
// files that git does not ignore included. Nothing staged: refused, so that nobody commits by accident what
// they had not looked at. Hooks, signing and configuration are the user's, as with git commit; the message
// goes over standard input, never through a shell.
//
// Which phase: core::milestone_to_commit, or the one that was named.
//
// What an earlier call left undone (a commit without its sidecar, sidecars of commits that were rewritten) is
// put right first (commits/relink). A drift that this commit does not resolve is recorded, once.
//
// Where nothing is committed in the end (a hook, a signature, a criterion), what is staged stays to the byte
// as it was, with `all` too (git/new_files).
//
// On disk after a crash: before git made the commit at most new files that are announced to git without
// their content, which the next `commit` or `doctor --repair` takes back; behind it a commit whose sidecar
// they make from its message. No lock of ours is held while git and its hooks run: they may call plankeep.
//
// Errors: not_found (no repository, no git), invalid_input (no such phase; a run or text that cannot be one),
// conflict (nothing staged; unresolved conflicts; a merge, rebase or the like in progress; a plan that cannot
// be read or has no phase; git or a hook refused), busy (git took longer than two hours), those of the plan's
// records. Once the commit stands nothing is an error any more: what goes wrong then is a warning of the
// report.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "commits/last_milestone.hpp"
#include "git/checkpoint_message.hpp"
#include "git/new_files.hpp"
#include "model/sidecar.hpp"
#include "project/context.hpp"
#include "project/plan_repository.hpp"
#include "tracking/outcome.hpp"
#include "tracking/show.hpp"

namespace plankeep::app {

struct CommitRequest {
  std::string run;    // empty: the plan's
  std::string phase;  // its id; empty: chosen
  std::string text;   // what was done; empty: the tasks that were
  bool all = false;
  bool look_only = false;  // nothing is put right, staged or committed
};

struct CommitReport {
  bool committed = false;
  bool existing = false;  // of a commit that was there (commits/bind_existing)
  core::Sidecar sidecar;  // as it was written; of a preview without commit, tree, patch id and tier
  bool sidecar_written = false;
  std::string message;
  std::vector<git::CommitChange> files;
  core::CommitCheckpoint before;  // the last checkpoint so far
  std::vector<std::string> warnings;
};

/// The repository that the plan is in; not_found where there is none.
[[nodiscard]] base::Result<std::unique_ptr<PlanRepository>> plan_repository_or_error(
    const Context& context, const PlanLocation& plan);

/// invalid_input unless both can be: a run's id (or empty), and text in UTF-8.
[[nodiscard]] base::Status check_run_and_text(const std::string& run, const std::string& text);

class Commit {
 public:
  [[nodiscard]] static base::Result<Commit> begin(const Context& context, const PlanLocation& plan,
                                                  CommitRequest request);

  /// Tells git of new files, so that evidence counts them: they are to be committed. Does nothing without
  /// request.all, and is undone where nothing is committed.
  [[nodiscard]] base::Status announce();

  /// "phase/id" of the phase's criteria that have a command.
  std::vector<std::string> criteria() const;
  const core::Phase& phase() const { return shown_.plan->phases[milestone_]; }

  /// What make() would commit; conflict when that is nothing.
  [[nodiscard]] base::Result<CommitReport> preview();
  /// The last thing to be asked.
  [[nodiscard]] base::Result<CommitReport> make();

 private:
  Commit(const Context& context, PlanLocation plan, CommitRequest request)
      : context_(&context), plan_(std::move(plan)), request_(std::move(request)) {}
  [[nodiscard]] base::Status look_around();
  [[nodiscard]] base::Status choose_phase();
  [[nodiscard]] base::Status look_again();
  [[nodiscard]] base::Status inspect_changes();
  [[nodiscard]] base::Result<git::CommitFacts> commit_with_git(const std::string& message);
  [[nodiscard]] base::Status record_drift(CommitReport& report);
  [[nodiscard]] base::Status bind(const git::CommitFacts& made, CommitReport& report);
  bool plan_is_left(const std::string& checksum);
  std::string message() const;

  const Context* context_;
  PlanLocation plan_;
  CommitRequest request_;
  std::unique_ptr<PlanRepository> repository_;
  std::unique_ptr<git::NewFiles> new_files_;
  git::PendingChanges pending_;
  bool fresh_ = false;  // no other program has run since we looked, so what we saw still holds
  Shown shown_;
  std::string plan_id_;  // what the plan is called in commits
  core::RunQuery query_;
  core::CommitCheckpoint last_;
  std::size_t milestone_ = 0;
  std::vector<core::Event> found_;  // what was recorded on the way
  std::vector<std::string> warnings_;
};

}  // namespace plankeep::app

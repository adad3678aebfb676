#include "commits/commit.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "base/utf8.hpp"
#include "checkpoints/job.hpp"
#include "commits/bind_commits.hpp"
#include "commits/git_hook.hpp"
#include "commits/relink.hpp"
#include "model/progress.hpp"
#include "rules/listing/phase_name.hpp"
#include "store/sidecars.hpp"
#include "store/tracking_folder.hpp"

namespace plankeep::app {
namespace {

using base::ErrorKind;
using base::Result;
using base::Status;

core::CompletionTimes completion_times(const core::Plan& plan, const core::State* state) {
  core::CompletionTimes times(plan.phases.size());
  for (std::size_t i = 0; state != nullptr && i < times.size(); ++i) {
    for (const core::PhaseState& phase : state->phases) {
      if (phase.id == plan.phases[i].id) times[i] = phase.completed_at;
    }
  }
  return times;
}

// The tasks of a phase that are done, and were not when the last checkpoint of this phase was made.
std::vector<std::size_t> done_since(const core::Phase& phase, const core::State* state,
                                    const core::CommitCheckpoint& last) {
  const bool again = last.found() && last.phase == phase.id && last.created_at;
  std::set<std::string_view> later;
  for (std::size_t i = 0; again && state != nullptr && i < state->phases.size(); ++i) {
    if (state->phases[i].id != phase.id) continue;
    for (const core::TaskState& task : state->phases[i].tasks) {
      if (task.completed_at && *task.completed_at > *last.created_at) later.insert(task.id.text);
    }
  }
  std::vector<std::size_t> done;
  for (std::size_t i = 0; i < phase.tasks.size(); ++i) {
    const core::Task& task = phase.tasks[i];
    if (task.done() && (!again || later.count(task.id.text) != 0)) done.push_back(i);
  }
  return done;
}

}  // namespace

Status check_run_and_text(const std::string& run, const std::string& text) {
  if (!run.empty() && !core::is_run_id(run)) {
    return base::fail(ErrorKind::invalid_input, "invalid run id: " + base::printable(run),
                      "use 1 to 200 bytes on one line, without leading or trailing white space");
  }
  const bool good =
      base::find_invalid_utf8(text) == std::string_view::npos && text.find('\0') == std::string::npos;
  if (!good) return base::fail(ErrorKind::invalid_input, "the text of the message is not UTF-8");
  return {};
}

Result<std::unique_ptr<PlanRepository>> plan_repository_or_error(const Context& context,
                                                                 const PlanLocation& plan) {
  TRY_ASSIGN(auto repository, PlanRepository::open(context, plan));
  if (repository) return repository;
  return base::fail(ErrorKind::not_found,
                    "the plan is not in a git repository: " + shown_path(context, plan.path()),
                    "run git init, or give another plan with --plan");
}

Result<Commit> Commit::begin(const Context& context, const PlanLocation& plan, CommitRequest request) {
  TRY(check_run_and_text(request.run, request.text));
  Commit commit(context, plan, std::move(request));
  TRY(commit.look_around());
  TRY(commit.choose_phase());
  return commit;
}

Status Commit::look_around() {
  TRY_ASSIGN(repository_, plan_repository_or_error(*context_, plan_));
  TRY_ASSIGN(const auto progress, repository_->commits().in_progress());
  if (progress) {
    return base::fail(ErrorKind::conflict, *progress + " in " + repository_->tree().top,
                      "finish or abort it, then commit");
  }
  TRY_ASSIGN(plan_id_, repository_->plan_id(plan_));
  TRY_ASSIGN(query_, repository_->run_query(plan_, request_.run));
  new_files_ = std::make_unique<git::NewFiles>(repository_->git(), context_->files, repository_->tree());
  if (!request_.look_only) {
    TRY_ASSIGN(const bool left_over, new_files_->left_over());
    if (left_over) TRY(new_files_->take_back());
    const auto links = link_commits(*context_, plan_, *repository_, LinkScope::recent);
    if (!links) {
      warnings_.push_back("sidecars of earlier commits could not be repaired: " + links.error().message);
    } else if (!links->empty()) {
      const std::size_t count = links->linked.size() + links->relinked.size();
      warnings_.push_back("linked " + std::to_string(count) +
                          (count == 1 ? " earlier commit to its phase" : " earlier commits to their phases"));
    }
  }
  TRY(look_again());
  TRY_ASSIGN(const auto folder, context_->files.open_folder(plan_.folder));
  auto tracking = store::open_tracking(*folder, plan_.name);
  if (!tracking && tracking.error().kind != ErrorKind::not_found)
    return base::fail(std::move(tracking.error()));
  TRY_ASSIGN(last_, last_milestone(tracking ? tracking->get() : nullptr, repository_.get(), query_));
  return {};
}

Status Commit::look_again() {
  TRY_ASSIGN(shown_, load_shown(*context_, plan_, 0));
  if (shown_.plan) return {};
  return base::fail(without_plan(shown_, "the phase is unknown"));
}

Status Commit::choose_phase() {
  const std::vector<core::Phase>& phases = shown_.plan->phases;
  if (!request_.phase.empty()) {
    TRY_ASSIGN(milestone_, core::find_phase(core::names_of_phases(phases), request_.phase));
    return {};
  }
  const core::State* state = shown_.state ? &*shown_.state : nullptr;
  const auto chosen = core::milestone_to_commit(*shown_.plan, completion_times(*shown_.plan, state), last_);
  if (!chosen) {
    return base::fail(ErrorKind::conflict, "the plan has no phase with a task or criterion",
                      "for details: plankeep lint");
  }
  milestone_ = *chosen;
  return {};
}

Status Commit::inspect_changes() {
  if (fresh_) return {};
  TRY_ASSIGN(pending_, repository_->commits().pending(request_.all));
  if (!pending_.conflicts.empty()) {
    constexpr std::size_t kMostNamed = 5;
    std::string names;
    for (std::size_t i = 0; i < pending_.conflicts.size() && i < kMostNamed; ++i)
      names += (i == 0 ? "" : ", ") + base::printable(pending_.conflicts[i]);
    if (pending_.conflicts.size() > kMostNamed) names += ", ...";
    return base::fail(ErrorKind::conflict, "unresolved conflicts: " + names,
                      "resolve them and git add the files, then commit");
  }
  if (!(request_.all ? pending_.all : pending_.staged).empty()) {
    fresh_ = true;
    return {};
  }
  if (request_.all) return base::fail(ErrorKind::conflict, "nothing changed since the last commit");
  return base::fail(ErrorKind::conflict, "nothing is staged",
                    "stage changes with git add, or: plankeep commit --all");
}

Status Commit::announce() {
  fresh_ = false;
  if (!request_.all || pending_.new_files.empty()) return {};
  // A commit that is begun leaves its mark, for doctor.
  TRY_ASSIGN(const auto folder, context_->files.open_folder(plan_.folder));
  TRY_ASSIGN(const auto tracking, store::open_tracking(*folder, plan_.name));
  TRY(store::Sidecars(*tracking).prepare());
  return new_files_->announce(std::exchange(pending_.new_files, {}));
}

std::vector<std::string> Commit::criteria() const {
  std::vector<std::string> ids;
  for (const core::Criterion& criterion : phase().acceptance) {
    if (!criterion.verify.empty()) ids.push_back(phase().id.text + "/" + criterion.id.text);
  }
  return ids;
}

std::string Commit::message() const {
  const core::State* state = shown_.state ? &*shown_.state : nullptr;
  core::CheckpointMessage message;
  message.run = query_.run;
  message.milestone = static_cast<std::int64_t>(milestone_);
  message.phase = phase().id;
  message.plan = plan_id_;
  if (query_.own && plan_.folder == repository_->tree().top) message.path = query_.path;
  return core::checkpoint_message(message, phase(), done_since(phase(), state, last_), request_.text);
}

Result<CommitReport> Commit::preview() {
  TRY(inspect_changes());
  CommitReport report;
  report.before = last_;
  report.warnings = warnings_;
  report.files = request_.all ? pending_.all : pending_.staged;
  report.message = message();
  core::Sidecar& sidecar = report.sidecar;
  sidecar.run = query_.run;
  sidecar.milestone = static_cast<std::int64_t>(milestone_);
  sidecar.title = phase().title;
  sidecar.phase = phase().id;
  sidecar.plan_id = plan_id_;
  sidecar.plan_path = query_.path;
  sidecar.phase_complete = core::status_of(phase()) == core::PhaseStatus::completed;
  sidecar.created_at = context_->clock.now();
  return report;
}

// One that this commit does not resolve by itself, and which it would cover up.
Status Commit::record_drift(CommitReport& report) {
  const auto drift = core::drift_between(*shown_.plan, last_);
  std::vector<core::Event> events;
  if (drift && drift->kind != core::Drift::Kind::ahead) {
    report.warnings.push_back("the plan is at " + drift->plan + ", the last phase commit was at " +
                              drift->checkpoint);
  }
  // Also where there is nothing to record: from here on the plan is tracked, and what is there of it noted.
  TRY_ASSIGN(Outcome outcome, bind_commits(*context_, plan_, {}));
  found_ = outcome.events;
  if (drift && drift->kind != core::Drift::Kind::ahead) {
    TRY_ASSIGN(auto event, drift_event(*outcome.tracking, *drift));
    if (event) events.push_back(std::move(*event));
  }
  if (!events.empty()) {
    TRY_ASSIGN(outcome, bind_commits(*context_, plan_, {}, std::move(events)));
  }
  // A commit without its sidecar is looked for where this folder stands.
  return store::Sidecars(*outcome.tracking).prepare();
}

// What git had been told of new files is taken back when nothing comes of it.
Result<git::CommitFacts> Commit::commit_with_git(const std::string& message) {
  auto made = repository_->commits().commit(message, request_.all);
  if (made) {
    new_files_->settle();
    return made;
  }
  const Status back = new_files_->take_back();
  if (back) return made;
  return base::fail(made.error().kind,
                    made.error().message + "; new files are still in the git index without their content (" +
                        back.error().message + ")",
                    "plankeep doctor --repair");
}

Result<CommitReport> Commit::make() {
  // Verifying may have ticked boxes; the phase stays the one that was verified.
  const core::PhaseId chosen = phase().id;
  if (!fresh_) TRY(look_again());
  const std::vector<core::Phase>& phases = shown_.plan->phases;
  const auto again = std::find_if(phases.begin(), phases.end(),
                                  [&chosen](const core::Phase& phase) { return phase.id == chosen; });
  if (again == phases.end())
    return base::fail(ErrorKind::conflict, "phase " + chosen.text + " is no longer in the plan");
  milestone_ = static_cast<std::size_t>(again - phases.begin());

  TRY_ASSIGN(CommitReport report, preview());
  TRY(announce());
  TRY(record_drift(report));
  TRY_ASSIGN(const git::CommitFacts made, commit_with_git(report.message));
  report.committed = true;
  // The commit stands: what goes wrong now is said, and put right by the next call.
  const Status bound = bind(made, report);
  if (!bound) {
    report.warnings.push_back("the commit was made, but its sidecar could not be written: " +
                              bound.error().message + "; to link it: plankeep doctor --repair");
  }
  spawn_job(*context_, plan_, found_, "commit");
  const Status others = bind_changed_plans(*context_, repository_->commits(), made, repository_->tree().top,
                                           repository_->plan_path(plan_));
  if (!others) {
    report.warnings.push_back("another plan in the commit could not be linked to it: " +
                              others.error().message + "; to link it: plankeep doctor --repair");
  }
  return report;
}

// Whether the plan has changes that were not committed. git is asked only where there can be some: the text
// changed while git committed, or not all of it was staged.
bool Commit::plan_is_left(const std::string& checksum) {
  const std::string path = repository_->plan_path(plan_);
  const auto names_plan = [&path](const std::vector<std::string>& paths) {
    return std::find(paths.begin(), paths.end(), path) != paths.end();
  };
  const bool same = shown_.state && shown_.state->checksum == checksum;
  if (same && (request_.all || !names_plan(pending_.not_staged))) return false;
  const auto left = repository_->commits().pending(false);
  return left && std::any_of(left->all.begin(), left->all.end(),
                             [&path](const git::CommitChange& file) { return file.path == path; });
}

Status Commit::bind(const git::CommitFacts& made, CommitReport& report) {
  core::Sidecar& sidecar = report.sidecar;
  sidecar.sha = made.sha;
  sidecar.tree = made.tree;
  sidecar.created_at = context_->clock.now();
  if (auto ids = repository_->commits().patch_ids({made.sha})) {
    const auto id = ids->find(made.sha);
    if (id != ids->end()) sidecar.patch_id = id->second;
  }
  std::vector<std::string> sessions;
  if (tells_of_sessions(*context_, plan_.folder)) sessions = made.session_checkpoints;
  if (!sessions.empty()) sidecar.entire_checkpoint = sessions.back();
  core::TierDecision decision = tier_now(*context_, plan_, milestone_);
  sidecar.tier = decision.tier;
  sidecar.commands = std::move(decision.commands);
  if (!decision.reason.empty())
    report.warnings.push_back(std::string(core::name_of(decision.tier)) + ": " + decision.reason);
  TRY_ASSIGN(const Outcome outcome,
             bind_commits(*context_, plan_, {sidecar}, session_links(sessions, made.sha, sidecar.phase), true,
                          query_.own ? &last_ : nullptr));
  found_.insert(found_.end(), outcome.events.begin(), outcome.events.end());
  report.warnings.insert(report.warnings.end(), outcome.warnings.begin(), outcome.warnings.end());
  report.sidecar_written =
      std::any_of(outcome.events.begin(), outcome.events.end(), [&made](const core::Event& event) {
        return event.kind == core::EventKind::checkpoint_complete && event.commit == made.sha &&
               event.sidecar_written;
      });
  if (plan_is_left(outcome.state.checksum))
    report.warnings.push_back("the plan has changes that are not in this commit");
  return {};
}

}  // namespace plankeep::app

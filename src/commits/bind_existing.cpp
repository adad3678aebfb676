#include "commits/bind_existing.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/utf8.hpp"
#include "checkpoints/job.hpp"
#include "commits/bind_commits.hpp"
#include "commits/last_milestone.hpp"
#include "commits/successors.hpp"
#include "markdown/parse_plan.hpp"
#include "model/progress.hpp"
#include "rules/listing/phase_name.hpp"
#include "store/paths.hpp"
#include "store/sidecars.hpp"
#include "store/tracking_folder.hpp"

namespace plankeep::app {
namespace {

using base::ErrorKind;
using base::Result;

std::optional<std::size_t> phase_with(const core::Plan& plan, const core::PhaseId& id) {
  const auto found = std::find_if(plan.phases.begin(), plan.phases.end(),
                                  [&id](const core::Phase& phase) { return phase.id == id; });
  if (found == plan.phases.end()) return std::nullopt;
  return static_cast<std::size_t>(found - plan.phases.begin());
}

class Binding {
 public:
  Binding(const Context& context, const PlanLocation& plan, const ExistingRequest& request,
          PlanRepository& repository)
      : context_(context), plan_(plan), request_(request), repository_(repository) {}

  Result<CommitReport> run() {
    TRY_ASSIGN(query_, repository_.run_query(plan_, request_.run));
    TRY(find_commit());
    TRY(read_plans());
    TRY_ASSIGN(const auto folder, context_.files.open_folder(plan_.folder));
    const auto tracking = store::open_tracking(*folder, plan_.name);
    if (!tracking && tracking.error().kind != ErrorKind::not_found) return base::fail(tracking.error());
    CommitReport report;
    report.existing = true;
    report.message = commit_.message;
    TRY_ASSIGN(report.files, repository_.commits().changed_by(commit_));
    TRY_ASSIGN(report.before, last_milestone(tracking ? tracking->get() : nullptr, &repository_, query_));
    if (tracking) {
      TRY_ASSIGN(auto there, store::Sidecars(**tracking).read(commit_.sha));
      if (there && request_.phase.empty()) {
        report.sidecar = std::move(*there);
        report.warnings.emplace_back("this commit is already linked; to link it to another phase: --phase");
        return report;
      }
    }
    TRY_ASSIGN(report.sidecar, make_sidecar());
    if (request_.look_only) return report;
    TRY_ASSIGN(const Outcome outcome, bind_commits(context_, plan_, {report.sidecar}));
    report.warnings = outcome.warnings;
    report.sidecar_written =
        std::any_of(outcome.events.begin(), outcome.events.end(), [this](const core::Event& event) {
          return event.kind == core::EventKind::checkpoint_complete && event.commit == commit_.sha &&
                 event.sidecar_written;
        });
    spawn_job(context_, plan_, outcome.events, "commit");
    return report;
  }

 private:
  base::Status find_commit() {
    TRY_ASSIGN(auto named, repository_.commits().named(request_.revision));
    if (!named) {
      return base::fail(ErrorKind::invalid_input, "unknown commit " + base::printable(request_.revision),
                        "give a commit id, a branch or HEAD~1");
    }
    commit_ = std::move(*named);
    TRY_ASSIGN(const auto reachability, repository_.commits().reachability({commit_.sha}));
    if (reachability.front() == git::Reachability::here) return {};
    return base::fail(ErrorKind::conflict,
                      "HEAD is not a descendant of " + base::printable(request_.revision),
                      "check out the branch that contains it");
  }

  base::Status read_plans() {
    TRY_ASSIGN(Shown shown, load_shown(context_, plan_, 0));
    if (!shown.plan) return base::fail(without_plan(shown, "its phases are unknown"));
    now_ = std::move(*shown.plan);
    const auto at = [this](const std::string& sha) -> Result<std::optional<core::Plan>> {
      if (query_.path.empty()) return std::optional<core::Plan>();
      TRY_ASSIGN(const auto text, repository_.commits().file_at(sha, query_.path, store::kPlanLimit));
      if (!text) return std::optional<core::Plan>();
      TRY_ASSIGN(core::Plan plan, markdown::parse_plan(*text));
      return std::optional(std::move(plan));
    };
    TRY_ASSIGN(then_, at(commit_.sha));
    if (!commit_.parents.empty()) {
      TRY_ASSIGN(auto before, at(commit_.parents.front()));
      if (before) before_ = std::move(*before);
    }
    return {};
  }

  Result<core::PhaseId> choose_phase() const {
    if (!request_.phase.empty()) {
      const auto found = core::find_phase(core::names_of_phases(now_.phases), request_.phase);
      if (found) return now_.phases[*found].id;
      core::PhaseId named(request_.phase);
      if (then_ && phase_with(*then_, named)) return named;
      return base::fail(found.error());
    }
    for (const core::CheckpointMessage& message : messages_of(commit_)) {
      if (core::answers(query_, message) && phase_with(now_, message.phase)) return message.phase;
    }
    if (then_) {
      if (const auto completed = newly_completed(*then_, before_)) return then_->phases[*completed].id;
    }
    return base::fail(ErrorKind::conflict, "the commit completes no phase", "give the phase with --phase");
  }

  Result<core::Sidecar> make_sidecar() const {
    TRY_ASSIGN(const core::PhaseId phase, choose_phase());
    const auto in_now = phase_with(now_, phase);
    std::optional<std::size_t> in_then;
    if (then_) in_then = phase_with(*then_, phase);
    core::Sidecar sidecar;
    sidecar.sha = commit_.sha;
    sidecar.run = query_.run;
    // choose_phase() found it in one of the two.
    const core::Plan& known = in_now ? now_ : *then_;
    const std::size_t milestone = in_now ? *in_now : in_then.value_or(0);
    sidecar.milestone = static_cast<std::int64_t>(milestone);
    sidecar.title = known.phases[milestone].title;
    sidecar.phase = phase;
    TRY_ASSIGN(sidecar.plan_id, repository_.plan_id(plan_));
    sidecar.plan_path = query_.path;
    sidecar.tree = commit_.tree;
    sidecar.created_at = context_.clock.now();
    if (in_then)
      sidecar.phase_complete =
          core::status_of(then_->phases[in_then.value_or(0)]) == core::PhaseStatus::completed;
    if (const auto ids = repository_.commits().patch_ids({commit_.sha})) {
      const auto id = ids->find(commit_.sha);
      if (id != ids->end()) sidecar.patch_id = id->second;
    }
    if (!commit_.session_checkpoints.empty()) sidecar.entire_checkpoint = commit_.session_checkpoints.back();
    TRY_ASSIGN(const auto head, repository_.commits().head());
    if (in_now && head && head->sha == commit_.sha) {
      core::TierDecision decision = tier_now(context_, plan_, *in_now);
      sidecar.tier = decision.tier;
      sidecar.commands = std::move(decision.commands);
    }
    return sidecar;
  }

  const Context& context_;
  const PlanLocation& plan_;
  const ExistingRequest& request_;
  PlanRepository& repository_;
  core::RunQuery query_;
  git::CommitFacts commit_;
  core::Plan now_;
  std::optional<core::Plan> then_;  // as the commit has it
  core::Plan before_;               // as its first parent has it
};

}  // namespace

Result<CommitReport> bind_existing(const Context& context, const PlanLocation& plan,
                                   const ExistingRequest& request) {
  TRY_ASSIGN(const auto repository, plan_repository_or_error(context, plan));
  return Binding(context, plan, request, *repository).run();
}

}  // namespace plankeep::app

#include "verify/verify.hpp"

#include <algorithm>
#include <utility>

#include "base/enum_names.hpp"
#include "base/sha256.hpp"
#include "base/utf8.hpp"
#include "editing/find_boxes.hpp"
#include "markdown/edits/edit_plan.hpp"
#include "model/record_evidence.hpp"
#include "project/project.hpp"
#include "project/text_redactor.hpp"
#include "tracking/plan_work.hpp"
#include "tracking/show.hpp"

namespace plankeep::app {
namespace {

using base::ErrorKind;
using base::Result;
using base::Status;
using Kind = core::TreeNow::Kind;

// As in editing/edit_loop: each round needs another writer's save between our read and our rename.
constexpr int kRounds = 20;
// More than the last lines that are kept ever need.
constexpr std::size_t kTail = std::size_t{64} << 10;

// Hands the output on, and keeps of it what evidence needs: bounded, whatever it says.
class Recorder : public system::CommandWatch {
 public:
  explicit Recorder(system::CommandWatch& next) : next_(next) {}

  void said(std::string_view bytes) override {
    digest_.add(bytes);
    tail_.append(bytes);
    if (tail_.size() > 2 * kTail) tail_.erase(0, tail_.size() - kTail);
    next_.said(bytes);
  }
  bool go_on(std::chrono::milliseconds elapsed) override { return next_.go_on(elapsed); }

  std::string digest() { return digest_.hex(); }
  std::string last_lines(const TextRedactor& redactor) const {
    // Without its colours first: they may stand in the middle of a secret.
    return core::last_lines_of(redactor(base::printable(tail_, true)));
  }

 private:
  system::CommandWatch& next_;
  base::Sha256 digest_;
  std::string tail_;
};

Status shown_as_it_is(const VerifyCommand& command) {
  if (core::can_be_shown(command.command)) return {};
  return base::fail(ErrorKind::invalid_input,
                    "the command of " + command.id.text +
                        " contains characters that cannot be displayed as they are, so it was not run: " +
                        base::printable(command.command),
                    "write it with plain characters, line " + std::to_string(command.line));
}

// The criterion that an id names.
Result<Found> find_criterion(const core::Plan& plan, const std::string& id) {
  auto found = find_boxes(plan, plan, id, {}, Takes::criterion);
  if (found && !found->criterion) {
    return base::fail(ErrorKind::invalid_input,
                      found->id + " is a task: only criteria (ACCEPT) have commands",
                      "to list all ids: plankeep list");
  }
  return found;
}

const core::Criterion* find_same(const core::Plan& plan, const VerifyCommand& command) {
  for (const core::Phase& phase : plan.phases) {
    if (phase.id != command.phase) continue;
    for (const core::Criterion& criterion : phase.acceptance) {
      if (criterion.id == command.id && criterion.verify == command.command) return &criterion;
    }
  }
  return nullptr;
}

Verified::Result result_of(const system::Ended& ended) {
  if (ended.interrupted) return Verified::Result::interrupted;
  if (ended.timed_out) return Verified::Result::timed_out;
  return ended.status == 0 ? Verified::Result::passed : Verified::Result::failed;
}

using VerifyResult = Verified::Result;
constexpr auto kResults = base::enum_names<VerifyResult>({{VerifyResult::passed, "passed"},
                                                          {VerifyResult::failed, "failed"},
                                                          {VerifyResult::timed_out, "timed_out"},
                                                          {VerifyResult::interrupted, "interrupted"},
                                                          {VerifyResult::not_kept, "not_kept"}});

}  // namespace

std::string_view name_of(Verified::Result result) {
  return kResults.name_of(result);
}

Verification::Verification(const Context& context, PlanLocation plan)
    : context_(&context), plan_(std::move(plan)), tree_(context, plan_) {}

Result<Verification> Verification::begin(const Context& context, const PlanLocation& plan,
                                         const std::vector<std::string>& ids, Which which) {
  TRY_ASSIGN(const Shown shown, load_shown(context, plan, 0));
  if (!shown.plan) return base::fail(without_plan(shown, "nothing in it can be verified"));
  Verification verification(context, plan);
  verification.reading_warnings_ = shown.warnings;
  TRY(verification.choose(*shown.plan, shown.state ? &*shown.state : nullptr, ids, which));
  return verification;
}

Status Verification::choose(const core::Plan& plan, const core::State* state,
                            const std::vector<std::string>& ids, Which which) {
  std::vector<Found> named;
  named.reserve(ids.size());
  for (const std::string& id : ids) {
    TRY_ASSIGN(Found found, find_criterion(plan, id));
    if (plan.phases[found.phase_index].acceptance[found.index].verify.empty()) {
      return base::fail(ErrorKind::invalid_input, id + " has no command",
                        "add one in the plan: <!-- ACCEPT: " + found.id + " | verify: COMMAND -->");
    }
    named.push_back(std::move(found));
  }
  const core::KnownEvidence known(state);
  for (const core::Phase& phase : plan.phases) {
    for (const core::Criterion& criterion : phase.acceptance) tree_.learn(known.find(phase.id, criterion.id));
  }
  for (std::size_t p = 0; p < plan.phases.size(); ++p) {
    const core::Phase& phase = plan.phases[p];
    for (std::size_t c = 0; c < phase.acceptance.size(); ++c) {
      const core::Criterion& criterion = phase.acceptance[c];
      if (criterion.verify.empty()) continue;
      const bool wanted = named.empty() || std::any_of(named.begin(), named.end(), [&](const Found& found) {
                            return found.phase_index == p && found.index == c;
                          });
      if (!wanted) continue;
      VerifyCommand command{phase.id,         criterion.id,  criterion.title,       criterion.line,
                            criterion.verify, criterion.met, core::Proof::unproven, {},
                            std::nullopt};
      command.evidence = known.find(phase.id, criterion.id);
      if (!looked_) {
        looked_ = true;
        now_ = tree_.now();
        if (now_.kind == Kind::unknown)
          warnings_.push_back("cannot tell whether criteria are proven: " + now_.reason);
      }
      command.proof = core::judge(command.evidence, command.command, now_);
      command.why = core::why_not_fresh(command.evidence, command.command, now_);
      if (which == Which::not_fresh && command.proof == core::Proof::proven) continue;
      commands_.push_back(std::move(command));
    }
  }
  return {};
}

Status Verification::check_shown() const {
  for (const VerifyCommand& command : commands_) TRY(shown_as_it_is(command));
  return {};
}

Result<Verified> Verification::run(const VerifyCommand& command, std::chrono::milliseconds timeout,
                                   system::CommandWatch& watch, const std::string& actor) {
  TRY(shown_as_it_is(command));
  if (context_->processes == nullptr) return base::fail(ErrorKind::io, "cannot run programs on this system");
  Verified verified;
  core::Evidence& evidence = verified.evidence;
  // What the command before this one left is what this one sees. If somebody writes in between, it shows
  // afterwards as a change during the command: rather that than the other way round.
  const core::TreeNow before = now_;
  const git::HeadStatus head_status = tree_.head_status();
  evidence.head = head_status.head;
  evidence.dirty = head_status.dirty;
  tree_.remember();

  Recorder recorder(watch);
  system::Command wanted;
  wanted.line = command.command;
  wanted.folder = tree_.root();
  wanted.timeout = timeout;
  TRY_ASSIGN(const system::Ended ended, context_->processes->run_command(wanted, recorder));
  verified.result = result_of(ended);
  evidence.command = command.command;
  evidence.status = ended.status;
  evidence.timed_out = ended.timed_out;
  evidence.duration_ms = ended.duration.count();
  evidence.output_sha256 = recorder.digest();
  evidence.last_lines =
      recorder.last_lines(TextRedactor(*context_, Project(*context_, plan_.folder).settings()));
  if (ended.interrupted) return verified;

  evidence.tree = before.digest;
  tree_.learn(evidence);
  now_ = tree_.now();
  evidence.changed_files = before.kind != now_.kind || before.digest != now_.digest;
  evidence.time = context_->clock.now();
  verified.why = core::why_not_fresh(evidence, evidence.command, now_);
  TRY(record(command, actor, verified));
  return verified;
}

Status Verification::record(const VerifyCommand& command, const std::string& actor, Verified& verified) {
  PlanWork work(*context_, plan_);
  TRY(work.open(PlanWork::Create::if_plan));
  TRY(work.lock(kTimeout));
  const bool passed = verified.evidence.passed();
  for (int round = 0; round < kRounds; ++round) {
    TRY(work.sync(Edit{}));
    const core::Criterion* criterion = work.readable() ? find_same(work.plan(), command) : nullptr;
    if (criterion == nullptr) {
      verified.result = Verified::Result::not_kept;
      verified.outcome = work.take_outcome();
      return {};
    }
    const bool edit = criterion->met != passed;
    if (edit) {
      TRY_ASSIGN(std::string bytes,
                 markdown::set_boxes(work.bytes(), work.plan(), criterion->boxes,
                                     passed ? core::BoxState::done : core::BoxState::open));
      const Status replaced = work.replace(std::move(bytes));
      if (!replaced && replaced.error().kind == ErrorKind::conflict) continue;
      TRY(replaced);
    }
    // The evidence first, as the one event that tells both; then what follows from the tick (the phase).
    core::State state = work.state();
    auto event =
        core::record_evidence(state, command.phase, command.id, verified.evidence, actor, work.now());
    if (!event) return base::fail(ErrorKind::internal, "a criterion of the plan is not in its state");
    TRY(work.save(std::move(state), {std::move(*event)}));
    if (edit) TRY(work.sync_replaced(Edit{actor, true, false}));
    verified.ticked = edit && passed;
    verified.unticked = edit && !passed;
    verified.outcome = work.take_outcome();
    return {};
  }
  return base::fail(ErrorKind::conflict, "another program changed the plan at every attempt to edit it",
                    "try again when the other program has finished");
}

}  // namespace plankeep::app

// Undo, rewind and verify of the board.

#include <algorithm>
#include <chrono>
#include <utility>

#include "board_screen/plan_desk.hpp"
#include "checkpoints/job.hpp"
#include "editing/claim.hpp"
#include "editing/complete.hpp"
#include "editing/record.hpp"
#include "model/item_key.hpp"
#include "render/claim.hpp"
#include "render/recorded/rewind.hpp"
#include "render/recorded/verify.hpp"
#include "rewind/restore.hpp"
#include "rewind/rewind.hpp"
#include "verify/command_trust.hpp"

namespace plankeep::board_screen {

using base::Status;
using board::Action;

namespace {

// Of the texts that `restore` offers. The one from before our change is among the newest.
constexpr std::size_t kTextsTried = 5;

// Somebody else has done it already.
base::Error nothing_to_undo(const std::string& why) {
  return {base::ErrorKind::conflict, "nothing to undo: " + why, {}, {}};
}

}  // namespace

// --- undo ----------------------------------------------------------------------------------------------

// The plan's text from before, where nobody has changed it since: what others wrote is never taken back.
base::Result<PlanDesk::Warnings> PlanDesk::take_back_text(const Change& change) {
  const char* const hint = "to list earlier versions of the plan: plankeep restore";
  if (change.text_after.empty() || plan_text() != change.text_after)
    return base::fail(base::ErrorKind::conflict, "the plan has changed since: this can no longer be undone",
                      hint);
  TRY_ASSIGN(const app::EarlierTexts earlier, app::earlier_texts(context_, plan_));
  for (const app::EarlierText& one : earlier.texts) {
    if (one.number > kTextsTried) break;
    const std::string which = std::to_string(one.number);
    const auto tried = app::restore_text(context_, plan_, which, app::Restore::whole, actor_, true);
    if (!tried || tried->after != change.text_before) continue;
    TRY_ASSIGN(const app::Restored restored,
               app::restore_text(context_, plan_, which, app::Restore::whole, actor_, false));
    app::spawn_job_after_return(context_, restored.outcome, kCommand);
    return restored.outcome.warnings;
  }
  return base::fail(base::ErrorKind::not_found, "the text from before this change was not kept", hint);
}

// What it warns of.
base::Result<PlanDesk::Warnings> PlanDesk::take_back(const Change& change) {
  switch (change.kind) {
    case Change::Kind::box: {
      TRY_ASSIGN(const app::Completed done,
                 app::set_tasks(context_, plan_, {change.target}, change.before, {actor_}, &change.recorded));
      if (done.changed.empty())
        return base::fail(nothing_to_undo(done.already.front() + " is already as it was before"));
      app::spawn_job(context_, done.outcome, kCommand);
      return done.outcome.warnings;
    }
    case Change::Kind::text:
      return take_back_text(change);
    case Change::Kind::claim: {
      app::ClaimRequest request;
      request.actor = actor_;
      TRY_ASSIGN(const app::ClaimAnswer released,
                 app::release_task(context_, plan_, change.target, request, core::Force::no));
      if (released.result == app::ClaimResult::refused) return base::fail(render::release_refusal(released));
      if (released.result == app::ClaimResult::nothing)
        return base::fail(nothing_to_undo(released.task.text + " is not claimed any more"));
      return released.outcome.warnings;
    }
    case Change::Kind::blocker: {
      TRY_ASSIGN(const app::Outcome outcome, app::resolve_blocker(context_, plan_, change.target, actor_));
      return outcome.warnings;
    }
    case Change::Kind::note: {
      if (note_ != change.text_after)
        return base::fail(base::ErrorKind::conflict,
                          "the note was changed since: this cannot be undone any more");
      TRY_ASSIGN(const app::Outcome outcome, app::save_note(context_, plan_, change.text_before, actor_));
      return outcome.warnings;
    }
    case Change::Kind::verify:
      return base::fail(base::ErrorKind::invalid_input, "the result of a verify command cannot be undone",
                        "press Space on the criterion to untick it");
    case Change::Kind::rewind: {
      app::RewindRequest request;
      request.by = app::RewindRequest::By::undo;
      request.actor = actor_;
      TRY_ASSIGN(const app::Rewound back, app::rewind(context_, plan_, request));
      if (back.outcome) app::spawn_job_after_return(context_, *back.outcome, kCommand);
      return back.warnings;
    }
  }
  return Warnings{};
}

Status PlanDesk::undo() {
  std::vector<Change>& changes = changes_[plan_.path()];
  if (changes.empty()) {
    board_.tell("nothing to undo", true);
    return {};
  }
  // Tried once: what cannot be undone must not block what was done before it.
  const Change change = std::move(changes.back());
  changes.pop_back();
  const auto warnings = take_back(change);
  if (warnings) {
    tell(*warnings, "undone");
  } else {
    tell(warnings.error());
  }
  const bool whole = change.kind == Change::Kind::text || change.kind == Change::Kind::rewind;
  return show({change.target}, warnings && whole);
}

// --- rewind --------------------------------------------------------------------------------------------

Status PlanDesk::preview_rewind(const Action& action) {
  app::RewindRequest request;
  request.which = action.target;
  request.actor = actor_;
  request.dry = true;
  const auto preview = app::rewind(context_, plan_, request);
  if (!preview) {
    tell(preview.error());
    return {};
  }
  if (!preview->changes()) {
    board_.tell("nothing differs from this checkpoint", false);
    return {};
  }
  std::string text;
  for (const std::string& warning : preview->warnings) text += "warning: " + warning + "\n";
  text += render::rewind_text(*preview, context_.clock.now(), {.columns = render::kUnlimited});
  rewind_to_ = action.target;
  board_.ask(board::Question::rewind, "Rewind to " + action.target, text);
  return {};
}

Status PlanDesk::rewind() {
  app::RewindRequest request;
  request.which = std::exchange(rewind_to_, {});
  request.actor = actor_;
  if (request.which.empty()) return {};
  const auto rewound = app::rewind(context_, plan_, request);
  if (!rewound) return show_with(rewound.error());
  if (rewound->changes()) remember({.kind = Change::Kind::rewind});
  if (rewound->outcome) app::spawn_job_after_return(context_, *rewound->outcome, kCommand);
  tell(rewound->warnings, "rewound; u undoes it");
  return show({}, true);
}

// --- verify --------------------------------------------------------------------------------------------

Status PlanDesk::ask_to_verify(const Action& action, system::CommandWatch& watch) {
  auto begun = app::Verification::begin(context_, plan_, action.targets, app::Verification::Which::all);
  if (!begun) {
    tell(begun.error());
    return {};
  }
  if (const Status shown = begun->check_shown(); !shown) {
    tell(shown.error());
    return {};
  }
  verification_ = std::make_unique<app::Verification>(std::move(*begun));
  const auto trust = app::CommandTrust::read(context_, verification_->root());
  std::vector<render::VerifyRow> unknown;
  for (const app::VerifyCommand& command : verification_->commands())
    if (!trust.trusts(command.command)) unknown.emplace_back(command);
  if (unknown.empty()) return run_verification(false, watch);
  std::string text =
      render::commands_text(verification_->root(), unknown, {.columns = board_.size().columns});
  if (!trust.warning().empty()) text = "warning: " + trust.warning() + "\n" + text;
  board_.ask(board::Question::verify, "Verify", text);
  return {};
}

Status PlanDesk::run_verification(bool trust, system::CommandWatch& watch) {
  const std::unique_ptr<app::Verification> verification = std::move(verification_);
  if (!verification) return {};
  std::string text;
  if (trust) {
    std::vector<std::string> commands;
    for (const app::VerifyCommand& command : verification->commands()) commands.push_back(command.command);
    if (const Status kept = app::trust_commands(context_, verification->root(), commands); !kept)
      text += "warning: could not remember the commands as trusted: " + kept.error().message + "\n";
  }
  std::set<std::string> ours;
  // A copy: running one looks at the files anew.
  const std::vector<app::VerifyCommand> commands = verification->commands();
  for (const app::VerifyCommand& command : commands) {
    ours.insert(core::key_of(command.phase, command.id));
    const auto verified = verification->run(command, app::kVerifyTimeout, watch, actor_);
    if (!verified) {
      tell(verified.error());
      break;
    }
    if (verified->result == app::Verified::Result::interrupted) {
      board_.tell("stopped: nothing was recorded for " + command.id.text, true);
      break;
    }
    app::spawn_job(context_, verified->outcome, kCommand);
    if (verified->ticked || verified->unticked) remember({.kind = Change::Kind::verify});
    render::VerifyRow row(command);
    row.take(*verified);
    text += render::verified_text(row, true, {.columns = board_.size().columns});
    for (const std::string& warning : verified->outcome.warnings) text += "warning: " + warning + "\n";
  }
  Status shown = show(std::move(ours), false);
  // What ran before a command that was stopped was recorded, and is shown.
  if (!text.empty()) board_.open_sheet("Verify", text);
  return shown;
}

}  // namespace plankeep::board_screen

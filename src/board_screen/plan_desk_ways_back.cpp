// Undo, rewind and verify of the board.

#include <algorithm>
#include <chrono>
#include <utility>

#include "board_screen/plan_desk.hpp"
#include "checkpoints/job.hpp"
#include "editing/claim.hpp"
#include "editing/complete.hpp"
#include "editing/record.hpp"
#include "render/recorded/rewind.hpp"
#include "render/recorded/verify.hpp"
#include "rewind/restore.hpp"
#include "rewind/rewind.hpp"
#include "verify/command_trust.hpp"

namespace plankeep::board_screen {

using base::Status;
using board::Action;

namespace {

constexpr const char* kCommand = "board";
// As `plankeep verify` without --timeout.
constexpr std::chrono::seconds kCommandTimeout{600};
// Of the texts that `restore` offers. The one from before our change is among the newest.
constexpr std::size_t kTextsTried = 5;

render::Style plain_style(std::size_t columns) {
  render::Style style;
  style.columns = columns;
  return style;
}

}  // namespace

// --- undo ----------------------------------------------------------------------------------------------

// The plan's text from before, where nobody has changed it since: what others wrote is never taken back.
Status PlanDesk::undo_text(const Change& change) {
  if (plan_text() != change.text_after) {
    return base::fail(base::ErrorKind::conflict, "the plan was changed since: this cannot be undone any more",
                      "earlier texts of the plan: plankeep restore --list");
  }
  TRY_ASSIGN(const app::EarlierTexts earlier, app::earlier_texts(context_, plan_));
  for (const app::EarlierText& one : earlier.texts) {
    if (one.number > kTextsTried) break;
    const std::string which = std::to_string(one.number);
    const auto tried = app::restore_text(context_, plan_, which, app::Restore::whole, actor_, true);
    if (!tried || tried->after != change.text_before) continue;
    TRY_ASSIGN(const app::Restored restored,
               app::restore_text(context_, plan_, which, app::Restore::whole, actor_, false));
    app::spawn_job_after_return(context_, restored.outcome, kCommand);
    return {};
  }
  return base::fail(base::ErrorKind::not_found, "the text from before this change was not kept",
                    "earlier texts of the plan: plankeep restore --list");
}

Status PlanDesk::undo() {
  if (changes_.empty()) {
    board_.tell("nothing to undo", true);
    return {};
  }
  // Tried once: what cannot be undone must not block what was done before it.
  const Change change = changes_.back();
  changes_.pop_back();
  std::set<std::string> ours{change.target};
  const Status undone = [&]() -> Status {
    switch (change.kind) {
      case Change::Kind::box: {
        TRY_ASSIGN(const app::Completed done,
                   app::set_tasks(context_, plan_, {change.target}, change.before, actor_));
        app::spawn_job(context_, done.outcome, kCommand);
        return {};
      }
      case Change::Kind::text:
        return undo_text(change);
      case Change::Kind::claim: {
        app::ClaimRequest request;
        request.actor = actor_;
        TRY(app::release_task(context_, plan_, change.target, request, core::Force::no));
        return {};
      }
      case Change::Kind::blocker:
        TRY(app::resolve_blocker(context_, plan_, change.target, actor_));
        return {};
      case Change::Kind::note:
        TRY(app::save_note(context_, plan_, change.target, actor_));
        return {};
      case Change::Kind::verify:
        return base::fail(base::ErrorKind::invalid_input, "what a command proved cannot be undone",
                          "press Space on the criterion to untick it");
      case Change::Kind::rewind: {
        app::RewindRequest request;
        request.by = app::RewindRequest::By::undo;
        request.actor = actor_;
        TRY_ASSIGN(const app::Rewound back, app::rewind(context_, plan_, request));
        if (back.outcome) app::spawn_job_after_return(context_, *back.outcome, kCommand);
        return {};
      }
    }
    return {};
  }();
  if (undone) {
    board_.tell("undone", false);
  } else {
    tell(undone.error());
  }
  const bool whole = change.kind == Change::Kind::text || change.kind == Change::Kind::rewind;
  return show(std::move(ours), undone && whole);
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
  text += render::rewind_text(*preview, context_.clock.now(), plain_style(render::kUnlimited));
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
  if (!rewound) {
    tell(rewound.error());
    return show({}, false);
  }
  if (rewound->changes()) remember({Change::Kind::rewind, {}, {}, {}, {}});
  if (rewound->outcome) app::spawn_job_after_return(context_, *rewound->outcome, kCommand);
  if (rewound->warnings.empty()) {
    board_.tell("rewound; u undoes it", false);
  } else {
    board_.tell(rewound->warnings.back(), true);
  }
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
      render::commands_text(verification_->root(), unknown, plain_style(board_.size().columns));
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
    ours.insert("criterion:" + command.phase.text + "/" + command.id.text);
    const auto verified = verification->run(command, kCommandTimeout, watch, actor_);
    if (!verified) {
      tell(verified.error());
      return show(std::move(ours), false);
    }
    if (verified->result == app::Verified::Result::interrupted) {
      board_.tell("stopped: nothing was recorded", true);
      return show(std::move(ours), false);
    }
    app::spawn_job(context_, verified->outcome, kCommand);
    if (verified->ticked || verified->unticked) remember({Change::Kind::verify, {}, {}, {}, {}});
    render::VerifyRow row(command);
    row.result = verified->result;
    if (verified->result != app::Verified::Result::not_kept) {
      row.evidence = verified->evidence;
      row.why = verified->why;
      row.ticked = verified->ticked;
      row.unticked = verified->unticked;
      row.met = verified->evidence.passed();
    }
    text += render::verified_text(row, true, plain_style(board_.size().columns));
    for (const std::string& warning : verified->outcome.warnings) text += "warning: " + warning + "\n";
  }
  Status shown = show(std::move(ours), false);
  board_.open_sheet("Verify", text);
  return shown;
}

}  // namespace plankeep::board_screen

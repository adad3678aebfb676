#include "board_screen/plan_desk.hpp"

#include <algorithm>
#include <utility>

#include "board_screen/board_pages.hpp"
#include "board_screen/watched_plan.hpp"
#include "checkpoints/job.hpp"
#include "editing/add_task.hpp"
#include "editing/claim.hpp"
#include "editing/complete.hpp"
#include "editing/record.hpp"
#include "model/item_key.hpp"
#include "project/discover.hpp"
#include "render/claim.hpp"
#include "render/progress/tasks.hpp"
#include "reports/task_report.hpp"
#include "tracking/plan_work.hpp"
#include "tracking/show.hpp"

namespace plankeep::board_screen {

using base::Status;
using board::Action;

namespace {

// More can be undone by hand.
constexpr std::size_t kMostChanges = 200;

// Whether one piece was put into `before`, and nothing else changed.
bool is_insertion(std::string_view before, std::string_view after) {
  if (after.size() < before.size()) return false;
  const auto same = std::mismatch(before.begin(), before.end(), after.begin()).first - before.begin();
  return after.ends_with(before.substr(static_cast<std::size_t>(same)));
}

}  // namespace

PlanDesk::PlanDesk(const app::Context& context, app::PlanLocation plan, std::string actor,
                   board::Board& board)
    : context_(context), plan_(std::move(plan)), actor_(std::move(actor)), board_(board) {}

PlanDesk::~PlanDesk() = default;

void PlanDesk::tell(const base::Error& error) {
  std::string text = error.context.empty() ? error.message : error.context + ": " + error.message;
  base::append_line(text, error.hint);
  board_.tell(text, true);
}

// What a use case did; what it warns of goes before that.
void PlanDesk::tell(const Warnings& warnings, const std::string& what) {
  board_.tell(warnings.empty() ? what : warnings.back(), !warnings.empty());
}

void PlanDesk::tell(const app::Outcome& outcome, const std::string& what) {
  app::spawn_job(context_, outcome, kCommand);
  if (outcome.warnings.empty() && !outcome.new_errors.empty())
    return board_.tell(outcome.new_errors.front(), true);
  tell(outcome.warnings, what);
}

std::string PlanDesk::plan_text() const {
  const auto read = app::read_plan(context_, plan_);
  return read ? read->text : std::string();
}

void PlanDesk::remember(Change change) {
  std::vector<Change>& changes = changes_[plan_.path()];
  if (changes.size() >= kMostChanges) changes.erase(changes.begin());
  changes.push_back(std::move(change));
}

// A change of the plan's text. Somebody else may have written between our reading `before` and the use case's
// lock: then there is no text to go back to that has their work.
void PlanDesk::remember_text(const std::string& before, const app::Outcome& outcome) {
  if (!outcome.edited) return;
  Change change{.kind = Change::Kind::text};
  if (is_insertion(before, outcome.text)) {
    change.text_before = before;
    change.text_after = outcome.text;
  }
  remember(std::move(change));
}

// --- looking -------------------------------------------------------------------------------------------

Status PlanDesk::show(std::set<std::string> ours, bool all_ours) {
  TRY_ASSIGN(const app::Shown shown, load_watched(context_, plan_, 0));
  const core::StatusView view = app::view_of(shown);
  note_ = view.session_note.value_or("");
  board_.show_plan({&view, std::move(ours), all_ours});
  std::string warnings;
  for (const std::string& warning : view.warnings) {
    // That stands in the header.
    if (warning != view.unreadable) base::append_line(warnings, warning);
  }
  // Said when it comes up, not for as long as it lasts.
  if (warnings != std::exchange(warned_, warnings) && !warnings.empty() && !board_.message())
    board_.tell(warnings, true);
  if (board_.tab() != board::Tab::plan) load_page(board_.tab());
  return {};
}

Status PlanDesk::load() {
  return show({}, true);
}

Status PlanDesk::reload() {
  return show({}, false);
}

std::vector<std::string> PlanDesk::files() const {
  return watched_files(context_, plan_);
}

void PlanDesk::load_page(board::Tab tab) {
  const auto lines = page_lines(context_, plan_, tab);
  if (!lines) {
    board_.show_page(tab, {});
    return tell(lines.error());
  }
  board_.show_page(tab, *lines);
}

void PlanDesk::load_details(const Action& action) {
  const auto report = app::report_task(context_, plan_, action.target);
  if (!report) return tell(report.error());
  board_.open_sheet("Details", render::task_text(*report, {.columns = board_.size().columns}));
}

Status PlanDesk::open_plan(const Action& action) {
  const auto found = app::plan_at(context_, action.target);
  if (!found) {
    tell(found.error());
    return {};
  }
  const app::PlanLocation before = std::exchange(plan_, found->plan);
  board::Board kept = board_;
  board_.forget_plan();
  verification_.reset();
  if (const Status shown = load(); !shown) {
    plan_ = before;
    board_ = std::move(kept);
    tell(shown.error());
  }
  return {};
}

// --- changing ------------------------------------------------------------------------------------------

Status PlanDesk::show_with(const base::Error& error) {
  tell(error);
  return show({}, false);
}

Status PlanDesk::set_box(const Action& action) {
  auto done = app::set_tasks(context_, plan_, {action.target}, action.box, {actor_});
  if (!done) return show_with(done.error());
  if (!done->changed.empty()) {
    remember({.kind = Change::Kind::box,
              .target = action.target,
              .before = action.before,
              .recorded = std::move(done->recorded)});
  }
  const char* what = action.box == core::BoxState::done   ? "done"
                     : action.box == core::BoxState::open ? "reopened"
                                                          : "started";
  tell(done->outcome, done->changed.empty() ? std::string("nothing to change") : std::string(what));
  return show({action.target}, false);
}

Status PlanDesk::claim(const Action& action) {
  app::ClaimRequest request;
  request.actor = actor_;
  const auto claimed = app::claim_task(context_, plan_, action.target, request);
  if (!claimed) return show_with(claimed.error());
  if (!app::is_granted(claimed->result)) {
    tell(render::claim_refusal(*claimed));
    return show({action.target}, false);
  }
  if (claimed->result == app::ClaimResult::claimed || claimed->result == app::ClaimResult::taken_over)
    remember({.kind = Change::Kind::claim, .target = action.target});
  tell(claimed->outcome, render::claim_text(*claimed, {.columns = render::kUnlimited}));
  return show({action.target}, false);
}

Status PlanDesk::add(const Action& action) {
  app::AddRequest request;
  request.title = action.text;
  request.parent = action.target;
  if (request.parent.empty()) request.phase = action.phase;
  const std::string before = plan_text();
  const auto added = app::add_task(context_, plan_, request, actor_);
  if (!added) return show_with(added.error());
  remember_text(before, added->outcome);
  tell(added->outcome, "added " + added->id);
  return show({core::key_of(added->phase, core::TaskId(added->id))}, false);
}

Status PlanDesk::decide(const Action& action) {
  const std::string before = plan_text();
  const auto outcome = app::record_decision(context_, plan_, action.text, action.reason, actor_);
  if (!outcome) return show_with(outcome.error());
  remember_text(before, *outcome);
  tell(*outcome, "decision recorded");
  return show({}, false);
}

Status PlanDesk::block(const Action& action) {
  const auto outcome = app::raise_blocker(context_, plan_, action.text, actor_);
  if (!outcome) return show_with(outcome.error());
  if (outcome->edited) remember({.kind = Change::Kind::blocker, .target = action.text});
  tell(*outcome, "blocker recorded");
  return show({}, false);
}

Status PlanDesk::note(const Action& action) {
  const std::string before = note_;
  const auto outcome = app::save_note(context_, plan_, action.text, actor_);
  if (!outcome) return show_with(outcome.error());
  tell(*outcome, "note saved");
  Status shown = show({}, false);
  if (note_ != before) remember({.kind = Change::Kind::note, .text_before = before, .text_after = note_});
  return shown;
}

// --- the rest ------------------------------------------------------------------------------------------

Status PlanDesk::act(const Action& action, system::CommandWatch& watch) {
  using Kind = Action::Kind;
  switch (action.kind) {
    case Kind::none:
    case Kind::quit:
    case Kind::redraw:
      return {};
    case Kind::load_page:
      load_page(action.tab);
      return {};
    case Kind::load_details:
      load_details(action);
      return {};
    case Kind::set_box:
      return set_box(action);
    case Kind::claim:
      return claim(action);
    case Kind::verify:
      return ask_to_verify(action, watch);
    case Kind::run_verify:
      return run_verification(action.trust, watch);
    case Kind::add:
      return add(action);
    case Kind::decide:
      return decide(action);
    case Kind::block:
      return block(action);
    case Kind::note:
      return note(action);
    case Kind::undo:
      return undo();
    case Kind::preview_rewind:
      return preview_rewind(action);
    case Kind::rewind:
      return rewind();
    case Kind::open_plan:
      return open_plan(action);
  }
  return {};
}

}  // namespace plankeep::board_screen

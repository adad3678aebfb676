#include "board_screen/plan_desk.hpp"

#include <utility>

#include "board_screen/board_pages.hpp"
#include "checkpoints/job.hpp"
#include "editing/add_task.hpp"
#include "editing/claim.hpp"
#include "editing/complete.hpp"
#include "editing/record.hpp"
#include "project/discover.hpp"
#include "render/claim.hpp"
#include "render/progress/tasks.hpp"
#include "reports/task_report.hpp"
#include "tracking/history.hpp"
#include "tracking/plan_work.hpp"
#include "tracking/project_tree.hpp"
#include "tracking/show.hpp"

namespace plankeep::board_screen {

using base::Status;
using board::Action;

namespace {

// More can be undone by hand.
constexpr std::size_t kMostChanges = 200;
// As `plankeep` names it in what checkpoints say of their cause.
constexpr const char* kCommand = "board";

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
void PlanDesk::tell(const app::Outcome& outcome, const std::string& what) {
  app::spawn_job(context_, outcome, kCommand);
  if (!outcome.warnings.empty()) {
    board_.tell(outcome.warnings.back(), true);
  } else if (!outcome.new_errors.empty()) {
    board_.tell(outcome.new_errors.front(), true);
  } else {
    board_.tell(what, false);
  }
}

std::string PlanDesk::plan_text() const {
  const auto read = app::read_plan(context_, plan_);
  return read ? read->text : std::string();
}

void PlanDesk::remember(Change change) {
  if (changes_.size() >= kMostChanges) changes_.erase(changes_.begin());
  changes_.push_back(std::move(change));
}

// --- looking -------------------------------------------------------------------------------------------

Status PlanDesk::show(std::set<std::string> ours, bool all_ours) {
  const auto folder = context_.files.info(plan_.folder);
  if (folder && folder->kind != system::FileKind::directory) {
    return base::fail(base::ErrorKind::not_found, "the folder of the plan was removed: " + plan_.folder);
  }
  TRY_ASSIGN(app::Shown shown, app::load_shown(context_, plan_, 0));
  app::inspect_tree(context_, shown);
  const core::StatusView view = app::view_of(shown);
  note_ = view.session_note.value_or("");
  board_.show_plan({&view, std::move(ours), all_ours});
  std::string warnings;
  for (const std::string& warning : view.warnings) base::append_line(warnings, warning);
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
  std::vector<std::string> files{plan_.path()};
  // A plan that is a link changes where it leads to.
  const auto real = context_.files.real_path(plan_.path());
  if (real && *real != plan_.path()) files.push_back(*real);
  const auto history = app::HistoryReader::open(context_, plan_);
  if (history) files.push_back(history->path());
  return files;
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
  render::Style style;
  style.columns = board_.size().columns;
  board_.open_sheet("Details", render::task_text(*report, style));
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
  changes_.clear();
  verification_.reset();
  if (const Status shown = load(); !shown) {
    plan_ = before;
    board_ = std::move(kept);
    tell(shown.error());
  }
  return {};
}

// --- changing ------------------------------------------------------------------------------------------

Status PlanDesk::set_box(const Action& action) {
  const auto done = app::set_tasks(context_, plan_, {action.target}, action.box, actor_);
  if (!done) {
    tell(done.error());
    return show({}, false);
  }
  if (!done->changed.empty()) remember({Change::Kind::box, action.target, action.before, {}, {}});
  const char* what = action.box == core::BoxState::done   ? "done"
                     : action.box == core::BoxState::open ? "reopened"
                                                          : "started";
  tell(done->outcome, done->changed.empty() ? std::string("it is so already") : std::string(what));
  return show({action.target}, false);
}

Status PlanDesk::claim(const Action& action) {
  app::ClaimRequest request;
  request.actor = actor_;
  const auto claimed = app::claim_task(context_, plan_, action.target, request);
  if (!claimed) {
    tell(claimed.error());
    return show({}, false);
  }
  if (!app::is_granted(claimed->result)) {
    tell(render::claim_refusal(*claimed));
    return show({action.target}, false);
  }
  if (claimed->result == app::ClaimResult::claimed || claimed->result == app::ClaimResult::taken_over)
    remember({Change::Kind::claim, action.target, {}, {}, {}});
  render::Style style;
  style.columns = render::kUnlimited;
  tell(claimed->outcome, render::claim_text(*claimed, style));
  return show({action.target}, false);
}

Status PlanDesk::add(const Action& action) {
  app::AddRequest request;
  request.title = action.text;
  request.parent = action.target;
  if (request.parent.empty()) request.phase = action.phase;
  const std::string before = plan_text();
  const auto added = app::add_task(context_, plan_, request, actor_);
  if (!added) {
    tell(added.error());
    return show({}, false);
  }
  remember({Change::Kind::text, {}, {}, before, added->outcome.text});
  tell(added->outcome, "added " + added->id);
  return show({"task:" + added->phase.text + "/" + added->id}, false);
}

Status PlanDesk::decide(const Action& action) {
  const std::string before = plan_text();
  const auto outcome = app::record_decision(context_, plan_, action.text, action.reason, actor_);
  if (!outcome) {
    tell(outcome.error());
    return show({}, false);
  }
  remember({Change::Kind::text, {}, {}, before, outcome->text});
  tell(*outcome, "decision recorded");
  return show({}, false);
}

Status PlanDesk::block(const Action& action) {
  const auto outcome = app::raise_blocker(context_, plan_, action.text, actor_);
  if (!outcome) {
    tell(outcome.error());
    return show({}, false);
  }
  if (outcome->edited) remember({Change::Kind::blocker, action.text, {}, {}, {}});
  tell(*outcome, "blocker recorded");
  return show({}, false);
}

Status PlanDesk::note(const Action& action) {
  const std::string before = note_;
  const auto outcome = app::save_note(context_, plan_, action.text, actor_);
  if (!outcome) {
    tell(outcome.error());
    return show({}, false);
  }
  remember({Change::Kind::note, before, {}, {}, {}});
  tell(*outcome, "note saved");
  return show({}, false);
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

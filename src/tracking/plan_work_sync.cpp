// A plan's text against its records: what a sync records.
#include <algorithm>
#include <chrono>
#include <iterator>
#include <string_view>
#include <thread>
#include <utility>

#include "base/checksum_beside.hpp"
#include "markdown/conflicts.hpp"
#include "markdown/parse_plan.hpp"
#include "model/json/state_json.hpp"
#include "project/project.hpp"
#include "rules/match.hpp"
#include "rules/reconcile.hpp"
#include "rules/sessions.hpp"
#include "rules/structure_hash.hpp"
#include "store/brief_state.hpp"
#include "store/journal.hpp"
#include "store/paths.hpp"
#include "store/plan_texts.hpp"
#include "store/tracking_folder.hpp"
#include "tracking/edit_author.hpp"
#include "tracking/git_changes.hpp"
#include "tracking/kept_copies.hpp"
#include "tracking/lost_history.hpp"
#include "tracking/plan_work.hpp"
#include "tracking/predecessor.hpp"
#include "tracking/restored_times.hpp"

namespace plankeep::app {
namespace {

using base::ErrorKind;
using base::Result;
using base::Status;
using core::Event;
using core::EventKind;
using Source = store::Loaded::Source;

// Whoever writes a plan in place empties it first, and is mostly done within some milliseconds.
constexpr int kLooksAtEmpty = 2;
constexpr std::chrono::milliseconds kWriting{15};

constexpr std::uint64_t kParsedBeside = std::uint64_t{64} << 10;  // bytes: larger texts are worth a thread

std::int64_t count_tasks(const core::State& state) {
  std::int64_t tasks = 0;
  for (const core::PhaseState& phase : state.phases) tasks += static_cast<std::int64_t>(phase.tasks.size());
  return tasks;
}

// Errors of the plan itself (spec 6.5). Others (a failing disk, a lock) say nothing about it.
bool unreadable_plan(const base::Error& error) {
  return error.kind == ErrorKind::not_found || error.kind == ErrorKind::corrupt ||
         error.kind == ErrorKind::invalid_input;
}

std::string missing_words(const PlanLocation& plan) {
  return plan.name + " is missing";
}

// Whether the plan could be read at the last look, as the state says. Without a state its last event tells.
bool was_readable(system::Folder& tracking) {
  if (const auto brief = store::read_brief(tracking)) return !brief->plan_unreadable;
  const auto text = tracking.read(store::kState, store::kJsonLimit);
  const auto state = text ? core::decode_state(*text) : base::fail(text.error());
  return state && !state->plan_unreadable;
}

// Notes on changes of boxes that a shell command made them.
void name_shell(core::Reconciled& result, const Edit& edit) {
  if (!edit.in_shell) return;
  for (Event& event : result.events) {
    const bool of_box = event.kind == EventKind::task_completed || event.kind == EventKind::task_reopened ||
                        event.kind == EventKind::task_started || event.kind == EventKind::task_added ||
                        event.kind == EventKind::task_removed;
    if (of_box && event.by == edit.actor && event.via.empty()) event.via = "shell";
  }
}

// Credits ticked tasks to the subagent whose own hook reported the edit.
void name_agent(core::Reconciled& result, const Edit& edit) {
  if (edit.agent.empty()) return;
  for (Event& event : result.events) {
    const bool ticked = event.kind == EventKind::task_completed || event.kind == EventKind::task_attributed;
    if (!ticked || event.by != edit.actor || !event.via.empty()) continue;
    event.agent = edit.agent;
    core::apply_session_event(result.state, event);
  }
}

// Whether somebody is known to have made each of these changes.
bool is_somebodys(const std::vector<Event>& events) {
  const auto nobodys = [](const Event& event) { return event.by == Edit{}.actor; };
  return std::none_of(events.begin(), events.end(), nobodys) &&
         std::any_of(events.begin(), events.end(), [](const Event& event) { return !event.by.empty(); });
}

// Events of a large plan are large: they are moved.
void append(std::vector<Event>& events, std::vector<Event> more) {
  events.insert(events.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

// Whether keep_ids (rules/match) may change an id.
bool may_change_ids(const core::State* before, const core::Plan& plan) {
  if (before != nullptr && core::same_boxes(*before, plan)) return false;
  return std::any_of(plan.phases.begin(), plan.phases.end(), [](const core::Phase& phase) {
    return std::any_of(phase.tasks.begin(), phase.tasks.end(),
                       [](const core::Task& task) { return !task.marked; });
  });
}

}  // namespace

bool is_newly_missing(const Context& context, const PlanLocation& plan) {
  const auto info = context.files.info(plan.path());
  if (!info || info->kind != system::FileKind::missing) return false;
  const auto folder = context.files.open_folder(plan.folder);
  if (!folder) return false;
  const auto tracking = store::open_tracking(**folder, plan.name);
  if (!tracking) return false;
  const auto newest = newest_of_plan(**tracking);
  if (!newest || !*newest) return false;
  return (*newest)->kind != EventKind::parse_error || (*newest)->reason != missing_words(plan) ||
         was_readable(**tracking);
}

core::Event PlanWork::event(EventKind kind) const {
  Event made;
  made.time = now_;
  made.kind = kind;
  return made;
}

std::vector<Event> PlanWork::repair_events() const {
  std::vector<Event> events;
  if (!loaded_->moved_from.empty()) {
    Event& moved = events.emplace_back(event(EventKind::plan_moved));
    moved.plan_id = location_.plan_id();
    moved.from = loaded_->moved_from;
    moved.to = location_.path();
  }
  if (loaded_->source == Source::recovery) {
    events.push_back(event(EventKind::state_corrupted));
    events.back().restored_from = loaded_->file;
  } else if (!loaded_->state && (loaded_->ledger.events() > 0 || !loaded_->damaged.empty())) {
    events.push_back(event(EventKind::full_recovery));
    events.back().source = "plan.md_reparse";
  }
  return events;
}

// Whether an empty text may be one that somebody is just writing: not when it was reported before.
bool PlanWork::may_be_half_written(std::string_view bytes) const {
  if (!bytes.empty() || !loaded_->state || count_tasks(*loaded_->state) == 0) return false;
  return !loaded_->state->plan_unreadable;
}

Result<store::PlanText> PlanWork::read_written() {
  auto text = file_->read();
  if (!text || !may_be_half_written(text->bytes)) return text;
  for (int look = 0; look < kLooksAtEmpty && text && text->bytes.empty(); ++look) {
    std::this_thread::sleep_for(kWriting);
    text = file_->read();
  }
  return text;
}

Status PlanWork::sync(const Edit& edit, bool need_plan) {
  looked_ = true;
  auto text = edit.accept_empty ? file_->read() : read_written();
  text_problem_.reset();
  if (text) return take_text(std::move(text->bytes), text->stamp, edit, need_plan);
  text_problem_ = text.error();
  bytes_.clear();
  checksum_.clear();
  if (!unreadable_plan(text.error())) return base::fail(std::move(text.error()));
  const std::string reason =
      text.error().kind == ErrorKind::not_found ? missing_words(location_) : text.error().message;
  return keep_last(text.error(), reason, edit);
}

bool PlanWork::records_whole() const {
  return loaded_ && loaded_->sound() && !loaded_->advanced && !loaded_->history_short &&
         loaded_->state->every_box && loaded_->state->plan_path == location_.path();
}

Result<bool> PlanWork::read_known() {
  auto text = file_->read();
  if (!text || base::short_checksum(text->bytes) != state().checksum) return false;
  looked_ = true;
  TRY(take_text(std::move(text->bytes), text->stamp, Edit{}, true));
  return outcome_.readable;
}

// An edit that nobody announced, with the agent whose command in the shell made it, if there is one.
Edit PlanWork::with_author(const Edit& given) const {
  if (given.announced || !loaded_->state) return given;
  auto author = author_of_change(context_, location_, *loaded_->state);
  if (!author) return given;
  Edit edit = given;
  edit.actor = std::move(author->actor);
  edit.agent = std::move(author->agent);
  edit.in_shell = true;
  return edit;
}

Status PlanWork::take_text(std::string bytes, std::optional<core::PlanStamp> stamp, const Edit& given,
                           bool need_plan) {
  // Mostly the bytes that unchanged() saw.
  const bool known = !checksum_.empty() && bytes == bytes_;
  bytes_ = std::move(bytes);
  base::ChecksumBeside checksum(known ? std::string_view() : bytes_);
  // A large text is parsed while its checksum is computed, but only if it has most likely changed: parsing an
  // unchanged one would be wasted. Without a recorded stamp (the last edit was too recent) it most likely has
  // not.
  const bool changed = !loaded_->state || (loaded_->state->plan_stamp && loaded_->state->plan_stamp != stamp);
  const bool read_before = first_reading_ && first_reading_->bytes == bytes_;
  std::optional<Result<core::Plan>> parsed;
  if (changed && !known && !read_before && bytes_.size() > kParsedBeside)
    parsed = markdown::parse_plan(bytes_);
  if (!known) checksum_ = checksum.value();
  stamp_ = trusted(stamp);
  outcome_.readable = true;
  const bool same = records_whole() && continued_.empty() && loaded_->state->checksum == checksum_;
  const bool awaited = given.lines != nullptr && loaded_->state && core::awaits_author(*loaded_->state, now_);
  // It is back as it was.
  if (same && loaded_->state->plan_unreadable) {
    core::State read = *loaded_->state;
    read.plan_unreadable = false;
    TRY(keep_bookkeeping(std::move(read)));
  }
  if (same && !need_plan && !awaited) return {};
  if (!same && loaded_->tracked()) {
    TRY(set_foreign_history_aside());
    // First, because these lines may already tell who made the changes. Not before an announced edit, whose
    // actor is known.
    if (!given.announced || !records_whole()) {
      TRY_ASSIGN(const bool put_back, put_kept_lines_back(context_, location_, *tracking_));
      if (put_back) {
        TRY(load());
        warn(std::string(kPutBack));
      }
    }
  }
  const Edit edit = same ? given : with_author(given);

  if (read_before) {
    plan_ = std::move(first_reading_->plan);
  } else {
    if (!parsed) parsed = markdown::parse_plan(bytes_);
    if (!*parsed) {
      const base::Error error = base::with_context(std::move(parsed->error()), location_.name);
      return keep_last(error, location_.name + ": " + error.message, edit);
    }
    plan_ = std::move(**parsed);
  }
  const auto conflict = loaded_->tracked() ? markdown::unresolved_conflict(plan_, bytes_) : std::nullopt;
  if (conflict) {
    const std::string reason = markdown::unresolved_words(location_.name, *conflict);
    return keep_last({ErrorKind::invalid_input, reason, {}, std::string(markdown::kResolveConflict)}, reason,
                     edit);
  }
  has_plan_ = true;
  first_reading_.reset();
  as_written_.reset();
  if (!loaded_->tracked()) return first_sight(edit);
  if (may_change_ids(loaded_->state ? &*loaded_->state : nullptr, plan_)) as_written_ = plan_;

  core::State rebuilt;
  if (loaded_->state) {
    core::keep_ids(*loaded_->state, plan_, edit.new_box);
    loaded_->state->plan_path = location_.path();
  } else {
    rebuilt = effective_state(*loaded_, plan_, location_);
  }
  const core::State& before = loaded_->state ? *loaded_->state : rebuilt;
  if (same && !awaited) return {};
  if (core::emptied(before, plan_) && !edit.accept_empty) {
    const std::string reason = location_.name + " had " + std::to_string(count_tasks(before)) +
                               (count_tasks(before) == 1 ? " task" : " tasks") + " and now has none";
    return keep_last({ErrorKind::conflict, reason, {}, {}}, reason, edit);
  }
  return reconcile(before, edit);
}

// Sets the history of another plan aside, as if this plan had none.
Status PlanWork::set_foreign_history_aside() {
  const auto foreign =
      std::find_if(loaded_->damaged.begin(), loaded_->damaged.end(),
                   [](const store::Damage& damage) { return damage.name == store::kHistory; });
  if (foreign == loaded_->damaged.end()) return {};
  store::StateStore states(*tracking_, location_.plan_id(), location_.path());
  TRY(states.quarantine_damaged({*foreign}, now_));
  warn(std::string(store::kHistory) + " " + foreign->reason + "; it was set aside");
  return load();
}

void PlanWork::note_lint_errors(const std::vector<std::string>& before, core::State& state) {
  state.lint_errors = core::error_lines(plan_.diagnostics);
  for (const std::string& line : state.lint_errors) {
    if (std::find(before.begin(), before.end(), line) == before.end()) outcome_.new_errors.push_back(line);
  }
}

// A text that differs from the kept one in more than its ticks is kept before it is recorded. If that fails,
// the change is recorded all the same.
void PlanWork::keep_text(core::State& state) {
  std::string shape = core::structure_hash(bytes_, plan_);
  if (shape == state.structure_hash) return;
  const Status kept = store::keep_text(*tracking_, bytes_, checksum_, loaded_->history_end, now_);
  if (kept) {
    state.structure_hash = std::move(shape);
  } else {
    warn("could not keep this version of the plan for plankeep restore: " + kept.error().message);
  }
}

ProjectPlans::Tracked PlanWork::why_tracked() const {
  using Tracked = ProjectPlans::Tracked;
  // What is known of the plan under its old name is taken over.
  if (!continued_.empty()) return Tracked::found;
  if (!first_seen_ || announced_ || create_ == Create::always) return Tracked::begun;
  return create_ == Create::if_plan ? Tracked::touched : Tracked::found;
}

Status PlanWork::first_sight(const Edit& edit) {
  first_seen_ = true;
  announced_ = edit.announced;
  std::vector<Event> events = repair_events();
  // Boxes that this edit itself ticked are recorded as ticked by its actor, not as done before.
  const bool shows = edit.announced && edit.lines != nullptr;
  std::optional<core::Plan> unticked;
  if (shows) unticked = core::before_ticks(plan_, bytes_, *edit.lines);
  core::Reconciled seen =
      core::first_sight(unticked ? *unticked : plan_, location_.plan_id(), location_.path(), now_);
  take_times_of_work_trees(context_, *tracking_, location_, seen, now_);
  append(events, std::move(seen.events));
  if (shows) {
    core::Reconciled ticked = core::reconcile(seen.state, plan_, edit.actor, now_);
    core::attribute(ticked, plan_, bytes_, edit.actor, *edit.lines, now_, false);
    name_agent(ticked, edit);
    append(events, std::move(ticked.events));
    outcome_.notices.insert(outcome_.notices.end(), ticked.notices.begin(), ticked.notices.end());
    seen.state = std::move(ticked.state);
  }
  seen.state.checksum = checksum_;
  seen.state.plan_stamp = stamp_;
  note_lint_errors({}, seen.state);
  keep_text(seen.state);
  return commit(std::move(seen.state), std::move(events));
}

Status PlanWork::reconcile(const core::State& before, const Edit& edit) {
  core::Reconciled result = core::reconcile(before, plan_, edit.actor, now_);
  const bool differs = before.checksum != checksum_;
  if (edit.lines != nullptr) core::attribute(result, plan_, bytes_, edit.actor, *edit.lines, now_, !differs);
  if (differs && loaded_->state) {
    const ChangedText changed{bytes_, before.plan_seen.value_or(before.last_saved), edit.announced,
                              loaded_->known_end()};
    TRY(credit_git(context_, *tracking_, location_, changed, result, now_));
  }
  name_agent(result, edit);
  core::give_unread(result, plan_, bytes_, now_);
  name_shell(result, edit);
  if (edit.then != nullptr) give_back_times(*edit.then, result, now_);
  result.state.plan_unreadable = false;
  note_lint_errors(before.lint_errors, result.state);
  // Other tools keep no list of errors, so it is unknown which are new.
  if (loaded_->lint_errors_unknown) outcome_.new_errors.clear();
  std::vector<Event> events = repair_events();
  if (loaded_->history_short) {
    // Somebody deleted or cut the history. What the state still knows is written into it again.
    TRY_ASSIGN(const std::vector<Event> told,
               rebuild_lost_history(*tracking_, before, as_written_ ? *as_written_ : plan_, now_));
    events.insert(events.begin(), told.begin(), told.end());
    warn("the history is shorter than it was: missing records were restored from the state");
  }
  // A save of ours was killed after it wrote its events: they explain the edit, and nothing is left to do.
  const bool own = loaded_->advanced && result.events.empty();
  // Likewise where all of it was announced before it could be read.
  const bool expected = !before.unread.empty() && is_somebodys(result.events);
  if (loaded_->state && differs && !edit.announced && !edit.in_shell && !own && !expected) {
    events.push_back(event(EventKind::checksum_mismatch));
    events.back().action = "reparse";
  }
  if (edit.announced) events.insert(events.end(), with_edit_.begin(), with_edit_.end());
  with_edit_.clear();
  append(events, std::move(result.events));
  outcome_.notices.insert(outcome_.notices.end(), result.notices.begin(), result.notices.end());

  if (edit.unheard && !result.state.unsaid_since &&
      std::any_of(result.notices.begin(), result.notices.end(), core::tells_of_loss))
    result.state.unsaid_since = now_;
  // A new place is written down without anything else to say.
  const bool write = differs || !events.empty() || loaded_->advanced || !loaded_->sound() ||
                     (!continued_.empty() && outcome_.events.empty()) || !(result.state == *loaded_->state);
  if (!write) return {};
  result.state.checksum = checksum_;
  result.state.plan_stamp = stamp_;
  keep_text(result.state);
  return commit(std::move(result.state), std::move(events));
}

Status PlanWork::keep_last(const base::Error& error, const std::string& reason, const Edit& edit) {
  if (!loaded_->tracked()) return base::fail(error);
  outcome_.readable = false;
  outcome_.why_unreadable = reason + ": keeping the last recorded state";
  outcome_.remedy = error.kind == ErrorKind::not_found  ? kMissingPlan
                    : error.kind == ErrorKind::conflict ? kEmptiedPlan
                                                        : "";
  warn(outcome_.why_unreadable + (outcome_.remedy.empty() ? "" : " (" + outcome_.remedy + ")"));

  // Reported once, whatever was recorded since without reading the plan; again if it could be read since.
  TRY_ASSIGN(const auto newest, newest_of_plan(*tracking_, loaded_->known_end()));
  const bool said = newest && newest->kind == EventKind::parse_error && newest->reason == reason &&
                    (!loaded_->state || loaded_->state->plan_unreadable);
  std::vector<Event> events;
  if (loaded_->state) events = repair_events();
  if (!said) {
    events.push_back(event(EventKind::parse_error));
    events.back().fallback = std::string(store::kState);
    events.back().reason = reason;
  }
  if (loaded_->state) {
    core::State kept = *loaded_->state;
    kept.plan_path = location_.path();
    kept.plan_unreadable = true;
    if (!said && edit.unheard && !kept.unsaid_since) kept.unsaid_since = now_;
    // What the edit ticked is its author's also where somebody else finds it.
    if (edit.announced) core::note_unread(kept, edit.actor, edit.agent, edit.said, now_);
    if (events.empty() && !loaded_->advanced && kept.unread == loaded_->state->unread) {
      loaded_->state = std::move(kept);
      return {};
    }
    return commit(std::move(kept), std::move(events));
  }
  // There is neither a state nor a plan, only the history. No state is written from it: it does not know what
  // is still open. The next sync with a plan rebuilds the state.
  core::Plan nothing;
  outcome_.state = effective_state(*loaded_, nothing, location_);
  if (events.empty()) return {};
  TRY(store::append_events(*tracking_, events, now_, &loaded_->chain, loaded_->known_end()));
  outcome_.events.insert(outcome_.events.end(), events.begin(), events.end());
  return {};
}

}  // namespace plankeep::app

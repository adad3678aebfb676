#include "tracking/plan_work.hpp"

#include <algorithm>
#include <utility>

#include "base/checksum_beside.hpp"
#include "base/sha256.hpp"
#include "markdown/parse_plan.hpp"
#include "project/known_folders.hpp"
#include "project/plan_id.hpp"
#include "project/project_plans.hpp"
#include "rules/match.hpp"
#include "rules/reconcile.hpp"
#include "rules/recovery_policy.hpp"
#include "rules/sessions.hpp"
#include "rules/structure_hash.hpp"
#include "store/brief_state.hpp"
#include "store/journal.hpp"
#include "store/paths.hpp"
#include "store/plan_texts.hpp"
#include "store/state_store.hpp"
#include "store/tracking_folder.hpp"
#include "tracking/lost_history.hpp"
#include "tracking/next_cache.hpp"

namespace plankeep::app {
namespace {

using base::ErrorKind;
using base::Result;
using base::Status;
using core::Event;
using core::EventKind;
using Source = store::Loaded::Source;

std::int64_t count_tasks(const core::State& state) {
  std::int64_t tasks = 0;
  for (const core::PhaseState& phase : state.phases) tasks += static_cast<std::int64_t>(phase.tasks.size());
  return tasks;
}

bool same_file(const system::FileInfo& a, const system::FileInfo& b) {
  return a.kind == b.kind && a.inode == b.inode && a.mtime_ns == b.mtime_ns && a.size == b.size;
}

// The errors that mean "this is no plan" (spec 6.5). The rest (a failing disk, a lock) says nothing about the
// plan.
bool unreadable_plan(const base::Error& error) {
  return error.kind == ErrorKind::not_found || error.kind == ErrorKind::corrupt ||
         error.kind == ErrorKind::invalid_input;
}

// How the boxes came to be what they are.
void name_shell(core::Reconciled& result, const Edit& edit) {
  if (!edit.in_shell) return;
  for (Event& event : result.events) {
    const bool of_box = event.kind == EventKind::task_completed || event.kind == EventKind::task_reopened ||
                        event.kind == EventKind::task_started || event.kind == EventKind::task_added ||
                        event.kind == EventKind::task_removed;
    if (of_box && event.by == edit.actor) event.via = "shell";
  }
}

// Whose work the ticked tasks are, where a subagent's own hook told of the edit.
void name_agent(core::Reconciled& result, const Edit& edit) {
  if (edit.agent.empty()) return;
  for (Event& event : result.events) {
    const bool ticked = event.kind == EventKind::task_completed || event.kind == EventKind::task_attributed;
    if (!ticked || event.by != edit.actor) continue;
    event.agent = edit.agent;
    core::apply_session_event(result.state, event);
  }
}

// Ids that keeping them may change (rules/match).
bool has_generated_ids(const core::Plan& plan) {
  return std::any_of(plan.phases.begin(), plan.phases.end(), [](const core::Phase& phase) {
    return std::any_of(phase.tasks.begin(), phase.tasks.end(),
                       [](const core::Task& task) { return !task.marked; });
  });
}

constexpr std::uint64_t kComparedWithoutLock = std::uint64_t{64} << 10;

bool has_boxes(const core::Plan& plan) {
  return std::any_of(plan.phases.begin(), plan.phases.end(), [](const core::Phase& phase) {
    return !phase.tasks.empty() || !phase.acceptance.empty();
  });
}

bool is_gone(system::Folder& folder, const std::string& name) {
  const auto info = folder.info(name);
  return info && info->kind == system::FileKind::missing;
}

// `conflict` when .checkpoint is of a file that is gone: this one may be the same under another name, and
// nobody but a person can tell.
Status check_predecessor(system::Folder& folder, const TrackingProbe& probe, const PlanLocation& plan) {
  if (probe.folder != nullptr || probe.other.empty() || !is_gone(folder, probe.other)) return {};
  return base::fail(
      ErrorKind::conflict, "this folder tracks " + probe.other + ", not " + plan.name,
      probe.other + " no longer exists; to continue with this file: plankeep init " + plan.name);
}

// Whether tracking may begin with this file by itself (spec 2), as far as a look without parsing tells.
Status check_name_and_comment(const Context& context, store::PlanFile& file, const PlanLocation& plan,
                              bool any_name = false) {
  if (!any_name && !is_default_plan_name(plan.name)) return base::fail(not_tracked(context, plan));
  TRY_ASSIGN(const auto text, file.read());
  if (text.bytes.find("<!--") == std::string::npos) return base::fail(not_tracked(context, plan));
  return {};
}

}  // namespace

base::Error not_tracked(const Context& context, const PlanLocation& plan) {
  const std::string shown = shown_path(context, plan.path());
  return base::Error{
      ErrorKind::not_found, shown + " is not tracked yet", {}, "to start: plankeep init " + shown};
}

Status require_trackable(const Context& context, const PlanLocation& plan) {
  TRY_ASSIGN(auto folder, context.files.open_folder(plan.folder));
  TRY_ASSIGN(TrackingProbe probe, inspect_tracking(*folder, plan.name));
  return require_trackable(context, FoundPlan{plan, {std::move(folder), std::move(probe)}});
}

Status require_trackable(const Context& context, const FoundPlan& found) {
  const PlanLocation& plan = found.plan;
  if (found.opened.folder == nullptr) return require_trackable(context, plan);
  system::Folder* folder = found.opened.folder.get();
  if (found.opened.tracking.folder != nullptr) return {};
  const auto tracking = store::open_tracking(*folder, plan.name);
  if (tracking) return {};
  if (tracking.error().kind != ErrorKind::not_found) return base::fail(tracking.error());
  TRY(check_predecessor(*folder, found.opened.tracking, plan));
  store::PlanFile file(context.files, *folder, plan.name);
  return check_name_and_comment(context, file, plan);
}

const core::State& PlanWork::state() const {
  if (loaded_ && loaded_->state) return *loaded_->state;
  return brief_ ? *brief_ : outcome_.state;
}

Outcome PlanWork::take_outcome() {
  if (loaded_ && loaded_->state) outcome_.state = std::move(*loaded_->state);
  if (has_plan_) outcome_.read = std::move(plan_);
  outcome_.text = std::move(bytes_);
  return std::move(outcome_);
}

PlanWork::PlanWork(const Context& context, PlanLocation location)
    : PlanWork(context, FoundPlan{std::move(location)}) {}

PlanWork::PlanWork(const Context& context, FoundPlan found)
    : context_(context), location_(std::move(found.plan)), opened_(std::move(found.opened)) {
  // What is written down is called what the plan is called, whoever found it.
  identify(context_, location_);
  outcome_.plan = location_;
}

Status PlanWork::open(Create create) {
  OpenedPlan opened = std::exchange(opened_, OpenedPlan{});
  if (opened.folder == nullptr) {
    TRY_ASSIGN(opened.folder, context_.files.open_folder(location_.folder));
    TRY_ASSIGN(opened.tracking, inspect_tracking(*opened.folder, location_.name));
  }
  folder_ = std::move(opened.folder);
  file_.emplace(context_.files, *folder_, location_.name);
  if (opened.tracking.folder != nullptr) {
    tracking_ = std::move(opened.tracking.folder);
    outcome_.tracking = tracking_;
    state_text_ = std::move(opened.tracking.state);
    return {};
  }
  auto tracking = store::open_tracking(*folder_, location_.name);
  // Asked for by name, a file goes on with the records of one that is gone.
  if (!tracking && create == Create::always && !opened.tracking.other.empty() &&
      is_gone(*folder_, opened.tracking.other))
    tracking = store::open_top_tracking(*folder_);
  if (tracking) {
    tracking_ = std::move(*tracking);
    outcome_.tracking = tracking_;
    return {};
  }
  if (tracking.error().kind != ErrorKind::not_found) return base::fail(std::move(tracking.error()));
  if (create != Create::always) TRY(check_predecessor(*folder_, opened.tracking, location_));
  const bool marked = create == Create::if_plan || create == Create::if_marked;
  // What a link leads to may be no part of the project: a box alone does not make it a plan.
  if (create == Create::if_boxes) {
    const auto info = folder_->info(location_.name);
    if (!info || info->kind != system::FileKind::regular) return base::fail(not_tracked(context_, location_));
  }
  if (marked) TRY(check_name_and_comment(context_, *file_, location_, create == Create::if_marked));
  // Nothing is made beside a file that cannot be a plan, nor, unasked, beside one without a marker.
  TRY_ASSIGN(auto text, file_->read());
  auto parsed = markdown::parse_plan(text.bytes);
  if (!parsed) return base::fail(base::with_context(parsed.error(), shown_path(context_, location_.path())));
  if (marked && !parsed->has_markers) return base::fail(not_tracked(context_, location_));
  if (create == Create::if_boxes && !has_boxes(*parsed)) return base::fail(not_tracked(context_, location_));
  first_reading_ = FirstReading{std::move(text.bytes), std::move(*parsed)};
  TRY_ASSIGN(tracking_, store::make_tracking(*folder_, location_.name));
  remember_tracking(context_, location_.folder, *folder_);
  outcome_.tracking = tracking_;
  return {};
}

Status PlanWork::load() {
  const std::optional<system::FileContent> text = std::exchange(state_text_, std::nullopt);
  TRY_ASSIGN(loaded_, load_state(*tracking_, location_, text ? &*text : nullptr));
  brief_.reset();
  return {};
}

// As unchanged(), told from the brief.
bool PlanWork::known_in_brief() {
  if (state_text_) return false;
  const base::Instant now = context_.clock.now();
  auto brief = store::read_brief(*tracking_);
  if (!brief || !brief->every_box || brief->plan_id != location_.plan_id() ||
      brief->plan_path != location_.path())
    return false;
  const auto stamp = file_->stamp();
  if (!stamp || (brief->plan_stamp && brief->plan_stamp->size != stamp->size)) return false;
  if (brief->plan_stamp != *stamp) {
    auto text = file_->read();
    if (!text) return false;
    bytes_ = std::move(text->bytes);
    checksum_ = base::short_checksum(bytes_);
    if (checksum_ != brief->checksum) return false;
    if (store::is_settled(text->stamp, now)) store::note_plan_stamp(*tracking_, *brief, text->stamp);
  }
  brief_ = std::move(*brief);
  return true;
}

Result<bool> PlanWork::unchanged_in_brief() {
  if (known_in_brief()) return true;
  return unchanged();
}

Status PlanWork::read_whole() {
  return loaded_ ? Status{} : load();
}

Result<bool> PlanWork::unchanged() {
  TRY(load());
  if (!loaded_->sound() || loaded_->advanced) return false;
  const core::State& state = *loaded_->state;
  if (!state.every_box) return false;  // to be taken over
  if (loaded_->history_end != state.history_offset || state.plan_path != location_.path()) return false;
  const auto stamp = file_->stamp();
  if (stamp && state.plan_stamp && *stamp == *state.plan_stamp) return true;
  if (!stamp) return false;
  // A small file is compared here and spares the lock. A large one under another stamp was most likely
  // changed: it is read once, under the lock. Without a stamp, since it was saved too soon after an edit, it
  // most likely was not; the stamp that a comparison found is kept in the brief.
  const bool large = stamp->size > kComparedWithoutLock;
  if (large && state.plan_stamp) return false;
  const auto brief = large ? store::read_brief(*tracking_) : std::nullopt;
  if (brief && brief->plan_stamp == *stamp) return true;
  const base::Instant now = context_.clock.now();
  auto text = file_->read();
  if (!text) return false;
  bytes_ = std::move(text->bytes);
  checksum_ = base::short_checksum(bytes_);
  if (checksum_ != state.checksum) return false;
  if (brief && store::is_settled(text->stamp, now)) store::note_plan_stamp(*tracking_, *brief, text->stamp);
  return true;
}

Status PlanWork::lock(std::chrono::milliseconds timeout) {
  // A process that died while it made the tracking folder may have left it half made.
  TRY(store::finish_tracking(*folder_, *tracking_));
  // What was read on the way here mostly still holds under the lock.
  if (!loaded_ && state_text_) TRY(load());
  TRY_ASSIGN(lock_, tracking_->lock(store::kLock, timeout));
  now_ = context_.clock.now();
  if (!loaded_) return load();
  // What was read without the lock still holds if nobody saved since: a large state is not read twice.
  const auto info = tracking_->info(store::kState);
  const auto size = store::history_size(*tracking_);
  const bool holds = info && size && loaded_->sound() && same_file(*info, loaded_->state_file) &&
                     *size == loaded_->history_end;
  return holds ? Status{} : load();
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

Status PlanWork::sync(const Edit& edit, bool need_plan) {
  auto text = file_->read();
  if (text) return take_text(std::move(text->bytes), text->stamp, edit, need_plan);
  if (!unreadable_plan(text.error())) return base::fail(std::move(text.error()));
  const std::string reason =
      text.error().kind == ErrorKind::not_found ? location_.name + " is missing" : text.error().message;
  return keep_last(text.error(), reason);
}

Status PlanWork::take_text(std::string bytes, std::optional<core::PlanStamp> stamp, const Edit& edit,
                           bool need_plan) {
  // Mostly the bytes that unchanged() saw.
  const bool known = !checksum_.empty() && bytes == bytes_;
  bytes_ = std::move(bytes);
  base::ChecksumBeside checksum(known ? std::string_view() : bytes_);
  // A large text is read while its checksum is made. Only one that was touched and not changed is read in
  // vain.
  const bool read_before = first_reading_ && first_reading_->bytes == bytes_;
  std::optional<Result<core::Plan>> parsed;
  if (!read_before && bytes_.size() > kComparedWithoutLock) parsed = markdown::parse_plan(bytes_);
  if (!known) checksum_ = checksum.value();
  stamp_ = trusted(stamp);
  outcome_.readable = true;
  const bool same = loaded_->sound() && !loaded_->advanced && !loaded_->history_short &&
                    loaded_->state->every_box && loaded_->state->checksum == checksum_ &&
                    loaded_->state->plan_path == location_.path();
  const bool awaited = edit.lines != nullptr && loaded_->state && core::awaits_author(*loaded_->state, now_);
  if (same && !need_plan && !awaited) return {};

  if (read_before) {
    plan_ = std::move(first_reading_->plan);
  } else {
    if (!parsed) parsed = markdown::parse_plan(bytes_);
    if (!*parsed) {
      const base::Error error = base::with_context(std::move(parsed->error()), location_.name);
      return keep_last(error, location_.name + ": " + error.message);
    }
    plan_ = std::move(**parsed);
  }
  has_plan_ = true;
  first_reading_.reset();
  as_written_.reset();
  if (has_generated_ids(plan_)) as_written_ = plan_;
  if (!loaded_->tracked()) return first_sight(edit);

  core::State rebuilt;
  if (loaded_->state) {
    core::keep_ids(*loaded_->state, plan_);
    loaded_->state->plan_path = location_.path();
  } else {
    rebuilt = effective_state(*loaded_, plan_, location_);
  }
  const core::State& before = loaded_->state ? *loaded_->state : rebuilt;
  if (same && !awaited) return {};
  if (core::emptied(before, plan_) && !edit.accept_empty) {
    const std::string reason = location_.name + " had " + std::to_string(count_tasks(before)) +
                               (count_tasks(before) == 1 ? " task" : " tasks") + " and now has none";
    return keep_last({ErrorKind::conflict, reason, {}, {}}, reason);
  }
  return reconcile(before, edit);
}

void PlanWork::note_lint_errors(const std::vector<std::string>& before, core::State& state) {
  state.lint_errors = core::error_lines(plan_.diagnostics);
  for (const std::string& line : state.lint_errors) {
    if (std::find(before.begin(), before.end(), line) == before.end()) outcome_.new_errors.push_back(line);
  }
}

// A text that differs from the kept one in more than its ticks is kept before it is recorded. Failing must
// not keep the record from being made.
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

Status PlanWork::first_sight(const Edit& edit) {
  first_seen_ = true;
  std::vector<Event> events = repair_events();
  // What the edit that made us look here shows as ticked by it, it was seen to tick.
  const bool shows = edit.announced && edit.lines != nullptr;
  core::Reconciled seen = core::first_sight(shows ? core::before_ticks(plan_, bytes_, *edit.lines) : plan_,
                                            location_.plan_id(), location_.path(), edit.actor, now_);
  events.insert(events.end(), seen.events.begin(), seen.events.end());
  if (shows) {
    core::Reconciled ticked = core::reconcile(seen.state, plan_, edit.actor, now_);
    core::attribute(ticked, plan_, bytes_, edit.actor, *edit.lines, now_);
    name_agent(ticked, edit);
    events.insert(events.end(), ticked.events.begin(), ticked.events.end());
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
  if (edit.lines != nullptr) core::attribute(result, plan_, bytes_, edit.actor, *edit.lines, now_);
  name_agent(result, edit);
  name_shell(result, edit);
  note_lint_errors(before.lint_errors, result.state);
  // Other tools keep no list of errors: then nobody knows which are new.
  if (loaded_->lint_errors_unknown) outcome_.new_errors.clear();
  std::vector<Event> events = repair_events();
  if (loaded_->history_short) {
    // The history was deleted or cut behind our back. What the state still knows is written into it again.
    TRY_ASSIGN(const std::vector<Event> told,
               rebuild_lost_history(*tracking_, before, as_written_ ? *as_written_ : plan_, now_));
    events.insert(events.begin(), told.begin(), told.end());
    warn("the history is shorter than it was: missing records were restored from the state");
  }
  const bool differs = before.checksum != checksum_;
  // Events of a save that died half-way, folded in, and nothing left to do: that edit was recorded by us.
  const bool own = loaded_->advanced && result.events.empty();
  if (loaded_->state && differs && !edit.announced && !own) {
    events.push_back(event(EventKind::checksum_mismatch));
    events.back().action = "reparse";
  }
  if (edit.announced) events.insert(events.end(), with_edit_.begin(), with_edit_.end());
  with_edit_.clear();
  events.insert(events.end(), result.events.begin(), result.events.end());
  outcome_.notices.insert(outcome_.notices.end(), result.notices.begin(), result.notices.end());

  const bool write = differs || !events.empty() || loaded_->advanced || !loaded_->sound() ||
                     !(result.state == *loaded_->state);
  if (!write) return {};
  result.state.checksum = checksum_;
  result.state.plan_stamp = stamp_;
  keep_text(result.state);
  return commit(std::move(result.state), std::move(events));
}

Status PlanWork::keep_last(const base::Error& error, const std::string& reason) {
  if (!loaded_->tracked()) return base::fail(error);
  outcome_.readable = false;
  std::string warning = reason + ": keeping the last recorded state";
  if (error.kind == ErrorKind::conflict) warning += " (if this is intended: plankeep sync --accept-empty)";
  warn(std::move(warning));

  // Said once, whatever sessions and copies were recorded meanwhile.
  TRY_ASSIGN(const auto newest, store::last_events(*tracking_, 1, [](const Event& candidate) {
               return candidate.kind != EventKind::recovery_saved &&
                      candidate.kind != EventKind::note_saved && !core::is_session_event(candidate.kind);
             }));
  const bool said = !newest.empty() && newest.front().event.kind == EventKind::parse_error &&
                    newest.front().event.reason == reason;
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
    if (events.empty() && !loaded_->advanced) {
      loaded_->state = std::move(kept);
      return {};
    }
    return commit(std::move(kept), std::move(events));
  }
  // Neither state nor plan: the history alone tells what was done. No state is written from it, since what it
  // cannot know (what is still open) would be taken for the truth; the next sync with a plan rebuilds.
  core::Plan nothing;
  outcome_.state = effective_state(*loaded_, nothing, location_);
  if (events.empty()) return {};
  TRY(store::append_events(*tracking_, events, now_, &loaded_->chain));
  outcome_.events.insert(outcome_.events.end(), events.begin(), events.end());
  return {};
}

Status PlanWork::commit(core::State state, std::vector<Event> events, std::optional<std::string> recovery) {
  state.plan_id = location_.plan_id();
  state.plan_path = location_.path();
  state.revision = (loaded_->state ? loaded_->state->revision : loaded_->history_lines) + 1;
  // Without an event there is no sync, so no copy either: it would cost more than all the rest.
  if (!recovery && !events.empty() && count_tasks(state) > 0) recovery = core::recovery_reason(state, events);
  if (recovery) {
    events.push_back(event(EventKind::recovery_saved));
    events.back().reason = *recovery;
  }
  if (!events.empty()) state.last_saved = now_;
  state.history_chain = loaded_->chain;
  store::StateStore states(*tracking_, location_.plan_id(), location_.path());
  if (!loaded_->damaged.empty()) TRY(states.quarantine_damaged(loaded_->damaged, now_));
  store::StateStore::Save wanted{std::move(state), std::move(events), std::move(recovery)};
  wanted.found_events = loaded_->advanced;
  outcome_.events.insert(outcome_.events.end(), wanted.events.begin(), wanted.events.end());
  TRY_ASSIGN(core::State saved, states.save(std::move(wanted), now_));
  tell_project(saved);

  LoadedState next;
  next.source = Source::state;
  next.history_end = saved.history_offset;
  next.chain = saved.history_chain;
  next.state_file = keep_for_next(saved);
  next.state = std::move(saved);
  loaded_ = std::move(next);
  return {};
}

// The project's list changes with what it says of the plan, not with every save.
void PlanWork::tell_project(const core::State& saved) {
  const PlanStanding now = standing_from(saved);
  if (loaded_->state && !first_seen_) {
    const PlanStanding before = standing_from(*loaded_->state);
    const bool same = before.complete() == now.complete() && before.archived == now.archived;
    if (same && (!now.complete() || before.plan_stamp == now.plan_stamp)) return;
  }
  ProjectPlans::note(context_, location_, now);
}

// What `next` shows is taken from the plan if this work has read it, else it is what it was. Gives state.json
// as it is now, if that was looked at.
system::FileInfo PlanWork::keep_for_next(const core::State& saved) {
  if (!worth_caching_next(saved)) return {};
  if (has_plan_ && outcome_.readable && saved.checksum == checksum_) {
    write_next_cache(*tracking_, saved, plan_);
  } else if (loaded_->state_file.kind == system::FileKind::regular) {
    revalidate_next_cache(*tracking_, saved, loaded_->state_file, loaded_->history_end);
  }
  const auto info = tracking_->info(store::kState);
  return info ? *info : system::FileInfo{};
}

Status PlanWork::replace(std::string bytes) {
  Status replaced = file_->replace(bytes_, bytes);
  if (!replaced && replaced.error().kind == ErrorKind::not_found && bytes_.empty())
    replaced = file_->create(bytes);
  TRY(replaced);
  bytes_ = std::move(bytes);
  checksum_.clear();
  outcome_.edited = true;
  return {};
}

Status PlanWork::sync_replaced(const Edit& edit) {
  // The stamp of the file counts only if the file still holds what we wrote: a later edit is somebody else's.
  std::optional<core::PlanStamp> stamp;
  auto text = file_->read();
  if (text && text->bytes == bytes_) stamp = text->stamp;
  return take_text(std::move(bytes_), stamp, edit, true);
}

Status PlanWork::save(core::State state, std::vector<Event> events, std::optional<std::string> recovery) {
  return commit(std::move(state), std::move(events), std::move(recovery));
}

Status PlanWork::keep_bookkeeping(core::State state) {
  if (!loaded_->state || !loaded_->sound() || loaded_->advanced || state == *loaded_->state) return {};
  store::StateStore states(*tracking_, location_.plan_id(), location_.path());
  store::StateStore::Save wanted;
  wanted.state = std::move(state);
  TRY_ASSIGN(core::State saved, states.save(std::move(wanted), now_));
  loaded_->state_file = keep_for_next(saved);
  loaded_->state = std::move(saved);
  return {};
}

Status PlanWork::save_copy(std::string reason) {
  return commit(state(), {}, std::move(reason));
}

std::optional<core::PlanStamp> PlanWork::trusted(std::optional<core::PlanStamp> stamp) const {
  // `now_` is older than the look at the file, so this errs towards not trusting.
  return stamp && store::is_settled(*stamp, now_) ? stamp : std::nullopt;
}

}  // namespace plankeep::app

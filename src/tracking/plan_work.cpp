#include "tracking/plan_work.hpp"

#include <algorithm>
#include <utility>

#include "base/sha256.hpp"
#include "markdown/parse_plan.hpp"
#include "markdown/reading_limits.hpp"
#include "model/progress.hpp"
#include "model/removed.hpp"
#include "project/known_folders.hpp"
#include "project/plan_id.hpp"
#include "project/project_plans.hpp"
#include "rules/recovery_policy.hpp"
#include "store/brief_state.hpp"
#include "store/journal.hpp"
#include "store/paths.hpp"
#include "store/state_store.hpp"
#include "store/tracking_folder.hpp"
#include "system/atomic_file.hpp"
#include "tracking/cache/next_cache.hpp"
#include "tracking/predecessor.hpp"
#include "tracking/restored_times.hpp"
#include "tracking/show.hpp"

namespace plankeep::app {
namespace {

using base::ErrorKind;
using base::Result;
using base::Status;
using core::Event;
using core::EventKind;
using Source = store::Loaded::Source;

bool has_tasks(const core::State& state) {
  return std::any_of(state.phases.begin(), state.phases.end(),
                     [](const core::PhaseState& phase) { return !phase.tasks.empty(); });
}

bool same_file(const system::FileInfo& a, const system::FileInfo& b) {
  return a.kind == b.kind && a.inode == b.inode && a.mtime_ns == b.mtime_ns && a.size == b.size;
}

constexpr std::uint64_t kComparedWithoutLock = std::uint64_t{64} << 10;

bool is_unused(system::Folder& tracking) {
  return is_gone(tracking, store::kState) && is_gone(tracking, store::kHistory) &&
         is_gone(tracking, store::recovery_name(0));
}

Status gone_before(const std::string& gone, const std::string& message, const PlanLocation& plan) {
  return base::fail(ErrorKind::conflict, message,
                    gone + " no longer exists; to continue with this file: plankeep init " + plan.name);
}

// `conflict` when .checkpoint is of a file that is gone: this one may be the same under another name, and
// nobody but a person can tell.
Status check_predecessor(system::Folder& folder, const TrackingProbe& probe, const PlanLocation& plan) {
  if (probe.folder != nullptr || probe.other.empty() || !is_gone(folder, probe.other)) return {};
  return gone_before(probe.other, "this folder tracks " + probe.other + ", not " + plan.name, plan);
}

// The same for missing files whose records are below .checkpoint. There may be several, so the boxes must be
// alike.
Status check_renamed(system::Folder& folder, const PlanLocation& location, const core::Plan& plan,
                     const std::string& bytes) {
  TRY_ASSIGN(const auto before, predecessor_of(folder, location, plan, bytes));
  if (!before) return {};
  return gone_before(*before, location.name + " looks like " + *before + " under another name", location);
}

Status check_renamed(system::Folder& folder, store::PlanFile& file, const PlanLocation& location) {
  TRY_ASSIGN(const std::vector<std::string> gone, gone_plans(folder));
  if (gone.empty()) return {};
  const auto text = file.read();
  if (!text) return {};
  const auto plan = markdown::parse_plan(text->bytes);
  return plan ? check_renamed(folder, location, *plan, text->bytes) : Status{};
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
  TRY(check_renamed(*folder, file, plan));
  Status begins = check_name_and_comment(context, file, plan);
  if (begins || begins.error().kind != ErrorKind::not_found) return begins;
  // Nor could init track what is no text.
  const auto text = file.read();
  if (text) {
    if (Status readable = markdown::check_text(text->bytes); !readable)
      return base::fail(base::with_context(std::move(readable.error()), shown_path(context, plan.path())));
  }
  return begins;
}

Status require_tracked(const Context& context, const PlanLocation& plan) {
  TRY_ASSIGN(const auto folder, context.files.open_folder(plan.folder));
  const auto tracking = store::open_tracking(*folder, plan.name);
  if (tracking) return {};
  if (tracking.error().kind != ErrorKind::not_found) return base::fail(tracking.error());
  return base::fail(not_tracked(context, plan));
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
  create_ = create;
  OpenedPlan opened = std::exchange(opened_, OpenedPlan{});
  if (opened.folder == nullptr) {
    TRY_ASSIGN(opened.folder, context_.files.open_folder(location_.folder));
    TRY_ASSIGN(opened.tracking, inspect_tracking(*opened.folder, location_.name));
  }
  folder_ = std::move(opened.folder);
  file_.emplace(context_.files, *folder_, location_.name);
  // .checkpoint belongs to plan.md, even if it only holds the records of other files.
  const bool goes_on = create != Create::if_plan;
  const bool may_be_unused = opened.tracking.folder != nullptr && !opened.tracking.state;
  if (goes_on && may_be_unused && is_unused(*opened.tracking.folder)) {
    const auto first = read_new(create);
    if (first) {
      TRY_ASSIGN(bool taken, take_over(create, opened.tracking.other, first->plan, first->bytes));
      if (!taken) {
        TRY_ASSIGN(taken, take_over_moved(first->plan, first->bytes));
      }
      if (taken) return {};
    }
  }
  if (opened.tracking.folder != nullptr) {
    tracking_ = std::move(opened.tracking.folder);
    outcome_.tracking = tracking_;
    state_text_ = std::move(opened.tracking.state);
    return {};
  }
  auto tracking = store::open_tracking(*folder_, location_.name);
  if (tracking) {
    tracking_ = std::move(*tracking);
    outcome_.tracking = tracking_;
    return {};
  }
  if (tracking.error().kind != ErrorKind::not_found) return base::fail(std::move(tracking.error()));
  const Status of_gone =
      create == Create::always ? Status{} : check_predecessor(*folder_, opened.tracking, location_);
  // Nothing is made beside a file that cannot be a plan, nor, unasked, beside one without a marker.
  auto first = read_new(create);
  if (!first) {
    TRY(of_gone);
    return base::fail(std::move(first.error()));
  }
  if (goes_on) {
    TRY_ASSIGN(const bool taken, take_over(create, opened.tracking.other, first->plan, first->bytes));
    if (taken) return {};
  }
  TRY(of_gone);
  if (goes_on) {
    TRY_ASSIGN(const bool moved, take_over_moved(first->plan, first->bytes));
    if (moved) return {};
  } else {
    TRY(check_renamed(*folder_, location_, first->plan, first->bytes));
  }
  first_reading_ = std::move(*first);
  TRY_ASSIGN(tracking_, store::make_tracking(*folder_, location_.name));
  remember_tracking(context_, location_.folder, *folder_);
  outcome_.tracking = tracking_;
  return {};
}

// A file that nobody tracks, if tracking may begin with it.
Result<PlanWork::FirstReading> PlanWork::read_new(Create create) {
  const bool marked = create == Create::if_plan || create == Create::if_marked;
  // What a link leads to may be no part of the project: a box alone does not make it a plan.
  if (create == Create::if_boxes) {
    const auto info = folder_->info(location_.name);
    if (!info || info->kind != system::FileKind::regular) return base::fail(not_tracked(context_, location_));
  }
  if (marked) TRY(check_name_and_comment(context_, *file_, location_, create == Create::if_marked));
  TRY_ASSIGN(auto text, file_->read());
  auto parsed = markdown::parse_plan(text.bytes);
  if (!parsed) return base::fail(base::with_context(parsed.error(), shown_path(context_, location_.path())));
  if (marked && !parsed->has_markers) return base::fail(not_tracked(context_, location_));
  const bool by_hook = create == Create::if_boxes || create == Create::if_marked;
  if (by_hook && !core::has_boxes(*parsed)) return base::fail(not_tracked(context_, location_));
  return FirstReading{std::move(text.bytes), std::move(*parsed)};
}

// Gives a file the records of a missing file of its folder: of the one with the same boxes, else, if the user
// named the file, of the only missing one, if .checkpoint itself is its folder. `top`: the file that
// .checkpoint names.
Result<bool> PlanWork::take_over(Create create, const std::string& top, const core::Plan& plan,
                                 const std::string& bytes) {
  TRY_ASSIGN(const std::vector<std::string> gone, gone_plans(*folder_));
  if (gone.empty()) return false;
  TRY_ASSIGN(std::optional<std::string> before, predecessor_of(*folder_, location_, plan, bytes));
  if (!before && create == Create::always && gone.size() == 1 && gone.front() == top) before = top;
  if (!before) return false;
  TRY(take_over_records(*folder_, *before, location_.name));
  if (*before == top) {
    TRY_ASSIGN(tracking_, store::open_top_tracking(*folder_));
  } else {
    TRY_ASSIGN(tracking_, store::open_tracking(*folder_, location_.name));
  }
  outcome_.tracking = tracking_;
  continued_ = std::move(*before);
  return true;
}

// The same for a missing file of another folder of the project.
Result<bool> PlanWork::take_over_moved(const core::Plan& plan, const std::string& bytes) {
  TRY_ASSIGN(const auto before, take_over_from_elsewhere(context_, *folder_, location_, plan, bytes));
  if (!before) return false;
  continued_ = before->path();
  auto moved = store::open_tracking(*folder_, location_.name);
  // .checkpoint itself, which names the missing file until the next save.
  if (!moved && moved.error().kind == ErrorKind::not_found) moved = store::open_top_tracking(*folder_);
  if (!moved) return base::fail(std::move(moved.error()));
  tracking_ = std::move(*moved);
  outcome_.tracking = tracking_;
  return true;
}

Status PlanWork::load() {
  const std::optional<system::FileContent> text = std::exchange(state_text_, std::nullopt);
  const bool renamed = !continued_.empty() && !continued_.starts_with('/');
  const std::string before = renamed ? PlanLocation{location_.folder, continued_}.path() : continued_;
  TRY_ASSIGN(loaded_, load_state(*tracking_, location_, text ? &*text : nullptr, before));
  brief_.reset();
  return {};
}

// unchanged() as far as the brief can answer. False: it cannot, or something has changed.
bool PlanWork::known_in_brief() {
  if (state_text_) return false;
  const base::Instant now = context_.clock.now();
  auto brief = store::read_brief(*tracking_);
  if (!brief || !brief->every_box || brief->plan_unreadable || brief->plan_id != location_.plan_id() ||
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
  if (!continued_.empty()) return false;  // the new place is to be written down
  if (!loaded_->sound() || loaded_->advanced) return false;
  const core::State& state = *loaded_->state;
  if (!state.every_box) return false;       // to be taken over
  if (state.plan_unreadable) return false;  // if it can be read again, that is to be written down
  if (loaded_->history_end != state.history_offset || state.plan_path != location_.path()) return false;
  const auto stamp = file_->stamp();
  if (stamp && state.plan_stamp && *stamp == *state.plan_stamp) return true;
  if (!stamp) return false;
  // A small file is compared here, without the lock. A large one with another stamp has most likely changed
  // and is read once, under the lock. If no stamp was recorded, because the edit was too recent, it has most
  // likely not changed; the brief keeps the stamp that this comparison finds.
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
  TRY_ASSIGN(lock_, store::lock_tracking(*tracking_, timeout));
  now_ = context_.clock.now();
  if (!loaded_) return load();
  // What was read without the lock still holds if nobody saved since: a large state is not read twice.
  const auto info = tracking_->info(store::kState);
  const auto size = store::history_size(*tracking_);
  const bool holds = info && size && loaded_->sound() && same_file(*info, loaded_->state_file) &&
                     *size == loaded_->history_end;
  return holds ? Status{} : load();
}

Status PlanWork::commit(core::State state, std::vector<Event> events, std::optional<std::string> recovery) {
  state.plan_id = location_.plan_id();
  state.plan_path = location_.path();
  state.revision = (loaded_->state ? loaded_->state->revision : loaded_->history_lines) + 1;
  // Without an event there is no sync, so no copy either: it would cost more than all the rest.
  if (!recovery && !events.empty() && has_tasks(state)) recovery = core::recovery_reason(state, events);
  if (recovery) {
    events.push_back(event(EventKind::recovery_saved));
    events.back().reason = *recovery;
  }
  TRY(name_criteria_given_back(*tracking_, events));
  // What git did to the plan since the last look is found by the next one, whatever is saved in between.
  if (looked_) {
    state.plan_seen.reset();
  } else if (!state.plan_seen && loaded_->state) {
    state.plan_seen = loaded_->state->last_saved;
  }
  if (!events.empty()) state.last_saved = now_;
  for (const core::Event& event : events) core::note_vanished(state, event);
  state.history_chain = loaded_->chain;
  store::StateStore states(*tracking_, location_.plan_id(), location_.path());
  if (!loaded_->damaged.empty()) TRY(states.quarantine_damaged(loaded_->damaged, now_));
  store::StateStore::Save wanted{std::move(state), std::move(events), std::move(recovery)};
  wanted.found_events = loaded_->advanced;
  wanted.history_end = loaded_->known_end();
  TRY_ASSIGN(core::State saved, states.save(wanted, now_));
  for (Event& event : wanted.events) {
    event.batch = {};
    outcome_.events.push_back(std::move(event));
  }
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
    const bool same = before.complete == now.complete && before.archived == now.archived;
    if (same && continued_.empty() && (!now.complete || before.plan_stamp == now.plan_stamp)) return;
  }
  ProjectPlans::note(context_, location_, now, why_tracked());
  if (continued_.empty()) return;
  const bool elsewhere = continued_.starts_with('/');
  const PlanLocation before{elsewhere ? parent_of(continued_) : location_.folder, last_part(continued_)};
  ProjectPlans::note_move(context_, before, location_);
}

// What `next` shows is taken from the plan if this work has read it, else it is what it was. Gives state.json
// as it is now, if that was looked at.
system::FileInfo PlanWork::keep_for_next(const core::State& saved) {
  if (!worth_caching_next(saved)) return {};
  // That tasks are gone or the plan is archived is said, and the cache does not know it.
  if (saved.vanished_at || saved.archived_at) return {};
  if (has_plan_ && outcome_.readable && saved.checksum == checksum_) {
    write_next_cache(*tracking_, saved, plan_);
  } else if (loaded_->state_file.kind == system::FileKind::regular) {
    revalidate_next_cache(*tracking_, saved, loaded_->state_file, loaded_->history_end);
  }
  const auto info = tracking_->info(store::kState);
  return info ? *info : system::FileInfo{};
}

// A change that could not be recorded would be taken for an edit from outside: the history has to be one that
// can be appended to, and the folder one where state.json can be replaced.
Status PlanWork::check_recordable() {
  const std::string temporary = system::temporary_name(store::kState);
  TRY_ASSIGN(const system::FileInfo info, tracking_->info(store::kHistory));
  // One that is missing is made when it is written, and its name synced then.
  if (info.kind != system::FileKind::missing) TRY(tracking_->open_append(store::kHistory));
  TRY(tracking_->create(temporary));
  return tracking_->remove(temporary);
}

Status PlanWork::require_recordable() {
  Status recordable = check_recordable();
  if (recordable) return recordable;
  return base::fail(base::with_context(std::move(recordable.error()),
                                       "the plan was not changed, since that could not be recorded"));
}

Status PlanWork::remove() {
  TRY(require_recordable());
  TRY(file_->remove(bytes_));
  outcome_.edited = true;
  return {};
}

Status PlanWork::replace(std::string bytes, std::optional<std::uint32_t> permissions) {
  TRY(require_recordable());
  Status replaced = file_->replace(bytes_, bytes, permissions);
  if (!replaced && replaced.error().kind == ErrorKind::not_found && bytes_.empty())
    replaced = file_->create(bytes, permissions);
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
  wanted.history_end = loaded_->known_end();
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

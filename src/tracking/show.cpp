#include "tracking/show.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "base/checksum_beside.hpp"
#include "base/text.hpp"
#include "markdown/conflicts.hpp"
#include "markdown/parse_plan.hpp"
#include "project/plan_standing.hpp"
#include "project/project.hpp"
#include "project/project_plans.hpp"
#include "project/state_home.hpp"
#include "rules/matching/vanished.hpp"
#include "rules/reconcile.hpp"
#include "store/journal.hpp"
#include "store/paths.hpp"
#include "store/plan_file.hpp"
#include "store/tracking_folder.hpp"
#include "tracking/cache/shown_cache.hpp"
#include "tracking/git_changes.hpp"
#include "tracking/lease_holders.hpp"
#include "tracking/loaded_state.hpp"
#include "tracking/memory_copy.hpp"
#include "tracking/predecessor.hpp"
#include "worktree/restore_tree.hpp"

namespace plankeep::app {
namespace {

using base::ErrorKind;
using base::Result;
using base::Status;
using Source = store::Loaded::Source;

constexpr std::size_t kAllOfThem = std::numeric_limits<std::size_t>::max();
// What is said of a plan must not take longer the longer nobody has changed it.
constexpr std::size_t kLinesLookedAt = 20000;

void warn_of_damage(const LoadedState& loaded, Shown& shown) {
  for (const store::Damage& damage : loaded.damaged) {
    shown.warnings.push_back(damage.name + " is damaged (" + damage.reason +
                             "): run plankeep doctor --repair");
  }
  if (loaded.state_missing && loaded.damaged.empty()) {
    shown.warnings.push_back("state.json is missing: run plankeep sync");
  }
  const auto of_history = [](const store::Damage& damage) { return damage.name == store::kHistory; };
  if (loaded.history_short && std::none_of(loaded.damaged.begin(), loaded.damaged.end(), of_history))
    shown.warnings.push_back(std::string(kHistoryCut) +
                             ": restore the longer one if you have it, else run plankeep sync");
}

// Tasks, criteria and the rest that a sync now would record: changes, not the events of their phases.
std::size_t count_changes(const std::vector<core::Event>& events) {
  std::size_t changes = 0;
  for (const core::Event& event : events) {
    using core::EventKind;
    const bool follows = event.kind == EventKind::phase_started || event.kind == EventKind::phase_completed ||
                         event.kind == EventKind::phase_reopened || event.kind == EventKind::phase_removed ||
                         event.kind == EventKind::boxes_found || event.kind == EventKind::boxes_skipped ||
                         event.kind == EventKind::tasks_ordered;
    if (!follows) ++changes;
  }
  return changes;
}

// Null when the file is not tracked.
Result<std::unique_ptr<system::Folder>> tracking_of(system::Folder& folder, const PlanLocation& plan) {
  auto tracking = store::open_tracking(folder, plan.name);
  if (tracking || tracking.error().kind != ErrorKind::not_found) return tracking;
  return std::unique_ptr<system::Folder>();
}

// Events of tasks and criteria that were added or removed in the save that was made at `time`.
Result<std::vector<core::Event>> save_at(system::Folder& tracking, base::Instant time) {
  const store::EventQuery query{
      .kinds = {core::EventKind::task_added, core::EventKind::task_removed, core::EventKind::acceptance_added,
                core::EventKind::acceptance_removed},
      .back_to = time,
      .within = kLinesLookedAt,
      .matches = [time](const core::Event& event) { return event.time == time; }};
  TRY_ASSIGN(auto lines, store::last_events(tracking, kAllOfThem, query));
  std::vector<core::Event> events;
  for (store::TailLine& line : lines) events.push_back(std::move(line.event));
  return events;
}

Status add_lately_vanished(system::Folder& tracking, Shown& shown) {
  if (!shown.state || !shown.plan || !shown.vanished.empty()) return {};
  TRY_ASSIGN(shown.vanished, lately_vanished(tracking, *shown.state));
  std::erase_if(shown.vanished,
                [&shown](const core::VanishedTask& one) { return core::is_back(shown.plan->phases, one); });
  return {};
}

// Says that there is no plan to be shown.
void show_recorded(std::string why, std::string_view remark, Shown& shown) {
  shown.unreadable = why + "; showing the last recorded state" + std::string(remark);
  shown.why = std::move(why);
  shown.warnings.push_back(shown.unreadable);
}

// `loaded`, `tracking`: null where the plan is not tracked.
// Takes the state of `loaded`.
Status show_plan(const Context& context, system::Folder* tracking, LoadedState* loaded, core::Plan plan,
                 std::string_view text, const std::string& checksum, Shown& shown) {
  if (tracking == nullptr || loaded == nullptr || !loaded->tracked()) {
    shown.warnings.push_back("not tracked yet: run plankeep init " + shown.file);
    shown.plan = std::move(plan);
    return {};
  }
  const bool recorded = loaded->state.has_value();
  core::State before = take_effective_state(*loaded, plan, shown.location);
  if (core::emptied(before, plan)) {
    shown.remedy = kEmptiedPlan;
    show_recorded(shown.file + " has no tasks any more", " (" + shown.remedy + ")", shown);
    shown.state = std::move(before);
    return {};
  }
  if (recorded && before.every_box && before.checksum == checksum) {
    shown.state = std::move(before);
  } else {
    core::Reconciled result = core::reconcile(before, plan, "external", shown.now);
    if (recorded && before.checksum != checksum) {
      const ChangedText changed{text, before.plan_seen.value_or(before.last_saved), false,
                                loaded->known_end()};
      TRY(credit_git(context, *tracking, shown.location, changed, result, shown.now));
    }
    shown.vanished = core::vanished_by(result.events, false);
    const std::size_t changes = count_changes(result.events);
    if (changes > 0) {
      shown.warnings.push_back(base::counted(changes, "change is", "changes are") +
                               " not recorded yet: run plankeep sync");
    }
    shown.state = std::move(result.state);
    shown.saved_at = before.last_saved;
  }
  shown.plan = std::move(plan);
  return {};
}

// Fills `shown` from the cache. False: there is none, or something has changed since.
bool take_known(const Context& context, system::Folder& tracking, store::PlanFile& file, Shown& shown) {
  auto known = read_shown_cache(context, tracking, shown.location, file);
  if (!known) return false;
  shown.source = Source::state;
  shown.plan = std::move(known->plan);
  shown.state = std::move(known->state);
  shown.ids_as_written = known->ids_as_written;
  return true;
}

std::vector<std::string> ids_of(const core::Plan& plan) {
  std::vector<std::string> ids;
  for (const core::Phase& phase : plan.phases) {
    ids.push_back(phase.id.text);
    for (const core::Task& task : phase.tasks) ids.push_back(task.id.text);
    for (const core::Criterion& criterion : phase.acceptance) ids.push_back(criterion.id.text);
  }
  return ids;
}

// Caches a large plan that is as it was recorded, so that the next command need not parse it. `as_written`:
// the ids that its text alone gives.
void keep_known(const Context& context, system::Folder& tracking, const LoadedState& loaded,
                const system::FileInfo& plan, const std::vector<std::string>& as_written, Shown& shown) {
  const bool as_recorded = loaded.sound() && !loaded.advanced && !loaded.history_short && shown.plan &&
                           shown.state && shown.state->every_box;
  if (!as_recorded) return;
  shown.ids_as_written = as_written == ids_of(*shown.plan);
  // Lent: the table is gone before the plan is.
  const std::shared_ptr<const core::Plan> lent(std::shared_ptr<void>(), &*shown.plan);
  write_shown_cache(context, tracking, shown.location, plan, loaded.state_file,
                    {*shown.plan, *shown.state, shown.ids_as_written},
                    core::make_table(view_of(shown), lent));
}

Result<std::vector<core::Event>> newest_events(system::Folder& tracking, std::size_t count) {
  std::vector<core::Event> events;
  if (count == 0) return events;
  TRY_ASSIGN(auto lines,
             store::last_events(tracking, count, {.parts = core::EventParts::without_inventories}));
  for (store::TailLine& line : lines) events.push_back(std::move(line.event));
  return events;
}

// What lies in the git directory and a person has to know of.
void add_warnings_of_git(const Context& context, const PlanLocation& location, Shown& shown) {
  if (const auto offer = memory_offer(context, location)) shown.warnings.push_back(memory_words(*offer));
  std::string interrupted = interrupted_rewind_words(context, location);
  if (!interrupted.empty()) shown.warnings.push_back(std::move(interrupted));
}

// All but the standings of the leases. `unsaved`: what the file is taken to hold.
Result<Shown> inspect(const Context& context, const PlanLocation& location, std::size_t recent,
                      std::optional<std::string_view> unsaved) {
  Shown shown;
  shown.location = location;
  shown.file = shown_path(context, location.path());
  shown.now = context.clock.now();
  TRY_ASSIGN(auto folder, context.files.open_folder(location.folder));
  TRY_ASSIGN(const auto tracking, tracking_of(*folder, location));

  store::PlanFile file(context.files, *folder, location.name);
  std::optional<LoadedState> loaded;
  if (tracking) {
    if (!unsaved && take_known(context, *tracking, file, shown)) {
      TRY_ASSIGN(shown.recent, newest_events(*tracking, recent));
      add_warnings_of_git(context, location, shown);
      TRY(add_lately_vanished(*tracking, shown));
      return shown;
    }
    TRY_ASSIGN(loaded, load_state(*tracking, location));
    shown.source = loaded->source;
    warn_of_damage(*loaded, shown);
    TRY_ASSIGN(shown.recent, newest_events(*tracking, recent));
  }

  const auto text = unsaved ? store::PlanText{std::string(*unsaved), {}, {}} : file.read();
  std::optional<base::ChecksumBeside> checksum;
  if (text) checksum.emplace(text->bytes);
  add_warnings_of_git(context, location, shown);
  Result<core::Plan> plan = text ? markdown::parse_plan(text->bytes) : base::fail(text.error());
  const bool tracked = loaded && loaded->tracked();
  // Any text can be parsed as Markdown, so a list of users would be shown as a plan at 0 %.
  if (plan && !tracked && plan->phases.empty() && !is_markdown_name(location.name)) {
    return base::fail(ErrorKind::invalid_input,
                      shown.file + " is not a plan: it is not a Markdown file and has no boxes",
                      "name the plan's file, or omit it to use the plan in this folder");
  }
  const auto conflict = plan && tracked ? markdown::unresolved_conflict(*plan, text->bytes) : std::nullopt;
  if (conflict)
    plan = base::fail(ErrorKind::invalid_input, markdown::unresolved_words(shown.file, *conflict));
  if (plan) {
    const bool known = !unsaved && loaded && loaded->state && loaded->state->checksum == checksum->value() &&
                       worth_caching_shown(context, *loaded->state, text->info, loaded->state_file);
    const std::vector<std::string> as_written = known ? ids_of(*plan) : std::vector<std::string>();
    TRY(show_plan(context, tracking.get(), loaded ? &*loaded : nullptr, std::move(*plan), text->bytes,
                  checksum->value(), shown));
    if (known) keep_known(context, *tracking, *loaded, text->info, as_written, shown);
    if (tracking) TRY(add_lately_vanished(*tracking, shown));
    return shown;
  }
  if (!loaded || !loaded->tracked()) {
    if (!text) return base::fail(text.error());
    return base::fail(base::with_context(plan.error(), shown.file));
  }
  const bool missing = plan.error().kind == ErrorKind::not_found;
  shown.remedy = conflict ? std::string(markdown::kResolveConflict) : renamed_words(context, location);
  if (missing && shown.remedy.empty()) shown.remedy = kMissingPlan;
  // How a conflict is resolved is known to who has one.
  const std::string remark = conflict || shown.remedy.empty() ? "" : " (" + shown.remedy + ")";
  const std::string why = missing ? shown.file + " is missing" : plan.error().message;
  show_recorded(conflict ? why : "the plan cannot be read (" + why + ")", remark, shown);
  core::Plan nothing;
  shown.state = effective_state(*loaded, nothing, location);
  return shown;
}

}  // namespace

base::Error without_plan(const Shown& shown, std::string_view consequence) {
  return {ErrorKind::conflict,
          shown.why + ", so " + std::string(consequence),
          {},
          shown.remedy.empty() ? "for details: plankeep doctor" : shown.remedy};
}

namespace {

// Of the events of one save.
std::vector<core::VanishedTask> vanished_in(const std::vector<core::Event>& events,
                                            const core::State& state) {
  std::vector<core::VanishedTask> vanished;
  // The first save has nothing that could be gone; and a plan without any task is recorded only if somebody
  // said that it is meant so (spec 6.5).
  const bool any = std::any_of(state.phases.begin(), state.phases.end(),
                               [](const core::PhaseState& phase) { return !phase.tasks.empty(); });
  if (!state.vanished_at || state.revision <= 1 || !any) return vanished;
  vanished = core::vanished_by(events, true);
  std::erase_if(vanished,
                [&state](const core::VanishedTask& one) { return core::is_back(state.phases, one); });
  return vanished;
}

}  // namespace

Result<std::vector<core::VanishedTask>> lately_vanished(system::Folder& tracking, const core::State& state) {
  if (!state.vanished_at) return std::vector<core::VanishedTask>();
  TRY_ASSIGN(const std::vector<core::Event> events, save_at(tracking, *state.vanished_at));
  return vanished_in(events, state);
}

Result<Shown> load_shown(const Context& context, const PlanLocation& location, std::size_t recent) {
  TRY_ASSIGN(Shown shown, inspect(context, location, recent, std::nullopt));
  if (shown.state) shown.statuses = lease_statuses(context, *shown.state, shown.now);
  return shown;
}

Result<Shown> load_shown_of_text(const Context& context, const PlanLocation& location,
                                 std::string_view text) {
  TRY_ASSIGN(Shown shown, inspect(context, location, 0, text));
  if (shown.state) shown.statuses = lease_statuses(context, *shown.state, shown.now);
  return shown;
}

std::string interrupted_rewind_words(const Context& context, const PlanLocation& location) {
  const Project project(context, location.folder);
  if (!project.in_git()) return {};
  const auto files = open_project_files(context, project, false);
  if (!files || !git::is_restore_broken_off(*files->folder)) return {};
  return "a rewind was interrupted, so files may be a mix of before and after; to repair: plankeep doctor "
         "--repair";
}

base::Result<Shown> shown_after(const Context& context, Outcome outcome) {
  Shown shown;
  shown.file = shown_path(context, outcome.plan.path());
  shown.location = std::move(outcome.plan);
  shown.plan = std::move(outcome.read);
  shown.state = std::move(outcome.state);
  shown.source = Source::state;
  shown.now = context.clock.now();
  shown.statuses = lease_statuses(context, *shown.state, shown.now);
  return shown;
}

Result<ReadFile> read_plan(const Context& context, const PlanLocation& location) {
  TRY_ASSIGN(auto folder, context.files.open_folder(location.folder));
  store::PlanFile file(context.files, *folder, location.name);
  TRY_ASSIGN(auto text, file.read());
  base::ChecksumBeside checksum(text.bytes);
  auto plan = markdown::parse_plan(text.bytes);
  if (!plan)
    return base::fail(base::with_context(std::move(plan.error()), shown_path(context, location.path())));
  std::string digest = checksum.value();
  return ReadFile{location, std::move(digest), std::move(*plan), std::move(text.bytes)};
}

std::string phase_note(const Context& context, const PlanLocation& location, std::size_t number) {
  auto folder = context.files.open_folder(location.folder);
  if (!folder) return {};
  const auto names = (*folder)->list();
  if (!names) return {};
  const std::string digits = std::to_string(number);
  const std::string two = digits.size() < 2 ? "0" + digits : digits;
  for (const std::string& start : {"phase-" + two, "phase-" + digits}) {
    for (const std::string& name : *names) {
      const bool markdown = name.size() > 3 && name.compare(name.size() - 3, 3, ".md") == 0;
      if (!markdown || name.compare(0, start.size(), start) != 0) continue;
      // "phase-1" is not the start of "phase-10".
      const char next = name[start.size()];
      if (next == '-' || next == '.' || next == '_') return name;
    }
  }
  return {};
}

std::vector<OtherActive> other_active_plans(const Context& context, const PlanLocation& location) {
  std::vector<OtherActive> others;
  const Project project(context, location.folder);
  for (const PlanLocation& plan : ProjectPlans(context, project).not_over(context.clock.now())) {
    if (plan == location) continue;
    // Mostly the head of its state says all; a large one is not read whole for a line about another plan.
    if (const PlanStanding standing = plan_standing(context, plan); standing.recorded) {
      if (standing.active() && standing.open) others.push_back({plan, standing.progress});
      continue;
    }
    auto folder = context.files.open_folder(plan.folder);
    if (!folder) continue;
    const auto tracking = store::open_tracking(**folder, plan.name);
    if (!tracking) continue;
    const auto loaded = load_state(**tracking, plan);
    if (!loaded || !loaded->state || loaded->state->archived_at) continue;
    const core::Progress& progress = loaded->state->progress;
    if (loaded->state->current_phase) others.push_back({plan, progress});
  }
  return others;
}

namespace {

core::StatusView view_with(const Shown& shown, bool tasks) {
  core::ViewInput input;
  input.tasks = tasks;
  input.plan = shown.plan ? &*shown.plan : nullptr;
  input.state = shown.state ? &*shown.state : nullptr;
  input.plan_id = shown.location.plan_id();
  input.path = shown.location.path();
  input.file = shown.file;
  input.source = shown.source;
  input.warnings = shown.warnings;
  input.recent = shown.recent;
  input.statuses = shown.statuses;
  input.self = shown.self ? &*shown.self : nullptr;
  input.now = shown.now;
  input.tree = shown.tree;
  input.vanished = shown.vanished;
  input.unreadable = shown.unreadable;
  core::StatusView view = core::make_view(input);
  if (shown.saved_at) view.last_saved = *shown.saved_at;
  return view;
}

}  // namespace

core::StatusView view_of(const Shown& shown) {
  return view_with(shown, true);
}

core::StatusView counts_of(const Shown& shown) {
  return view_with(shown, false);
}

core::TaskTable table_of(Shown shown) {
  core::StatusView view = view_of(shown);
  return core::make_table(std::move(view), std::move(shown.plan));
}

std::optional<LoadedTable> known_table(const Context& context, const PlanLocation& location) {
  const auto folder = context.files.open_folder(location.folder);
  if (!folder) return std::nullopt;
  const auto tracking = tracking_of(**folder, location);
  if (!tracking || !*tracking) return std::nullopt;
  store::PlanFile file(context.files, **folder, location.name);
  auto known = read_table_cache(context, **tracking, location, file);
  if (!known) return std::nullopt;
  core::TaskTable table = std::move(known->table);
  table.plan_id = location.plan_id();
  table.path = location.path();
  table.file = shown_path(context, table.path);
  table.now = context.clock.now();
  core::put_leases(table, known->state, lease_statuses(context, known->state, table.now));
  return LoadedTable{std::move(table), known->state.history_offset};
}

Result<LoadedTable> load_table(const Context& context, const PlanLocation& location) {
  if (auto known = known_table(context, location)) return std::move(*known);
  TRY_ASSIGN(Shown shown, load_shown(context, location, 0));
  return LoadedTable{table_of(std::move(shown))};
}

}  // namespace plankeep::app

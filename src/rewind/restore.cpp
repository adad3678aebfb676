#include "rewind/restore.hpp"

#include <algorithm>
#include <charconv>
#include <unordered_map>
#include <utility>

#include "base/sha256.hpp"
#include "editing/edit_loop.hpp"
#include "markdown/edits/edit_plan.hpp"
#include "markdown/parse_plan.hpp"
#include "merge/put_back.hpp"
#include "model/progress.hpp"
#include "model/state.hpp"
#include "rules/match.hpp"
#include "rules/replay.hpp"
#include "store/journal.hpp"
#include "store/plan_file.hpp"
#include "store/plan_texts.hpp"
#include "store/tracking_folder.hpp"
#include "tracking/plan_work.hpp"
#include "tracking/restored_times.hpp"
#include "tracking/show.hpp"

namespace plankeep::app {
namespace {

using base::ErrorKind;
using base::Result;
using base::Status;
using core::Event;
using core::EventKind;

constexpr std::size_t kFewestDigits = 4;
constexpr int kRounds = 20;  // as in editing/edit_loop

// One earlier text as it was when its time was over.
struct Version {
  store::KeptText kept;
  std::string bytes;
  core::Plan plan;    // ids as they were known then
  core::State state;  // what was believed then
};

// The boxes of `plan` that differ from what was believed.
void collect_boxes(const core::Plan& plan, const core::State& state, std::vector<core::Box>& tick,
                   std::vector<core::Box>& clear) {
  for (const core::Phase& phase : plan.phases) {
    const auto known = std::find_if(state.phases.begin(), state.phases.end(),
                                    [&phase](const core::PhaseState& one) { return one.id == phase.id; });
    if (known == state.phases.end()) continue;
    const auto add = [&](bool is, bool was, const std::vector<core::Box>& boxes) {
      std::vector<core::Box>& to = was ? tick : clear;
      if (is != was) to.insert(to.end(), boxes.begin(), boxes.end());
    };
    std::unordered_map<std::string_view, bool> done;
    for (const core::TaskState& task : known->tasks) done.emplace(task.id.text, task.done);
    for (const core::Task& task : phase.tasks) {
      if (const auto one = done.find(task.id.text); one != done.end())
        add(task.done(), one->second, task.boxes);
    }
    std::unordered_map<std::string_view, bool> met;
    for (const core::CriterionState& criterion : known->acceptance)
      met.emplace(criterion.id.text, criterion.met);
    for (const core::Criterion& criterion : phase.acceptance) {
      if (const auto one = met.find(criterion.id.text); one != met.end())
        add(criterion.met, one->second, criterion.boxes);
    }
  }
}

Result<std::string> with_boxes(std::string bytes, const std::vector<core::Box>& boxes, core::BoxState state) {
  if (boxes.empty()) return bytes;
  TRY_ASSIGN(const core::Plan plan, markdown::parse_plan(bytes));
  return markdown::set_boxes(bytes, plan, boxes, state);
}

// `text` as the history at this moment knows it. A text that is no plan is given back as it is.
Result<Version> version_of(const store::KeptText& kept, std::string text, const core::Ledger& ledger,
                           const PlanLocation& location) {
  Version version;
  version.kept = kept;
  version.bytes = std::move(text);
  auto plan = markdown::parse_plan(version.bytes);
  if (!plan) return version;
  version.plan = std::move(*plan);
  version.state = ledger.rebuild(version.plan, location.plan_id(), location.path());
  std::vector<core::Box> tick;
  std::vector<core::Box> clear;
  collect_boxes(version.plan, version.state, tick, clear);
  if (tick.empty() && clear.empty()) return version;
  // A box holds one character, and may hold a longer one: what is ticked first may move what is cleared.
  TRY_ASSIGN(version.bytes, with_boxes(std::move(version.bytes), tick, core::BoxState::done));
  TRY_ASSIGN(core::Plan ticked, markdown::parse_plan(version.bytes));
  std::vector<core::Box> again;
  std::vector<core::Box> none;
  core::keep_ids(version.state, ticked);
  collect_boxes(ticked, version.state, none, again);
  TRY_ASSIGN(version.bytes, with_boxes(std::move(version.bytes), again, core::BoxState::open));
  TRY_ASSIGN(version.plan, markdown::parse_plan(version.bytes));
  core::keep_ids(version.state, version.plan);
  return version;
}

struct Versions {
  std::vector<Version> all;  // oldest first
  std::vector<std::string> warnings;
};

// All of them in one pass over the history: a text's time is over where the next one came.
Result<Versions> read_versions(system::Folder& tracking, const PlanLocation& location) {
  Versions found;
  TRY_ASSIGN(const std::vector<store::KeptText> texts, store::kept_texts(tracking));
  core::Ledger ledger;
  std::size_t next = 0;
  const auto finish = [&] {
    const store::KeptText& kept = texts[next++];
    auto text = store::read_text(tracking, kept);
    if (!text) {
      found.warnings.push_back(text.error().message);
      return;
    }
    // One text that does not take its ticks must not hide the others.
    auto version = version_of(kept, std::move(*text), ledger, location);
    if (version) {
      found.all.push_back(std::move(*version));
    } else {
      found.warnings.push_back(kept.name + " ignored: " + version.error().message);
    }
  };
  const auto over = [&](std::uint64_t offset) {
    // Where the history was begun anew, offsets say nothing; such a text gets all that there is.
    return next + 1 < texts.size() && texts[next + 1].history_offset >= texts[next].history_offset &&
           texts[next + 1].history_offset <= offset;
  };
  TRY(store::read_events(tracking, 0, [&](const Event& event, const store::HistoryLine& line) {
    while (over(line.offset)) finish();
    ledger.apply(event);
    return true;
  }));
  while (next < texts.size()) finish();
  return found;
}

EarlierText describe(const Version& version, const core::Plan& now) {
  EarlierText text;
  text.time = version.kept.time;
  text.digits = version.kept.digits;
  text.size = version.bytes.size();
  text.progress = core::progress_of(version.plan);
  for (const markdown::LostTask& lost : markdown::lost_tasks(version.plan, now))
    text.lost.push_back(markdown::id_of(version.plan, lost));
  return text;
}

// Newest first, each text once, without the one that is there now.
std::vector<std::pair<EarlierText, const Version*>> listed(const Versions& versions, std::string_view bytes,
                                                           const core::Plan& now) {
  std::vector<std::pair<EarlierText, const Version*>> list;
  for (std::size_t i = versions.all.size(); i-- > 0;) {
    const Version& version = versions.all[i];
    const bool known = version.bytes == bytes ||
                       std::any_of(list.begin(), list.end(),
                                   [&](const auto& other) { return other.second->bytes == version.bytes; });
    if (known) continue;
    list.emplace_back(describe(version, now), &version);
    list.back().first.number = list.size();
  }
  return list;
}

Result<std::size_t> choose(const std::vector<std::pair<EarlierText, const Version*>>& list,
                           const std::string& which) {
  std::size_t number = 0;
  const auto [end, ec] = std::from_chars(which.data(), which.data() + which.size(), number);
  const bool whole = ec == std::errc{} && end == which.data() + which.size();
  if (whole && number >= 1 && number <= list.size()) return number - 1;
  std::string time = which;  // also as the log prints it: "2026-11-20 15:00"
  std::replace(time.begin(), time.end(), ' ', 'T');
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < list.size() && which.size() >= kFewestDigits; ++i) {
    const EarlierText& text = list[i].first;
    if (text.digits.starts_with(which) || base::to_iso8601(text.time).starts_with(time)) found.push_back(i);
  }
  if (found.size() == 1) return found.front();
  if (found.empty())
    return base::fail(ErrorKind::not_found, "there is no earlier version " + which,
                      "to list them: plankeep restore");
  return base::fail(ErrorKind::ambiguous,
                    std::to_string(found.size()) + " earlier versions start with " + which,
                    "to list them with their numbers: plankeep restore");
}

// Where this text stands in the list now; 0: it was not kept as it was.
std::size_t number_of(PlanWork& work, const PlanLocation& plan, const std::string& text) {
  const auto versions = read_versions(work.tracking(), plan);
  if (!versions) return 0;
  for (const auto& [described, version] : listed(*versions, work.bytes(), work.plan())) {
    if (version->bytes == text) return described.number;
  }
  return 0;
}

Result<Versions> versions_of(const Context& context, system::Folder& folder, const PlanLocation& plan) {
  auto tracking = store::open_tracking(folder, plan.name);
  if (!tracking && tracking.error().kind == ErrorKind::not_found)
    return base::fail(not_tracked(context, plan));
  if (!tracking) return base::fail(std::move(tracking.error()));
  return read_versions(**tracking, plan);
}

// `version` put into the plan, as far as the plan lost it.
Result<std::string> put_back(std::string_view bytes, const core::Plan* now, const Version& version,
                             std::size_t number) {
  if (now == nullptr)
    return base::fail(ErrorKind::conflict,
                      "the plan cannot be read, so lost tasks cannot be restored into it",
                      "restore the whole earlier version: omit --lost");
  auto text =
      markdown::put_back(bytes, *now, version.bytes, version.plan, markdown::lost_tasks(version.plan, *now));
  if (!text)
    text.error().hint = "to restore the whole earlier version: plankeep restore " + std::to_string(number);
  return text;
}

}  // namespace

Result<EarlierTexts> earlier_texts(const Context& context, const PlanLocation& plan,
                                   std::optional<std::string_view> unsaved) {
  TRY_ASSIGN(const auto folder, context.files.open_folder(plan.folder));
  EarlierTexts texts;
  texts.plan = plan;
  TRY_ASSIGN(Versions versions, versions_of(context, *folder, plan));
  texts.warnings = std::move(versions.warnings);
  std::string bytes(unsaved.value_or(""));
  if (!unsaved) {
    if (auto text = store::PlanFile(context.files, *folder, plan.name).read()) bytes = std::move(text->bytes);
  }
  // Boxes without a marker have the ids that the records know.
  TRY_ASSIGN(Shown shown, unsaved ? load_shown_of_text(context, plan, bytes) : load_shown(context, plan, 0));
  const core::Plan now = shown.plan ? std::move(*shown.plan) : core::Plan();
  for (auto& [described, version] : listed(versions, bytes, now)) texts.texts.push_back(std::move(described));
  return texts;
}

Result<std::string> with_lost_tasks(const Context& context, const PlanLocation& plan, std::string_view text) {
  TRY_ASSIGN(const auto folder, context.files.open_folder(plan.folder));
  TRY_ASSIGN(const Versions versions, versions_of(context, *folder, plan));
  TRY_ASSIGN(const Shown shown, load_shown_of_text(context, plan, text));
  for (const auto& [described, version] : listed(versions, text, shown.plan ? *shown.plan : core::Plan())) {
    if (described.lost.empty()) continue;
    return put_back(text, shown.plan ? &*shown.plan : nullptr, *version, described.number);
  }
  return base::fail(nothing_lost());
}

const EarlierText* newest_with_lost(const EarlierTexts& texts) {
  const auto at = std::find_if(texts.texts.begin(), texts.texts.end(),
                               [](const EarlierText& text) { return !text.lost.empty(); });
  return at == texts.texts.end() ? nullptr : &*at;
}

base::Error nothing_lost() {
  return {ErrorKind::not_found,
          "nothing was lost: the plan has every task and criterion of its earlier versions",
          {},
          "plankeep restore lists them"};
}

Result<Restored> restore_text(const Context& context, const PlanLocation& plan, const std::string& which,
                              Restore what, const std::string& actor, bool dry) {
  PlanWork work(context, plan);
  TRY(work.open(PlanWork::Create::if_plan));
  TRY(work.lock(kTimeout));
  for (int round = 0; round < kRounds; ++round) {
    TRY(work.sync(Edit{}));
    const bool readable = work.readable();
    const core::Plan now = readable ? work.plan() : core::Plan();
    TRY_ASSIGN(const Versions versions, read_versions(work.tracking(), plan));
    const auto list = listed(versions, work.bytes(), now);
    TRY_ASSIGN(const std::size_t chosen, choose(list, which));
    const Version& version = *list[chosen].second;

    Restored restored;
    restored.from = list[chosen].first;
    restored.before = work.bytes();
    restored.after = version.bytes;
    if (what == Restore::lost_tasks) {
      TRY_ASSIGN(restored.after,
                 put_back(work.bytes(), readable ? &now : nullptr, version, list[chosen].first.number));
    }
    if (dry || restored.after == restored.before) {
      restored.outcome = work.take_outcome();
      return restored;
    }
    // A text that is no plan was not kept when it was seen.
    if (!readable && !restored.before.empty()) {
      TRY_ASSIGN(const std::uint64_t end, store::history_end(work.tracking()));
      TRY(store::keep_text(work.tracking(), restored.before, base::short_checksum(restored.before), end,
                           work.now()));
    }
    const Status replaced = work.replace(restored.after);
    if (!replaced && replaced.error().kind == ErrorKind::conflict) continue;
    TRY(replaced);
    Edit edit{actor, true, true};
    edit.then = &version.state;
    TRY(work.sync_replaced(edit));
    std::vector<Event> events;
    Event& done = events.emplace_back();
    done.kind = EventKind::rewound;
    done.time = work.now();
    done.by = actor;
    done.from = base::short_checksum(restored.before);
    done.to = base::short_checksum(restored.after);
    done.what = what == Restore::whole ? "plan" : "lost_tasks";
    TRY(work.save(work.state(), std::move(events)));
    restored.back = number_of(work, plan, restored.before);
    restored.outcome = work.take_outcome();
    if (!readable) restored.outcome.warnings.clear();  // of the text that is gone now
    return restored;
  }
  return base::fail(ErrorKind::conflict, "another program changed the plan at every attempt to restore it",
                    "try again when the other program has finished");
}

}  // namespace plankeep::app

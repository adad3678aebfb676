#include "tracking/history.hpp"

#include <algorithm>

#include "store/paths.hpp"
#include "store/tracking_folder.hpp"
#include "tracking/plan_work.hpp"

namespace plankeep::app {
namespace {

using base::Result;

constexpr std::size_t kMostIds = 8;  // of one task, over time

// An id that a task had: what is recorded of it between these times is about that task.
struct EarlierId {
  std::string id;
  std::optional<base::Instant> since;
  base::Instant until;
};

bool names(const std::string& wanted, const core::PhaseId& phase, const std::string& id) {
  return !id.empty() && (wanted == id || (!phase.empty() && wanted == phase.text + "/" + id));
}

std::string_view without_phase(std::string_view wanted) {
  return wanted.substr(wanted.rfind('/') + 1);
}

// Newest first. An id that was changed back to an earlier one is there once more, for the time before.
Result<std::vector<EarlierId>> earlier_ids_of(system::Folder& tracking, const std::string& task,
                                              std::uint64_t end) {
  std::vector<EarlierId> ids;
  std::string wanted = task;
  while (!wanted.empty() && ids.size() < kMostIds) {
    const auto gave_it = [&](const core::Event& event) {
      const bool late = !ids.empty() && event.time > ids.back().until;
      return !late && !event.from.empty() && names(wanted, event.phase, event.task.text);
    };
    TRY_ASSIGN(const auto found, store::last_events(tracking, 1,
                                                    {.kinds = {core::EventKind::task_added},
                                                     .texts = {without_phase(wanted)},
                                                     .matches = gave_it,
                                                     .end = end}));
    if (found.empty()) break;
    const core::Event& event = found.front().event;
    // What is older was about another task.
    if (!ids.empty()) ids.back().since = event.time;
    wanted = event.from;
    ids.push_back({event.from, std::nullopt, event.time});
  }
  return ids;
}

bool is_about(const core::Event& event, const EarlierId& earlier) {
  return event.time <= earlier.until && (!earlier.since || event.time >= *earlier.since) &&
         names(earlier.id, event.phase, event.task.text);
}

}  // namespace

bool HistoryFilter::passes(const core::Event& line) const {
  const bool own = line.kind == core::EventKind::checksum_mismatch ||
                   line.kind == core::EventKind::recovery_saved ||
                   line.kind == core::EventKind::tasks_ordered || line.kind == core::EventKind::boxes_skipped;
  if (own && !bookkeeping && event.empty()) return false;
  if (!event.empty()) {
    const std::string_view name =
        line.kind == core::EventKind::unknown ? std::string_view(line.name) : core::name_of(line.kind);
    if (name != event) return false;
  }
  if (!task.empty() && !names(task, line.phase, line.task.text) &&
      !names(task, line.phase, line.criterion.text)) {
    return false;
  }
  return !since || line.time >= *since;
}

Result<HistoryReader> HistoryReader::open(const Context& context, const PlanLocation& plan,
                                          std::optional<std::uint64_t> end) {
  TRY_ASSIGN(auto folder, context.files.open_folder(plan.folder));
  auto tracking = store::open_tracking(*folder, plan.name);
  if (!tracking && tracking.error().kind == base::ErrorKind::not_found) {
    return base::fail(not_tracked(context, plan));
  }
  if (!tracking) return base::fail(std::move(tracking.error()));
  return HistoryReader(std::move(*tracking), end);
}

std::string HistoryReader::path() const {
  return tracking_->path_of(store::kHistory);
}

Result<std::vector<store::TailLine>> HistoryReader::newest(std::size_t count, const HistoryFilter& filter) {
  if (!end_) {
    TRY_ASSIGN(end_, store::history_end(*tracking_));
  }
  if (count == 0) return std::vector<store::TailLine>();
  std::vector<EarlierId> earlier;
  if (filter.earlier_ids && !filter.task.empty()) {
    TRY_ASSIGN(earlier, earlier_ids_of(*tracking_, filter.task, *end_));
  }
  HistoryFilter of_any = filter;
  of_any.task.clear();
  const auto wanted = [&](const core::Event& event) {
    if (filter.passes(event)) return true;
    return std::any_of(earlier.begin(), earlier.end(),
                       [&event](const EarlierId& one) { return is_about(event, one); }) &&
           of_any.passes(event);
  };
  // `task` is "phase/id", or an id.
  store::EventQuery query{
      .since = filter.since, .texts = {filter.event}, .matches = wanted, .parts = filter.parts, .end = end_};
  if (earlier.empty()) query.texts.push_back(without_phase(filter.task));
  return store::last_events(*tracking_, count, query);
}

Result<std::vector<store::TailLine>> HistoryReader::more(const HistoryFilter& filter) {
  std::vector<store::TailLine> lines;
  TRY_ASSIGN(const std::uint64_t size, store::history_size(*tracking_));
  std::uint64_t from = end_.value_or(0);
  if (size == from) return lines;
  if (size < from) from = 0;
  const auto each = [&](const core::Event& event, const store::HistoryLine& line) {
    if (filter.passes(event)) lines.push_back({std::string(line.text), event});
    return true;
  };
  TRY_ASSIGN(const store::HistoryScan scan, store::read_events(*tracking_, from, each));
  end_ = scan.end;
  return lines;
}

}  // namespace plankeep::app

#include "tracking/history.hpp"

#include <algorithm>

#include "store/paths.hpp"
#include "store/tracking_folder.hpp"
#include "tracking/plan_work.hpp"

namespace plankeep::app {
namespace {

using base::Result;

bool names(const std::string& wanted, const core::PhaseId& phase, const std::string& id) {
  return !id.empty() && (wanted == id || (!phase.empty() && wanted == phase.text + "/" + id));
}

}  // namespace

bool HistoryFilter::passes(const core::Event& line) const {
  const bool own = line.kind == core::EventKind::checksum_mismatch ||
                   line.kind == core::EventKind::recovery_saved ||
                   line.kind == core::EventKind::tasks_ordered;
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

Result<HistoryReader> HistoryReader::open(const Context& context, const PlanLocation& plan) {
  TRY_ASSIGN(auto folder, context.files.open_folder(plan.folder));
  auto tracking = store::open_tracking(*folder, plan.name);
  if (!tracking && tracking.error().kind == base::ErrorKind::not_found) {
    return base::fail(not_tracked(context, plan));
  }
  if (!tracking) return base::fail(std::move(tracking.error()));
  return HistoryReader(std::move(*tracking));
}

std::string HistoryReader::path() const {
  return tracking_->path_of(store::kHistory);
}

Result<std::vector<store::TailLine>> HistoryReader::newest(std::size_t count, const HistoryFilter& filter) {
  TRY_ASSIGN(end_, store::history_end(*tracking_));
  std::vector<store::TailLine> lines;
  if (count == 0) return lines;
  // `task` is "phase/id", or an id.
  const store::EventQuery query{
      .since = filter.since,
      .texts = {filter.event, std::string_view(filter.task).substr(filter.task.rfind('/') + 1)},
      .matches = [&filter](const core::Event& event) { return filter.passes(event); }};
  TRY_ASSIGN(lines, store::last_events(*tracking_, count, query));
  if (!lines.empty()) newest_ = lines.back().text;
  return lines;
}

Result<std::vector<store::TailLine>> HistoryReader::more(const HistoryFilter& filter) {
  std::vector<store::TailLine> lines;
  TRY_ASSIGN(const std::uint64_t size, store::history_size(*tracking_));
  if (size == end_) return lines;
  if (size < end_) end_ = 0;
  const auto each = [&](const core::Event& event, const store::HistoryLine& line) {
    if (filter.passes(event)) lines.push_back({std::string(line.text), event});
    return true;
  };
  TRY_ASSIGN(const store::HistoryScan scan, store::read_events(*tracking_, end_, each));
  end_ = scan.end;
  // What was appended while newest() looked at the end of the file is in both of its answers.
  if (newest_) {
    const auto seen = std::find_if(lines.rbegin(), lines.rend(),
                                   [this](const store::TailLine& line) { return line.text == *newest_; });
    lines.erase(lines.begin(), seen.base());
    newest_.reset();
  }
  return lines;
}

}  // namespace plankeep::app

#include "render/report/report_charts.hpp"

#include <algorithm>
#include <numeric>
#include <unordered_map>
#include <unordered_set>

#include "base/text.hpp"
#include "charts/burn_up.hpp"
#include "charts/layers.hpp"
#include "charts/spans.hpp"
#include "render/recorded/log.hpp"

namespace plankeep::render {
namespace {

using base::Instant;

std::string title_of(const app::PlanReport& report, const core::PhaseId& id) {
  for (const core::PhaseRow& phase : report.view.phases) {
    if (phase.id == id) return core::title_or_id(phase);
  }
  return id.empty() ? "no phase" : id.text;
}

Instant beginning(const app::PlanReport& report) {
  const Instant now = report.view.now;
  const Instant first = report.facts.first.value_or(now);
  return std::min(now, report.since ? std::max(first, *report.since) : first);
}

bool is_shown(const app::PlanReport& report, Instant time) {
  return !report.since || time >= *report.since;
}

charts::MomentRow moments(const app::PlanReport& report, std::string label, const core::Marks& marks,
                          std::string style) {
  charts::MomentRow row;
  row.label = std::move(label);
  row.style = std::move(style);
  for (const core::Mark& mark : marks.newest) {
    if (is_shown(report, mark.time))
      row.moments.push_back({mark.time, minute(mark.time) + " " + describe(mark.event)});
  }
  return row;
}

}  // namespace

std::string minute(Instant time) {
  std::string text = base::to_iso8601(time).substr(0, 16);
  text[10] = ' ';
  return text;
}

std::vector<BandName> band_names(const app::PlanReport& report) {
  if (report.burn.empty()) return {};
  const std::vector<core::PhaseId>& phases = report.burn_phases;
  const std::vector<std::int64_t>& last = report.burn.back().done_in;
  std::vector<std::size_t> by_size(phases.size());
  std::iota(by_size.begin(), by_size.end(), std::size_t{0});
  std::stable_sort(by_size.begin(), by_size.end(),
                   [&last](std::size_t a, std::size_t b) { return last[a] > last[b]; });
  const std::size_t own = phases.size() <= kMostBands + 1 ? phases.size() : kMostBands;
  std::unordered_map<std::string, std::size_t> place;
  for (std::size_t i = 0; i < report.view.phases.size(); ++i) place.emplace(report.view.phases[i].id.text, i);
  const auto place_of = [&](std::size_t phase) {
    const auto at = place.find(phases[phase].text);
    return at == place.end() ? place.size() : at->second;
  };
  std::vector<std::size_t> large(by_size.begin(), by_size.begin() + static_cast<std::ptrdiff_t>(own));
  std::stable_sort(large.begin(), large.end(),
                   [&](std::size_t a, std::size_t b) { return place_of(a) < place_of(b); });
  std::vector<BandName> bands;
  bands.reserve(large.size() + 1);
  for (const std::size_t phase : large) bands.push_back({title_of(report, phases[phase]), {phase}});
  if (own < phases.size()) {
    bands.push_back({std::to_string(phases.size() - own) + " other phases",
                     {by_size.begin() + static_cast<std::ptrdiff_t>(own), by_size.end()}});
  }
  return bands;
}

std::string burn_up_picture(const app::PlanReport& report) {
  if (report.burn.empty()) return {};
  const core::Progress& progress = report.view.progress;
  charts::BurnUp chart;
  chart.title = "Burn-up";
  chart.description = std::to_string(progress.completed) + " of " +
                      base::counted(progress.total, "task", "tasks") +
                      " done. Solid: tasks done, dashed: all tasks. The table below has the numbers.";
  chart.now = report.view.now;
  const std::vector<BandName> names = band_names(report);
  for (const BandName& name : names) chart.bands.push_back({name.label, {}});
  for (const core::BurnSample& sample : report.burn) {
    chart.times.push_back(sample.time);
    chart.total.push_back(sample.total);
    chart.done.push_back(sample.done);
    for (std::size_t i = 0; i < names.size(); ++i) {
      std::int64_t done = 0;
      for (const std::size_t phase : names[i].phases) done += sample.done_in[phase];
      chart.bands[i].done.push_back(done);
    }
  }
  if (!report.forecast.is_too_early() && report.forecast.open > 0) {
    chart.p50 = report.forecast.by_day.p50;
    chart.p85 = report.forecast.by_day.p85;
    chart.p95 = report.forecast.by_day.p95;
  }
  return charts::burn_up_svg(chart);
}

std::string phases_picture(const app::PlanReport& report) {
  charts::SpanChart chart;
  chart.title = "Phases";
  chart.description = "When each phase was started and completed. The table below has the dates.";
  chart.from = beginning(report);
  chart.now = report.view.now;
  for (std::size_t i = 0; i < report.view.phases.size(); ++i) {
    const core::PhaseRow& phase = report.view.phases[i];
    charts::Span span;
    span.label = core::title_or_id(phase);
    span.from = report.times[i].started_at;
    span.to = report.times[i].completed_at;
    if (!span.from && span.to) span.from = span.to;
    if (phase.status == core::PhaseStatus::completed) span.style = "span complete";
    if (phase.acceptance_total > 0) {
      span.note = phase.proof.commands > 0 ? std::to_string(phase.proof.proven) + " of " +
                                                 std::to_string(phase.proof.commands) + " criteria proven"
                                           : std::to_string(phase.acceptance_met) + " of " +
                                                 std::to_string(phase.acceptance_total) + " criteria met";
    }
    chart.spans.push_back(std::move(span));
  }
  return chart.spans.empty() ? std::string() : charts::spans_svg(chart);
}

std::string work_picture(const app::PlanReport& report) {
  charts::SpanChart chart;
  chart.title = "Checkpoints, commits and blockers";
  chart.description = "What was recorded when. The lists below name each of them.";
  chart.from = beginning(report);
  chart.now = report.view.now;
  for (const core::BlockerFacts& blocker : report.facts.blockers) {
    if (blocker.to && !is_shown(report, *blocker.to)) continue;
    chart.spans.push_back({"Blocked: " + blocker.text, blocker.from, blocker.to, {}, "span blocked"});
    if (chart.spans.size() == 12) break;
  }
  for (charts::MomentRow row : {moments(report, "Sessions", report.facts.sessions, "moment"),
                                moments(report, "Checkpoints", report.facts.checkpoints, "moment"),
                                moments(report, "Commits", report.facts.commits, "moment commit"),
                                moments(report, "Trouble", report.facts.incidents, "moment incident")}) {
    if (!row.moments.empty()) chart.rows.push_back(std::move(row));
  }
  return chart.spans.empty() && chart.rows.empty() ? std::string() : charts::spans_svg(chart);
}

namespace {

struct LinkedTask {
  const core::TaskRow* task;
  std::string key;
};

std::vector<LinkedTask> linked(const app::PlanReport& report) {
  std::unordered_set<std::string> named;
  for (const core::PhaseRow& phase : report.view.phases) {
    for (const core::TaskRow& task : phase.tasks) {
      for (const core::TaskId& id : task.after) named.insert(id.text);
    }
  }
  std::vector<LinkedTask> tasks;
  for (const core::PhaseRow& phase : report.view.phases) {
    for (const core::TaskRow& task : phase.tasks) {
      if (!task.after.empty() || named.contains(task.id.text)) tasks.push_back({&task, phase.id.text});
    }
  }
  return tasks;
}

std::string style_of(const core::TaskRow& task) {
  if (task.state == core::BoxState::done) return "node is-done";
  if (task.state == core::BoxState::active) return "node is-active";
  return task.waiting_for.empty() ? "node" : "node is-waiting";
}

}  // namespace

std::size_t linked_tasks(const app::PlanReport& report) {
  return linked(report).size();
}

std::string layers_picture(const app::PlanReport& report) {
  std::vector<LinkedTask> tasks = linked(report);
  if (tasks.empty()) return {};
  if (tasks.size() > kMostNodes) tasks.resize(kMostNodes);
  std::unordered_map<std::string, std::vector<std::size_t>> called;
  for (std::size_t i = 0; i < tasks.size(); ++i) called[tasks[i].task->id.text].push_back(i);
  charts::LayerChart chart;
  chart.title = "Dependencies";
  chart.description =
      "Tasks from left to right, each behind those that it comes after. The column \"after\" of the tasks "
      "names them.";
  for (const LinkedTask& linked_task : tasks) {
    const core::TaskRow& task = *linked_task.task;
    charts::LayerNode node;
    node.label = core::title_or_id(task);
    node.hint = task.id.text + ": " + task.title;
    node.style = style_of(task);
    for (const core::TaskId& id : task.after) {
      const auto at = called.find(id.text);
      if (at != called.end()) node.after.insert(node.after.end(), at->second.begin(), at->second.end());
    }
    chart.nodes.push_back(std::move(node));
  }
  return charts::layers_svg(chart);
}

}  // namespace plankeep::render

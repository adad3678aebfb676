#include "render/report/report.hpp"

#include <catch2/catch.hpp>
#include <string>

#include "render/golden.hpp"
#include "render/samples.hpp"

namespace plankeep::render {
namespace {

constexpr std::int64_t kHour = std::int64_t{60} * 60 * 1000;

app::PlanReport made(StatusView view) {
  app::PlanReport report;
  const base::Instant now = view.now;
  report.facts.first = base::Instant{now.milliseconds - 100 * kHour};
  report.facts.events = 12;
  report.facts.actors = {{"main", 3, 1, 0, 2, 1}, {"subagent:<b>", 1, 0, 2, 0, 0}};
  report.facts.blockers = {
      {"Waiting for keys", {now.milliseconds - 50 * kHour}, std::nullopt},
      {"CI", {now.milliseconds - 90 * kHour}, base::Instant{now.milliseconds - 60 * kHour}}};
  core::Event saved;
  saved.kind = core::EventKind::checkpoint_saved;
  saved.time = {now.milliseconds - 40 * kHour};
  saved.checkpoint = "cp_aaaaaa_001";
  report.facts.checkpoints.add(saved);
  report.burn = {{{now.milliseconds - 100 * kHour}, 6, 0, {0, 0}},
                 {{now.milliseconds - 70 * kHour}, 6, 2, {2, 0}},
                 {{now.milliseconds - 20 * kHour}, 7, 3, {2, 1}}};
  report.burn_phases = {view.phases.front().id, core::PhaseId("gone")};
  report.forecast.open = view.progress.total - view.progress.completed;
  report.forecast.missing_tasks = 2;
  report.times.resize(view.phases.size());
  report.times.front() = {base::Instant{now.milliseconds - 80 * kHour}, std::nullopt};
  report.view = std::move(view);
  return report;
}

std::size_t count(const std::string& text, std::string_view what) {
  std::size_t found = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++found;
  return found;
}

}  // namespace

TEST_CASE("a report is one page, byte for byte") {
  const std::string page = report_html({made(sample_view())}, "1.2.3");
  check_golden("report.html",
               page.substr(page.find("<main>"), page.find("</main>") - page.find("<main>") + 8));
  CHECK(page == report_html({made(sample_view())}, "1.2.3"));
}

TEST_CASE("the page names its own style and script, and allows nothing else") {
  const std::string page = report_html({made(sample_view())}, "1.2.3");
  CHECK(page.find("default-src 'none'; style-src 'sha256-") != std::string::npos);
  CHECK(page.find("script-src 'sha256-") != std::string::npos);
  CHECK(page.find("unsafe") == std::string::npos);
  CHECK(count(page, "<script") == 1);
  CHECK(count(page, "<style") == 1);
  for (const char* loads : {" src=", "http://", "https://", "@import", "url(", " style=", " onclick"}) {
    INFO(loads);
    // The name of SVG in the script is no address that anybody asks.
    CHECK(count(page, loads) == (std::string(loads) == "http://" ? 1 : 0));
  }
}

TEST_CASE("texts of a plan are text, wherever they stand") {
  StatusView view = sample_view();
  const std::string hostile = "</title></svg></script><script>alert(1)</script>\"onload=\"x' ]]>";
  view.title = view.file = hostile;
  view.blockers = {hostile};
  for (PhaseRow& phase : view.phases) {
    phase.title = hostile;
    for (TaskRow& task : phase.tasks) {
      task.title = hostile;
      task.completed_by = hostile;
    }
    for (CriterionRow& criterion : phase.acceptance) criterion.title = hostile;
  }
  for (DecisionRow& decision : view.decisions) decision.decision = decision.reason = hostile;
  app::PlanReport report = made(view);
  report.facts.actors[0].name = hostile;
  report.facts.blockers[0].text = hostile;
  report.warnings = {hostile};
  const std::string page = report_html({report, report}, hostile);
  CHECK(count(page, "<script") == 1);
  CHECK(count(page, "</script") == 1);
  CHECK(count(page, "alert(1)</") == 0);
  CHECK(count(page, "\"onload=") == 0);
}

TEST_CASE("a plan of many tasks has a page of bounded size that counts what it leaves out") {
  const core::Plan plan = large_plan(20'000);
  app::PlanReport report = made(view_of(plan));
  const std::string page = report_html({report}, "1");
  CHECK(page.size() < 1'500'000);
  CHECK(count(page, "<tr data-state") <= kMostTaskRows);
  CHECK(page.find("more tasks are not listed") != std::string::npos);

  core::Plan wordy = large_plan(3000);
  for (core::Phase& phase : wordy.phases) {
    for (core::Task& entry : phase.tasks) entry.title = std::string(10'000, '<');
  }
  const std::string long_titles = report_html({made(view_of(wordy))}, "1");
  CHECK(long_titles.size() < 1'500'000);
}

TEST_CASE("a plan without tasks, history or phases has a page") {
  app::PlanReport report;
  report.view.file = "plan.md";
  const std::string page = report_html({report}, "1");
  CHECK(page.find("0 of 0 tasks") != std::string::npos);
  CHECK(page.find("<svg") == std::string::npos);
}

TEST_CASE("several plans begin with an overview, those in trouble first") {
  app::PlanReport fine = made(sample_view());
  fine.view.blockers.clear();
  fine.view.title = "Fine";
  app::PlanReport blocked = made(sample_view());
  blocked.view.blockers = {"a key"};
  blocked.view.title = "Blocked";
  app::PlanReport done = fine;
  done.view.title = "Done";
  done.view.progress.completed = done.view.progress.total;
  done.view.current_phase.reset();
  done.view.current_task.reset();
  std::vector<app::PlanReport> reports{done, fine, blocked};
  sort_worst_first(reports);
  CHECK(reports[0].view.title == "Blocked");
  CHECK(reports[1].view.title == "Fine");
  CHECK(reports[2].view.title == "Done");
  const std::string page = report_html(reports, "1");
  CHECK(page.find("<h1>Plans</h1>") != std::string::npos);
  CHECK(page.find("href=\"#plan1\"") < page.find("id=\"plan1\""));
}

}  // namespace plankeep::render

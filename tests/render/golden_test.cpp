#include "render/golden.hpp"

#include "render/annotated.hpp"
#include "render/doctor.hpp"
#include "render/error.hpp"
#include "render/lint.hpp"
#include "render/parse.hpp"
#include "render/progress/next.hpp"
#include "render/progress/resume.hpp"
#include "render/progress/status.hpp"
#include "render/recorded/changes.hpp"
#include "render/recorded/log.hpp"
#include "render/samples.hpp"

namespace plankeep::render {
namespace {

core::Plan finished(core::Plan plan) {
  plan.diagnostics.clear();
  for (core::Phase& phase : plan.phases) {
    for (core::Task& entry : phase.tasks) entry.state = core::BoxState::done;
    for (core::Criterion& criterion : phase.acceptance) criterion.met = true;
  }
  plan.blockers.clear();
  return plan;
}

ResumeInput sample_resume() {
  ResumeInput input;
  input.since = sample_events();
  input.outside_edit = true;
  input.phase_note = "phase-02-api.md";
  input.others = {{"shop", "plans/shop/plan.md", {10, 4, 400}}};
  return input;
}

std::vector<LintedFile> sample_files() {
  base::Error error{base::ErrorKind::not_found, "cannot read plans/gone.md: no such file", "",
                    "check the name"};
  return {{"plans/auth/plan.md", sample_plan().diagnostics, std::nullopt},
          {"plans/a b:ü.md", {}, std::nullopt},
          {"plans/gone.md", {}, error}};
}

std::vector<core::Event> every_event() {
  using core::EventKind;
  std::vector<core::Event> events;
  for (const std::string_view name : core::event_names()) {
    core::Event made = event(core::event_kind(name), "2026-11-20T15:43:50.123Z", "main");
    made.task = core::TaskId("auth");
    made.criterion = core::CriterionId("green");
    made.phase = core::PhaseId("api");
    made.title = "Add login";
    made.from = "before";
    made.decision = made.blocker = made.note = made.to = made.plan_says = "Use SQLite";
    made.reason = "one file";
    made.action = made.fallback = made.restored_from = made.source = made.last_known_state = "recovery.json";
    made.what = made.tier = made.checkpoint_type = "recovery.json";
    made.total_tasks = made.tasks_restored = made.milestone = 8;
    if (name.starts_with("session_") || name.starts_with("subagent_")) {
      made.session = "5e55";
      made.client = "claude-code";
    }
    if (name.starts_with("subagent_")) {
      made.agent = "a7";
      made.agent_type = "builder";
      made.tasks = {core::TaskId("auth"), core::TaskId("queries")};
    }
    if (made.kind == EventKind::subagent_stopped) {
      made.claimed = {"auth", "queries", "cache"};
      made.unverified = {"cache"};
    }
    if (made.kind == EventKind::task_completed) made.agent = "a7";
    events.push_back(made);
  }
  core::Event unknown = event(EventKind::unknown, "2026-11-20T15:43:51Z", "team:blue");
  unknown.name = "from_the_future";
  events.push_back(unknown);
  return events;
}

}  // namespace

TEST_CASE("status shows the sample plan at 60, 100 and 200 columns and in colour") {
  const StatusView view = sample_view();
  check_golden("status-60.txt", status_text(view, {false, 60}));
  check_golden("status-100.txt", status_text(view, {false, 100}));
  check_golden("status-200.txt", status_text(view, {false, 200}));
  check_golden("status-colour.txt", status_text(view, {true, 100}));
  check_golden("status.json", status_json(view));
}

TEST_CASE("status aligns Chinese and emoji") {
  check_golden("status-chinese.txt", status_text(view_of(chinese_plan()), {false, 80}));
}

TEST_CASE("status shows a window around the current task of a long phase") {
  check_golden("status-large.txt", status_text(view_of(large_plan(200)), {false, 100}));
}

TEST_CASE("status of a finished, an empty and an unreadable plan") {
  const core::State state = sample_state();
  check_golden("status-finished.txt", status_text(view_of(finished(sample_plan()), &state), {false, 80}));
  core::Plan criteria = finished(sample_plan());
  criteria.phases[1].acceptance[0].met = false;
  StatusDetail brief;
  brief.brief = true;
  check_golden("status-short-criteria.txt", status_text(view_of(criteria, &state), {true, 80}, brief));
  check_golden("status-empty.txt", status_text(view_of(core::Plan{}), {false, 80}));
  const StatusView unreadable =
      make_view({.plan = nullptr,
                 .state = &state,
                 .plan_id = "auth",
                 .path = "/home/ada/shop/plans/auth/plan.md",
                 .file = "plans/auth/plan.md",
                 .source = Source::recovery,
                 .warnings = {"plan.md cannot be read: it is missing; this is the last state"},
                 .recent = {},
                 .now = at("2026-11-20T17:50:00Z")});
  check_golden("status-unreadable.txt", status_text(unreadable, {false, 80}));
}

TEST_CASE("what was all done is not said to be so of a plan that cannot be read or lost open tasks") {
  StatusView view = view_of(finished(sample_plan()));
  StatusDetail brief;
  brief.brief = true;
  SECTION("cannot be read") {
    view.unreadable = "plan.md cannot be read: it is missing; showing the last recorded state";
    view.warnings = {view.unreadable, "something else"};
    check_golden("unreadable-done-status.txt", status_text(view, {true, 80}));
    check_golden("unreadable-done-short.txt", status_text(view, {true, 80}, brief));
    check_golden("unreadable-done-next.txt", next_text(view, {false, 80}));
    check_golden("unreadable-done-resume.txt", resume_text(view, {}));
    check_golden("unreadable-done-resume-300.txt", resume_text(view, {}, 300));
    CHECK(next_of(view).kind == NextKind::unreadable);
  }
  SECTION("lost open tasks, which is not recorded") {
    view.vanished = {{core::PhaseId("api"), core::TaskId("cache"), "Cache answers", false, false}};
    check_golden("vanished-done-status.txt", status_text(view, {true, 80}));
    check_golden("vanished-done-short.txt", status_text(view, {true, 80}, brief));
    check_golden("vanished-done-next.txt", next_text(view, {false, 80}));
    check_golden("vanished-done-resume.txt", resume_text(view, {}));
    CHECK(next_of(view).kind == NextKind::vanished);
  }
  SECTION("lost tasks that were done, or are recorded as gone") {
    const bool done = GENERATE(true, false);
    view.vanished = {{core::PhaseId("api"), core::TaskId("cache"), "Cache answers", done, !done}};
    CHECK(next_of(view).kind == NextKind::done);
    CHECK_THAT(next_text(view, {false, 80}), Catch::Contains("restore --lost"));
    CHECK_THAT(resume_text(view, {}), Catch::Contains("restore --lost"));
  }
}

TEST_CASE("init says what it found") {
  check_golden("init.txt", init_text(sample_view(), true, {}, {false, 80}));
  check_golden("init-again.txt", init_text(sample_view(), false, {}, {false, 80}));
  check_golden("init.json", init_json(sample_view(), true, {}));
}

TEST_CASE("next names the task, or what is missing") {
  const Style style{false, 80};
  check_golden("next.txt", next_text(sample_view(), style));
  check_golden("next.json", next_json(sample_view()));
  check_golden("next-done.txt", next_text(view_of(finished(sample_plan())), style));
  check_golden("next-empty.txt", next_text(view_of(core::Plan{}), style));

  core::Plan criteria = finished(sample_plan());
  criteria.phases[1].acceptance[0].met = false;
  check_golden("next-criteria.txt", next_text(view_of(criteria), style));

  core::Plan blocked = finished(sample_plan());
  core::Phase& api = blocked.phases[1];
  api.tasks[1].state = core::BoxState::open;
  api.tasks[1].after = {core::TaskId("interface")};
  api.tasks[2].state = core::BoxState::open;
  check_golden("next-blocked.txt", next_text(view_of(blocked), style));
}

TEST_CASE("resume tells a new session where things stand") {
  check_golden("resume-2000.txt", resume_text(sample_view(), sample_resume()));
  check_golden("resume-300.txt", resume_text(sample_view(), sample_resume(), 300));
  check_golden("resume-600.txt", resume_text(sample_view(), sample_resume(), 600));
  check_golden("resume-large.txt", resume_text(view_of(large_plan(2000)), sample_resume(), 3000));
  check_golden("resume-finished.txt", resume_text(view_of(finished(sample_plan())), {}));
  check_golden("resume.json", resume_json(sample_view(), sample_resume()));
  ResumeInput crashed;
  crashed.crashed = true;
  crashed.lost = {{"coder", {core::TaskId("queries"), core::TaskId("interface")}}, {"tester", {}}};
  check_golden("resume-crash.txt", resume_text(sample_view(), crashed));
}

TEST_CASE("parse shows the plan as read") {
  const core::Plan plan = sample_plan();
  const ParsedPlan parsed{plan, "auth", "/home/ada/shop/plans/auth/plan.md", "plans/auth/plan.md",
                          "sha256:0123456789abcdef"};
  check_golden("parse.txt", parse_text(parsed, {false, 80}));
  check_golden("parse.json", parse_json(parsed));
}

TEST_CASE("lint speaks text, JSON and SARIF") {
  check_golden("lint.txt", lint_text(sample_files(), {false, 80}));
  check_golden("lint-clean.txt", lint_text({{"plan.md", {}, std::nullopt}}, {false, 80}));
  check_golden("lint.json", lint_json(sample_files()));
  check_golden("lint.sarif", lint_sarif(sample_files(), "1.2.3"));
}

TEST_CASE("changes and log have a line for every event") {
  app::Outcome outcome = outcome_of({"/home/ada/shop/plans/auth", "plan.md"}, every_event(), 13);
  outcome.notices = {{core::NoticeKind::plan_completed, "the plan is complete"}};
  outcome.warnings = {"task auth was done before what it waits for: schema"};
  outcome.edited = true;
  outcome.state.progress = {6, 3, 500};
  Changes changes{outcome, {"login is already done"}};
  check_golden("changes.txt", changes_text(changes, {false, 80}));
  check_golden("changes.json", changes_json(changes));
  outcome.events.clear();
  outcome.notices.clear();
  outcome.warnings.clear();
  check_golden("changes-text-only.txt", changes_text(changes, {false, 80}));
  changes.remarks.clear();
  outcome.edited = false;
  check_golden("changes-none.txt", changes_text(changes, {false, 80}));
  std::string log;
  for (const core::Event& one : every_event()) log += log_line(one, {false, 80});
  check_golden("log.txt", log);
}

TEST_CASE("errors name the file, the cause and what to do") {
  const base::Error error{base::ErrorKind::ambiguous,
                          "several plans here:\nplans/a/plan.md\nplans/b\x1b[31m/plan.md",
                          "looking for the plan", "name one with --plan"};
  check_golden("error.txt", error_text(error, {}));
  check_golden("error.json", error_json(error, 3));
  check_golden("warning.txt", warning_text("3 changes are not recorded yet", {}));
}

TEST_CASE("doctor lists checks with remedies") {
  const DoctorReport report{
      "auth",
      "/home/ada/shop/plans/auth/plan.md",
      {{"state.json", Health::ok, "valid, revision 12", ""},
       {"history", Health::warning, "1 damaged line, skipped: line 7", "nothing: it is kept as it is"},
       {"lock", Health::problem, "the lock file is a folder", "remove .checkpoint/lock"}}};
  check_golden("doctor.txt", doctor_text(report, {false, 60}));
  check_golden("doctor.json", doctor_json(report));
}

TEST_CASE("annotate lists the markers it added or misses") {
  Annotation annotation{"plan.md", true, {{3, "CHECKPOINT", "setup"}, {5, "TASK", "add-login"}}};
  check_golden("annotate.txt", annotated_text(annotation, {}));
  check_golden("annotate.json", annotated_json(annotation));
  annotation.written = false;
  check_golden("annotate-check.txt", annotated_text(annotation, {}));
  annotation.added.clear();
  check_golden("annotate-none.txt", annotated_text(annotation, {}));
}

}  // namespace plankeep::render

#include "render/samples.hpp"

#include <catch2/catch.hpp>

namespace plankeep::render {

using core::BoxState;

base::Instant at(std::string_view iso) {
  const auto instant = base::parse_iso8601(iso);
  REQUIRE(instant.has_value());
  return *instant;
}

core::Task task(std::string id, std::string title, BoxState state, std::int64_t line) {
  core::Task made;
  made.id = core::TaskId(std::move(id));
  made.title = std::move(title);
  made.state = state;
  made.line = line;
  made.boxes = {{static_cast<std::size_t>(line) * 40, 1}};
  return made;
}

core::Event event(core::EventKind kind, std::string_view time, std::string by) {
  core::Event made;
  made.kind = kind;
  made.time = at(time);
  made.by = std::move(by);
  return made;
}

core::Plan sample_plan() {
  core::Plan plan;
  plan.has_markers = true;

  core::Phase setup{core::PhaseId("setup"), "Setup", 3, {}, {}};
  setup.tasks.push_back(task("repo", "Create the repository", BoxState::done, 5));
  setup.tasks.push_back(task("ci", "Build on every push", BoxState::done, 6));
  setup.acceptance.push_back({core::CriterionId("builds"), "The build is green", true, 8, "make", {{1, 1}}});

  core::Phase api{core::PhaseId("api"), "API and storage", 12, {}, {}};
  api.tasks.push_back(task("schema", "Write the schema", BoxState::done, 14));
  api.tasks.push_back(task("queries", "Queries with limits and paging", BoxState::active, 15));
  api.tasks.back().after = {core::TaskId("schema")};
  api.tasks.push_back(task("interface", "HTTP interface", BoxState::open, 21));
  api.tasks.back().after = {core::TaskId("queries"), core::TaskId("schema")};
  api.tasks.push_back(task("handbook", "Handbook", BoxState::open, 22));
  api.tasks.push_back(task("cache", "Cache answers", BoxState::open, 23));
  api.tasks.back().optional = true;
  api.acceptance.push_back(
      {core::CriterionId("tests"), "All tests pass", false, 25, "ctest --output-on-failure", {}});
  api.acceptance.push_back({core::CriterionId("lint"), "No lint errors", true, 26, "", {}});

  core::Phase release{core::PhaseId("release"), "Release", 30, {}, {}};
  release.tasks.push_back(task("tag", "Tag the version", BoxState::open, 32));

  plan.phases = {setup, api, release};
  plan.decisions = {{"Use SQLite", "one file, no server", 17}, {"Page by key, not by offset", "", 18}};
  plan.blockers = {{"Waiting for the certificate of the staging host", 19}};
  plan.diagnostics = {
      {22, 7, core::DiagnosticCode::unknown_dependency, "task handbook waits for nobody, which is no task",
       "remove it or fix the id"},
      {40, 1, core::DiagnosticCode::unmarked_checkbox, "this box is not counted", "give it a TASK marker"},
      {41, 1, core::DiagnosticCode::unmarked_checkbox, "this box is not counted", "give it a TASK marker"},
      {50, 3, core::DiagnosticCode::checkbox_in_code, "a box inside code is not counted", ""}};
  return plan;
}

core::State sample_state() {
  core::State state;
  state.plan_id = "auth";
  state.plan_path = "/home/ada/shop/plans/auth/plan.md";
  state.last_saved = at("2026-11-20T15:43:50.123Z");
  state.checksum = "sha256:0123456789abcdef";
  state.progress = {7, 3, 429};
  const core::Plan plan = sample_plan();
  for (const core::Phase& phase : plan.phases) {
    core::PhaseState row;
    row.id = phase.id;
    row.title = phase.title;
    row.status = core::status_of(phase);
    for (const core::Task& entry : phase.tasks) {
      core::TaskState task_state;
      task_state.id = entry.id;
      task_state.title = entry.title;
      task_state.done = entry.done();
      task_state.optional = entry.optional;
      row.tasks.push_back(task_state);
    }
    for (const core::Criterion& criterion : phase.acceptance) {
      core::CriterionState known;
      known.id = criterion.id;
      known.title = criterion.title;
      known.met = criterion.met;
      row.acceptance.push_back(known);
    }
    state.phases.push_back(row);
  }
  state.phases[1].tasks[0].completed_at = at("2026-11-20T15:43:50.123Z");
  state.phases[1].tasks[0].completed_by = "subagent:coder";
  state.current_phase = core::PhaseId("api");
  state.current_task = core::TaskId("queries");
  state.blockers = {"Waiting for the certificate of the staging host"};
  state.decisions = {{at("2026-11-18T09:00:00Z"), "Use SQLite", "one file, no server", {}},
                     {at("2026-11-19T09:00:00Z"), "Page by key, not by offset", "", {}}};
  state.session_notes = "The paging tests are red on purpose until queries is done.";
  state.revision = 12;
  return state;
}

std::vector<core::Event> sample_events() {
  using core::EventKind;
  std::vector<core::Event> events;
  events.push_back(event(EventKind::checkpoint_created, "2026-11-18T08:00:00Z", ""));
  events.back().plan_id = "auth";
  events.back().total_tasks = 7;
  const auto of_session = [&events](EventKind kind, std::string_view time, std::string id) -> core::Event& {
    core::Event& made = events.emplace_back(event(kind, time, ""));
    made.session = std::move(id);
    return made;
  };
  core::Event& before = of_session(EventKind::session_started, "2026-11-19T08:00:00Z", "5e55-1");
  before.client = "claude-code";
  before.source = "startup";
  of_session(EventKind::session_crash, "2026-11-20T15:00:00Z", "5e55-1").last_known_state = "state.json";
  core::Event& recovered = of_session(EventKind::session_recovered, "2026-11-20T15:00:00Z", "5e55-1");
  recovered.from = "state.json";
  recovered.tasks_restored = 2;
  core::Event& started = of_session(EventKind::session_started, "2026-11-20T15:00:00Z", "5e55-2");
  started.client = "claude-code";
  started.source = "resume";
  core::Event& sent = of_session(EventKind::subagent_started, "2026-11-20T15:10:00Z", "5e55-2");
  sent.agent = "a7";
  sent.agent_type = "coder";
  sent.tasks = {core::TaskId("schema"), core::TaskId("queries")};
  events.push_back(event(EventKind::task_completed, "2026-11-20T15:43:50.123Z", "subagent:coder"));
  events.back().agent = "a7";
  events.back().task = core::TaskId("schema");
  events.back().phase = core::PhaseId("api");
  events.back().title = "Write the schema";
  core::Event& back = of_session(EventKind::subagent_stopped, "2026-11-20T15:43:50.123Z", "5e55-2");
  back.agent = "a7";
  back.agent_type = "coder";
  back.tasks = {core::TaskId("schema")};
  back.claimed = {"schema", "queries"};
  back.unverified = {"queries"};
  core::Event& ended = of_session(EventKind::session_ended, "2026-11-20T15:43:50.123Z", "5e55-2");
  ended.client = "claude-code";
  ended.reason = "clear";
  events.push_back(event(EventKind::recovery_saved, "2026-11-20T15:43:50.123Z", ""));
  events.back().reason = "every_5th_save";
  return events;
}

StatusView sample_view() {
  const core::Plan plan = sample_plan();
  const core::State state = sample_state();
  return make_view({.plan = &plan,
                    .state = &state,
                    .plan_id = "auth",
                    .path = "/home/ada/shop/plans/auth/plan.md",
                    .file = "plans/auth/plan.md",
                    .source = Source::state,
                    .warnings = {},
                    .recent = sample_events(),
                    .now = at("2026-11-20T17:50:00Z")});
}

core::Plan chinese_plan() {
  core::Plan plan = sample_plan();
  plan.phases[0].title = "准备工作";
  plan.phases[1].title = "接口与存储 🚀";
  plan.phases[2].title = "发布";
  plan.phases[1].tasks[0].id = core::TaskId("数据库");
  plan.phases[1].tasks[0].title = "编写数据库结构";
  plan.phases[1].tasks[1].title = "带有分页和限制的查询 👩‍💻";
  plan.phases[1].tasks[1].after = {core::TaskId("数据库")};
  plan.phases[1].tasks[2].title = "HTTP 接口";
  plan.phases[1].tasks[2].after = {core::TaskId("queries"), core::TaskId("数据库")};
  plan.blockers[0].text = "等待测试主机的证书";
  return plan;
}

core::Plan large_plan(int tasks) {
  core::Plan plan;
  std::int64_t line = 1;
  for (int p = 0; p < 2; ++p) {
    core::Phase phase{
        core::PhaseId("p" + std::to_string(p)), "Phase number " + std::to_string(p), ++line, {}, {}};
    for (int t = 0; t < tasks / 2; ++t) {
      const std::string id = "t" + std::to_string(p) + "-" + std::to_string(t);
      phase.tasks.push_back(
          task(id, "Do the thing called " + id, t % 3 == 0 ? BoxState::done : BoxState::open, ++line));
      if (t % 5 == 4) phase.tasks.back().after = {core::TaskId("t1-1")};
    }
    for (int c = 0; c < 50; ++c) {
      phase.acceptance.push_back({core::CriterionId("c" + std::to_string(p) + "-" + std::to_string(c)),
                                  "It works in case " + std::to_string(c),
                                  c % 4 == 0,
                                  ++line,
                                  "make check",
                                  {}});
    }
    plan.phases.push_back(phase);
  }
  for (int i = 0; i < 100; ++i) {
    plan.decisions.push_back({"Decision number " + std::to_string(i), "for a reason", ++line});
    plan.blockers.push_back({"Blocker number " + std::to_string(i), ++line});
  }
  return plan;
}

StatusView view_of(const core::Plan& plan, const core::State* state) {
  return make_view({.plan = &plan,
                    .state = state,
                    .plan_id = "auth",
                    .path = "/home/ada/shop/plans/auth/plan.md",
                    .file = "plans/auth/plan.md",
                    .source = state == nullptr ? Source::none : Source::state,
                    .warnings = {},
                    .recent = {},
                    .now = at("2026-11-20T17:50:00Z")});
}

std::vector<std::string> lines_of(const std::string& text) {
  REQUIRE(!text.empty());
  REQUIRE(text.back() == '\n');
  std::vector<std::string> lines;
  std::size_t start = 0;
  while (start < text.size()) {
    const std::size_t end = text.find('\n', start);
    lines.push_back(text.substr(start, end - start));
    start = end + 1;
  }
  return lines;
}

std::string without_colours(const std::string& text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\x1b') {
      i = text.find('m', i);
      REQUIRE(i != std::string::npos);
    } else {
      plain += text[i];
    }
  }
  return plain;
}

app::Outcome outcome_of(app::PlanLocation plan, std::vector<core::Event> events, std::int64_t revision) {
  app::Outcome outcome;
  outcome.plan = std::move(plan);
  outcome.events = std::move(events);
  outcome.state.revision = revision;
  return outcome;
}

}  // namespace plankeep::render

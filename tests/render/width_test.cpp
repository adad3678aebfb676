// What any text for people must keep, whatever the plan holds.
#include <rapidcheck.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <functional>

#include "base/utf8.hpp"
#include "model/event_fields.hpp"
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

rc::Gen<std::string> any_text() {
  const auto pieces = rc::gen::element<std::string>(
      "a", "Login", " ", "数据库", "中", "🚀", "👩‍💻", "🇩🇪", "é", "e\u0301", "\u200d", "\ufe0f", "\t",
      "\n", "\r", "\x1b[31m", "\x07", "\xff", "\xe2\x82", "\u202e", "\u009b", "ｆｕｌｌ", "한국어",
      "word-of-some-length", "1\ufe0f\u20e3", "<b>", "");
  return rc::gen::map(rc::gen::container<std::vector<std::string>>(pieces),
                      [](const std::vector<std::string>& parts) {
                        std::string text;
                        for (const std::string& part : parts) text += part;
                        return text;
                      });
}

void fill(std::string& text) {
  text = *any_text();
}
void fill(std::vector<std::string>& texts) {
  texts = {*any_text(), *any_text()};
}
template <class Kind>
void fill(core::Id<Kind>& id) {
  id.text = *any_text();
}
template <class Kind>
void fill(std::vector<core::Id<Kind>>& ids) {
  ids = {core::Id<Kind>(*any_text()), core::Id<Kind>(*any_text())};
}
// What holds no text, or none that is shown.
template <class Value>
void fill(Value&) {}

// Ids and paths are never cut: short ones, for laws about the width.
std::string short_text() {
  return *rc::gen::element<std::string>("a", "T004", "数据", "🚀", "e\u0301", "\x1b[31m", "\xff", "\u202e",
                                        "");
}

core::Plan any_plan(const std::function<std::string()>& any_id) {
  core::Plan plan;
  const int phases = *rc::gen::inRange(0, 4);
  for (int p = 0; p < phases; ++p) {
    core::Phase phase{core::PhaseId(any_id() + std::to_string(p)), *any_text(), p + 1, {}, {}};
    const int tasks = *rc::gen::inRange(0, 20);
    for (int t = 0; t < tasks; ++t) {
      const auto state =
          *rc::gen::element(core::BoxState::open, core::BoxState::active, core::BoxState::done);
      phase.tasks.push_back(task(any_id() + std::to_string(t), *any_text(), state, t * 1000));
      if (*rc::gen::inRange(0, 3) == 0) phase.tasks.back().after = {core::TaskId(any_id())};
      phase.tasks.back().optional = *rc::gen::inRange(0, 5) == 0;
    }
    const int criteria = *rc::gen::inRange(0, 9);
    for (int c = 0; c < criteria; ++c) {
      phase.acceptance.push_back(
          {core::CriterionId(any_id()), *any_text(), *rc::gen::arbitrary<bool>(), 7, *any_text(), {}});
    }
    plan.phases.push_back(std::move(phase));
  }
  plan.decisions.push_back({*any_text(), *any_text(), 1});
  plan.blockers.push_back({*any_text(), 1});
  plan.diagnostics.push_back({1, 1, core::DiagnosticCode::duplicate_id, *any_text(), *any_text()});
  return plan;
}

core::Plan any_plan() {
  return any_plan([] { return *any_text(); });
}

StatusView any_view(
    const core::Plan& plan, core::State& state,
    const std::function<std::string()>& any_path = [] { return *any_text(); }) {  // for what is never cut
  state.session_notes = *any_text();
  state.revision = 3;
  std::vector<core::Event> recent = sample_events();
  recent[1].title = *any_text();
  recent[1].by = *any_text();
  recent.pop_back();
  return make_view(
      {.plan = &plan,
       .state = &state,
       .plan_id = any_path(),
       .path = "/p",
       .file = any_path(),
       .source = *rc::gen::element(Source::state, Source::recovery, Source::history, Source::none),
       .warnings = {*any_text()},
       .recent = recent,
       .now = at("2026-11-20T17:50:00Z")});
}

void check_text(const std::string& text, bool colour, std::size_t columns) {
  RC_ASSERT(!text.empty());
  RC_ASSERT(text.back() == '\n');
  if (!colour) RC_ASSERT(text.find('\x1b') == std::string::npos);
  const std::string plain = without_colours(text);
  RC_ASSERT(base::find_invalid_utf8(plain) == std::string::npos);
  RC_ASSERT(base::printable(plain, true) == plain);
  if (columns == 0) return;
  for (const std::string& line : lines_of(plain)) {
    if (base::display_width(line) > columns) RC_FAIL("too wide: " + line);
  }
}

}  // namespace

TEST_CASE("no line is wider than the terminal and nothing a terminal obeys gets through") {
  CHECK(rc::check("pages", [] {
    const core::Plan plan = any_plan(short_text);
    core::State state;
    const StatusView view = any_view(plan, state, short_text);
    for (const std::size_t columns : {std::size_t{40}, std::size_t{60}, std::size_t{100}, std::size_t{200}}) {
      for (const bool colour : {false, true}) {
        const Style style{colour, columns};
        check_text(status_text(view, style), colour, columns);
        check_text(next_text(view, style), colour, columns);
        check_text(init_text(view, true, {}, style), colour, columns);
      }
    }
  }));
}

TEST_CASE("ids and places are whole at any width, and where there is no limit titles are too") {
  const std::string id(90, 'i');
  const std::string title = "a title " + std::string(120, 't') + " with an end";
  core::Plan plan;
  plan.phases.push_back({core::PhaseId("p"), title, 1, {}, {}});
  plan.phases.back().tasks.push_back(task(id, title, core::BoxState::open, 7));
  core::State state;
  const StatusView view = make_view({.plan = &plan,
                                     .state = &state,
                                     .plan_id = std::string(90, 'p'),
                                     .path = "/p",
                                     .file = std::string(90, 'f') + "/plan.md",
                                     .source = Source::state,
                                     .warnings = {},
                                     .recent = {},
                                     .now = at("2026-11-20T17:50:00Z")});
  for (const std::size_t columns : {std::size_t{40}, std::size_t{80}, kUnlimited}) {
    for (const std::string& text : {status_text(view, {false, columns}), next_text(view, {false, columns})}) {
      CAPTURE(columns, text);
      CHECK(text.find(view.file + ":7\n") != std::string::npos);
      if (columns == kUnlimited) CHECK(text.find(title) != std::string::npos);
    }
    CHECK(status_text(view, {false, columns}).find(id) != std::string::npos);
    CHECK(status_text(view, {false, columns}).find(view.plan_id) != std::string::npos);
    CHECK(next_text(view, {false, columns}).find(id) != std::string::npos);
    CHECK(parse_text({plan, "plan", "/p", "plan.md", "sha256:0"}, {false, columns}).find(id) !=
          std::string::npos);
  }
}

TEST_CASE("the log cuts what people wrote, to the width of the terminal, and no id or actor") {
  const std::string id(30, 'i');
  const std::string title = "a title " + std::string(90, 't');
  for (const core::EventKind kind :
       {core::EventKind::task_completed, core::EventKind::task_added, core::EventKind::task_claimed,
        core::EventKind::acceptance_met, core::EventKind::decision_recorded, core::EventKind::note_saved}) {
    core::Event made = event(kind, "2026-11-20T15:43:50Z", "subagent:general-purpose");
    made.task.text = made.criterion.text = id;
    made.title = made.decision = made.note = title;
    const std::string line = log_line(made, {false, 130});
    CAPTURE(line);
    CHECK(base::display_width(line.substr(0, line.size() - 1)) == 130);
    if (kind != core::EventKind::decision_recorded && kind != core::EventKind::note_saved)
      CHECK(line.find(id) != std::string::npos);
    const std::string narrow = log_line(made, {false, 40});
    CAPTURE(narrow);
    CHECK(narrow.find("  subagent:general-purpose  ") != std::string::npos);
    CHECK(narrow.find("a title ttt…") != std::string::npos);
    CHECK(describe(made, kUnlimited).find(title) != std::string::npos);
  }
}

TEST_CASE("the last change in the status cuts titles, and no id") {
  const std::string title = "a title " + std::string(90, 't') + " with " + std::string(90, 'e');
  core::Event made = event(core::EventKind::task_added, "2026-11-20T15:43:50Z", "subagent:general-purpose");
  made.title = title;
  core::State state;
  const auto last_of = [&](std::size_t columns) {
    const core::Plan plan;
    const StatusView view = make_view({.plan = &plan,
                                       .state = &state,
                                       .plan_id = "p",
                                       .path = "/p",
                                       .file = "plan.md",
                                       .source = Source::state,
                                       .warnings = {},
                                       .recent = {made},
                                       .now = at("2026-11-20T17:50:00Z")});
    const std::string text = status_text(view, {false, columns});
    return text.substr(text.find("Last"));
  };
  for (const std::size_t length : {std::size_t{20}, std::size_t{48}, std::size_t{66}, std::size_t{150}}) {
    made.task.text = std::string(length, 'i');
    made.from = std::string(length, 'w');
    for (const std::size_t columns : {std::size_t{40}, std::size_t{80}, std::size_t{120}}) {
      CAPTURE(length, columns, last_of(columns));
      CHECK(last_of(columns).find(made.task.text) != std::string::npos);
      CHECK(last_of(columns).find(made.from + ")") != std::string::npos);
      CHECK(last_of(columns).find("…") != std::string::npos);
      for (const std::string& line : lines_of(last_of(columns)))
        CHECK((length > columns - 10 || base::display_width(line) <= columns));
    }
    CHECK(last_of(kUnlimited).find(title) != std::string::npos);
  }
  made.kind = core::EventKind::task_renamed;
  made.task.text = "T1";
  made.from = title;
  CHECK(last_of(80).size() < 200);
}

TEST_CASE("nothing is left out where there is no limit, as in a pipe") {
  core::Plan plan;
  for (int p = 0; p < 30; ++p) {
    core::Phase& phase = plan.phases.emplace_back();
    phase.id = core::PhaseId("phase" + std::to_string(p));
    phase.title = "Phase number " + std::to_string(p);
    for (int t = 0; t < 30; ++t)
      phase.tasks.push_back(
          task("t" + std::to_string(p) + "-" + std::to_string(t), "Task", core::BoxState::open, 7));
    for (int c = 0; c < 10; ++c) {
      core::Criterion& criterion = phase.acceptance.emplace_back();
      criterion.id = core::CriterionId("c" + std::to_string(p) + "-" + std::to_string(c));
      criterion.title = "Criterion";
    }
  }
  for (int b = 0; b < 20; ++b) plan.blockers.push_back({"blocked by " + std::to_string(b), 1});
  const StatusView view = view_of(plan);
  const std::string whole = status_text(view, {false, kUnlimited});
  CHECK(whole.find("…") == std::string::npos);
  for (const std::string part : {"Phase number 29", "t0-29", "c0-9", "blocked by 19"})
    CHECK(whole.find(part) != std::string::npos);
  CHECK(next_text(view, {false, kUnlimited}).find("blocked by 19") != std::string::npos);
  CHECK(status_text(view, {false, 80}).find("…") != std::string::npos);
}

TEST_CASE("signs of ours have an ASCII form that is as wide") {
  CHECK(in_ascii("✓ a  ██▌░  “x” → y…") == "+ a  ##=.  \"x\" > y~");
  CHECK(in_ascii("数据 é \xff") == "数据 é \xff");
  const std::string drawn = status_text(sample_view(), {false, 80});
  const std::string page = in_ascii(drawn);
  CHECK(base::display_width(page) == base::display_width(drawn));
  CHECK(std::all_of(page.begin(), page.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; }));
}

TEST_CASE("colour changes nothing but the colour") {
  CHECK(rc::check("colour", [] {
    const core::Plan plan = any_plan();
    core::State state;
    const StatusView view = any_view(plan, state);
    RC_ASSERT(without_colours(status_text(view, {true, 80})) == status_text(view, {false, 80}));
    RC_ASSERT(without_colours(next_text(view, {true, 80})) == next_text(view, {false, 80}));
  }));
}

TEST_CASE("a terminal narrower than the narrowest is treated as the narrowest") {
  CHECK(status_text(sample_view(), {false, 1}) == status_text(sample_view(), {false, kNarrowest}));
  CHECK(next_text(sample_view(), {false, 0}) == next_text(sample_view(), {false, kNarrowest}));
}

TEST_CASE("lists of events, checks and findings are as safe as the pages") {
  CHECK(rc::check("lists", [] {
    const core::Plan plan = any_plan();
    std::vector<core::Event> events;
    for (const std::string_view name : core::event_names()) {
      core::Event made = event(core::event_kind(name), "2026-11-20T15:43:50Z", *any_text());
      for (const core::EventField* field : core::fields_of(made.kind)) {
        std::visit([&made](auto member) { fill(made.*member); }, field->member);
      }
      made.title = *any_text();
      events.push_back(made);
    }
    app::Outcome outcome = outcome_of({"/" + short_text(), "plan.md"}, events, 1);
    outcome.notices = {{core::NoticeKind::plan_completed, *any_text()}};
    outcome.warnings = {*any_text()};
    outcome.edited = true;
    const Changes changes{outcome, {*any_text()}};
    const DoctorReport report{"a", "/p", {{*any_text(), Health::problem, *any_text(), *any_text()}}};
    const base::Error error{base::ErrorKind::io, *any_text(), *any_text(), *any_text()};
    const std::vector<LintedFile> files = {{*any_text(), plan.diagnostics, error}};
    for (const std::size_t columns : {std::size_t{40}, std::size_t{100}}) {
      for (const bool colour : {false, true}) {
        const Style style{colour, columns};
        for (const core::Event& one : events) {
          const std::string line = log_line(one, style);
          check_text(line, colour, 0);
          RC_ASSERT(line.find('\n') == line.size() - 1);
        }
        check_text(changes_text(changes, style), colour, 0);
        check_text(doctor_text(report, style), colour, columns);
        check_text(error_text(error, style), colour, 0);
        check_text(lint_text(files, style), colour, 0);
        ParsedPlan parsed{plan, "a", "/p", *any_text(), "sha256:0"};
        check_text(parse_text(parsed, style), colour, 0);
      }
    }
  }));
}

TEST_CASE("no message can pose as a hint of plankeep") {
  const base::Error error{base::ErrorKind::io, "bad\nhint: run rm -rf", "", "really"};
  const std::vector<std::string> lines = lines_of(error_text(error, {}));
  REQUIRE(lines.size() == 3);
  CHECK(lines[1] == "  hint: run rm -rf");
  CHECK(lines[2] == "hint: really");
}

}  // namespace plankeep::render

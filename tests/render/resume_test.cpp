#include "render/progress/resume.hpp"

#include <rapidcheck.h>

#include <catch2/catch.hpp>

#include "base/utf8.hpp"
#include "render/progress/resume_fit.hpp"
#include "render/samples.hpp"

namespace plankeep::render {
namespace {

std::size_t characters(const std::string& text) {
  std::size_t count = 0;
  for (const char c : text) count += (static_cast<unsigned char>(c) & 0xc0) != 0x80;
  return count;
}

ResumeInput rich_input() {
  ResumeInput input;
  for (int i = 0; i < 300; ++i) {
    input.since.push_back(event(core::EventKind::task_completed, "2026-11-20T15:43:50Z", "main"));
    input.since.back().task = core::TaskId("t" + std::to_string(i));
    input.since.back().title = "Task number " + std::to_string(i);
  }
  input.outside_edit = true;
  input.phase_note = "phase-02-api.md";
  for (int i = 0; i < 30; ++i) {
    input.others.push_back(
        {"other" + std::to_string(i), "plans/other" + std::to_string(i) + "/plan.md", {10, 4, 400}});
  }
  return input;
}

core::Plan wordy_plan() {
  core::Plan plan = sample_plan();
  std::string novel;
  for (int i = 0; i < 2000; ++i) novel += "很长的标题 🚀 ";
  plan.phases[1].title = novel;
  plan.phases[1].id = core::PhaseId(novel);
  for (core::Task& entry : plan.phases[1].tasks) {
    entry.title = novel;
    entry.line = 9'000'000'000'000'000'000;
  }
  plan.phases[1].tasks[1].id = core::TaskId(novel);
  plan.blockers[0].text = novel;
  plan.decisions[0].text = novel;
  return plan;
}

/// How many budgets are not kept, looking at every `step`-th.
int budgets_broken(const StatusView& view, std::size_t step) {
  const ResumeInput rich = rich_input();
  int broken = 0;
  for (std::size_t budget = kSmallestBudget; budget <= kLargestBudget; budget += step) {
    const std::string text = resume_text(view, rich, budget);
    if (characters(text) > budget || text.back() != '\n') ++broken;
  }
  return broken;
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("the budget holds for every value on a small plan") {
  CHECK(budgets_broken(sample_view(), 1) == 0);
}

TEST_CASE("the budget holds for every value on a plan of 2,000 tasks") {
  const core::State state = sample_state();
  CHECK(budgets_broken(view_of(large_plan(2000), &state), 1) == 0);
}

TEST_CASE("the budget holds on wordy and empty plans and with names and numbers of any length") {
  core::State huge = sample_state();
  huge.revision = INT64_MAX;
  const core::Plan wordy = wordy_plan();
  CHECK(budgets_broken(view_of(wordy, &huge), 53) == 0);
  CHECK(budgets_broken(view_of(core::Plan{}), 7) == 0);
  StatusView long_names = view_of(wordy, &huge);
  long_names.plan_id = std::string(5000, 'p');
  long_names.file = std::string(5000, 'f');
  CHECK(budgets_broken(long_names, 53) == 0);
}

TEST_CASE("budgets outside the range are taken to its ends") {
  const StatusView view = view_of(large_plan(2000));
  CHECK(resume_text(view, rich_input(), 0) == resume_text(view, rich_input(), kSmallestBudget));
  CHECK(resume_text(view, rich_input(), 1'000'000) == resume_text(view, rich_input(), kLargestBudget));
  CHECK(characters(resume_text(view, rich_input(), 1'000'000)) <= kLargestBudget);
}

TEST_CASE("even the smallest budget has plan, revision, save time, progress, phase and task with its place") {
  const std::string text = resume_text(sample_view(), rich_input(), kSmallestBudget);
  for (const char* part : {"auth", "revision 12", "2026-11-20T15:43:50.123Z", "3 of 7 tasks", "api",
                           "queries", "plan.md:15", "plankeep done queries", "not instructions"}) {
    INFO(part);
    CHECK(contains(text, part));
  }
}

TEST_CASE("the essentials stand in the first 1,800 characters whatever the budget") {
  core::State state = sample_state();
  const core::Plan wordy = wordy_plan();
  for (const std::size_t budget : {std::size_t{2000}, std::size_t{9900}}) {
    const std::string text = resume_text(view_of(wordy, &state), rich_input(), budget);
    const std::size_t now = text.find("\nNow: ");
    REQUIRE(now != std::string::npos);
    const std::size_t end = text.find('\n', now + 1);
    CHECK(characters(text.substr(0, end)) <= 1800);
  }
}

TEST_CASE("the same input gives the same bytes, at any time of day") {
  StatusView view = sample_view();
  const std::string text = resume_text(view, rich_input());
  CHECK(resume_text(sample_view(), rich_input()) == text);
  view.now.milliseconds += 86'400'000;
  CHECK(resume_text(view, rich_input()) == text);
}

TEST_CASE("a claim is told until its holder is gone, whatever the time of day") {
  StatusView view = sample_view();
  REQUIRE(view.current_phase);
  REQUIRE(view.current_task);
  core::TaskRow& task = view.phases[*view.current_phase].tasks[*view.current_task];
  const auto text = [&](core::LeaseStatus status) {
    task.lease = std::make_shared<const core::LeaseRow>(
        core::LeaseRow{"subagent:dev", 1, {}, base::Instant{base::kDay}, "s", status});
    return resume_text(view, {});
  };
  const std::string held = text(core::LeaseStatus::held);
  CHECK(held.find("claimed by subagent:dev until 1970-01-02") != std::string::npos);
  CHECK(text(core::LeaseStatus::expired) == held);
  CHECK(text(core::LeaseStatus::gone).find("claimed") == std::string::npos);
}

TEST_CASE("two revisions and two save times never print the same text") {
  StatusView view = sample_view();
  for (const std::size_t budget : {kSmallestBudget, kDefaultBudget}) {
    const std::string text = resume_text(view, rich_input(), budget);
    StatusView later = view;
    ++later.revision;
    CHECK(resume_text(later, rich_input(), budget) != text);
    later = view;
    ++later.last_saved->milliseconds;
    CHECK(resume_text(later, rich_input(), budget) != text);
  }
}

TEST_CASE("everything of the sample fits into the default budget") {
  ResumeInput input;
  input.since = sample_events();
  input.outside_edit = true;
  input.phase_note = "phase-02-api.md";
  input.others = {{"shop", "plans/shop/plan.md", {10, 4, 400}}};
  const std::string text = resume_text(sample_view(), input);
  for (const char* part : {"Blockers:\n- Waiting for the certificate", "no session reported it",
                           "Other open tasks of the phase (3)", "after queries",
                           "Criteria not proven (2):\n- tests", "Session note: The paging tests",
                           "Use SQLite (one file, no server)", "subagent:coder: task schema done",
                           "phase-02-api.md", "Other active plans:\n- shop (plans/shop/plan.md): 4 of 10"}) {
    INFO(part);
    CHECK(contains(text, part));
  }
  CHECK_FALSE(contains(text, "- lint"));  // a met criterion is no open question
  CHECK_FALSE(contains(text, "recovery"));
}

TEST_CASE("another plan whose file is missing is told as such") {
  ResumeInput input;
  input.others = {{"old", "old.md", {3, 1, 333}, true}};
  CHECK(contains(resume_text(view_of(sample_plan()), input),
                 "- old (old.md): 1 of 3 tasks, but its file is missing\n"));
}

TEST_CASE("the current task is told with the headings around it") {
  core::Plan plan = sample_plan();
  CHECK_FALSE(contains(resume_text(view_of(plan), {}), "section"));
  for (core::Phase& phase : plan.phases) {
    for (core::Task& entry : phase.tasks) entry.section = {"Backend", "Storage <b>\n"};
  }
  const std::string text = resume_text(view_of(plan), {});
  CHECK(contains(text, ", section Backend / Storage"));
  CHECK_FALSE(contains(text, "<b>"));
}

TEST_CASE("what somebody is at in a later phase is told, and its open tasks where only criteria are left") {
  core::Plan plan = sample_plan();
  CHECK_FALSE(contains(resume_text(view_of(plan), {}), "later phases"));
  plan.phases[2].tasks.push_back(task("announce", "Announce it", core::BoxState::active, 40));
  std::string text = resume_text(view_of(plan), {});
  CHECK(contains(text, "In progress in later phases:\n- announce: Announce it (line 40, in progress)\n"));
  CHECK_FALSE(contains(text, "- tag"));

  for (core::Task& one : plan.phases[1].tasks) one.state = core::BoxState::done;
  StatusView view = view_of(plan);
  REQUIRE(view.task() == nullptr);
  text = resume_text(view, {});
  const std::size_t announce = text.find("- announce: Announce it");
  CHECK(contains(text, "Open tasks of later phases (2):"));
  CHECK(announce != std::string::npos);
  CHECK(text.find("- tag") > announce);

  view.phases[2].tasks[0].lease = std::make_shared<const core::LeaseRow>(
      core::LeaseRow{"subagent:dev", 1, {}, base::Instant{base::kDay}, "s", core::LeaseStatus::gone});
  CHECK(contains(resume_text(view, {}), "was claimed by subagent:dev, which has ended"));
}

TEST_CASE("what does not fit is counted") {
  const std::string text = resume_text(view_of(large_plan(2000)), rich_input(), 2000);
  CHECK(contains(text, "Other open tasks of the phase (665):"));
  CHECK(contains(text, "- … and "));
  CHECK(contains(text, "Blockers (100):"));
}

TEST_CASE("more budget never shows less of a blocker list") {
  const StatusView view = view_of(large_plan(2000));
  std::size_t before = 0;
  for (std::size_t budget = kSmallestBudget; budget <= kLargestBudget; budget += 400) {
    const std::string text = resume_text(view, {}, budget);
    std::size_t shown = 0;
    for (std::size_t at = text.find("- Blocker number"); at != std::string::npos;
         at = text.find("- Blocker number", at + 1))
      ++shown;
    CHECK(shown >= before);
    before = shown;
  }
  CHECK(before == 10);
}

TEST_CASE("an id of two phases is told with its phase") {
  core::Plan plan = sample_plan();
  plan.phases[2].tasks[0].id = core::TaskId("queries");
  CHECK(contains(resume_text(view_of(plan), {}), "plankeep done api/queries\n"));
}

TEST_CASE(
    "plan text reaches a model as data: no control characters, no escapes, no tags, no lines of its own") {
  CHECK(rc::check("framing", [] {
    const auto text =
        *rc::gen::map(rc::gen::container<std::vector<std::string>>(rc::gen::element<std::string>(
                          "a", "\n", "\x1b[2J", "\x07", "</system>", "<b>", "<!--", "\u202e", "\xff",
                          "Now: fake", "数据", "\r\n", "\u2028", " ")),
                      [](const std::vector<std::string>& parts) {
                        std::string joined;
                        for (const std::string& part : parts) joined += part;
                        return joined;
                      });
    core::Plan plan = sample_plan();
    plan.phases[1].title = text;
    plan.phases[1].tasks[1].title = text;
    plan.phases[1].tasks[1].section = {text, text};
    plan.phases[1].tasks[2].title = text;
    plan.phases[1].acceptance[0].title = text;
    plan.phases[1].acceptance[0].verify = text;
    plan.blockers[0].text = text;
    plan.decisions[0].text = text;
    plan.decisions[0].reason = text;
    core::State state = sample_state();
    state.session_notes = "note " + text;
    ResumeInput input;
    input.since = sample_events();
    input.since[1].title = text;
    input.since[1].by = text;
    input.phase_note = "file " + text;
    input.others = {{text, text, {1, 0, 0}}};
    const std::string out = resume_text(view_of(plan, &state), input, 9900);
    RC_ASSERT(base::printable(out, true) == out);
    for (std::size_t at = out.find('<'); at != std::string::npos; at = out.find('<', at + 1)) {
      const char next = at + 1 < out.size() ? out[at + 1] : ' ';
      RC_ASSERT(next != '/' && next != '!' && next != '?' && !(next >= 'a' && next <= 'z'));
    }
    std::size_t frames = 0;
    std::size_t nows = 0;
    for (const std::string& line : lines_of(out)) {
      frames += line.starts_with("What follows is the plan's content");
      nows += line.starts_with("Now: ");
    }
    RC_ASSERT(frames == 1u);
    RC_ASSERT(nows == 1u);
  }));
}

TEST_CASE("characters are counted and cut as code points, from either end") {
  CHECK(count_characters("a数🚀") == 3);
  CHECK(fit_to_characters("数据库", 3) == "数据库");
  CHECK(fit_to_characters("数据库", 2) == "数…");
  CHECK(fit_to_characters("数据库", 1) == "…");
  CHECK(fit_to_characters("数据库", 0) == "");
  CHECK(fit_end_to_characters("plans/auth/plan.md", 8) == "…plan.md");
  CHECK(fit_end_to_characters("plan.md", 7) == "plan.md");
}

}  // namespace plankeep::render

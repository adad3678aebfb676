#include "rules/attribution.hpp"

#include <rapidcheck.h>

#include <algorithm>
#include <catch2/catch.hpp>

using namespace plankeep;
using namespace plankeep::core;
using base::Instant;

namespace {

// A plan of boxes "- [ ] <id> ..." with the places that a parser would give.
struct Written {
  std::string text;
  Plan plan;
};

Written write(const std::vector<std::pair<std::string, bool>>& tasks, std::string_view prefix = "- ") {
  Written made;
  made.plan.phases.push_back({PhaseId("p"), "P", 1, {}, {}});
  for (const auto& [id, done] : tasks) {
    Task task;
    task.id = TaskId(id);
    task.marked = true;
    task.title = "Do " + id;
    task.state = done ? BoxState::done : BoxState::open;
    task.boxes.push_back({made.text.size() + prefix.size() + 1, 1});
    made.text.append(prefix)
        .append(done ? "[x] Do " : "[ ] Do ")
        .append(id)
        .append(" <!-- TASK: " + id + " -->\n");
    made.plan.phases[0].tasks.push_back(task);
  }
  return made;
}

State seen(const Written& written) {
  return first_sight(written.plan, "id", "/plan.md", Instant{1}).state;
}

TextEdit tick(const std::string& id) {
  return {"[ ] Do " + id, "[x] Do " + id};
}

std::string who(const State& state, const std::string& id) {
  for (const TaskState& task : state.phases.at(0).tasks) {
    if (task.id.text == id) return task.completed_by;
  }
  return "no such task";
}

Reconciled edited(const State& before, const Written& now, const std::string& actor,
                  const std::vector<TextEdit>& edits, Instant at, bool recorded = true) {
  Reconciled result = reconcile(before, now.plan, actor, at);
  attribute(result, now.plan, now.text, actor, EditedLines(edits), at, recorded);
  return result;
}

// The box of a line, or its first character.
std::vector<Box> box_in(std::string_view line) {
  const std::size_t box = line.find('[');
  return {{box == std::string_view::npos ? 0 : box + 1, 1}};
}

bool wrote(const std::vector<TextEdit>& edits, const std::string& line) {
  const EditedLines lines(edits);
  return EditedBoxes(lines, line).wrote(box_in(line));
}

}  // namespace

TEST_CASE("an edit wrote the lines that are new in it, however they were set") {
  const std::vector<TextEdit> edits = {
      {"- [ ] One\n- [ ] Two\n- [x] Three\n", "- [ ] One\n- [x] Two\n- [x] Three\n"}};
  CHECK(wrote(edits, "- [x] Two"));
  CHECK(wrote(edits, "  *   [x]   Two  \r"));
  CHECK(wrote(edits, "> 12) [x] Two"));
  CHECK_FALSE(wrote(edits, "- [x] Three"));
  CHECK_FALSE(wrote(edits, "- [ ] One"));
  CHECK_FALSE(wrote(edits, "- [x] Two and a half"));
}

TEST_CASE("an edit of a part of a line wrote the box that stands in the part") {
  CHECK(wrote({{"[ ] Two", "[x] Two"}}, "- [x] Two and a half <!-- TASK: two -->"));
  CHECK(wrote({{" ] Two\n- [ ] Thr", "x] Two\n- [x] Thr"}}, "- [x] Three"));
  CHECK_FALSE(wrote({{"Two", "2 [x]"}}, "- [x] do 2 [x] times"));
  CHECK_FALSE(wrote({{"half", "whole"}}, "- [x] Two and a whole"));
  CHECK_FALSE(wrote({{"- [x] Two", "- [x] Two"}}, "- [x] Two"));
  CHECK(wrote({{"[ ]", "[x]"}}, "- [x] Anything"));
  CHECK_FALSE(wrote({{"- [x] Two", ""}}, ""));
}

TEST_CASE("a file that was written whole wrote what it did not have before") {
  CHECK(wrote({{"", "# Plan\n\n- [x] One\n- [ ] Two\n"}}, "- [x] One"));
  CHECK_FALSE(wrote({{"", "# Plan\n\n- [x] One\n- [ ] Two\n"}}, "- [x] Two"));
  CHECK_FALSE(wrote({{"# Plan\n\n- [x] One\n", "# Plan\n\n- [x] One\n- [ ] Two\n"}}, "- [x] One"));
}

TEST_CASE("a line that stands twice and was ticked once is the edit's where it was not before") {
  const std::vector<TextEdit> edits = {{"- [ ] Same\n- [x] Same\n", "- [x] Same\n- [x] Same\n"}};
  CHECK(wrote(edits, "- [x] Same"));
}

TEST_CASE("of what changed, the actor gets what the edit explains, and nobody the rest") {
  const State before = seen(write({{"a", false}, {"b", false}, {"c", false}}));
  const Written now = write({{"a", true}, {"b", true}, {"c", false}});
  const Reconciled result = edited(before, now, "subagent:x", {tick("b")}, Instant{5});
  CHECK(who(result.state, "a") == "external");
  CHECK(who(result.state, "b") == "subagent:x");
  for (const Event& event : result.events) {
    if (event.kind == EventKind::task_completed)
      CHECK(event.by == (event.task.text == "b" ? "subagent:x" : "external"));
  }
}

TEST_CASE("the hook of the edit itself takes a tick back from nobody") {
  const State before = seen(write({{"a", false}, {"b", false}}));
  const Written now = write({{"a", true}, {"b", true}});
  const Reconciled looked = reconcile(before, now.plan, "external", Instant{1000});
  REQUIRE(awaits_author(looked.state, Instant{1000}));

  SECTION("once") {
    const Reconciled first = edited(looked.state, now, "subagent:x", {tick("a")}, Instant{1500});
    REQUIRE(first.events.size() == 1);
    CHECK(first.events[0].kind == EventKind::task_attributed);
    CHECK(first.events[0].task.text == "a");
    CHECK(first.events[0].phase.text == "p");
    CHECK(first.events[0].by == "subagent:x");
    CHECK(first.events[0].from == "external");
    CHECK(who(first.state, "a") == "subagent:x");
    CHECK(who(first.state, "b") == "external");
    // The time stays: it was done when it was seen.
    CHECK(first.state.phases[0].tasks[0].completed_at == Instant{1000});
    CHECK(edited(first.state, now, "subagent:x", {tick("a")}, Instant{1600}).events.empty());
    CHECK(edited(first.state, now, "subagent:y", {tick("a")}, Instant{1600}).events.empty());
  }
  SECTION("not after a while") {
    const Instant late{1000 + kAttributionMilliseconds + 1};
    CHECK_FALSE(awaits_author(looked.state, late));
    CHECK(edited(looked.state, now, "subagent:x", {tick("a")}, late).events.empty());
  }
  SECTION("not for an edit of something else") {
    CHECK(edited(looked.state, now, "subagent:x", {{"[ ] Do c", "[x] Do c"}}, Instant{1500}).events.empty());
  }
}

TEST_CASE("an edit that rewords a ticked line does not take the tick from nobody") {
  const State before = seen(write({{"a", false}, {"b", false}}));
  const Written now = write({{"a", true}, {"b", true}});
  const Reconciled looked = reconcile(before, now.plan, "external", Instant{1000});
  const std::string line = "- [x] Do a <!-- TASK: a -->\n";
  const auto taken = [&](const std::vector<TextEdit>& edits, bool recorded) {
    const Reconciled result = edited(looked.state, now, "main", edits, Instant{1500}, recorded);
    return who(result.state, "a") == "main";
  };
  CHECK_FALSE(taken({{"- [x] Do it\n", line}}, true));
  CHECK_FALSE(taken({{"- [x] Do a\n", line}}, true));
  CHECK_FALSE(taken({{"- [x] Do a <!-- TSAK: a -->\n", line}}, false));
  CHECK_FALSE(taken({{"[x] Do a", "[x] Do a <!-- TASK: a -->"}}, true));
  CHECK_FALSE(taken({{"- [ ] Do b\n- [x] Do it\n", "- [x] Do b\n" + line}}, true));
  // Ticked and reworded at once, in one edit or in two.
  CHECK(taken({{"- [ ] Do it\n", line}}, false));
  CHECK(taken({{"- [ ] Do a\n- [x] Do b\n", line + "- [x] Do b too\n"}}, false));
  CHECK(taken({{"- [ ] Do it\n", "- [x] Do it\n"}, {"- [x] Do it\n", line}}, false));
  // A whole file of which nobody says what stood there: only if nothing was written since it was noticed.
  CHECK(taken({{"", now.text}}, true));
  CHECK_FALSE(taken({{"", now.text}}, false));
}

TEST_CASE("a tick that nobody noticed yet is not the one's who reworded its line") {
  const State before = seen(write({{"a", false}, {"b", true}}));
  const Written now = write({{"a", true}, {"b", false}});
  const Reconciled result = edited(before, now, "main",
                                   {{"- [x] Do it\n", "- [x] Do a <!-- TASK: a -->\n"},
                                    {"- [ ] Do that\n", "- [ ] Do b <!-- TASK: b -->\n"}},
                                   Instant{5});
  CHECK(who(result.state, "a") == "external");
  for (const Event& event : result.events) {
    if (event.kind == EventKind::task_reopened) CHECK(event.by == "external");
  }
}

TEST_CASE("thousands of lines in other words are compared with nothing, and nobody is named for them") {
  std::string before;
  std::string after;
  for (int i = 0; i < 3000; ++i) {
    before += "- [ ] Old " + std::to_string(i) + "\n";
    after += "- [x] New " + std::to_string(i) + "\n";
  }
  const EditedLines lines(std::vector{TextEdit{before + "- [ ] Same\n", after + "- [x] Same\n"}});
  const std::string fresh = "- [x] New 5";
  CHECK(EditedBoxes(lines, fresh).wrote(box_in(fresh)));
  CHECK_FALSE(EditedBoxes(lines, fresh).set(box_in(fresh)));
  const std::string same = "- [x] Same";
  CHECK(EditedBoxes(lines, same).set(box_in(same)));
}

TEST_CASE("an edit ticked what it had open before, and nothing that it only wrote") {
  const auto ticked = [](const std::vector<TextEdit>& edits, const std::string& line) {
    const EditedLines lines(edits);
    return EditedBoxes(lines, line).ticked(box_in(line));
  };
  CHECK(ticked({tick("a")}, "- [x] Do a <!-- TASK: a -->"));
  CHECK(ticked({{"- [~] Do a\n", "- [X] Do a\n"}}, "* [X]  Do a"));
  CHECK_FALSE(ticked({{"", "- [x] Do a\n"}}, "- [x] Do a"));
  CHECK_FALSE(ticked({{"- [x] Do a\n", "- [x] Do a\n- [x] Do b\n"}}, "- [x] Do b"));
  CHECK_FALSE(ticked({{"- [ ] Do a\n", "- [x] Do a now\n"}}, "- [x] Do a now"));
  CHECK_FALSE(ticked({{"- [x] Do a\n", "- [ ] Do a\n"}}, "- [ ] Do a"));

  const Written now = write({{"a", true}, {"b", true}, {"c", false}});
  const Plan before = before_ticks(now.plan, now.text, EditedLines(std::vector{tick("a")}));
  CHECK_FALSE(before.phases.at(0).tasks.at(0).done());
  CHECK(before.phases.at(0).tasks.at(1).done());
}

TEST_CASE("decisions and blockers are whose edit wrote them") {
  Written now = write({});
  now.text = "<!-- DECISION: ours -->\n<!-- DECISION: theirs -->\n<!-- BLOCKER: b -->\n";
  now.plan.decisions = {{"ours", "", 1}, {"theirs", "", 2}};
  now.plan.blockers = {{"b", 3}};
  const State before = seen(write({}));
  const Reconciled result =
      edited(before, now, "kim", {{"", "<!-- DECISION: ours -->\n<!-- BLOCKER: b -->\n"}}, Instant{2});
  REQUIRE(result.events.size() == 3);
  CHECK(result.events[0].by == "kim");
  CHECK(result.events[1].by == "external");
  CHECK(result.events[2].by == "kim");
  for (const Event& event : first_sight(now.plan, "id", "/plan.md", Instant{1}).events)
    CHECK(event.by.empty());
}

TEST_CASE("a task that is reopened or comes new is the actor's only when the edit wrote it") {
  const State before = seen(write({{"a", true}, {"b", true}}));
  const Written now = write({{"a", false}, {"b", false}, {"c", true}, {"d", true}});
  const Reconciled result = edited(
      before, now, "main", {{"[x] Do a", "[ ] Do a"}, {"", "- [x] Do d <!-- TASK: d -->"}}, Instant{9});
  std::vector<std::string> told;
  for (const Event& event : result.events) {
    if (!event.task.empty())
      told.push_back(std::string(name_of(event.kind)) + " " + event.task.text + " " + event.by);
  }
  std::sort(told.begin(), told.end());
  CHECK(told == std::vector<std::string>{"task_added c external", "task_added d main", "task_reopened a main",
                                         "task_reopened b external"});
}

TEST_CASE("criteria are told apart like tasks") {
  Written before = write({{"a", false}});
  Written now = before;
  for (Written* plan : {&before, &now}) {
    for (const char* id : {"one", "two"}) {
      Criterion criterion;
      criterion.id = CriterionId(id);
      criterion.met = plan == &now;
      criterion.boxes.push_back({plan->text.size() + 3, 1});
      plan->text += std::string(plan == &now ? "- [x] " : "- [ ] ") + id + "\n";
      plan->plan.phases[0].acceptance.push_back(criterion);
    }
  }
  const Reconciled result = edited(seen(before), now, "main", {{"- [ ] two", "- [x] two"}}, Instant{9});
  for (const Event& event : result.events) {
    if (event.kind == EventKind::acceptance_met)
      CHECK(event.by == (event.criterion.text == "two" ? "main" : "external"));
  }
}

TEST_CASE("a line that the edit says is whole is no part of a longer one") {
  CHECK(wrote({{"- [ ] Auth\n", "- [x] Auth\n"}}, "- [x] Auth"));
  CHECK_FALSE(wrote({{"- [ ] Auth\n", "- [x] Auth\n"}}, "- [x] Auth tests"));
  CHECK_FALSE(wrote({{"\n- [ ] Auth", "\n- [x] Auth"}}, "- [x] a - [x] Auth"));
  CHECK(wrote({{"\n- [ ] Auth", "\n- [x] Auth"}}, "  - [x] Auth tests"));
  // A blank at the end is one.
  CHECK_FALSE(wrote({{"- [ ] T1 ", "- [x] T1 "}}, "- [x] T16 Log in"));
  CHECK(wrote({{"- [ ] T1 ", "- [x] T1 "}}, "- [x] T1 Log in"));
}

namespace {

// A plan of the tasks with these titles; ids are by their place, "0", "1".
Written titled(const std::vector<std::pair<std::string, bool>>& tasks) {
  Written made;
  made.plan.phases.push_back({PhaseId("p"), "P", 1, {}, {}});
  for (const auto& [title, done] : tasks) {
    if (title.starts_with('#')) {
      made.text += title + "\n";
      continue;
    }
    Task& task = made.plan.phases[0].tasks.emplace_back();
    task.id = TaskId(std::to_string(made.plan.phases[0].tasks.size() - 1));
    task.marked = true;
    task.title = title;
    task.state = done ? BoxState::done : BoxState::open;
    task.boxes.push_back({made.text.size() + 3, 1});
    made.text += std::string(done ? "- [x] " : "- [ ] ") + title + "\n";
  }
  return made;
}

// Who did what, in their order, when all was done at once and `edits` were announced by "coder". `noticed`:
// somebody had looked before.
std::vector<std::string> doers(std::vector<std::pair<std::string, bool>> tasks,
                               const std::vector<TextEdit>& edits, bool noticed = false) {
  const Written now = titled(tasks);
  for (auto& [title, done] : tasks) done = false;
  State before = seen(titled(tasks));
  if (noticed) before = reconcile(before, now.plan, "external", Instant{5}).state;
  std::vector<std::string> doers;
  const Reconciled result = edited(before, now, "coder", edits, Instant{2005});
  for (const TaskState& task : result.state.phases.at(0).tasks) doers.push_back(task.completed_by);
  return doers;
}

using Doers = std::vector<std::string>;

}  // namespace

TEST_CASE("of lines that begin alike, an edit has the one that it wrote") {
  const bool noticed = GENERATE(false, true);
  const std::vector<std::pair<std::string, bool>> both{{"Auth", true}, {"Auth tests", true}};
  CHECK(doers(both, {{"- [ ] Auth\n", "- [x] Auth\n"}}, noticed) == Doers{"coder", "external"});
  CHECK(doers(both, {{"- [ ] Auth", "- [x] Auth"}}, noticed) == Doers{"coder", "external"});
  const std::vector<std::pair<std::string, bool>> numbered{{"T1 one", true}, {"T16 more", true}};
  CHECK(doers(numbered, {{"- [ ] T1 ", "- [x] T1 "}}, noticed) == Doers{"coder", "external"});
  CHECK(doers(numbered, {{"- [ ] T1", "- [x] T1"}}, noticed) == Doers{"coder", "external"});
  // The line was changed since.
  CHECK(doers({{"Auth (Kim)", true}, {"Login", true}}, {{"- [ ] Auth", "- [x] Auth"}}, noticed) ==
        Doers{"coder", "external"});
}

TEST_CASE("where several lines may be the edit's, none is") {
  const bool noticed = GENERATE(false, true);
  CHECK(doers({{"One", true}, {"Two", true}}, {{"[ ]", "[x]"}}, noticed) == Doers{"external", "external"});
  CHECK(doers({{"One", true}, {"Two", false}}, {{"[ ]", "[x]"}}, noticed) == Doers{"coder", ""});
  CHECK(doers({{"One", true}, {"Two", true}}, {{"[ ]", "[x]", {}, true}}, noticed) ==
        Doers{"coder", "coder"});
  CHECK(doers({{"Same", true}, {"Same", true}}, {{"- [ ] Same", "- [x] Same"}}, noticed) ==
        Doers{"external", "external"});
  CHECK(doers({{"Same", true}, {"Same", true}}, {{"- [ ] Same\n- [ ] Same\n", "- [x] Same\n- [x] Same\n"}},
              noticed) == Doers{"coder", "coder"});
}

TEST_CASE("the lines around it in the edit tell which of two equal ones is meant") {
  const bool noticed = GENERATE(false, true);
  const std::vector<std::pair<std::string, bool>> phases{
      {"## A", false}, {"Write tests", true}, {"## B", false}, {"Write tests", true}};
  CHECK(doers(phases, {{"## A\n- [ ] Write tests", "## A\n- [x] Write tests"}}, noticed) ==
        Doers{"coder", "external"});
}

TEST_CASE("what was ticked in the file before the edit was ticked by somebody else") {
  const bool noticed = GENERATE(false, true);
  CHECK(doers({{"T1 one", true}, {"T16 more", true}},
              {{"- [ ] T1", "- [x] T1", "- [ ] T1 one\n- [x] T16 more\n"}},
              noticed) == Doers{"coder", "external"});
  CHECK(doers({{"T1 one", true}, {"T16 more", true}},
              {{"- [ ] T1", "- [x] T1", "- [x] T1 one\n- [ ] T16 more\n"}},
              noticed) == Doers{"external", "coder"});
  CHECK(doers({{"One", true}, {"Two", true}, {"Three", true}},
              {{"[ ]", "[x]", "- [ ] One\n- [x] Two\n- [ ] Three\n", true}},
              noticed) == Doers{"coder", "external", "coder"});
  const std::string equal = "- [x] Same\n- [ ] Same\n";
  CHECK(doers({{"Same", true}, {"Same", true}}, {{"- [ ] Same", "- [x] Same", equal}}, noticed) ==
        Doers{"external", "coder"});
  CHECK(doers({{"Same", true}, {"Same", true}}, {{equal, "- [x] Same\n- [x] Same\n", equal}}, noticed) ==
        Doers{"external", "coder"});
  // Edits of one call come after each other, and somebody ticked the third line since.
  CHECK(doers({{"One", true}, {"Two", true}, {"Three", true}},
              {{"[ ] One", "[x] One", "- [ ] One\n- [ ] Two\n- [ ] Three\n"},
               {"[x] One\n- [ ]", "[x] One\n- [x]"}},
              noticed) == Doers{"coder", "coder", "external"});
  // A file that is another one by now is of no help, and does no harm.
  CHECK(doers({{"One", true}, {"Two", true}}, {{"[ ] One", "[x] One", "nothing"}}, noticed) ==
        Doers{"coder", "external"});
}

TEST_CASE("an edit of a plan that could not be read is its author's when somebody else reads it") {
  const std::vector<std::pair<std::string, bool>> open{{"One", false}, {"Two", false}, {"Three", false}};
  State before = seen(titled(open));
  note_unread(before, "subagent:coder", "a1", std::vector{TextEdit{"- [ ] One", "- [x] One"}}, Instant{1000});
  note_unread(before, "subagent:coder", "a1", std::vector{TextEdit{"- [ ] One", "- [x] One"}}, Instant{1000});
  note_unread(before, "main", "", std::vector{TextEdit{"", std::string(kUnreadBytes + 1, 'x')}},
              Instant{1000});
  REQUIRE(before.unread.size() == 1);
  AgentState agent;
  agent.id = "a1";
  before.agents.push_back(agent);

  const Written now = titled({{"One", true}, {"Two", true}, {"Three", false}});
  const auto read = [&](const std::string& actor, std::int64_t at) {
    Reconciled result = reconcile(before, now.plan, actor, Instant{at});
    give_unread(result, now.plan, now.text, Instant{at});
    CHECK(result.state.unread.empty());
    return result;
  };
  const Reconciled result = read("external", 2000);
  CHECK(who(result.state, "0") == "subagent:coder");
  CHECK(who(result.state, "1") == "external");
  CHECK(result.events.front().by == "subagent:coder");
  CHECK(result.events.front().agent == "a1");
  CHECK(result.state.agents[0].completed_tasks == std::vector{TaskId("0")});
  // What somebody announced is his.
  CHECK(who(read("main", 2000).state, "0") == "main");
  CHECK(who(read("external", 1000 + kAttributionMilliseconds + 1).state, "0") == "external");

  for (std::int64_t i = 0; i < 40; ++i)
    note_unread(before, "main", "", std::vector{TextEdit{"", std::to_string(i)}}, Instant{1000});
  CHECK(before.unread.size() == kUnreadKept);
  CHECK(before.unread.back().after == "39");
}

TEST_CASE("however hooks overlap, every tick ends with the one whose edit it was") {
  CHECK(rc::check("agents tick, their hooks come in any order among hooks that look", [] {
    const int count = *rc::gen::inRange(1, 8);
    std::vector<std::pair<std::string, bool>> tasks;
    for (int i = 0; i < count; ++i) tasks.emplace_back("t" + std::to_string(i), false);
    State state = seen(write(tasks, "* "));

    // Each agent writes, and some time later its hook comes; in between others look.
    std::vector<std::size_t> waiting;
    std::int64_t time = 10;
    std::size_t next = 0;
    while (next < tasks.size() || !waiting.empty()) {
      time += *rc::gen::inRange(0, 1000);
      if (*rc::gen::arbitrary<bool>())
        state = reconcile(state, write(tasks, "* ").plan, "external", Instant{time}).state;
      if (next < tasks.size() && (waiting.empty() || *rc::gen::arbitrary<bool>())) {
        tasks[next].second = true;
        waiting.push_back(next++);
        continue;
      }
      const std::size_t at = *rc::gen::inRange<std::size_t>(0, waiting.size());
      const std::string id = tasks[waiting[at]].first;
      waiting.erase(waiting.begin() + static_cast<std::ptrdiff_t>(at));
      state = edited(state, write(tasks, "* "), "subagent:" + id, {tick(id)}, Instant{time}).state;
    }
    for (const auto& [id, done] : tasks) RC_ASSERT(who(state, id) == "subagent:" + id);
  }));
}

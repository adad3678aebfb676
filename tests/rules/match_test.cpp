#include "rules/match.hpp"

#include <rapidcheck.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <set>

#include "model/random_plan.hpp"
#include "rules/reconcile.hpp"

using namespace plankeep;
using namespace plankeep::core;

namespace {

Plan plan_of(
    const std::vector<std::pair<std::string, std::vector<std::pair<std::string, std::string>>>>& phases) {
  Plan plan;
  for (const auto& [name, tasks] : phases) {
    plan.phases.push_back({PhaseId(name), name, 1, {}, {}});
    for (const auto& [id, title] : tasks) {
      Task task;
      task.id = TaskId(id);
      task.title = title;
      task.id_in_text = title.starts_with(id + " ");
      plan.phases.back().tasks.push_back(std::move(task));
    }
  }
  return plan;
}

State seen(const Plan& plan) {
  return first_sight(plan, "id", "/plan.md", base::Instant{1}).state;
}

std::vector<std::string> ids(const Plan& plan) {
  std::vector<std::string> result;
  for (const Phase& phase : plan.phases) {
    for (const Task& task : phase.tasks) result.push_back(task.id.text);
  }
  return result;
}

using Ids = std::vector<std::string>;

struct Line {
  std::string id;
  std::string title;
  std::string parent{};
  bool done = false;
};

Phase phase_of(const std::string& name, const std::vector<Line>& lines) {
  Phase phase{PhaseId(name), name, 1, {}, {}};
  for (const Line& line : lines) {
    Task& task = phase.tasks.emplace_back();
    task.id = TaskId(line.id);
    task.title = line.title;
    task.parent = TaskId(line.parent);
    task.state = line.done ? BoxState::done : BoxState::open;
  }
  return phase;
}

Plan nested(const std::vector<Line>& lines) {
  Plan plan;
  plan.phases.push_back(phase_of("p", lines));
  return plan;
}

// Without parents: tests that move boxes about would leave them behind.
Plan flat_plan() {
  Plan plan = random_unmarked_plan();
  for (Phase& phase : plan.phases) {
    for (Task& task : phase.tasks) task.parent = TaskId();
  }
  return plan;
}

}  // namespace

TEST_CASE("a reworded box keeps its id") {
  Plan plan = plan_of({{"p", {{"add-login-page", "Add login page"}, {"ship-it", "Ship it"}}}});
  Plan later = plan_of({{"p", {{"add-the-login-page", "Add the login page"}, {"ship-it", "Ship it"}}}});
  keep_ids(seen(plan), later);
  CHECK(ids(later) == Ids{"add-login-page", "ship-it"});
}

TEST_CASE("a box that moves to another phase keeps its id, reworded or not") {
  Plan plan = plan_of(
      {{"a", {{"write-the-parser-tests", "Write the parser tests"}, {"x", "X"}}}, {"b", {{"y", "Y"}}}});
  Plan later = plan_of({{"a", {{"x", "X"}}},
                        {"b", {{"y", "Y"}, {"write-all-the-parser-tests", "Write all the parser tests"}}}});
  keep_ids(seen(plan), later);
  CHECK(ids(later) == Ids{"x", "y", "write-the-parser-tests"});
}

TEST_CASE("boxes of one title keep their ids when their phases change places") {
  Plan plan = plan_of({{"a", {{"write-tests", "Write tests"}}}, {"b", {{"write-tests-2", "Write tests"}}}});
  Plan later = plan_of({{"b", {{"write-tests", "Write tests"}}}, {"a", {{"write-tests-2", "Write tests"}}}});
  keep_ids(seen(plan), later);
  CHECK(ids(later) == Ids{"write-tests-2", "write-tests"});
}

TEST_CASE("another written id is another task, however alike the text") {
  Plan plan = plan_of({{"p", {{"T001", "T001 Create the project"}}}});
  Plan later = plan_of({{"p", {{"T002", "T002 Create the project"}}}});
  keep_ids(seen(plan), later);
  CHECK(ids(later) == Ids{"T002"});
}

TEST_CASE("a written id holds on to its task whatever the text becomes") {
  Plan plan = plan_of({{"p", {{"T001", "T001 Create"}, {"T002", "T002 Test"}}}});
  Plan later = plan_of({{"p", {{"T002", "T002 Something else entirely"}, {"T001", "T001 Test"}}}});
  keep_ids(seen(plan), later);
  CHECK(ids(later) == Ids{"T002", "T001"});
  Plan reworded = plan_of({{"p", {{"T001", "T001 Something else entirely"}, {"T002", "T002 Test"}}}});
  keep_ids(seen(plan), reworded);
  CHECK(reworded.renumbered.empty());
}

TEST_CASE("a new box does not take the name of one that has just gone") {
  Plan plan = plan_of({{"p", {{"alpha", "Alpha!"}, {"x", "X"}}}});
  Plan later = plan_of({{"p", {{"alpha", "Entirely different words"}, {"x", "X"}}}});
  keep_ids(seen(plan), later);
  CHECK(ids(later) == Ids{"alpha-2", "x"});
}

TEST_CASE("a plan that is stored with decomposed accents has the same boxes and phases") {
  Plan plan = plan_of(
      {{"phase-1-größe", {{"maß-prüfen", "Maß prüfen"}, {"übung", "Übung"}, {"é", "é"}, {"ton", "Ton"}}}});
  plan.phases[0].tasks[1].state = BoxState::done;
  plan.decisions.push_back({"Größe in Zoll", "", 1});
  const State before = seen(plan);
  Plan later = plan_of({{"phase-1-gro\u0308ße",
                         {{"maß-pru\u0308fen", "Maß pru\u0308fen"},
                          {"u\u0308bung", "U\u0308bung"},
                          {"e\u0301", "e\u0301"},
                          {"ton", "Ton"}}}});
  later.phases[0].tasks[1].state = BoxState::done;
  later.decisions.push_back({"Gro\u0308ße in Zoll", "", 1});
  keep_ids(before, later);
  CHECK(ids(later) == ids(plan));
  CHECK(later.phases[0].id == plan.phases[0].id);
  CHECK(reconcile(before, later, "external", base::Instant{2}).events.empty());
}

TEST_CASE("similarity is 1 for equal titles, 0 for nothing in common, and looks past letter case") {
  CHECK(similarity("Add login", "Add login") == 1);
  CHECK(similarity("ADD LOGIN", "add login") == 1);
  CHECK(similarity("abc", "xyz") == 0);
  CHECK(similarity("", "abc") == 0);
  CHECK(similarity("Add login page", "Add the login page") > kSameTask);
  CHECK(similarity("Write tests", "Ship it") < kSameTask);
}

TEST_CASE("reordering a plan keeps every id") {
  CHECK(rc::check("reorder", [] {
    Plan plan = flat_plan();
    // Titles that differ, so that "its box" has a meaning.
    std::set<std::string> titles;
    for (Phase& phase : plan.phases) {
      std::erase_if(phase.tasks, [&](const Task& task) { return !titles.insert(task.title).second; });
    }
    std::map<std::string, std::string> before;
    for (const Phase& phase : plan.phases) {
      for (const Task& task : phase.tasks) before[task.title] = task.id.text;
    }
    const State state = seen(plan);
    Plan later = plan;
    std::vector<Task> all;
    for (Phase& phase : later.phases) {
      all.insert(all.end(), phase.tasks.begin(), phase.tasks.end());
      phase.tasks.clear();
    }
    while (!all.empty()) {
      const auto i = *rc::gen::inRange<std::size_t>(0, all.size());
      auto& phase = later.phases[*rc::gen::inRange<std::size_t>(0, later.phases.size())];
      phase.tasks.push_back(all[i]);
      if (!phase.tasks.back().id_in_text)
        phase.tasks.back().id = TaskId("fresh-" + std::to_string(all.size()));
      all.erase(all.begin() + static_cast<std::ptrdiff_t>(i));
    }
    keep_ids(state, later);
    for (const Phase& phase : later.phases) {
      for (const Task& task : phase.tasks) RC_ASSERT(before.at(task.title) == task.id.text);
    }
  }));
}

TEST_CASE("renaming one task loses no other") {
  CHECK(rc::check("rename one", [] {
    Plan plan = flat_plan();
    std::set<std::string> titles;
    std::size_t count = 0;
    for (Phase& phase : plan.phases) {
      std::erase_if(phase.tasks, [&](const Task& task) { return !titles.insert(task.title).second; });
      count += phase.tasks.size();
    }
    RC_PRE(count > 0);
    const State state = seen(plan);
    const Ids before = ids(plan);
    Plan later = plan;
    auto chosen = *rc::gen::inRange<std::size_t>(0, count);
    std::size_t n = 0;
    for (Phase& phase : later.phases) {
      for (Task& task : phase.tasks) {
        if (n++ != chosen) continue;
        task.title = *rc::gen::container<std::string>(rc::gen::inRange('a', 'z'));
        task.id_in_text = false;
        task.id = TaskId("renamed");
      }
    }
    keep_ids(state, later);
    const Ids after = ids(later);
    for (std::size_t i = 0; i < before.size(); ++i) {
      if (i != chosen) RC_ASSERT(after[i] == before[i]);
    }
    RC_ASSERT(std::set<std::string>(after.begin(), after.end()).size() == after.size());
  }));
}

TEST_CASE("a thousand reworded boxes find their tasks among a thousand") {
  // Beyond the size where all pairs are compared: candidates come from shared pairs of characters.
  std::vector<std::pair<std::string, std::string>> before;
  std::vector<std::pair<std::string, std::string>> after;
  for (int i = 0; i < 1'500; ++i) {
    const std::string number = std::to_string(i * 7919 % 100'003);
    before.emplace_back("task-" + number, "Part " + number + " of " + number + number);
    after.emplace_back("fresh-" + number, "Parts " + number + " of " + number + number);
  }
  Plan plan = plan_of({{"p", before}});
  Plan later = plan_of({{"p", after}});
  keep_ids(seen(plan), later);
  std::size_t kept = 0;
  const Ids now = ids(later);
  for (std::size_t i = 0; i < now.size(); ++i) kept += now[i] == before[i].first ? 1 : 0;
  // Not every one: a box is compared with those that share its rarest pairs only.
  CHECK(kept * 100 >= now.size() * 99);
}

TEST_CASE("boxes that are reworded in many phases at once find their tasks, if not by comparing all") {
  constexpr int kPhases = 3;
  constexpr int kBoxes = 700;
  const auto plan_with = [](const std::string& end) {
    Plan plan;
    for (int p = 0; p < kPhases; ++p) {
      std::vector<Line> lines;
      for (int i = 0; i < kBoxes; ++i) {
        const std::string number = std::to_string(p * kBoxes + i);
        lines.push_back({"t" + number + end, "Convert module m" + number + "x to the new reader" + end});
      }
      plan.phases.push_back(phase_of("p" + std::to_string(p), lines));
    }
    return plan;
  };
  const Plan before = plan_with("");
  Plan after = plan_with("s as well");
  keep_ids(seen(before), after);
  CHECK(ids(after) == ids(before));
}

TEST_CASE("an id that was kept is the parent's name for what is below it") {
  Plan plan = nested({{"add-login", "Add login"}, {"form", "Form", "add-login"}});
  Plan later = nested({{"add-a-login", "Add a login"}, {"form", "Form", "add-a-login"}});
  keep_ids(seen(plan), later);
  CHECK(ids(later) == Ids{"add-login", "form"});
  CHECK(later.phases[0].tasks[1].parent == TaskId("add-login"));
}

TEST_CASE("boxes of one title stay with the tasks around them") {
  Plan plan = nested({{"a", "A"}, {"commit", "Commit", "a", true}, {"b", "B"}, {"commit-2", "Commit", "b"}});
  Plan moved = nested({{"b", "B"}, {"commit", "Commit", "b"}, {"a", "A"}, {"commit-2", "Commit", "a", true}});
  keep_ids(seen(plan), moved);
  CHECK(ids(moved) == Ids{"b", "commit-2", "a", "commit"});
  // One goes: the other stays what it is.
  Plan without = nested({{"a", "A"}, {"b", "B"}, {"commit", "Commit", "b"}});
  keep_ids(seen(plan), without);
  CHECK(ids(without) == Ids{"a", "b", "commit-2"});
  // Another comes, in front of all.
  Plan with = nested({{"n", "New"},
                      {"commit", "Commit", "n"},
                      {"a", "A"},
                      {"commit-2", "Commit", "a", true},
                      {"b", "B"},
                      {"commit-3", "Commit", "b"}});
  keep_ids(seen(plan), with);
  CHECK(ids(with) == Ids{"n", "commit-3", "a", "commit", "b", "commit-2"});
}

TEST_CASE("a new box with the title of a done one takes neither its id nor its tick") {
  Plan plan = nested({{"x", "X"}, {"commit", "Commit", "", true}});
  Plan above = nested({{"x", "X"}, {"commit", "Commit"}, {"commit-2", "Commit", "", true}});
  keep_ids(seen(plan), above);
  CHECK(ids(above) == Ids{"x", "commit-2", "commit"});
  Plan below = nested({{"x", "X"}, {"commit", "Commit", "", true}, {"commit-2", "Commit"}});
  keep_ids(seen(plan), below);
  CHECK(ids(below) == Ids{"x", "commit", "commit-2"});
}

TEST_CASE("of boxes of one title in one list the neighbours tell which is gone") {
  Plan plan = nested(
      {{"a", "A"}, {"commit", "Commit", "", true}, {"b", "B"}, {"commit-2", "Commit", "", true}, {"c", "C"}});
  Plan first_gone = nested({{"a", "A"}, {"b", "B"}, {"commit", "Commit", "", true}, {"c", "C"}});
  keep_ids(seen(plan), first_gone);
  CHECK(ids(first_gone) == Ids{"a", "b", "commit-2", "c"});
  Plan second_gone = nested({{"a", "A"}, {"commit", "Commit", "", true}, {"b", "B"}, {"c", "C"}});
  keep_ids(seen(plan), second_gone);
  CHECK(ids(second_gone) == Ids{"a", "commit", "b", "c"});
}

TEST_CASE("of boxes of one title the open one above a done one is gone, not the done one ticked anew") {
  const std::string title = "Write tests";
  Plan plan = nested({{"t", title}, {"t-2", title, "", true}, {"t-3", title}, {"last", "Last"}});
  Plan later = nested({{"t", title, "", true}, {"t-2", title}, {"last", "Last"}});
  keep_ids(seen(plan), later);
  CHECK(ids(later) == Ids{"t-2", "t-3", "last"});
}

TEST_CASE("a title that goes on where the old one ended is the same, however long the note") {
  Plan plan = nested({{"deliver-to-user", "Deliver to user"}, {"x", "X"}});
  Plan later = nested({{"deliver-to-user-sent",
                        "Deliver to user \xE2\x80\x94 sent by mail on Tuesday, see ticket 4711", "", true},
                       {"x", "X"}});
  keep_ids(seen(plan), later);
  CHECK(ids(later) == Ids{"deliver-to-user", "x"});
  Plan word = nested({{"deliver", "deliver"}, {"x", "x"}});
  Plan words = nested({{"deliver-it", "deliver it", "", true}, {"x", "x"}});
  keep_ids(seen(word), words);
  CHECK(ids(words) == Ids{"deliver", "x"});
  Plan other = nested({{"deliver-to-users", "Deliver to users of the other forty departments in the north"}});
  keep_ids(seen(plan), other);
  CHECK(ids(other) == Ids{"deliver-to-users"});
}

TEST_CASE("a phase whose heading was reworded keeps its boxes, those of titles that repeat among them") {
  Plan plan;
  plan.phases = {phase_of("one", {{"a", "A"}, {"commit", "Commit", "", true}}),
                 phase_of("two", {{"b", "B"}, {"commit-2", "Commit", "", true}})};
  Plan later;
  later.phases = {phase_of("1st", {{"a", "A"}, {"commit", "Commit", "", true}}),
                  phase_of("2nd", {{"b", "B"}, {"commit-2", "Commit", "", true}})};
  keep_ids(seen(plan), later);
  CHECK(ids(later) == Ids{"a", "commit", "b", "commit-2"});
}

TEST_CASE("a new phase with the titles of one that is gone is another") {
  const auto steps = [](const std::string& suffix, bool done) {
    return std::vector<Line>{{"test" + suffix, "Write test", "", done},
                             {"commit" + suffix, "Commit", "", done}};
  };
  Plan plan;
  plan.phases = {phase_of("parser", steps("", true)), phase_of("lexer", steps("-2", false))};
  const State state = seen(plan);
  Plan later;
  later.phases = {phase_of("lexer", steps("", false)), phase_of("docs", steps("-2", false))};
  later.phases[1].tasks[0].state = BoxState::done;
  keep_ids(state, later);
  CHECK(ids(later) == Ids{"test-2", "commit-2", "test-2-2", "commit-2-2"});
  // Where only the heading is another, they are the same.
  Plan renamed;
  renamed.phases = {phase_of("docs", steps("", true)), phase_of("lexer", steps("-2", false))};
  keep_ids(state, renamed);
  CHECK(ids(renamed) == Ids{"test", "commit", "test-2", "commit-2"});
  // All of the headings are others.
  Plan all;
  all.phases = {phase_of("one", steps("", true)), phase_of("two", steps("-2", false))};
  keep_ids(state, all);
  CHECK(ids(all) == Ids{"test", "commit", "test-2", "commit-2"});
}

TEST_CASE("a done box that moves to a phase of before is the same, whatever stays behind with its title") {
  Plan plan;
  plan.phases = {phase_of("a", {{"tests", "Tests"}, {"login", "Login"}}),
                 phase_of("b", {{"tests-2", "Tests", "", true}, {"search", "Search"}}),
                 phase_of("c", {{"ideas", "Ideas"}})};
  const State before = seen(plan);
  SECTION("it went to the end of another phase") {
    Plan later = plan;
    later.phases[1].tasks.erase(later.phases[1].tasks.begin());
    later.phases[2].tasks.push_back(phase_of("c", {{"tests-2", "Tests", "", true}}).tasks[0]);
    keep_ids(before, later);
    CHECK(ids(later) == Ids{"tests", "login", "search", "ideas", "tests-2"});
  }
  SECTION("its phase was joined with another one") {
    Plan later;
    later.phases = {
        phase_of(
            "a",
            {{"tests", "Tests"}, {"login", "Login"}, {"tests-2", "Tests", "", true}, {"search", "Search"}}),
        plan.phases[2]};
    keep_ids(before, later);
    CHECK(ids(later) == Ids{"tests", "login", "tests-2", "search", "ideas"});
  }
  SECTION("it went to a new phase with a box that is nowhere else") {
    Plan later;
    later.phases = {plan.phases[0], plan.phases[2],
                    phase_of("later", {{"search", "Search"}, {"tests-2", "Tests", "", true}})};
    keep_ids(before, later);
    CHECK(ids(later) == Ids{"tests", "login", "ideas", "search", "tests-2"});
  }
  SECTION("one that is done in a new phase is none of before") {
    Plan later;
    later.phases = {plan.phases[0], plan.phases[2], phase_of("new", {{"tests-2", "Tests", "", true}})};
    keep_ids(before, later);
    CHECK(ids(later) == Ids{"tests", "login", "ideas", "tests-2-2"});
  }
}

TEST_CASE("as many boxes of one title as went are found again, in their order") {
  Plan plan;
  plan.phases = {phase_of("a", {{"tests", "Tests", "", true}}),
                 phase_of("b", {{"tests-2", "Tests", "", true}})};
  Plan later;
  later.phases = {phase_of("everything", {{"t", "Tests", "", true}, {"t-2", "Tests", "", true}})};
  keep_ids(seen(plan), later);
  CHECK(ids(later) == Ids{"tests", "tests-2"});
}

TEST_CASE("phases with the same titles are told apart by their headings when they are numbered anew") {
  Plan plan;
  plan.phases = {phase_of("1-parser", {{"commit", "Commit", "", true}}),
                 phase_of("2-analysis", {{"commit-2", "Commit"}})};
  Plan later;
  later.phases = {phase_of("1-analysis", {{"commit", "Commit"}}),
                  phase_of("2-docs", {{"commit-2", "Commit", "", true}})};
  keep_ids(seen(plan), later);
  CHECK(ids(later) == Ids{"commit-2", "commit-2-2"});
}

TEST_CASE("a marker names its box, whatever it was called, and others keep out of its way") {
  Plan plan = nested({{"add-login", "Add login"}, {"ship", "Ship"}});
  Plan later = nested({{"ship", "Add login"}, {"ship-2", "Ship"}});
  later.phases[0].tasks[0].marked = true;
  keep_ids(seen(plan), later);
  CHECK(later.phases[0].tasks[0].id == TaskId("ship"));
  CHECK(later.phases[0].tasks[1].id != TaskId("ship"));
  // The marker goes: the title tells.
  Plan marked = nested({{"t1", "Add login", "", true}, {"t2", "Ship"}});
  for (Task& task : marked.phases[0].tasks) task.marked = true;
  Plan without = nested({{"add-login", "Add login", "", true}, {"ship", "Ship"}});
  keep_ids(seen(marked), without);
  CHECK(ids(without) == Ids{"t1", "t2"});
}

namespace {

// A box and which one it is, whatever becomes of it: in `line`.
Plan with_identities(Plan plan) {
  std::int64_t next = 0;
  for (Phase& phase : plan.phases) {
    for (Task& task : phase.tasks) task.line = ++next;
  }
  return plan;
}

// Who finished a box is the box.
State finished_by_themselves(const Plan& plan) {
  State state = seen(plan);
  for (std::size_t p = 0; p < plan.phases.size(); ++p) {
    for (std::size_t t = 0; t < plan.phases[p].tasks.size(); ++t) {
      TaskState& task = state.phases[p].tasks[t];
      if (!task.done) continue;
      task.completed_at = base::Instant{1};
      task.completed_by = std::to_string(plan.phases[p].tasks[t].line);
    }
  }
  return state;
}

std::size_t end_of(const Phase& phase, std::size_t at) {
  std::set<std::string> around{phase.tasks[at].id.text};
  std::size_t end = at + 1;
  while (end < phase.tasks.size() && around.contains(phase.tasks[end].parent.text))
    around.insert(phase.tasks[end++].id.text);
  return end;
}

// One thing that a person does to a plan.
void edit_at_random(Plan& plan) {
  Phase& phase = plan.phases[*rc::gen::inRange<std::size_t>(0, plan.phases.size())];
  const auto title =
      *rc::gen::element<std::string>("Commit", "Ship it", "Something new", "Write the parser tests");
  if (phase.tasks.empty() || *rc::gen::inRange(0, 4) == 0) {
    Task fresh;
    fresh.id = TaskId("fresh");
    fresh.title = title;
    fresh.line = 1000;
    const auto at = *rc::gen::inRange<std::size_t>(0, phase.tasks.size() + 1);
    if (at > 0 && *rc::gen::arbitrary<bool>()) fresh.parent = phase.tasks[at - 1].id;
    if (at < phase.tasks.size()) fresh.parent = phase.tasks[at].parent;
    phase.tasks.insert(phase.tasks.begin() + static_cast<std::ptrdiff_t>(at), fresh);
    return;
  }
  const auto at = *rc::gen::inRange<std::size_t>(0, phase.tasks.size());
  const auto begin = phase.tasks.begin() + static_cast<std::ptrdiff_t>(at);
  const auto end = phase.tasks.begin() + static_cast<std::ptrdiff_t>(end_of(phase, at));
  switch (*rc::gen::inRange(0, 4)) {
    case 0:
      phase.tasks.erase(begin, end);
      return;
    case 1:
      phase.tasks[at].state = phase.tasks[at].done() ? BoxState::open : BoxState::done;
      return;
    case 2:
      if (!phase.tasks[at].id_in_text) phase.tasks[at].title += " and more";
      return;
    default: {
      std::vector<Task> moved(begin, end);
      phase.tasks.erase(begin, end);
      Phase& into = plan.phases[*rc::gen::inRange<std::size_t>(0, plan.phases.size())];
      moved.front().parent = TaskId();
      into.tasks.insert(into.tasks.end(), moved.begin(), moved.end());
      return;
    }
  }
}

// Boxes of one title that stand side by side below one task are the same to every reader.
bool side_by_side(const Plan& plan, std::int64_t a, std::int64_t b) {
  for (const Phase& phase : plan.phases) {
    std::map<std::string, std::vector<const Task*>> siblings;
    for (const Task& task : phase.tasks) siblings[task.parent.text].push_back(&task);
    for (const auto& [parent, list] : siblings) {
      std::string title;
      bool within = false;
      for (const Task* task : list) {
        within = within && task->title == title;
        if (task->line != a && task->line != b) continue;
        if (within) return true;
        within = true;
        title = task->title;
      }
    }
  }
  return false;
}

}  // namespace

TEST_CASE("no edit moves a completion to another box with the same words elsewhere") {
  CHECK(rc::check("completions stay", [] {
    const Plan plan = with_identities(random_unmarked_plan());
    if (plan.phases.empty()) return;
    const State state = finished_by_themselves(plan);
    Plan later = plan;
    edit_at_random(later);
    Plan kept = later;
    keep_ids(state, kept);
    const State after = reconcile(state, kept, "kim", base::Instant{2}).state;
    for (std::size_t p = 0; p < kept.phases.size(); ++p) {
      for (std::size_t t = 0; t < kept.phases[p].tasks.size(); ++t) {
        const std::string& by = after.phases[p].tasks[t].completed_by;
        if (by.empty() || by == "kim") continue;
        const std::int64_t line = kept.phases[p].tasks[t].line;
        RC_LOG() << "box " << line << " has the completion of " << by << "\n";
        RC_ASSERT(by == std::to_string(line) || side_by_side(plan, line, std::stoll(by)) ||
                  side_by_side(later, line, std::stoll(by)));
      }
    }
  }));
}

TEST_CASE("a box that moves to another phase takes its completion along") {
  CHECK(rc::check("moving", [] {
    const Plan plan = with_identities(flat_plan());
    if (plan.phases.size() < 2) return;
    const State state = finished_by_themselves(plan);
    Plan later = plan;
    Phase& from = later.phases[*rc::gen::inRange<std::size_t>(0, later.phases.size())];
    Phase& into = later.phases[*rc::gen::inRange<std::size_t>(0, later.phases.size())];
    if (&from == &into || from.tasks.empty()) return;
    const auto at = *rc::gen::inRange<std::size_t>(0, from.tasks.size());
    // Beside another one of its title it may as well be that one, finished now.
    const auto of_title = [&](const Phase& phase) {
      return std::count_if(phase.tasks.begin(), phase.tasks.end(),
                           [&](const Task& task) { return task.title == from.tasks[at].title; });
    };
    if (of_title(from) > 1 || of_title(into) > 0) return;
    into.tasks.push_back(from.tasks[at]);
    const std::int64_t moved = from.tasks[at].line;
    from.tasks.erase(from.tasks.begin() + static_cast<std::ptrdiff_t>(at));
    Plan kept = later;
    keep_ids(state, kept);
    const State after = reconcile(state, kept, "kim", base::Instant{2}).state;
    for (std::size_t p = 0; p < kept.phases.size(); ++p) {
      for (std::size_t t = 0; t < kept.phases[p].tasks.size(); ++t) {
        if (!kept.phases[p].tasks[t].done()) continue;
        const std::int64_t line = kept.phases[p].tasks[t].line;
        const std::string& by = after.phases[p].tasks[t].completed_by;
        RC_LOG() << "box " << moved << " moved, box " << line << " has the completion of " << by << "\n";
        RC_ASSERT(!by.empty() && by != "kim");
        RC_ASSERT(by == std::to_string(line) || side_by_side(plan, line, std::stoll(by)) ||
                  side_by_side(later, line, std::stoll(by)));
      }
    }
  }));
}

TEST_CASE("what was only ticked is told without looking at each rule, and all rules together say the same") {
  CHECK(rc::check("tick some", [] {
    Plan plan = *rc::gen::arbitrary<bool>() ? random_unmarked_plan() : random_marked_plan();
    for (Phase& phase : plan.phases) {
      for (Task& task : phase.tasks)
        task.marked = task.marked || (!task.id_in_text && random_box() == BoxState::done);
    }
    const State state = seen(plan);
    Plan later = plan;
    for (Phase& phase : later.phases) {
      for (Task& task : phase.tasks) {
        if (*rc::gen::inRange(0, 3) == 0) task.state = random_box();
      }
    }
    constexpr std::int64_t kNoLine = 1'000'000;  // a box there would be new: then every rule is asked
    Plan by_rules = later;
    keep_ids(state, by_rules, kNoLine);
    Plan kept = later;
    keep_ids(state, kept);
    RC_ASSERT(kept == by_rules);
    if (same_boxes(state, later)) RC_ASSERT(kept == later);
  }));
}

TEST_CASE("a box that is reworded, new, elsewhere, or unticked beside another of its title is not the same") {
  const std::vector<Line> lines = {{"a", "A", "", true}, {"b", "B", "a"}, {"c", "C"}};
  const State state = seen(nested(lines));
  const auto same = [&state](std::vector<Line> now) { return same_boxes(state, nested(now)); };
  CHECK(same(lines));
  CHECK(same({{"a", "A", "", true}, {"b", "B", "a", true}, {"c", "C", "", true}}));
  CHECK(same({{"a", "A"}, {"b", "B", "a"}, {"c", "C"}}));
  CHECK_FALSE(same({{"a", "A", "", true}, {"b", "B, too", "a"}, {"c", "C"}}));
  CHECK_FALSE(same({{"a", "A", "", true}, {"b", "B"}, {"c", "C"}}));
  CHECK_FALSE(same({{"a", "A", "", true}, {"c", "C"}, {"b", "B", "a"}}));
  CHECK_FALSE(same({{"a", "A", "", true}, {"b", "B", "a"}, {"c", "C"}, {"d", "D"}}));
  CHECK_FALSE(same({{"a", "A", "", true}, {"b", "B", "a"}}));
  Plan marked = nested({{"a", "A"}, {"b", "B", "a"}, {"c", "C"}});
  marked.phases.front().tasks.front().marked = true;
  CHECK(same_boxes(state, marked));
  State earlier = state;
  earlier.every_box = false;
  CHECK_FALSE(same_boxes(earlier, nested(lines)));

  const std::vector<Line> twins = {{"a", "A", "", true}, {"b", "B"}, {"a-2", "A"}};
  const State both = seen(nested(twins));
  CHECK(same_boxes(both, nested(twins)));
  CHECK_FALSE(same_boxes(both, nested({{"a", "A"}, {"b", "B"}, {"a-2", "A"}})));
  CHECK_FALSE(same_boxes(both, nested({{"a", "A"}, {"b", "B"}, {"a-2", "A", "", true}})));
}

TEST_CASE("of two boxes with one number and words each keeps the id it was known by") {
  // The first has the id of a marker that is gone by now, the second the number that both have in their text.
  Plan plan;
  plan.phases.push_back(
      phase_of("p", {{"commit", "Commit"}, {"m4", "T002 Test", "commit"}, {"T002", "T002 Test", "m4"}}));
  const State state = seen(plan);
  Plan now;
  now.phases.push_back(phase_of(
      "p", {{"commit", "Commit"}, {"T002", "T002 Test", "commit"}, {"T002-2", "T002 Test", "T002"}}));
  for (std::size_t t = 1; t < 3; ++t) now.phases[0].tasks[t].id_in_text = true;
  keep_ids(state, now);
  CHECK(ids(now) == Ids{"commit", "m4", "T002"});
  CHECK(now.renumbered.empty());
}

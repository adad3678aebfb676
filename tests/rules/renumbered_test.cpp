// Plans whose owners number their boxes: what a box was follows its words, whatever its number becomes.

#include <rapidcheck.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <set>

#include "rules/tracked_plan.hpp"

using namespace plankeep;
using namespace plankeep::core;
using base::Instant;

namespace {

struct Entry {
  std::string words;
  bool done = false;
  std::string number{};  // empty: numbered in order
};
using Entries = std::vector<Entry>;

Phase phase_of(const std::string& name, const Entries& boxes, std::set<std::string>& used,
               const std::string& prefix = "") {
  Phase phase{PhaseId(name), name, 1, {}, {}};
  for (const Entry& box : boxes) {
    Task& task = phase.tasks.emplace_back();
    const std::string number = box.number.empty() ? prefix + std::to_string(phase.tasks.size()) : box.number;
    std::string id = number;
    for (int next = 2; !used.insert(id).second; ++next) id = number + "-" + std::to_string(next);
    task.id = TaskId(id);
    task.title = number + ". " + box.words;
    task.id_in_text = true;
    task.state = box.done ? BoxState::done : BoxState::open;
  }
  return phase;
}

Plan plan_of(const Entries& boxes) {
  Plan plan;
  std::set<std::string> used;
  plan.phases.push_back(phase_of("p", boxes, used));
  return plan;
}

}  // namespace

TEST_CASE("an open task that was deleted is named, whoever has its number now") {
  TrackedPlan plan(plan_of({{"Set up CI", true}, {"Encrypt the backups"}, {"Write the docs"}}));
  plan.see(plan_of({{"Set up CI", true}, {"Encrypt the backups"}, {"Write the docs", true}}), "team:a");
  plan.see(plan_of({{"Set up CI", true}, {"Write the docs", true}}), "external");
  CHECK(plan.notices(NoticeKind::task_removed) ==
        std::vector<std::string>{"task 2 (Encrypt the backups) is no longer in the plan"});
  CHECK(plan.notices(NoticeKind::tasks_renumbered) ==
        std::vector<std::string>{"1 task has another id now: 3 is 2"});
  CHECK(plan.task("Write the docs").id == TaskId("2"));
  CHECK(plan.task("Write the docs").completed_by == "team:a");
  CHECK(plan.events(EventKind::task_completed) == 0);
}

TEST_CASE("boxes behind an inserted one keep who finished them") {
  TrackedPlan plan(plan_of({{"Set up the project"}, {"Implement the models"}, {"Build the page"}}));
  plan.see(plan_of({{"Set up the project", true}, {"Implement the models"}, {"Build the page"}}), "one");
  plan.see(plan_of({{"Set up the project", true}, {"Implement the models", true}, {"Build the page"}}),
           "two");
  plan.see(plan_of({{"Choose the licence"},
                    {"Set up the project", true},
                    {"Implement the models", true},
                    {"Build the page", true}}),
           "three");
  CHECK(plan.notices(NoticeKind::task_reopened).empty());
  CHECK(plan.events(EventKind::task_reopened) == 0);
  CHECK(plan.task("Set up the project").completed_by == "one");
  CHECK(plan.task("Implement the models").completed_by == "two");
  CHECK(plan.task("Build the page").completed_by == "three");
  CHECK(plan.task("Build the page").id == TaskId("4"));
  CHECK_FALSE(plan.task("Choose the licence").done);
}

TEST_CASE("a claim goes with its task to another number") {
  TrackedPlan plan(plan_of({{"CI", true}, {"Write the parser"}, {"Write the docs"}}));
  plan.claim("2", "team:a");
  plan.claim("3", "team:b");
  plan.see(plan_of({{"CI", true}, {"Choose a licence"}, {"Write the parser"}, {"Write the docs"}}),
           "external");
  CHECK(plan.holder("2").empty());
  CHECK(plan.holder("3") == "team:a");
  CHECK(plan.holder("4") == "team:b");
  plan.see(plan_of({{"CI", true}, {"Choose a licence"}, {"Write the docs"}, {"Write the parser"}}),
           "external");
  CHECK(plan.holder("3") == "team:b");
  CHECK(plan.holder("4") == "team:a");
  // Ticked on the way: the claim is over.
  plan.see(plan_of({{"CI", true}, {"Write the docs"}, {"Write the parser", true}}), "team:a");
  CHECK(plan.holder("2") == "team:b");
  CHECK(plan.holder("3").empty());
}

TEST_CASE("what a subagent was given goes with its task to another number") {
  TrackedPlan plan(plan_of({{"CI", true}, {"Write the parser"}, {"Write the docs"}}));
  plan.assign("2", "a1");
  plan.assign("3", "a2");
  plan.assign("2", "a3");
  plan.assign("3", "a3");
  plan.see(plan_of({{"CI", true}, {"Choose a licence"}, {"Write the parser"}, {"Write the docs"}}),
           "external");
  CHECK(plan.assigned_to("a1") == std::vector{TaskId("3")});
  CHECK(plan.assigned_to("a2") == std::vector{TaskId("4")});
  CHECK(plan.assigned_to("a3") == std::vector{TaskId("3"), TaskId("4")});
  // They change numbers with each other.
  plan.see(plan_of({{"CI", true}, {"Choose a licence"}, {"Write the docs"}, {"Write the parser"}}),
           "external");
  CHECK(plan.assigned_to("a1") == std::vector{TaskId("4")});
  CHECK(plan.assigned_to("a2") == std::vector{TaskId("3")});
  CHECK(plan.assigned_to("a3") == std::vector{TaskId("4"), TaskId("3")});
}

TEST_CASE("findings that wait to be told name their tasks by the numbers that these have now") {
  const Plan before = plan_of({{"CI", true}, {"Write the parser"}, {"Write the docs"}, {"Ship it"}});
  State state = first_sight(before, "id", "/plan.md", Instant{1}).state;
  AuditFinding finding;
  finding.agent = "a1";
  finding.unverified = {"2", "3"};
  state.findings.push_back(finding);
  finding.plan = "/other/plan.md";
  state.findings.push_back(finding);
  const auto see = [&state](Plan plan) {
    keep_ids(state, plan);
    state = reconcile(state, plan, "external", Instant{2}).state;
  };
  see(plan_of({{"CI", true}, {"Choose a licence"}, {"Write the parser"}, {"Write the docs"}, {"Ship it"}}));
  CHECK(state.findings.at(0).unverified == std::vector<std::string>{"3", "4"});
  CHECK(state.findings.at(1).unverified == std::vector<std::string>{"2", "3"});
  // The first is deleted: nobody claimed the one that has its number now.
  see(plan_of({{"CI", true}, {"Choose a licence"}, {"Write the docs"}, {"Ship it"}}));
  CHECK(state.findings.at(0).unverified == std::vector<std::string>{"3"});
  see(plan_of({{"CI", true}, {"Choose a licence"}, {"Ship it"}}));
  CHECK(state.findings.size() == 1);
}

TEST_CASE("of a list whose first box was deleted only that one is gone") {
  TrackedPlan plan(plan_of({{"Set up CI"}, {"Write parser"}, {"Write docs"}}));
  plan.see(plan_of({{"Write parser"}, {"Write docs"}}), "external");
  CHECK(plan.notices(NoticeKind::task_removed) ==
        std::vector<std::string>{"task 1 (Set up CI) is no longer in the plan"});
  CHECK(plan.events(EventKind::task_renamed) == 0);
}

TEST_CASE("an open copy above a ticked box of its number and words takes nothing from it") {
  TrackedPlan plan(plan_of({{"Alpha", false, "1.1"}, {"Beta", false, "1.2"}}));
  plan.see(plan_of({{"Alpha", true, "1.1"}, {"Beta", false, "1.2"}}), "team:z");
  plan.see(plan_of({{"Alpha", false, "1.1"}, {"Alpha", true, "1.1"}, {"Beta", false, "1.2"}}), "external");
  CHECK(plan.events(EventKind::task_reopened) == 0);
  REQUIRE(plan.state.phases.at(0).tasks.size() == 3);
  CHECK_FALSE(plan.state.phases[0].tasks[0].done);
  CHECK(plan.state.phases[0].tasks[1].completed_by == "team:z");
}

TEST_CASE("a done task that left and comes back under another number has who and when again") {
  TrackedPlan plan(plan_of({{"Alpha"}, {"Beta"}, {"Gamma"}}));
  plan.see(plan_of({{"Alpha", true}, {"Beta"}, {"Gamma"}}), "kim");
  plan.see(plan_of({{"Beta"}, {"Gamma"}}), "external");
  // Its number is another's by now.
  plan.see(plan_of({{"Beta"}, {"Gamma"}, {"Delta", true}}), "lee");
  CHECK(plan.task("Delta").completed_by != "kim");
  plan.see(plan_of({{"Beta"}, {"Gamma"}, {"Delta", true}, {"Alpha", true}}), "external");
  CHECK(plan.task("Alpha").completed_by == "kim");
}

TEST_CASE("a number whose words are merely others keeps its past") {
  TrackedPlan plan(plan_of({{"Alpha"}, {"Beta"}}));
  plan.see(plan_of({{"Alpha", true}, {"Beta"}}), "kim");
  plan.see(plan_of({{"Entirely different", true}, {"Beta"}}), "external");
  CHECK(plan.task("Entirely different").completed_by == "kim");
  CHECK(plan.notices(NoticeKind::task_removed).empty());
}

TEST_CASE("a done task that is reworded and gets the next number in one edit keeps who finished it") {
  const Entry domain{"Buy a domain"};
  TrackedPlan plan(plan_of({domain, {"Write the mail texts for customers"}}));
  plan.see(plan_of({domain, {"Write the mail texts for customers", true}}), "team:ann");
  plan.see(plan_of({domain, {"Create the project"}, {"Write the mail texts for all customers", true}}),
           "external");
  CHECK(plan.task("Write the mail texts for all customers").completed_by == "team:ann");
  CHECK(plan.task("Write the mail texts for all customers").id == TaskId("3"));
  CHECK_FALSE(plan.task("Create the project").done);
  CHECK(plan.events(EventKind::task_reopened) == 0);
  CHECK(plan.events(EventKind::task_completed) == 0);
}

TEST_CASE("a reworded task keeps its number where no other box has words like those it had") {
  TrackedPlan plan(plan_of({{"Buy a domain"}, {"Write the mail texts for customers", true}}));
  plan.see(plan_of({{"Buy a domain"}, {"Letters to customers", true}, {"Write the release notes"}}),
           "external");
  CHECK(plan.task("Letters to customers").id == TaskId("2"));
  CHECK(plan.events(EventKind::task_removed) == 0);
  CHECK(plan.events(EventKind::task_added) == 1);
}

TEST_CASE("boxes below a box that got another number go with it, those with the words of others too") {
  const auto nested = [](const std::vector<std::pair<std::string, Entries>>& tops) {
    Plan plan;
    std::set<std::string> used;
    Entries boxes;
    for (std::size_t i = 0; i < tops.size(); ++i) {
      const std::string number = std::to_string(i + 1);
      boxes.push_back({tops[i].first, false, number});
      for (std::size_t b = 0; b < tops[i].second.size(); ++b) {
        Entry below = tops[i].second[b];
        below.number = number + "." + std::to_string(b + 1);
        boxes.push_back(below);
      }
    }
    plan.phases.push_back(phase_of("p", boxes, used));
    for (Task& task : plan.phases[0].tasks) {
      const std::size_t dot = task.id.text.find('.');
      if (dot != std::string::npos) task.parent = TaskId(task.id.text.substr(0, dot));
    }
    return plan;
  };
  TrackedPlan plan(
      nested({{"Parser", {{"Code it"}, {"Write tests"}}}, {"Lexer", {{"Code it"}, {"Write tests"}}}}));
  plan.see(
      nested({{"Parser", {{"Code it"}, {"Write tests", true}}}, {"Lexer", {{"Code it"}, {"Write tests"}}}}),
      "kim");
  plan.see(nested({{"Licence", {{"Choose it"}}},
                   {"Parser", {{"Code it"}, {"Write tests", true}}},
                   {"Lexer", {{"Code it"}, {"Write tests"}}}}),
           "external");
  CHECK(plan.events(EventKind::task_completed) == 0);
  CHECK(plan.events(EventKind::task_reopened) == 0);
  for (const TaskState& task : plan.state.phases[0].tasks) {
    INFO(task.title);
    CHECK(task.completed_by == (task.id == TaskId("2.2") ? "kim" : ""));
    if (task.id == TaskId("2.2")) CHECK(task.parent == TaskId("2"));
  }
}

namespace {

const std::vector<std::string> kWords{"Encrypt the backups", "Publish documentation", "Jolly good work",
                                      "Quick fix of forms",  "Vexing bug in kernel",  "Amazing new sounds",
                                      "Lobby for hydrogen",  "Mix up cocktails",      "Unit checks (parsers)",
                                      "Walk every dog"};

// Two phases, with numbers that go on from one to the other, or begin anew in each.
Plan numbered(const std::vector<Entries>& phases, bool goes_on) {
  Plan plan;
  std::set<std::string> used;
  std::size_t count = 0;
  for (std::size_t p = 0; p < phases.size(); ++p) {
    Entries boxes = phases[p];
    for (std::size_t b = 0; b < boxes.size(); ++b)
      boxes[b].number = std::to_string(goes_on ? ++count : b + 1);
    plan.phases.push_back(phase_of("p" + std::to_string(p), boxes, used));
  }
  return plan;
}

}  // namespace

TEST_CASE("no edit of a numbered plan moves a completion or a claim to other words") {
  CHECK(rc::check("renumbered", [] {
    const bool goes_on = *rc::gen::arbitrary<bool>();
    std::vector<std::string> left = kWords;
    std::vector<Entries> phases(2);
    const auto next_words = [&left] {
      const std::string words = left.back();
      left.pop_back();
      return words;
    };
    for (Entries& boxes : phases) {
      for (int i = *rc::gen::inRange(1, 4); i > 0; --i) boxes.push_back({next_words()});
    }
    TrackedPlan plan(numbered(phases, goes_on));
    std::map<std::string, std::string> finished;  // words -> who
    std::map<std::string, std::string> claimed;
    for (const TaskState& task : plan.state.phases[0].tasks) {
      plan.claim(task.id.text, "team:" + words_of(task));
      claimed[words_of(task)] = "team:" + words_of(task);
      plan.assign(task.id.text, words_of(task));
    }
    for (int step = *rc::gen::inRange(1, 7); step > 0; --step) {
      std::set<std::string> before;
      for (const Entries& boxes : phases) {
        for (const Entry& box : boxes) before.insert(box.words);
      }
      const std::string by = "step " + std::to_string(step);
      // What one save puts in the place of what it takes out only has its number: see the one above.
      std::set<std::string> gone;
      bool inserted = false;
      for (int edits = *rc::gen::inRange(1, 4); edits > 0; --edits) {
        Entries& boxes = phases[*rc::gen::inRange<std::size_t>(0, 2)];
        const auto at = *rc::gen::inRange<std::size_t>(0, boxes.size() + 1);
        const auto place = boxes.begin() + static_cast<std::ptrdiff_t>(at);
        const int kind = *rc::gen::inRange(0, 4);
        if (kind == 0 && !left.empty() && gone.empty()) {
          boxes.insert(place, {next_words()});
          inserted = true;
        } else if (kind == 1 && at + 1 < boxes.size()) {
          std::swap(boxes[at], boxes[at + 1]);
        } else if (kind == 2 && !inserted && at < boxes.size() && boxes.size() > 1 &&
                   before.contains(boxes[at].words)) {
          gone.insert(boxes[at].words);
          boxes.erase(place);
        } else if (kind == 3 && at < boxes.size() && !boxes[at].done && before.contains(boxes[at].words)) {
          boxes[at].done = true;
          finished[boxes[at].words] = by;
        }
      }
      plan.see(numbered(phases, goes_on), by);
      RC_ASSERT(plan.notices(NoticeKind::task_reopened).empty());
      std::size_t removed = 0;
      for (const Event& event : plan.last.events) {
        if (event.kind != EventKind::task_removed) continue;
        if (given_new_ids(plan.last.events).contains({event.phase, event.task})) continue;
        RC_ASSERT(gone.contains(event.title.substr(event.title.find(". ") + 2)));
        ++removed;
      }
      RC_ASSERT(removed == gone.size());
      for (const PhaseState& phase : plan.state.phases) {
        for (const TaskState& task : phase.tasks) {
          const std::string words = words_of(task);
          RC_LOG() << task.id.text << " " << task.title << " by " << task.completed_by << "\n";
          RC_ASSERT(task.completed_by == finished[words]);
          const std::string number = task.title.substr(0, task.title.find('.'));
          RC_ASSERT(task.id.text == number || task.id.text.starts_with(number + "-"));
          const LeaseState* const lease = find_lease(plan.state, phase.id, task.id);
          const bool holds = claimed.contains(words) && !task.done;
          RC_ASSERT((lease == nullptr ? std::string() : lease->by) ==
                    (holds ? claimed[words] : std::string()));
          if (claimed.contains(words)) RC_ASSERT(plan.assigned_to(words) == std::vector{task.id});
        }
      }
    }
  }));
}

// Merging plans whose tasks have numbers in front, when one side numbers them anew or both give one number.

#include <rapidcheck.h>

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <map>
#include <set>

#include "merge/merge_plan.hpp"

using namespace plankeep::markdown;

namespace {

// Both ways round, with the same result.
std::string clean_both_ways(const std::string& base, const std::string& ours, const std::string& theirs) {
  const MergedPlan merged = merge_plans(base, ours, theirs);
  INFO(merged.text);
  CHECK(merged.conflicts.empty());
  const MergedPlan mirrored = merge_plans(base, theirs, ours);
  CHECK(mirrored.conflicts.empty());
  CHECK(mirrored.text == merged.text);
  return merged.text;
}

void is_conflict(const std::string& base, const std::string& ours, const std::string& theirs) {
  for (const MergedPlan& merged : {merge_plans(base, ours, theirs), merge_plans(base, theirs, ours)}) {
    INFO(merged.text);
    CHECK_FALSE(merged.conflicts.empty());
  }
}

const std::string kTasks = "- [ ] T001 Create the project\n- [ ] T002 Configure linting\n- [ ] T003 Schema\n";
const std::string kTicked =
    "- [ ] T001 Create the project\n- [x] T002 Configure linting\n- [ ] T003 Schema\n";

std::string feature(int number, const std::string& title, const std::string& test_box = "[ ]") {
  const std::string n = std::to_string(number);
  return "- [ ] " + n + ". " + title + "\n  - " + test_box + " " + n + ".1 Write tests\n  - [ ] " + n +
         ".2 Implement\n";
}

}  // namespace

TEST_CASE("a tick goes with its words when the other side numbers the tasks anew") {
  CHECK(
      clean_both_ways(kTasks, kTicked,
                      "- [ ] T001 Buy a domain\n- [ ] T002 Create the project\n- [ ] T003 Configure linting\n"
                      "- [ ] T004 Schema\n") ==
      "- [ ] T001 Buy a domain\n- [ ] T002 Create the project\n- [x] T003 Configure linting\n"
      "- [ ] T004 Schema\n");
  CHECK(clean_both_ways(kTasks, kTicked, "- [ ] T001 Configure linting\n- [ ] T002 Schema\n") ==
        "- [x] T001 Configure linting\n- [ ] T002 Schema\n");
  CHECK(clean_both_ways(kTasks, kTicked,
                        "- [ ] T001 Configure linting\n- [ ] T002 Create the project\n- [ ] T003 Schema\n") ==
        "- [x] T001 Configure linting\n- [ ] T002 Create the project\n- [ ] T003 Schema\n");
  CHECK(clean_both_ways("- [ ] US-1 Cart\n- [ ] US-2 Pay\n", "- [ ] US-1 Cart\n- [x] US-2 Pay\n",
                        "- [ ] US-1 Search\n- [ ] US-2 Cart\n- [ ] US-3 Pay\n") ==
        "- [ ] US-1 Search\n- [ ] US-2 Cart\n- [x] US-3 Pay\n");
}

TEST_CASE("where tasks were numbered anew a number carries no tick to other words") {
  // "Configure linting" was reworded as well: it may be another task.
  is_conflict(kTasks, kTicked,
              "- [ ] T001 Buy a domain\n- [ ] T002 Create the project\n- [ ] T003 Configure the linter\n"
              "- [ ] T004 Schema\n");
  is_conflict(kTasks, kTicked, "- [ ] T001 Create the project\n- [ ] T002 Schema\n");
}

TEST_CASE("one of several steps with the same words, numbered anew, is a conflict") {
  is_conflict("- [ ] T001 Commit\n- [ ] T002 Commit\n- [ ] T003 Push\n",
              "- [ ] T001 Commit\n- [x] T002 Commit\n- [ ] T003 Push\n",
              "- [ ] T001 Start\n- [ ] T002 Commit\n- [ ] T003 Commit\n- [ ] T004 Push\n");
}

TEST_CASE("a task that is gone gives its tick to no other of its words") {
  is_conflict("- [ ] T100 Commit\n  - [ ] T101 Commit\n", "- [ ] T101 Commit\n",
              "- [x] T100 Commit\n  - [ ] T101 Commit\n");
}

TEST_CASE("a step keeps its tick below its task when features are numbered anew") {
  const std::string base = feature(1, "Login") + feature(2, "Logout");
  const std::string ticked = feature(1, "Login", "[x]") + feature(2, "Logout");
  CHECK(clean_both_ways(base, ticked,
                        feature(1, "Password reset") + feature(2, "Login") + feature(3, "Logout")) ==
        feature(1, "Password reset") + feature(2, "Login", "[x]") + feature(3, "Logout"));
  CHECK(clean_both_ways(base, ticked, feature(1, "Logout") + feature(2, "Login")) ==
        feature(1, "Logout") + feature(2, "Login", "[x]"));
}

TEST_CASE("a step below a task that was replaced under the same number is a conflict") {
  const std::string base = feature(1, "Login") + feature(2, "Logout");
  is_conflict(base, feature(1, "Login", "[x]") + feature(2, "Logout"),
              feature(1, "Password reset") + feature(2, "Logout"));
}

TEST_CASE("one number that both sides gave is two tasks, each with its own tick in its half") {
  const std::string base = "- [ ] T001 one\n- [ ] T002 two\n";
  CHECK(merge_plans(base, base + "- [ ] T003 Rotate the keys\n", base + "- [x] T003 Translate\n").text ==
        base + "<<<<<<< ours\n- [ ] T003 Rotate the keys\n=======\n- [x] T003 Translate\n>>>>>>> theirs\n");
  const std::string marker = " <!-- TASK: new -->\n";
  CHECK(merge_plans(base, base + "- [ ] Keys" + marker, base + "- [x] Help" + marker).text ==
        base + "<<<<<<< ours\n- [ ] Keys" + marker + "=======\n- [x] Help" + marker + ">>>>>>> theirs\n");
  CHECK(clean_both_ways(base, base + "- [ ] T003 Rotate\n", base + "- [x] T003 Rotate\n") ==
        base + "- [x] T003 Rotate\n");
}

TEST_CASE("a number that the merge would give to two tasks is a conflict") {
  is_conflict("- [ ] T001 one\n- [ ] T002 two\n", "- [ ] T001 zero\n- [ ] T002 one\n- [ ] T003 two\n",
              "- [ ] T003 three\n- [ ] T001 one\n- [ ] T002 two\n");
}

// ---- laws ----

namespace {

struct Numbered {
  std::string words;
  bool done = false;
  std::vector<std::pair<std::string, bool>> steps;
};

std::string text_of(const std::vector<Numbered>& tasks, bool dotted) {
  std::string text = "# Plan\n\n";
  int number = 0;
  const auto next = [&number] { return "T" + std::to_string(100 + ++number) + " "; };
  const auto box = [](bool done) { return std::string(done ? "- [x] " : "- [ ] "); };
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    const std::string place = std::to_string(i + 1);
    text += box(tasks[i].done) + (dotted ? place + ". " : next()) + tasks[i].words + "\n";
    for (std::size_t s = 0; s < tasks[i].steps.size(); ++s) {
      const auto& [words, done] = tasks[i].steps[s];
      text += "  " + box(done) + (dotted ? place + "." + std::to_string(s + 1) + " " : next()) + words + "\n";
    }
  }
  return text;
}

Numbered numbered_task(int number) {
  static const std::vector<std::string> kSteps{"Write tests", "Implement", "Commit"};
  Numbered task{*rc::gen::element<std::string>("Parser", "Lexer", "Billing") + " " + std::to_string(number),
                *rc::gen::arbitrary<bool>(),
                {}};
  for (std::size_t i = 0; i < *rc::gen::inRange<std::size_t>(0, 4); ++i)
    task.steps.emplace_back(kSteps[i], *rc::gen::arbitrary<bool>());
  return task;
}

// As an agent edits them, the numbers written anew each time.
std::vector<Numbered> edited(std::vector<Numbered> tasks, int& number) {
  for (int edits = *rc::gen::inRange(1, 4); edits > 0; --edits) {
    const std::size_t at = *rc::gen::inRange<std::size_t>(0, tasks.size() + 1);
    const auto place = tasks.begin() + static_cast<std::ptrdiff_t>(at);
    const int what = *rc::gen::inRange(0, 6);
    if (what == 0 || place == tasks.end()) {
      tasks.insert(place, numbered_task(number++));
    } else if (what == 1) {
      tasks.erase(place);
    } else if (what == 2) {
      std::iter_swap(place, tasks.begin());
    } else if (what == 3 || tasks[at].steps.empty()) {
      tasks[at].done = !tasks[at].done;
    } else {
      bool& step = tasks[at].steps[*rc::gen::inRange<std::size_t>(0, tasks[at].steps.size())].second;
      step = !step;
    }
  }
  return tasks;
}

struct Line {
  std::string number;
  bool ticked = false;
};

// Each box by its words and those of the task around it.
std::multimap<std::string, Line> boxes_of(const std::string& text) {
  std::multimap<std::string, Line> boxes;
  std::string task;
  for (std::size_t at = 0; at < text.size(); at = text.find('\n', at) + 1) {
    const std::string line = text.substr(at, text.find('\n', at) - at);
    const std::size_t box = line.find("- [");
    if (box == std::string::npos) continue;
    const std::size_t number = box + 6;
    const std::string words = line.substr(line.find(' ', number) + 1);
    if (box == 0) task = words;
    boxes.emplace(box == 0 ? words : task + "/" + words,
                  Line{line.substr(number, line.find(' ', number) - number), line[box + 3] == 'x'});
  }
  return boxes;
}

std::set<std::string> ticks_of(const std::string& text) {
  std::set<std::string> ticks;
  for (const auto& [words, line] : boxes_of(text)) {
    if (line.ticked) ticks.insert(words);
  }
  return ticks;
}

bool numbered_anew(const std::string& base, const std::string& side) {
  const auto then = boxes_of(base);
  const auto now = boxes_of(side);
  return std::any_of(then.begin(), then.end(), [&now](const auto& box) {
    const auto found = now.find(box.first);
    return found != now.end() && found->second.number != box.second.number;
  });
}

}  // namespace

TEST_CASE("laws of merging plans that were numbered anew") {
  int clean_merges = 0;
  CHECK(rc::check("a box that is ticked was ticked by its words and place", [&clean_merges] {
    const bool dotted = *rc::gen::arbitrary<bool>();
    int number = 1;
    std::vector<Numbered> base(*rc::gen::inRange<std::size_t>(1, 5));
    for (Numbered& task : base) task = numbered_task(number++);
    const std::string o = text_of(base, dotted);
    const std::string a = text_of(edited(base, number), dotted);
    const std::string b = text_of(edited(base, number), dotted);
    const std::array texts{o, a, b};
    const MergedPlan merged = merge_plans(o, a, b);
    RC_LOG() << o << "----\n" << a << "----\n" << b << "----\n" << merged.text;
    const std::set<std::string> ours = ticks_of(a);
    const std::set<std::string> theirs = ticks_of(b);
    // Otherwise "T101" is the same task, however it is reworded.
    const bool by_words = dotted || numbered_anew(o, a) || numbered_anew(o, b);
    // A step whose words stand once goes along with a task that was reworded.
    const auto goes_along = [&](const std::string& tick) {
      const std::size_t step = tick.find('/');
      if (step == std::string::npos) return false;
      const std::string words = " " + tick.substr(step + 1) + "\n";
      return std::none_of(texts.begin(), texts.end(), [&](const std::string& text) {
        const std::size_t first = text.find(words);
        return first != std::string::npos && text.find(words, first + 1) != std::string::npos;
      });
    };
    if (!merged.conflicts.empty()) return;
    ++clean_merges;
    const std::set<std::string> now = ticks_of(merged.text);
    for (const std::string& tick : now)
      RC_ASSERT(ours.contains(tick) || theirs.contains(tick) || !by_words || goes_along(tick));
  }));
  CHECK(clean_merges > 0);
}

#include "merge/put_back.hpp"

#include <rapidcheck.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <set>

#include "markdown/outline/outline.hpp"
#include "markdown/parse_plan.hpp"
#include "markdown/source_text.hpp"
#include "model/parents.hpp"
#include "rules/match.hpp"
#include "rules/reconcile.hpp"

using namespace plankeep;
using namespace plankeep::markdown;

namespace {

// As a sync reads it: boxes keep the ids they had.
core::Plan read_after(const core::Plan& before, const std::string& now) {
  auto plan = parse_plan(now);
  REQUIRE(plan.has_value());
  core::keep_ids(core::first_sight(before, "p", "/p.md", {}).state, *plan);
  return std::move(*plan);
}

std::string restored(const std::string& earlier, const std::string& now) {
  const auto before = parse_plan(earlier);
  REQUIRE(before.has_value());
  const core::Plan plan = read_after(*before, now);
  const auto text = put_back(now, plan, earlier, *before, lost_tasks(*before, plan));
  if (!text) return "error: " + text.error().message;
  return *text;
}

std::vector<std::string> lost(const std::string& earlier, const std::string& now) {
  const auto before = parse_plan(earlier);
  REQUIRE(before.has_value());
  std::vector<std::string> ids;
  for (const LostTask& one : lost_tasks(*before, read_after(*before, now)))
    ids.push_back(id_of(*before, one));
  return ids;
}

const std::string kAuthPlan =
    "# Auth\n\n## Build\n<!-- CHECKPOINT: build -->\n- [x] Schema <!-- TASK: schema -->\n"
    "- [x] Login <!-- TASK: login -->\n  with a form\n\n  and a test\n- [ ] Logout <!-- TASK: logout -->\n"
    "\n## Ship\n<!-- CHECKPOINT: ship -->\nWords.\n\n- [ ] Notes <!-- TASK: notes -->\n";

std::string without(std::string text, const std::string& part) {
  const std::size_t at = text.find(part);
  REQUIRE(at != std::string::npos);
  return text.erase(at, part.size());
}

const std::string kLogin = "- [x] Login <!-- TASK: login -->\n  with a form\n\n  and a test\n";

}  // namespace

TEST_CASE("a criterion that is gone is put back, one that was reworded is not") {
  const std::string earlier =
      "# D\n\n## P\n- [x] a\n- [ ] no data loss <!-- ACCEPT: k | verify: false -->\n- [x] fast <!-- ACCEPT: "
      "f "
      "-->\n- [ ] small <!-- ACCEPT: s -->\n";
  std::string now = "# D\n\n## P\n- [x] a\n- [x] fast <!-- ACCEPT: f -->\n- [ ] small <!-- ACCEPT: s -->\n";
  CHECK(lost(earlier, now) == std::vector<std::string>{"k"});
  CHECK(restored(earlier, now) == earlier);
  now = "# D\n\n## P\n- [x] a\n- [ ] b\n";
  CHECK(lost(earlier, now) == std::vector<std::string>{"k", "f", "s"});
  now =
      "# D\n\n## P\n- [x] a\n- [ ] no data loss <!-- ACCEPT: k -->\n- [x] fast <!-- ACCEPT: f -->\n"
      "- [ ] tiny <!-- ACCEPT: t -->\n";
  CHECK(lost(earlier, now).empty());
}

TEST_CASE("what a SKIP marker leaves out is not lost") {
  const std::string earlier =
      "# D\n\n## P\n- [ ] T001 one\n- [ ] T002 two\n- [ ] T003 three\n\n## Q\n- [ ] T004 four\n- [ ] fast "
      "<!-- ACCEPT: f -->\n\n## Template <!-- SKIP -->\n- [ ] T009 nine\n";
  const auto changed = [&earlier](std::string_view from, std::string_view to) {
    std::string text = earlier;
    return text.replace(text.find(from), from.size(), to);
  };
  const std::string one = changed("T003 three", "T003 three <!-- SKIP: later -->");
  CHECK(lost(earlier, one).empty());
  CHECK(restored(earlier, one) == one);
  CHECK(lost(earlier, changed("- [ ] T002 two", "- [ ] T002 two, not now <!-- SKIP -->")).empty());
  const std::string section = changed("## Q", "## Q <!-- SKIP: not in this release -->");
  CHECK(lost(earlier, section).empty());
  // Beside a task that is really gone.
  std::string both = section;
  both.erase(both.find("- [ ] T002 two\n"), std::string_view("- [ ] T002 two\n").size());
  CHECK(lost(earlier, both) == std::vector<std::string>{"T002"});
  CHECK(restored(earlier, both) == section);
  // The words of a template that was one before bring no task back.
  const std::string twin = "- [ ] T001 one\n- [ ] T002 two\n\n# Template <!-- SKIP -->\n- [ ] T002 two\n";
  CHECK(lost(twin, without(twin, "- [ ] T002 two\n")) == std::vector<std::string>{"T002"});
}

TEST_CASE("a lost task comes back with its lines, behind the one before it") {
  const std::string now = without(kAuthPlan, kLogin);
  CHECK(lost(kAuthPlan, now) == std::vector<std::string>{"login"});
  CHECK(restored(kAuthPlan, now) == kAuthPlan);
  CHECK(restored(kAuthPlan, kAuthPlan) == kAuthPlan);
}

TEST_CASE("the first of a phase comes back before the others, the last behind them") {
  CHECK(restored(kAuthPlan, without(kAuthPlan, "- [x] Schema <!-- TASK: schema -->\n")) == kAuthPlan);
  CHECK(restored(kAuthPlan, without(kAuthPlan, "- [ ] Logout <!-- TASK: logout -->\n")) == kAuthPlan);
}

TEST_CASE("several neighbours come back in their order") {
  const std::string now = without(without(kAuthPlan, kLogin), "- [ ] Logout <!-- TASK: logout -->\n");
  CHECK(restored(kAuthPlan, now) == kAuthPlan);
}

TEST_CASE("the only task of a phase comes back below its heading and text") {
  CHECK(restored(kAuthPlan, without(kAuthPlan, "- [ ] Notes <!-- TASK: notes -->\n")) == kAuthPlan);
}

TEST_CASE("a phase that is gone comes back whole and where it was") {
  const std::string ship = kAuthPlan.substr(kAuthPlan.find("\n## Ship"));
  CHECK(restored(kAuthPlan, without(kAuthPlan, ship)) == kAuthPlan);
  const std::string build = "## Build\n";
  const std::string first =
      kAuthPlan.substr(kAuthPlan.find(build), kAuthPlan.find("## Ship") - kAuthPlan.find(build));
  CHECK(restored(kAuthPlan, without(kAuthPlan, first)) == kAuthPlan);

  const std::string plan =
      "# P\n\n## Phase 1: A\n\n- [ ] a\n\n## Phase 2: B\n\nText.\n\n<!-- BLOCKER: no key -->\n\n- [ ] b\n"
      "- [x] ok <!-- ACCEPT: ok -->\n\n## Phase 3: C\n\n- [ ] c\n\n## Notes\n\nWords.\n";
  const std::string second =
      plan.substr(plan.find("## Phase 2"), plan.find("## Phase 3") - plan.find("## Phase 2"));
  CHECK(restored(plan, without(plan, second)) == plan);
  // Its level, and beside what was written since.
  const std::string steps =
      "# P\n\n### Task 1\n\n- [ ] a\n\n### Task 2\n\n- [ ] b\n\n### Task 3\n\n- [ ] c\n";
  CHECK(restored(steps, without(steps, "### Task 2\n\n- [ ] b\n\n")) == steps);
  CHECK(
      restored(steps, "# P\n\n### Task 1\n\n- [ ] a\n- [ ] new\n\nNew.\n\n### Task 3\n\n- [ ] c\n") ==
      "# P\n\n### Task 1\n\n- [ ] a\n- [ ] new\n\nNew.\n\n### Task 2\n\n- [ ] b\n\n### Task 3\n\n- [ ] c\n");
}

TEST_CASE("a lost task comes back where its neighbours stand, and takes nothing from them") {
  const std::vector<std::pair<std::string, std::string>> rows = {
      {"# L\n\n## Tasks\n- [ ] Site\n- Marketing\n  - [ ] Poster\n  - [ ] Ad\n", "- [ ] Site\n"},
      {"# L\n\n## Tasks\n- [ ] Site\n- Marketing\n  - [ ] Poster\n  - [ ] Ad\n",
       "- Marketing\n  - [ ] Poster\n  - [ ] Ad\n"},
      {"## T\n\n- [ ] **Step 1**\n\n```bash\nrun\n```\n\n- [ ] **Step 2**\n\n```bash\nrun\n```\n\n- [ ] "
       "**Step 3**\n",
       "- [ ] **Step 2**\n"},
      {"## T\n\n- [ ] **Step 1**\n\n```bash\nrun\n```\n\n- [ ] **Step 2**\n\n```bash\nrun\n```\n\n- [ ] "
       "**Step 3**\n",
       "- [ ] **Step 2**\n\n```bash\nrun\n```\n\n"},
      {"## T\n\n<details>\n<summary>S</summary>\n\n- [ ] a\n- [x] b\n\n</details>\n\n- [ ] c\n", "- [x] b\n"},
      {"## T\n\n<details>\n<summary>S</summary>\n\n- [ ] a\n- [x] b\n\n</details>\n\n- [ ] c\n", "- [ ] a\n"},
      {"## T\n- [ ] Plugins\n  1. [ ] API\n  2. [ ] Store\n", "  1. [ ] API\n"},
      {"## A\n- [x] Test\n## B\n- [ ] Test\n", "## A\n- [x] Test\n"},
      {"- [ ] a\n- [ ] b", "\n- [ ] b"},
      {"---\nx: y\n---\n- [ ] a\n- [ ] b\n", "- [ ] a\n"},
      {"\xEF\xBB\xBF- [ ] a\n- [ ] b\n", "- [ ] a\n"},
  };
  for (const auto& [plan, part] : rows) {
    INFO(plan << "--\n" << part);
    CHECK(restored(plan, without(plan, part)) == plan);
  }
}

TEST_CASE("a lost task stands beside its neighbours wherever these were moved") {
  CHECK(restored("## A\n- [ ] a1\n- [ ] a2\n\n## B\n- [ ] b1\n", "## B\n- [ ] b1\n\n## A\n- [ ] a1\n") ==
        "## B\n- [ ] b1\n\n## A\n- [ ] a1\n- [ ] a2\n");
  // Steps that were added to the task before it stay its own.
  CHECK(restored("- [ ] a\n- [ ] b\n- [ ] c\n", "- [ ] a\n  - [ ] s\n- [ ] c\n") ==
        "- [ ] a\n  - [ ] s\n- [ ] b\n- [ ] c\n");
}

TEST_CASE("what was written since stays as it is, line ends and all") {
  std::string now = without(kAuthPlan, kLogin) + "- [ ] New <!-- TASK: new -->";
  for (std::size_t at = now.find('\n'); at != std::string::npos; at = now.find('\n', at + 2))
    now.insert(at, "\r");
  const std::string text = restored(kAuthPlan, now);
  CHECK(text.find("- [x] Login <!-- TASK: login -->\r\n  with a form\r\n\r\n  and a test\r\n") !=
        std::string::npos);
  CHECK(text.size() == now.size() + kLogin.size() + 4);
  CHECK(text.ends_with("<!-- TASK: new -->"));
}

TEST_CASE("a task that was moved or renamed is not lost") {
  std::string moved =
      without(kAuthPlan, "- [ ] Logout <!-- TASK: logout -->\n") + "- [ ] Logout <!-- TASK: logout -->\n";
  CHECK(lost(kAuthPlan, moved).empty());
  std::string renamed = kAuthPlan;
  renamed.replace(renamed.find("TASK: logout"), 12, "TASK: sign-out");
  CHECK(lost(kAuthPlan, renamed).empty());
  // The same id in two phases is two tasks.
  const std::string twice = kAuthPlan + "- [ ] Login there <!-- TASK: login -->\n";
  CHECK(lost(twice, kAuthPlan) == std::vector<std::string>{"login"});
}

TEST_CASE("nested and quoted tasks come back where they were, without the ones that stayed") {
  const std::string plan =
      "## A\n<!-- CHECKPOINT: a -->\n> - [ ] One <!-- TASK: one -->\n>   - [x] Two <!-- TASK: two -->\n>     "
      "more\n"
      ">   - [ ] Three <!-- TASK: three -->\n";
  CHECK(restored(plan, without(plan, ">   - [x] Two <!-- TASK: two -->\n>     more\n")) == plan);
}

TEST_CASE("plans without markers get their boxes back too") {
  const std::string plan = "# Trip\n\n## Pack\n- [x] Socks\n- [ ] Shoes\n\n## Go\n- [ ] Train\n";
  CHECK(restored(plan, without(plan, "- [x] Socks\n")) == plan);
  CHECK(restored(plan, without(plan, "## Go\n- [ ] Train\n")) == plan);
}

TEST_CASE("what would not be read as it was is refused") {
  // A fence without an end hides all boxes, so their lines are still there.
  CHECK(restored(kAuthPlan, "```\n" + kAuthPlan) ==
        "error: the lost tasks have no place in the current plan: \"Schema\" would be no checkbox");
}

TEST_CASE("the tasks of a phase that lost all of them come back below its heading, which is there still") {
  const std::string plan = "# P\n## A\n- [ ] a\n- [x] b\n## B\n- [ ] c\n";
  CHECK(restored(plan, "# P\n## A\n## B\n- [ ] c\n") == plan);
  const std::string spaced = "# P\n\n## A\n\n- [ ] a\n- [x] b\n\n## B\n\n- [ ] c\n";
  CHECK(restored(spaced, "# P\n\n## A\n\n## B\n\n- [ ] c\n") == spaced);
  // One in code is no heading.
  CHECK(restored(plan, "# P\n```\n## A\n```\n## B\n- [ ] c\n") ==
        "# P\n```\n## A\n```\n## A\n- [ ] a\n- [x] b\n## B\n- [ ] c\n");
  CHECK(restored(plan, "# P\n## B\n- [ ] c\n") == plan);
}

namespace {

// Boxes by their words, which are all different: what is around them, and whether they are ticked.
struct Seen {
  std::string phase;
  std::string parent;
  core::BoxState state = core::BoxState::open;
  bool operator==(const Seen&) const = default;
};

std::map<std::string, Seen> seen_in(const std::string& text) {
  std::map<std::string, Seen> seen;
  const auto plan = parse_plan(text);
  if (!plan) return seen;
  for (const core::Phase& phase : plan->phases) {
    const auto parents = core::parents_of(phase);
    for (std::size_t t = 0; t < phase.tasks.size(); ++t) {
      const std::string parent = parents[t] == core::kNoParent ? "" : phase.tasks[parents[t]].title;
      seen[phase.tasks[t].title] = {phase.title, parent, phase.tasks[t].state};
    }
  }
  return seen;
}

std::vector<std::string> lost_titles(const std::string& earlier, const std::string& now) {
  const auto before = parse_plan(earlier);
  REQUIRE(before.has_value());
  std::vector<std::string> titles;
  for (const LostTask& one : lost_tasks(*before, read_after(*before, now))) {
    if (!one.criterion) titles.push_back(before->phases[one.phase].tasks[one.task].title);
  }
  return titles;
}

// Lines from 0.
std::set<std::size_t> heading_lines(const std::string& text) {
  std::set<std::size_t> lines;
  const SourceText source(text);
  const auto outline = read_outline(source);
  REQUIRE(outline.has_value());
  for (const OutlineHeading& heading : outline->headings)
    lines.insert(static_cast<std::size_t>(heading.line) - 1);
  return lines;
}

struct RandomLines {
  std::vector<std::string> lines;
  std::string text() const {
    std::string all;
    for (const std::string& line : lines) all += line + "\n";
    return all;
  }
};

RandomLines random_lines() {
  RandomLines plan;
  const std::size_t size = *rc::gen::inRange<std::size_t>(2, 24);
  for (std::size_t i = 0; i < size; ++i) {
    const std::string number = std::to_string(i);
    const std::vector<std::string> kinds = {
        "- [ ] box " + number + "a",
        "- [x] box " + number + "b",
        "  - [ ] step " + number,
        "1. [ ] count " + number,
        "    - [x] deep " + number,
        "## Part " + number,
        "### Section " + number,
        "Words.",
        "",
        "",
        "- Group",
        "  more words",
        "```",
        "> - [ ] quoted " + number,
        "<details>",
        "</details>",
    };
    plan.lines.push_back(*rc::gen::elementOf(kinds));
  }
  return plan;
}

// Whether the cut makes a heading of a line that stays, or the other way round: an HTML block ends with a
// blank line, and hides what follows where that was cut out. The boxes below are in another part then, which
// is how the plan stands now; only the lost ones come back.
bool hides_or_shows_headings(const RandomLines& plan, const RandomLines& now, std::size_t begin,
                             std::size_t end) {
  const std::set<std::size_t> then = heading_lines(plan.text());
  const std::set<std::size_t> left = heading_lines(now.text());
  for (std::size_t line = 0; line < plan.lines.size(); ++line) {
    if (line >= begin && line < end) continue;
    if (then.contains(line) != left.contains(line < begin ? line : line - (end - begin))) return true;
  }
  return false;
}

}  // namespace

TEST_CASE("laws of putting back") {
  CHECK(rc::check("what is taken out in one piece comes back to the byte, or the plan stays as it is", [] {
    const RandomLines plan = random_lines();
    const std::size_t begin = *rc::gen::inRange<std::size_t>(0, plan.lines.size());
    const std::size_t end = *rc::gen::inRange<std::size_t>(begin + 1, plan.lines.size() + 1);
    RandomLines now = plan;
    const auto first = now.lines.begin();
    now.lines.erase(first + static_cast<std::ptrdiff_t>(begin), first + static_cast<std::ptrdiff_t>(end));
    const std::string text = restored(plan.text(), now.text());
    rc::detail::log() << plan.text() << "----\n" << now.text() << "----\n" << text;
    if (lost(plan.text(), now.text()).empty()) {
      RC_ASSERT(text == now.text());
    } else if (!text.starts_with("error: ")) {
      const auto then = seen_in(plan.text());
      for (const auto& [title, box] : seen_in(now.text())) {
        if (!then.contains(title)) return;  // it was hidden
      }
      if (hides_or_shows_headings(plan, now, begin, end)) return;
      RC_ASSERT(seen_in(text) == then);
    }
  }));
  CHECK(rc::check("beside new text nothing changes but that the lost tasks are there again", [] {
    const RandomLines plan = random_lines();
    RandomLines now = plan;
    const std::size_t edits = *rc::gen::inRange<std::size_t>(1, 5);
    for (std::size_t i = 0; i < edits && !now.lines.empty(); ++i) {
      const auto at = *rc::gen::inRange<std::size_t>(0, now.lines.size());
      const auto place = now.lines.begin() + static_cast<std::ptrdiff_t>(at);
      if (*rc::gen::arbitrary<bool>()) {
        now.lines.erase(place);
      } else {
        now.lines.insert(place, *rc::gen::elementOf(
                                    std::vector<std::string>{"- [ ] new " + std::to_string(i), "New.",
                                                             "  - [ ] new step " + std::to_string(i), ""}));
      }
    }
    const std::string text = restored(plan.text(), now.text());
    rc::detail::log() << plan.text() << "----\n" << now.text() << "----\n" << text;
    if (text.starts_with("error: ")) return;
    const auto before = seen_in(now.text());
    const auto then = seen_in(plan.text());
    const auto after = seen_in(text);
    for (const auto& [title, box] : before) {
      const auto there = after.find(title);
      // A new line behind a box may go on with its words.
      const auto was = std::find_if(then.begin(), then.end(), [&words = title](const auto& one) {
        return words == one.first || words.starts_with(one.first + " ");
      });
      if (there == after.end()) continue;  // its title is that of then again
      RC_ASSERT(there->second.state == box.state);
      RC_ASSERT(there->second.parent == box.parent ||
                (was != then.end() && there->second.parent == was->second.parent) ||
                !before.contains(there->second.parent));
      RC_ASSERT(there->second.phase == box.phase ||
                (was != then.end() && there->second.phase == was->second.phase));
    }
    RC_ASSERT(after.size() >= before.size());
    for (const std::string& title : lost_titles(plan.text(), now.text())) RC_ASSERT(after.contains(title));
  }));
}

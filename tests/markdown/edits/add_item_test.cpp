#include "markdown/edits/add_item.hpp"

#include <rapidcheck.h>

#include <catch2/catch.hpp>

#include "markdown/parse_plan.hpp"
#include "markdown/plan_text.hpp"

using namespace plankeep;

namespace {

using markdown::parsed;

struct Row {
  const char* what;
  std::string before;
  markdown::NewItem item;
  std::string after;
};

markdown::NewItem titled(std::string title) {
  markdown::NewItem item;
  item.title = std::move(title);
  return item;
}

markdown::NewItem below(std::string title, std::string parent) {
  markdown::NewItem item = titled(std::move(title));
  item.parent = core::TaskId(std::move(parent));
  return item;
}

markdown::NewItem first(std::string title) {
  markdown::NewItem item = titled(std::move(title));
  item.first = true;
  return item;
}

markdown::NewItem in_phase(std::string title, std::size_t phase) {
  markdown::NewItem item = titled(std::move(title));
  item.phase = phase;
  return item;
}

markdown::NewItem criterion(std::string title, std::string id, std::string verify) {
  markdown::NewItem item = titled(std::move(title));
  item.criterion = true;
  item.id = std::move(id);
  item.verify = std::move(verify);
  return item;
}

}  // namespace

TEST_CASE("a new box stands where a person would have put it") {
  const std::vector<Row> rows = {
      {"last of the current phase", "## A\n- [x] a\n## B\n- [ ] b\n\nText.\n", titled("new"),
       "## A\n- [x] a\n## B\n- [ ] b\n- [ ] new\n\nText.\n"},
      {"behind what belongs to the last", "- [ ] a\n  more\n  - note\n\n  still a\n\nText\n", titled("new"),
       "- [ ] a\n  more\n  - note\n\n  still a\n- [ ] new\n\nText\n"},
      {"first", "# P\n\n* [ ] a\n* [ ] b\n", first("new"), "# P\n\n* [ ] new\n* [ ] a\n* [ ] b\n"},
      {"first behind a byte order mark", "\xEF\xBB\xBF  * [x] a\n  * [ ] b\n", first("new"),
       "\xEF\xBB\xBF  * [ ] new\n  * [x] a\n  * [ ] b\n"},
      {"first of an ordered list behind one",
       "\xEF\xBB\xBF"
       "1. [ ] a\n",
       first("new"),
       "\xEF\xBB\xBF"
       "1. [ ] new\n1. [ ] a\n"},
      {"the bullet and blanks of the list", " *   [ ] a\n", titled("new"), " *   [ ] a\n *   [ ] new\n"},
      {"a step behind a tab", "-\t[ ] a\n-\t[ ] b\n", below("new", "a"),
       "-\t[ ] a\n\t-\t[ ] new\n-\t[ ] b\n"},
      {"a step behind a tab in a quote", "> -\t[ ] a\n", below("new", "a"), "> -\t[ ] a\n> \t-\t[ ] new\n"},
      {"a step two tabs deep", "-\t[ ] a\n\t-\t[ ] b\n", below("new", "b"),
       "-\t[ ] a\n\t-\t[ ] b\n\t\t-\t[ ] new\n"},
      {"a loose list stays loose", "- [ ] a\n\n- [ ] b\n", titled("new"),
       "- [ ] a\n\n- [ ] b\n\n- [ ] new\n"},
      {"an ordered list counts on", "1. [ ] a\n2. [ ] b\n", titled("new"),
       "1. [ ] a\n2. [ ] b\n3. [ ] new\n"},
      {"an ordered list of ones stays so", "1. [ ] a\n1. [ ] b\n", titled("new"),
       "1. [ ] a\n1. [ ] b\n1. [ ] new\n"},
      {"the line ends of the plan", "- [ ] a\r\n- [ ] b\r\n", titled("new"),
       "- [ ] a\r\n- [ ] b\r\n- [ ] new\r\n"},
      {"no final line end stays none", "- [ ] a", titled("new"), "- [ ] a\n- [ ] new"},
      {"a quoted list", "> - [ ] a\n> - [ ] b\n", titled("new"), "> - [ ] a\n> - [ ] b\n> - [ ] new\n"},
      {"an empty phase", "## A\n- [ ] a\n\n## B\n\nWords.\n", in_phase("new", 0),
       "## A\n- [ ] a\n- [ ] new\n\n## B\n\nWords.\n"},
      {"a plan without boxes", "# P\n\nWords.\n", titled("new"), "# P\n\nWords.\n\n- [ ] new\n"},
      {"an empty file", "", titled("new"), "- [ ] new\n"},
      {"markers where its neighbours have them",
       "## A\n<!-- CHECKPOINT: a -->\n- [ ] One <!-- TASK: one -->\n", titled("Two words"),
       "## A\n<!-- CHECKPOINT: a -->\n- [ ] One <!-- TASK: one -->\n- [ ] Two words <!-- TASK: two-words "
       "-->\n"},
      {"a marker in front where its neighbour has it so",
       "## A\n<!-- CHECKPOINT: a -->\n- [ ] <!-- TASK: one --> One\n", titled("Two"),
       "## A\n<!-- CHECKPOINT: a -->\n- [ ] <!-- TASK: one --> One\n- [ ] <!-- TASK: two --> Two\n"},
      {"below a parent without steps", "- [ ] a\n- [ ] b\n", below("new", "a"),
       "- [ ] a\n  - [ ] new\n- [ ] b\n"},
      {"below a parent with text", "1. [ ] a\n   - words\n2. [ ] b\n", below("new", "a"),
       "1. [ ] a\n   - words\n   - [ ] new\n2. [ ] b\n"},
      {"last of a parent's steps", "- [ ] a\n  - [x] s\n    - [ ] t\n- [ ] b\n", below("new", "a"),
       "- [ ] a\n  - [x] s\n    - [ ] t\n  - [ ] new\n- [ ] b\n"},
      {"the next number where neighbours have one", "## A\n- [x] 1.1 a\n- [ ] 1.2 b\n## B\n- [ ] 2.1 c\n",
       in_phase("new", 0), "## A\n- [x] 1.1 a\n- [ ] 1.2 b\n- [ ] 1.3 new\n## B\n- [ ] 2.1 c\n"},
      {"of a step too", "- [ ] 1.9 a\n  - [ ] 1.9.9: s\n", below("new", "1.9"),
       "- [ ] 1.9 a\n  - [ ] 1.9.9: s\n  - [ ] 1.9.10: new\n"},
      {"behind the greatest of the plan", "## A\n- [ ] T001 a\n## B\n- [ ] T009: b\n", in_phase("new", 0),
       "## A\n- [ ] T001 a\n- [ ] T010 new\n## B\n- [ ] T009: b\n"},
      {"in the text and in the marker, where both have it", "- [ ] T01 a <!-- TASK: T01 -->\n", titled("new"),
       "- [ ] T01 a <!-- TASK: T01 -->\n- [ ] T02 new <!-- TASK: T02 -->\n"},
      {"not twice", "- [ ] T001 a\n", titled("T002 new"), "- [ ] T001 a\n- [ ] T002 new\n"},
      {"none where one neighbour has none", "- [ ] 1.1 a\n- [ ] b\n", titled("new"),
       "- [ ] 1.1 a\n- [ ] b\n- [ ] new\n"},
      {"a criterion beside tasks", "## A\n- [ ] a\n## B\n", criterion("It works", "works", "make test"),
       "## A\n- [ ] a\n- [ ] It works <!-- ACCEPT: works | verify: make test -->\n## B\n"},
      {"behind the text of the last, where steps have text",
       "### Task 1\n\n- [ ] **Step 1**\n\n```bash\na\n```\n\n- [ ] **Step 2**\n\n```bash\n# "
       "b\n```\n\n---\n\n### Task 2\n\n- [ ] c\n",
       in_phase("**Step 3**", 0),
       "### Task 1\n\n- [ ] **Step 1**\n\n```bash\na\n```\n\n- [ ] **Step 2**\n\n```bash\n# b\n```\n\n- [ ] "
       "**Step 3**\n\n---\n\n### Task 2\n\n- [ ] c\n"},
      {"not in a footnote", "## A\n\n- [ ] a\n- [ ] b[^1]\n\n[^1]:\n    - [ ] f\n", titled("new"),
       "## A\n\n- [ ] a\n- [ ] b[^1]\n- [ ] new\n\n[^1]:\n    - [ ] f\n"},
      {"a tight list in HTML stays tight",
       "## A\n\n- [ ] a\n\n<details>\n<summary>S</summary>\n\n- [ ] b\n\n</details>\n", titled("new"),
       "## A\n\n- [ ] a\n\n<details>\n<summary>S</summary>\n\n- [ ] b\n- [ ] new\n\n</details>\n"},
      {"behind a paragraph that goes on without indentation",
       "- [ ] a\n- [ ] who takes it\ndown the stairs\n", titled("new"),
       "- [ ] a\n- [ ] who takes it\ndown the stairs\n- [ ] new\n"},
      {"in an ordered list", "1. [ ] a\n2. [ ] who takes\n2 chairs\n", titled("new"),
       "1. [ ] a\n2. [ ] who takes\n2 chairs\n3. [ ] new\n"},
      {"in a quote", "> - [ ] who takes it\ndown the stairs\n", titled("new"),
       "> - [ ] who takes it\ndown the stairs\n> - [ ] new\n"},
      {"below a parent", "- [ ] who\ntakes it\n- [ ] b\n", below("new", "who-takes-it"),
       "- [ ] who\ntakes it\n  - [ ] new\n- [ ] b\n"},
      {"below a step", "- [ ] a\n  - [ ] who\ntakes it\n- [ ] b\n", below("new", "a"),
       "- [ ] a\n  - [ ] who\ntakes it\n  - [ ] new\n- [ ] b\n"},
  };
  for (const Row& row : rows) {
    INFO(row.what);
    const auto added = markdown::add_item(row.before, parsed(row.before), row.item);
    if (!added) {
      FAIL_CHECK(added.error().message);
      continue;
    }
    CHECK(added->text == row.after);
  }
}

TEST_CASE("a new task can have an id and wait for others") {
  const std::string text = "- [ ] a <!-- TASK: a -->\n";
  markdown::NewItem item = titled("b");
  item.id = "late";
  item.after = {core::TaskId("a")};
  const auto added = markdown::add_item(text, parsed(text), item);
  REQUIRE(added);
  CHECK(added->text == text + "- [ ] b <!-- TASK: late | after: a -->\n");
  CHECK(added->line == 2);
}

TEST_CASE("what cannot be a new box is refused") {
  const std::string text = "- [ ] a <!-- TASK: a -->\n";
  const core::Plan plan = parsed(text);
  const auto refused = [&](const markdown::NewItem& item) {
    const auto added = markdown::add_item(text, plan, item);
    return added ? base::ErrorKind::internal : added.error().kind;
  };
  CHECK(refused(titled("")) == base::ErrorKind::invalid_input);
  CHECK(refused(titled("a <!-- TASK: x -->")) == base::ErrorKind::invalid_input);
  CHECK(refused(below("x", "nope")) == base::ErrorKind::not_found);
  markdown::NewItem taken = titled("b");
  taken.id = "a";
  CHECK(refused(taken) == base::ErrorKind::invalid_input);
  taken.id = "no id";
  CHECK(refused(taken) == base::ErrorKind::invalid_input);
  markdown::NewItem command = titled("b");
  command.verify = "true";
  CHECK(refused(command) == base::ErrorKind::invalid_input);
  const std::string open = "- [ ] a\n\n```\ncode\n";
  CHECK(markdown::add_item(open, parsed(open), titled("new")));  // its place is above the fence
}

TEST_CASE("adding a box changes nothing else of any plan") {
  CHECK(rc::check([] {
    const auto lines = *rc::gen::container<std::vector<std::string>>(rc::gen::element<std::string>(
        "- [ ] a", "- [x] b", "  - [ ] c", "    - [x] d", "", "## H", "text", "1. [ ] n", "> - [ ] q",
        "- [ ] m <!-- TASK: m -->", "<!-- CHECKPOINT: p -->", "  words", "- plain"));
    std::string text;
    for (const std::string& line : lines) text += line + "\n";
    const auto plan = markdown::parse_plan(text);
    RC_PRE(plan.has_value());
    const auto added = markdown::add_item(text, *plan, titled("A quite new box"));
    if (!added) return;  // refused: nothing is written
    const auto after = markdown::parse_plan(added->text);
    RC_ASSERT(after.has_value());
    std::size_t before_count = 0;
    std::size_t after_count = 0;
    for (const core::Phase& phase : plan->phases) before_count += phase.tasks.size();
    for (const core::Phase& phase : after->phases) after_count += phase.tasks.size();
    RC_ASSERT(after_count == before_count + 1);
    // Taking out what was put in gives the text back.
    std::size_t front = 0;
    while (front < text.size() && text[front] == added->text[front]) ++front;
    const std::size_t more = added->text.size() - text.size();
    RC_ASSERT(added->text.substr(0, front) + added->text.substr(front + more) == text);
  }));
}

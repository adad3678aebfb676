// Laws of reading and editing, over plans made at random from the pieces that matter.

#include <rapidcheck.h>

#include <algorithm>
#include <catch2/catch.hpp>

#include "markdown/annotate.hpp"
#include "markdown/edit_plan.hpp"
#include "model/progress.hpp"
#include "plan_text.hpp"

using namespace plankeep;
using namespace plankeep::markdown;

namespace {

// Lines as found in plans, plain and hostile; joined by a line end of any kind.
std::string random_plan() {
  static const std::vector<std::string> kPieces{"# Plan",
                                                "## Phase",
                                                "Text",
                                                "",
                                                "",
                                                "- [ ] One",
                                                "- [x] Two",
                                                "  - [ ] Step",
                                                "1. [ ] Three",
                                                "> - [ ] Quoted",
                                                "- [ ] T001 Id",
                                                "- [~] Active <!-- TASK: active -->",
                                                "- [ ] A <!-- TASK: a -->",
                                                "- [x] A <!-- TASK: a -->",
                                                "- [ ] B <!-- TASK: b | after: a -->",
                                                "- [ ] C <!-- ACCEPT: c | verify: x -- y -->",
                                                "<!-- CHECKPOINT: p1 -->",
                                                "<!-- CHECKPOINT: p2 -->",
                                                "<!-- DECISION: d | reason: r -->",
                                                "<!-- BLOCKER: b -->",
                                                "```",
                                                "~~~",
                                                "<!--",
                                                "-->",
                                                "`<!-- TASK: code -->`",
                                                "| a | b |",
                                                "|---|---|",
                                                "    - [ ] code",
                                                "- [w] Odd <!-- TASK: odd -->",
                                                "- [ ]Missing <!-- TASK: missing -->",
                                                "Setext",
                                                "===",
                                                "---",
                                                "<div>",
                                                "</div>",
                                                "\t- [ ] Tab",
                                                "- [ ]",
                                                "- [\xE2\x9C\x93] Check",
                                                "\xE9 bad",
                                                "- [ ] \xE6\x95\xB0\xE6\x8D\xAE <!-- TASK: \xE6\x95\xB0 -->",
                                                "[x]: url",
                                                "* [ ]* Optional",
                                                "- [x](url) link",
                                                "<!-- TASK: below -->",
                                                "  <!-- TASK: below2 -->",
                                                "<!-- TSAK: x -->"};
  const auto lines = *rc::gen::container<std::vector<std::string>>(rc::gen::elementOf(kPieces));
  const std::string end = *rc::gen::element<std::string>("\n", "\n", "\r\n", "\r");
  std::string text = *rc::gen::element<std::string>("", "", "\xEF\xBB\xBF");
  for (const std::string& line : lines) text += line + end;
  if (*rc::gen::arbitrary<bool>() && !text.empty()) text.pop_back();
  return text;
}

std::vector<core::Box> all_boxes(const core::Plan& plan) {
  std::vector<core::Box> boxes;
  for (const core::Phase& phase : plan.phases) {
    for (const core::Task& task : phase.tasks)
      boxes.insert(boxes.end(), task.boxes.begin(), task.boxes.end());
    for (const core::Criterion& criterion : phase.acceptance) {
      boxes.insert(boxes.end(), criterion.boxes.begin(), criterion.boxes.end());
    }
  }
  return boxes;
}

}  // namespace

TEST_CASE("any text is read, and every position lies inside the file") {
  CHECK(rc::check("positions", [] {
    const std::string text = random_plan();
    const core::Plan plan = parsed(text);
    const auto lines =
        1 + std::count(text.begin(), text.end(), '\n') + std::count(text.begin(), text.end(), '\r');
    for (const core::Diagnostic& diagnostic : plan.diagnostics) {
      RC_ASSERT(diagnostic.line >= 1);
      RC_ASSERT(diagnostic.line <= lines);
      RC_ASSERT(diagnostic.column >= 1);
      RC_ASSERT(diagnostic.column <= static_cast<std::int64_t>(text.size()) + 1);
    }
    for (const core::Phase& phase : plan.phases) {
      RC_ASSERT(!phase.id.empty());
      RC_ASSERT(phase.line >= 1);
      RC_ASSERT(phase.line <= lines);
    }
    for (const core::Box& box : all_boxes(plan)) {
      RC_ASSERT(box.offset >= 1);
      RC_ASSERT(box.offset + box.length < text.size());
      RC_ASSERT(text[box.offset - 1] == '[');
      RC_ASSERT(text[box.offset + box.length] == ']');
    }
  }));
}

TEST_CASE("reading is a function: the same bytes give the same plan") {
  CHECK(rc::check("same twice", [] {
    const std::string text = random_plan();
    RC_ASSERT(parsed(text) == parsed(text));
  }));
}

TEST_CASE("arbitrary bytes never throw") {
  CHECK(rc::check("bytes", [] {
    const auto bytes = *rc::gen::container<std::string>(rc::gen::arbitrary<char>());
    const auto plan = parse_plan(bytes);
    RC_ASSERT(plan.has_value() || plan.error().kind == base::ErrorKind::invalid_input);
  }));
}

TEST_CASE("setting a task's box changes only bytes between brackets, and only that task") {
  CHECK(rc::check("byte-exact", [] {
    const std::string text = random_plan();
    const core::Plan plan = parsed(text);
    std::vector<const core::Task*> tasks;
    for (const core::Phase& phase : plan.phases) {
      for (const core::Task& task : phase.tasks) tasks.push_back(&task);
    }
    RC_PRE(!tasks.empty());
    const core::Task& task = *tasks[*rc::gen::inRange<std::size_t>(0, tasks.size())];
    const auto state = *rc::gen::element(core::BoxState::open, core::BoxState::active, core::BoxState::done);
    const auto after = set_boxes(text, plan, task.boxes, state);
    if (!after) {
      RC_ASSERT(after.error().kind == base::ErrorKind::conflict);
      return;
    }
    // Take the boxes out of both: the rest is the same to the byte.
    const auto without = [](std::string bytes, std::vector<core::Box> boxes) {
      std::sort(boxes.begin(), boxes.end(), [](const auto& a, const auto& b) { return a.offset > b.offset; });
      for (const core::Box& box : boxes) bytes.erase(box.offset, box.length);
      return bytes;
    };
    std::vector<core::Box> now;
    std::size_t shrunk = 0;
    auto sorted = task.boxes;
    std::sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) { return a.offset < b.offset; });
    for (const core::Box& box : sorted) {
      const std::size_t length = after->substr(box.offset - shrunk).find(']');
      now.push_back({box.offset - shrunk, length});
      shrunk += box.length - length;
    }
    RC_ASSERT(without(text, task.boxes) == without(*after, now));
    const core::Plan then = parsed(*after);
    RC_ASSERT(task_ids(then).size() == task_ids(plan).size());
  }));
}

TEST_CASE("annotating keeps every task and is done once") {
  CHECK(rc::check("annotate", [] {
    const std::string text = random_plan();
    const core::Plan plan = parsed(text);
    const auto result = annotate(text, plan);
    if (!result) {
      RC_ASSERT(result.error().kind == base::ErrorKind::conflict);
      return;
    }
    const core::Plan after = parsed(result->text);
    const auto twice = annotate(result->text, after);
    RC_ASSERT(twice.has_value());
    RC_ASSERT(twice->text == result->text);
    const auto now = task_ids(after);
    for (const std::string& id : task_ids(plan))
      RC_ASSERT(std::find(now.begin(), now.end(), id) != now.end());
    std::string rest = result->text;
    RC_ASSERT(rest.size() >= text.size());
  }));
}

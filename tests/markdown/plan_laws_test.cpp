// Laws of reading and editing, over plans made at random from the pieces that matter.

#include <rapidcheck.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <set>

#include "markdown/cmark_document.hpp"
#include "markdown/edits/annotate.hpp"
#include "markdown/edits/edit_plan.hpp"
#include "markdown/plan_text.hpp"
#include "markdown/random_plan.hpp"
#include "model/parents.hpp"
#include "model/progress.hpp"

using namespace plankeep;
using namespace plankeep::markdown;

namespace {

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

namespace {

// Every id with its parent and what it counts for.
std::vector<std::string> ids_and_parents(const core::Plan& plan) {
  std::vector<std::string> all;
  for (const core::Phase& phase : plan.phases) {
    for (const core::Task& task : phase.tasks) {
      all.push_back(phase.id.text + " " + task.id.text + " < " + task.parent.text + " " +
                    std::string(core::name_of(task.state)) + (task.optional ? "*" : ""));
    }
    for (const core::Criterion& criterion : phase.acceptance)
      all.push_back(phase.id.text + " " + criterion.id.text + " < " + criterion.parent.text);
  }
  return all;
}

}  // namespace

TEST_CASE("annotating keeps every id, parent and count, and is done once") {
  CHECK(rc::check("annotate", [] {
    const std::string text = random_plan();
    const core::Plan plan = parsed(text);
    const auto result = annotate(text, plan);
    if (!result) {
      RC_ASSERT(result.error().kind == base::ErrorKind::conflict);
      return;
    }
    const core::Plan after = parsed(result->text);
    RC_ASSERT(ids_and_parents(after) == ids_and_parents(plan));
    RC_ASSERT(core::progress_of(after) == core::progress_of(plan));
    RC_ASSERT(after.skipped == plan.skipped);
    for (const core::Phase& phase : after.phases) {
      for (const core::Task& task : phase.tasks) RC_ASSERT(task.marked);
    }
    const auto twice = annotate(result->text, after);
    RC_ASSERT(twice.has_value());
    RC_ASSERT(twice->text == result->text);
  }));
}

namespace {

// Items whose text begins with a box, as cmark-gfm's tree has them: what a page shows.
std::int64_t boxes_on_the_page(const std::string& text) {
  const SourceText source(text);
  CmarkDocument document;
  if (!document.parse(source)) FAIL("not read");
  std::int64_t count = 0;
  cmark_iter* const iterator = cmark_iter_new(document.root());
  for (cmark_event_type event = cmark_iter_next(iterator); event != CMARK_EVENT_DONE;
       event = cmark_iter_next(iterator)) {
    cmark_node* const node = cmark_iter_get_node(iterator);
    if (event != CMARK_EVENT_ENTER || cmark_node_get_type(node) != CMARK_NODE_ITEM) continue;
    cmark_node* const first = cmark_node_first_child(node);
    const bool has_text = first != nullptr && (cmark_node_get_type(first) == CMARK_NODE_PARAGRAPH ||
                                               cmark_node_get_type(first) == CMARK_NODE_HEADING);
    if (!has_text) continue;
    const std::string words = CmarkDocument::plain_text(first);
    const bool masked = words.starts_with("xxx ");  // a plain item, as cmark gets to see it
    const bool box = words.starts_with("[ ]") || words.starts_with("[x]") || words.starts_with("[~]");
    if (masked || box || words.starts_with("[\xE2\x9C\x93]")) ++count;
  }
  cmark_iter_free(iterator);
  return count;
}

std::int64_t boxes_counted(const core::Plan& plan) {
  std::set<std::size_t> places;
  for (const core::Box& box : all_boxes(plan)) places.insert(box.offset);
  return static_cast<std::int64_t>(places.size()) + plan.skipped;
}

}  // namespace

TEST_CASE("each box that the page shows counts once or is left out") {
  CHECK(rc::check("boxes", [] {
    const std::string text = random_plan("- [w] Odd <!-- TASK: odd -->", "- [x](url) link", "[x]: url");
    RC_ASSERT(boxes_counted(parsed(text)) == boxes_on_the_page(text));
  }));
}

TEST_CASE("ids are unique but where markers repeat them, and parents stand before their children") {
  CHECK(rc::check("ids", [] {
    const core::Plan plan = parsed(random_plan());
    std::set<std::string> marked;
    for (const core::Phase& phase : plan.phases) {
      for (const core::Task& task : phase.tasks) {
        if (task.marked) marked.insert(task.id.text);
      }
    }
    std::set<std::string> generated;
    for (const core::Phase& phase : plan.phases) {
      const std::vector<std::size_t> parents = core::parents_of(phase);
      for (std::size_t i = 0; i < phase.tasks.size(); ++i) {
        const core::Task& task = phase.tasks[i];
        if (!task.marked) {
          RC_ASSERT(!marked.contains(task.id.text));
          RC_ASSERT(generated.insert(task.id.text).second);
        }
        RC_ASSERT((parents[i] == core::kNoParent) == task.parent.empty());
      }
    }
  }));
}

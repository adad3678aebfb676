#include "markdown/edits/add_item.hpp"

#include <algorithm>
#include <set>

#include "base/utf8.hpp"
#include "markdown/edits/edit_check.hpp"
#include "markdown/edits/item_place.hpp"
#include "markdown/generated_ids.hpp"
#include "markdown/item_lines.hpp"
#include "markdown/marker.hpp"
#include "markdown/parse_plan.hpp"
#include "markdown/places.hpp"
#include "markdown/source_text.hpp"
#include "model/find_task.hpp"
#include "model/progress.hpp"

namespace plankeep::markdown {
namespace {

using base::ErrorKind;
using base::Result;

AddedItem carried_out(const SourceText& source, const NewLines& insertion) {
  const std::string end = line_end_at(source, std::max<std::int64_t>(insertion.line, 1));
  std::string result(source.bytes());
  const bool at_end = insertion.line >= source.line_count();
  const std::size_t at = insertion.line == 0 ? source.body_start()
                         : at_end            ? result.size()
                                             : source.line_start(insertion.line + 1);
  // A last line without a line end stays the only one without.
  const bool open_end = at_end && !result.empty() && source.line_start(source.line_count()) != result.size();
  std::string text;
  for (const std::string& line : insertion.lines) text += open_end ? end + line : line + end;
  result.insert(at, text);
  return {std::move(result), insertion.line + 1 + static_cast<std::int64_t>(insertion.box)};
}

std::string marker_of(const NewItem& item, const std::string& id) {
  std::string text = item.criterion ? "<!-- ACCEPT: " : "<!-- TASK: ";
  text += id;
  std::string after;
  for (const core::TaskId& task : item.after) after += (after.empty() ? "" : ", ") + task.text;
  if (!after.empty()) text += " | after: " + after;
  if (!item.verify.empty()) text += " | verify: " + item.verify;
  return text + " -->";
}

// Phase, title and state of every item but the one on `line`; what an edit elsewhere must leave alone. Ids
// from the text may come to stand behind a new one, so they are compared only where markers give them.
std::vector<std::string> keys_of(const core::Plan& plan, std::int64_t line) {
  std::vector<std::string> keys;
  for (const core::Phase& phase : plan.phases) {
    for (const core::Task& task : phase.tasks) {
      if (task.line == line) continue;
      std::string key = phase.title + "\n" + task.title + "\n" + std::string(core::name_of(task.state));
      if (task.marked) key += "\n" + task.id.text;
      keys.push_back(std::move(key));
    }
    for (const core::Criterion& criterion : phase.acceptance) {
      if (criterion.line == line) continue;
      keys.push_back(phase.title + "\n" + criterion.id.text + "\n" + (criterion.met ? "met" : "not met"));
    }
  }
  return keys;
}

struct FoundItem {
  const core::Phase* phase = nullptr;
  const core::Task* task = nullptr;
  const core::Criterion* criterion = nullptr;
};

FoundItem item_on(const core::Plan& plan, std::int64_t line) {
  for (const core::Phase& phase : plan.phases) {
    for (const core::Task& task : phase.tasks) {
      if (task.line == line) return {&phase, &task, nullptr};
    }
    for (const core::Criterion& criterion : phase.acceptance) {
      if (criterion.line == line) return {&phase, nullptr, &criterion};
    }
  }
  return {};
}

class Adder {
 public:
  Adder(std::string_view bytes, const core::Plan& plan, const NewItem& item)
      : source_(bytes), plan_(plan), item_(item) {}

  Result<AddedItem> add() {
    TRY_ASSIGN(const Places places, read_places(source_.bytes()));
    TRY_ASSIGN(place_, place_of_item(source_, plan_, item_, places));
    if (item_.heading) heading_ = places.headings[*item_.heading].title;
    title_ = place_.number ? place_.number->id() + place_.number->separator + item_.title : item_.title;
    AddedItem plain = with_words(title_);
    TRY_ASSIGN(core::Plan read, parse_plan(plain.text));
    if (place_.lazy_line > 0 && !fits(plain, read)) {
      plain = behind_lazy();
      TRY_ASSIGN(read, parse_plan(plain.text));
    }
    const bool needs_marker = item_.criterion || !item_.id.empty() || !item_.after.empty() || place_.marked;
    if (!needs_marker) return checked(std::move(plain), read);
    const FoundItem placed = item_on(read, plain.line);
    if (placed.task == nullptr) return refused();
    std::string id = item_.id;
    if (id.empty()) id = place_.number ? place_.number->id() : placed.task->id.text;
    const std::string marker = marker_of(item_, id);
    AddedItem marked = with_words(place_.marker_first ? marker + " " + title_ : title_ + " " + marker);
    TRY_ASSIGN(const core::Plan again, parse_plan(marked.text));
    return checked(std::move(marked), again);
  }

 private:
  AddedItem with_words(const std::string& words) const {
    NewLines insertion = place_.insertion;
    insertion.lines[insertion.box] = place_.before_box + "[ ] " + words;
    return carried_out(source_, insertion);
  }

  bool fits(const AddedItem& plain, const core::Plan& read) const {
    if (item_.criterion) return item_on(read, plain.line).task != nullptr;
    return checked(plain, read).has_value();
  }

  AddedItem behind_lazy() {
    place_.insertion.line = place_.lazy_line;
    return with_words(title_);
  }

  static tl::unexpected<base::Error> refused() {
    return base::fail(ErrorKind::conflict,
                      "the new box cannot be added without changing the plan's meaning elsewhere",
                      "edit the plan by hand; is a code fence or comment left open?");
  }

  Result<AddedItem> checked(AddedItem added, const core::Plan& read) const {
    std::vector<std::string> now = keys_of(read, added.line);
    std::vector<std::string> before = keys_of(plan_, 0);
    std::sort(now.begin(), now.end());
    std::sort(before.begin(), before.end());
    const FoundItem placed = item_on(read, added.line);
    const bool is_there = item_.criterion ? placed.criterion != nullptr : placed.task != nullptr;
    if (!is_there || now != before || !same_decisions(read, plan_) || !same_blockers(read, plan_))
      return refused();
    if (item_.heading && placed.phase->title != heading_) return refused();
    if (item_.phase && placed.phase->title != plan_.phases[*item_.phase].title) return refused();
    if (!has_parent(placed) || has_steps(placed)) return refused();
    return added;
  }

  // What stood beside it would now stand below it.
  static bool has_steps(const FoundItem& placed) {
    if (placed.task == nullptr) return false;
    const auto is_step = [&placed](const auto& item) { return item.parent == placed.task->id; };
    return std::any_of(placed.phase->tasks.begin(), placed.phase->tasks.end(), is_step) ||
           std::any_of(placed.phase->acceptance.begin(), placed.phase->acceptance.end(), is_step);
  }

  bool has_parent(const FoundItem& placed) const {
    const core::TaskId& parent = placed.task != nullptr ? placed.task->parent : placed.criterion->parent;
    if (item_.parent.empty()) return true;
    if (parent.empty()) return false;
    const core::Task* const now = core::find_task_in(*placed.phase, parent);
    for (const core::Phase& phase : plan_.phases) {
      const core::Task* const wanted = core::find_task_in(phase, item_.parent);
      if (wanted != nullptr && now != nullptr && now->title == wanted->title) return true;
    }
    return false;
  }

  SourceText source_;
  const core::Plan& plan_;
  const NewItem& item_;
  NewPlace place_;
  std::string title_;    // with its number
  std::string heading_;  // of the phase that begins with the new box
};

base::Status check_id(const core::Plan& plan, const std::string& id) {
  if (id.empty()) return {};
  if (!is_id(id))
    return base::fail(ErrorKind::invalid_input, id + " cannot be an id",
                      "ids consist of letters, digits, \"_\", \"-\" and \".\"");
  for (const core::Phase& phase : plan.phases) {
    const auto is_taken = [&id](const auto& item) { return item.id.text == id; };
    if (std::any_of(phase.tasks.begin(), phase.tasks.end(), is_taken) ||
        std::any_of(phase.acceptance.begin(), phase.acceptance.end(), is_taken))
      return base::fail(ErrorKind::invalid_input, "the plan already has the id " + id, "choose another id");
  }
  return {};
}

base::Status check_item(const core::Plan& plan, const NewItem& item) {
  if (item.title.empty()) return base::fail(ErrorKind::invalid_input, "the title is empty");
  for (const std::string& text : {item.title, item.verify}) {
    if (text.find("-->") != std::string::npos || text.find("<!--") != std::string::npos)
      return base::fail(ErrorKind::invalid_input, "the text must not contain \"<!--\" or \"-->\"");
  }
  if (item.criterion && !item.after.empty())
    return base::fail(ErrorKind::invalid_input, "a criterion waits for nothing: omit --after");
  if (!item.criterion && !item.verify.empty())
    return base::fail(ErrorKind::invalid_input, "only a criterion has a command: add --accept");
  return check_id(plan, item.id);
}

}  // namespace

Result<AddedItem> add_item(std::string_view bytes, const core::Plan& plan, const NewItem& item) {
  NewItem cleaned = item;
  cleaned.title = fold_space(base::printable(item.title));
  cleaned.verify = fold_space(base::printable(item.verify));
  TRY(check_item(plan, cleaned));
  return Adder(bytes, plan, cleaned).add();
}

}  // namespace plankeep::markdown

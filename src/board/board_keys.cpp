#include <algorithm>
#include <utility>

#include "board/board.hpp"
#include "board/cells.hpp"
#include "board/draw.hpp"

// What keys and the mouse do to the board; what is shown of it is in board.cpp.

namespace plankeep::board {
namespace {

using Kind = Action::Kind;

constexpr std::ptrdiff_t kWheelRows = 3;

// hjkl and their like, as the keys that they stand for.
Key plain_key(const Key& key) {
  if (key.kind != Key::Kind::character) return key;
  switch (key.character) {
    case 'h':
      return {Key::Kind::left};
    case 'j':
      return {Key::Kind::down};
    case 'k':
      return {Key::Kind::up};
    case 'l':
      return {Key::Kind::right};
    case 'g':
      return {Key::Kind::home};
    case 'G':
      return {Key::Kind::end};
    case control('f'):
    case control('d'):
      return {Key::Kind::page_down};
    case control('b'):
    case control('u'):
      return {Key::Kind::page_up};
    default:
      return key;
  }
}

}  // namespace

// --- keys ----------------------------------------------------------------------------------------------

Action Board::press(const Key& key) {
  tell({}, false);
  if (prompt_) return press_in_prompt(key);
  const Key plain = plain_key(key);
  if (sheet_) return press_in_sheet(plain);
  if (move(plain)) return {};
  switch (plain.kind) {
    case Key::Kind::left:
      step_out();
      return {};
    case Key::Kind::right:
      step_in();
      return {};
    case Key::Kind::enter:
      return enter();
    case Key::Kind::tab:
      return go_to(static_cast<Tab>((static_cast<std::size_t>(tab_) + 1) % kTabs));
    case Key::Kind::back_tab:
      return go_to(static_cast<Tab>((static_cast<std::size_t>(tab_) + kTabs - 1) % kTabs));
    case Key::Kind::escape:
      if (filter_.empty()) return go_to(Tab::plan);
      filter_.clear();
      show_again(key_at_cursor(), cursor_);
      return {};
    case Key::Kind::character:
      return press_letter(plain.character);
    default:
      return {};
  }
}

Action Board::press_letter(char32_t letter) {
  switch (letter) {
    case 'q':
      return {Kind::quit};
    case control('l'):
      return {Kind::redraw};
    case '?':
      open_sheet("Keys", help_text());
      sheet_->kind = Sheet::Kind::help;
      return {};
    case '/':
      start_prompt(Prompt::Kind::filter, "/");
      return {};
    case '1':
    case '2':
    case '3':
    case '4':
    case '5':
      return go_to(static_cast<Tab>(letter - '1'));
    case ' ':
      return tick();
    case 's': {
      Action action = act_on_item(Kind::set_box);
      if (action.kind == Kind::set_box) action.box = core::BoxState::active;
      return action;
    }
    case 'c':
      return act_on_item(Kind::claim);
    case 'v':
      return verify();
    case 'a': {
      Action action{Kind::add};
      if (const Item* at = item()) {
        action.phase = at->phase;
        action.target = at->kind == ItemKind::task ? at->parent_task : std::string();
      }
      start_prompt(Prompt::Kind::add, "Add task: ", std::move(action));
      return {};
    }
    case 'd':
      start_prompt(Prompt::Kind::decide, "Decision: ", {Kind::decide});
      return {};
    case 'b':
      start_prompt(Prompt::Kind::block, "Blocker: ", {Kind::block});
      return {};
    case 'n':
      start_prompt(Prompt::Kind::note, "Note: ", {Kind::note});
      return {};
    case 'u':
      return {Kind::undo};
    case 'R': {
      if (tab_ == Tab::checkpoints) return enter();
      Action action = go_to(Tab::checkpoints);
      tell("choose a checkpoint to rewind to, then press R", false);
      return action;
    }
    default:
      return {};
  }
}

Action Board::enter() {
  if (shown_.empty()) return {};
  if (const Item* at = item()) {
    if (at->kind == ItemKind::phase) {
      fold(!folded_.contains(at->key));
      return {};
    }
    return act_on_item(Kind::load_details);
  }
  const PageLine& line = page_[shown_[cursor_]];
  if (tab_ == Tab::checkpoints || tab_ == Tab::plans) {
    if (line.target.empty()) return {};
    Action action{tab_ == Tab::checkpoints ? Kind::preview_rewind : Kind::open_plan};
    action.target = line.target;
    return action;
  }
  open_sheet(tab_ == Tab::log ? "Log" : "Timeline", line.text);
  return {};
}

// What is done to tasks and criteria only.
Action Board::act_on_item(Action::Kind kind) {
  const Item* at = item();
  if (at == nullptr || at->kind == ItemKind::phase) {
    tell("choose a task or criterion first", true);
    return {};
  }
  Action action{kind};
  action.target = at->key;
  action.before = at->state;
  return action;
}

Action Board::tick() {
  Action action = act_on_item(Kind::set_box);
  if (action.kind == Kind::none) return action;
  action.box = action.before == core::BoxState::done ? core::BoxState::open : core::BoxState::done;
  return action;
}

Action Board::verify() {
  const Item* at = item();
  if (at == nullptr || at->kind != ItemKind::phase) {
    Action action = act_on_item(Kind::verify);
    if (!action.target.empty()) action.targets = {action.target};
    return action;
  }
  Action action{Kind::verify};
  for (const Item& one : items_) {
    if (one.kind == ItemKind::criterion && one.phase == at->phase && !one.verify.empty())
      action.targets.push_back(one.key);
  }
  if (!action.targets.empty()) return action;
  tell("no criterion of this phase has a command", true);
  return {};
}

// --- typed text ----------------------------------------------------------------------------------------

void Board::start_prompt(Prompt::Kind kind, std::string label, Action action) {
  Prompt prompt;
  prompt.kind = kind;
  prompt.label = std::move(label);
  prompt.action = std::move(action);
  prompt_ = std::move(prompt);
}

Action Board::press_in_prompt(const Key& key) {
  const bool filters = prompt_->kind == Prompt::Kind::filter;
  if (key.kind == Key::Kind::enter) return submit();
  if (key.kind == Key::Kind::escape) {
    prompt_.reset();
    if (filters) filter_.clear();
  } else if (filters && (key.kind == Key::Kind::up || key.kind == Key::Kind::down)) {
    move(key);
    return {};
  } else if (prompt_->field.press(key) && filters) {
    filter_ = prompt_->field.text();
  }
  if (filters) show_again(key_at_cursor(), cursor_);
  return {};
}

Action Board::submit() {
  Prompt prompt = std::move(*std::exchange(prompt_, std::nullopt));
  if (prompt.kind == Prompt::Kind::filter) return {};
  if (prompt.kind == Prompt::Kind::reason) {
    prompt.action.reason = prompt.field.text();
    return std::move(prompt.action);
  }
  if (prompt.field.empty()) return {};
  prompt.action.text = prompt.field.text();
  if (prompt.kind != Prompt::Kind::decide) return std::move(prompt.action);
  start_prompt(Prompt::Kind::reason, "Reason (Enter for none): ", std::move(prompt.action));
  return {};
}

// --- sheets --------------------------------------------------------------------------------------------

Action Board::press_in_sheet(const Key& key) {
  if (move(key)) return {};
  const bool is_character = key.kind == Key::Kind::character;
  if (is_character && key.character == control('l')) return {Kind::redraw};
  const bool leaves =
      key.kind == Key::Kind::escape || key.kind == Key::Kind::left || key.kind == Key::Kind::enter;
  if (sheet_->asks()) {
    if (is_character) return answer(key.character);
    // Enter is no answer to a question: it may have been meant for something else.
    return leaves ? answer('n') : Action{};
  }
  if (leaves || (is_character && (key.character == 'q' || key.character == '?' || key.character == ' '))) {
    sheet_.reset();
    settle();
  }
  return {};
}

Action Board::answer(char32_t letter) {
  const bool verifies = sheet_->kind == Sheet::Kind::verify;
  sheet_.reset();
  settle();
  Action action{verifies ? Kind::run_verify : Kind::rewind};
  action.trust = verifies && (letter == 't' || letter == 'T');
  if (action.trust || letter == 'y' || letter == 'Y') return action;
  tell(verifies ? "nothing was run" : "nothing changed", false);
  return {};
}

// --- the mouse -----------------------------------------------------------------------------------------

Action Board::point(const Mouse& mouse) {
  if (prompt_) return {};
  using Turn = Mouse::Kind;
  if (mouse.kind == Turn::wheel_up || mouse.kind == Turn::wheel_down) {
    const std::ptrdiff_t rows = mouse.kind == Turn::wheel_up ? -kWheelRows : kWheelRows;
    sheet_ ? scroll_sheet(rows) : move_by(rows);
    return {};
  }
  // Where the press landed, before the message goes and the rows move.
  const std::size_t header = header_rows();
  const bool in_body = mouse.row >= header && mouse.row < header + body_rows();
  const std::size_t place = in_body ? top_ + mouse.row - header : shown_.size();
  tell({}, false);
  if (sheet_) return {};
  if (mouse.row == 0 && header > 0) {
    const auto tab = tab_at(mouse.column, size_.columns);
    return tab ? go_to(*tab) : Action{};
  }
  if (place >= shown_.size()) return {};
  // A press on the row that is chosen already opens it: so does a double click, and no time is measured.
  if (place == cursor_) return enter();
  move_to(place);
  return {};
}

}  // namespace plankeep::board

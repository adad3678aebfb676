#pragma once
// A board over a plan that is given as text.

#include <string>
#include <string_view>

#include "board/board.hpp"
#include "board/draw.hpp"
#include "markdown/parse_plan.hpp"
#include "rules/view.hpp"

namespace plankeep::board {

inline constexpr std::string_view kPlan =
    "# Sign-in for the shop\n"
    "\n"
    "## Phase 1: Schema\n<!-- CHECKPOINT: schema -->\n"
    "- [x] T001 Tables for users <!-- TASK: T001 -->\n"
    "- [x] T002 Migration <!-- TASK: T002 | after: T001 -->\n"
    "\n"
    "## Phase 2: Login\n<!-- CHECKPOINT: login -->\n"
    "- [x] T003 Form <!-- TASK: T003 -->\n"
    "- [~] T004 Check the password <!-- TASK: T004 -->\n"
    "  - [x] T005 Hash it <!-- TASK: T005 -->\n"
    "  - [ ] T006 Compare in constant time <!-- TASK: T006 -->\n"
    "- [ ] T007 显示错误信息 🚀 <!-- TASK: T007 | after: T004 -->\n"
    "- [ ] Tests pass <!-- ACCEPT: tests | verify: make test -->\n"
    "\n"
    "## Phase 3: Logout\n<!-- CHECKPOINT: logout -->\n"
    "- [ ] T008 Button <!-- TASK: T008 -->\n"
    "- [ ] T009 End every session of the user, also those on other machines, at once <!-- TASK: T009 -->\n";

inline core::StatusView view_of_text(std::string_view text) {
  const core::Plan plan = markdown::parse_plan(text).value();
  core::ViewInput input;
  input.plan = &plan;
  input.plan_id = "shop";
  input.path = "/home/kim/plan.md";
  input.file = "plan.md";
  return core::make_view(input);
}

inline void show(Board& board, std::string_view text, bool ours = false) {
  const core::StatusView view = view_of_text(text);
  board.show_plan({&view, {}, ours});
}

inline Board board_of(std::string_view text = kPlan, Size size = {24, 80}) {
  Board board;
  board.resize(size);
  show(board, text);
  return board;
}

inline Action press(Board& board, char letter) {
  return board.press({Key::Kind::character, static_cast<char32_t>(letter)});
}

inline Action type(Board& board, std::string_view letters) {
  Action last;
  for (const char letter : letters) last = press(board, letter);
  return last;
}

inline Action enter(Board& board) {
  return board.press({Key::Kind::enter});
}

/// The rows as text, a line each, trailing spaces taken off; a selected row has "» " in front, others two
/// spaces.
inline std::string as_text(const Frame& frame) {
  std::string text;
  for (const Row& row : frame.rows) {
    std::string line = (row.ground == Ground::selected ? "» " : "  ") + row.text();
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

}  // namespace plankeep::board

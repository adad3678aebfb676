// Whole screens, as they stand in tests/board/golden.

#include <catch2/catch.hpp>

#include "board/sample_board.hpp"
#include "support/golden.hpp"

namespace plankeep::board {
namespace {

void check_screen(const std::string& name, const Board& board) {
  test::check_golden("board", name + ".txt", as_text(draw(board)));
}

TEST_CASE("the plan on screens of several sizes") {
  for (const Size size : {Size{10, 40}, Size{24, 80}, Size{50, 200}, Size{10, 20}, Size{4, 10}})
    check_screen("plan-" + std::to_string(size.columns) + "x" + std::to_string(size.rows),
                 board_of(kPlan, size));
}

TEST_CASE("what makes the progress less than it seems stands below it, on every tab and at every size") {
  for (const Size size : {Size{10, 40}, Size{14, 80}, Size{6, 30}}) {
    Board board;
    board.resize(size);
    core::StatusView view = view_of_text(
        "# Shop\n\n## One\n- [x] A <!-- TASK: a -->\n"
        "- [ ]* Later <!-- TASK: later -->\n- [ ] Key <!-- SKIP -->\n");
    view.vanished = {{core::PhaseId("one"), core::TaskId("b"), "Set the new password", false, true, false}};
    board.show_plan({&view, {}, true});
    press(board, 'j');
    check_screen("vanished-" + std::to_string(size.columns) + "x" + std::to_string(size.rows), board);
    press(board, '5');
    CHECK(as_text(draw(board)).find("no longer in") != std::string::npos);
    view.unreadable = "the plan cannot be read (plan.md is missing); showing the last recorded state";
    board.show_plan({&view, {}, false});
    CHECK(as_text(draw(board)).find("the plan cannot be read") != std::string::npos);
    CHECK(as_text(draw(board)).find("no longer") == std::string::npos);
    CHECK(draw(board).rows.size() == size.rows);
  }
}

TEST_CASE("a filter that is being typed") {
  Board board = board_of(kPlan, {12, 60});
  press(board, '/');
  type(board, "hash");
  check_screen("filter", board);
}

TEST_CASE("the help") {
  Board board = board_of(kPlan, {26, 80});
  press(board, '?');
  check_screen("help", board);
}

TEST_CASE("a question with a diff") {
  Board board = board_of(kPlan, {12, 60});
  board.ask(Question::rewind, "Rewind to turn 3",
            "@@ -1,2 +1,2 @@\n # Plan\n-- [x] T001 Tables\n+- [ ] T001 Tables\n");
  check_screen("rewind", board);
}

TEST_CASE("a message and a mark") {
  Board board = board_of(kPlan, {14, 60});
  std::string text(kPlan);
  text.replace(text.find("- [ ] T008"), 5, "- [x]");
  show(board, text);
  board.tell("cannot write plan.md: no space left on device\nfree some space, then try again", true);
  check_screen("message", board);
}

TEST_CASE("a tab of lines") {
  Board board = board_of(kPlan, {8, 60});
  press(board, '2');
  board.show_page(Tab::log,
                  {{"2026-11-20 15:43:50  main  done  T001"}, {"2026-11-20 15:50:01  ada  done  T002"}});
  check_screen("log", board);
}

TEST_CASE("a checkpoint is cut at a word, so that no id is half there") {
  Board board = board_of(kPlan, {8, 40});
  press(board, '4');
  board.show_page(Tab::checkpoints,
                  {{"cp_1a2b3c_007  phase-2-login  manual  20 h ago  2 of 5", "cp_1a2b3c_007"},
                   {"cp_1a2b3c_006  a-phase-with-a-very-long-name  manual", "cp_1a2b3c_006"},
                   {"cp_1a2b3c_005-one-word-that-is-wider-than-it", "cp_1a2b3c_005"}});
  const std::string text = as_text(draw(board));
  CAPTURE(text);
  CHECK(text.find("cp_1a2b3c_007  phase-2-login  manual  …") != std::string::npos);
  CHECK(text.find("cp_1a2b3c_006  …") != std::string::npos);
  CHECK(text.find("cp_1a2b3c_005-one-word-that-is-wider-th…") != std::string::npos);
}

}  // namespace
}  // namespace plankeep::board

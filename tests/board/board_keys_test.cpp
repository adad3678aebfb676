#include <catch2/catch.hpp>

#include "board/sample_board.hpp"

namespace plankeep::board {
namespace {

using Kind = Action::Kind;

const Item& at_cursor(const Board& board) {
  return board.items()[board.shown()[board.cursor()]];
}

void go_to(Board& board, const std::string& key) {
  (void)board.press({Key::Kind::home});
  for (std::size_t i = 0; i < board.shown().size(); ++i) {
    if (at_cursor(board).key == key) return;
    (void)board.press({Key::Kind::down});
  }
  FAIL("no row " << key);
}

bool shows(const Board& board, const std::string& key) {
  for (const std::size_t index : board.shown())
    if (board.items()[index].key == key) return true;
  return false;
}

std::string message_of(const Board& board) {
  return board.message() ? board.message()->text : std::string();
}

TEST_CASE("the board begins at the current task") {
  const Board board = board_of();
  CHECK(at_cursor(board).key == "task:login/T006");
}

TEST_CASE("completed phases and steps are folded at first, but not around the current task") {
  const Board board = board_of();
  CHECK_FALSE(shows(board, "task:schema/T001"));
  CHECK(shows(board, "task:login/T005"));
  Board other = board_of("## A\n- [ ] one\n- [ ] two\n  - [ ] three\n");
  CHECK(other.shown().size() == 3);
}

TEST_CASE("keys say what is to be done") {
  struct Given {
    const char* what;
    const char* at;
    char key;
    Kind kind;
    const char* target;
    core::BoxState box;
  };
  using core::BoxState;
  const Given table[] = {
      {"Space ticks an open task", "task:logout/T008", ' ', Kind::set_box, "task:logout/T008",
       BoxState::done},
      {"Space unticks a done one", "task:login/T003", ' ', Kind::set_box, "task:login/T003", BoxState::open},
      {"Space ticks one that is in progress", "task:login/T004", ' ', Kind::set_box, "task:login/T004",
       BoxState::done},
      {"Space ticks a criterion", "criterion:login/tests", ' ', Kind::set_box, "criterion:login/tests",
       BoxState::done},
      {"s starts", "task:logout/T008", 's', Kind::set_box, "task:logout/T008", BoxState::active},
      {"c claims", "task:logout/T008", 'c', Kind::claim, "task:logout/T008", BoxState::open},
      {"v verifies", "criterion:login/tests", 'v', Kind::verify, "criterion:login/tests", BoxState::open},
      {"u undoes", "task:logout/T008", 'u', Kind::undo, "", BoxState::open},
      {"q quits", "task:logout/T008", 'q', Kind::quit, "", BoxState::open},
      {"Space does nothing to a phase", "login", ' ', Kind::none, "", BoxState::open},
      {"s does nothing to a phase", "login", 's', Kind::none, "", BoxState::open},
      {"c does nothing to a phase", "login", 'c', Kind::none, "", BoxState::open},
      {"a letter without a meaning does nothing", "login", 'z', Kind::none, "", BoxState::open},
  };
  for (const Given& given : table) {
    INFO(given.what);
    Board board = board_of();
    go_to(board, given.at);
    const Action action = press(board, given.key);
    CHECK(action.kind == given.kind);
    CHECK(action.target == given.target);
    CHECK(action.box == given.box);
  }
}

TEST_CASE("an action says what the box was, so that it can be undone") {
  Board board = board_of();
  go_to(board, "task:login/T004");
  CHECK(press(board, ' ').before == core::BoxState::active);
}

TEST_CASE("v on a phase verifies those of its criteria that have a command") {
  Board board = board_of();
  go_to(board, "login");
  CHECK(press(board, 'v').targets == std::vector<std::string>{"criterion:login/tests"});
  go_to(board, "logout");
  CHECK(press(board, 'v').kind == Kind::none);
  CHECK(message_of(board) == "no criterion of this phase has a command");
}

TEST_CASE("text is asked for, and Escape takes it back") {
  Board board = board_of();
  go_to(board, "task:login/T006");
  CHECK(press(board, 'a').kind == Kind::none);
  type(board, "jq quick");
  const Action added = enter(board);
  CHECK(added.kind == Kind::add);
  CHECK(added.text == "jq quick");
  CHECK(added.phase == "login");
  CHECK(added.target == "task:login/T004");

  press(board, 'd');
  type(board, "SQLite");
  CHECK(enter(board).kind == Kind::none);
  type(board, "one file");
  const Action decided = enter(board);
  CHECK(decided.kind == Kind::decide);
  CHECK(decided.text == "SQLite");
  CHECK(decided.reason == "one file");

  press(board, 'b');
  type(board, "no key");
  CHECK(enter(board).text == "no key");
  press(board, 'n');
  type(board, "x");
  (void)board.press({Key::Kind::escape});
  CHECK_FALSE(board.prompt());
  press(board, 'n');
  CHECK(enter(board).kind == Kind::none);
}

TEST_CASE("the filter keeps what has its text and what that lies below, folded or not") {
  Board board = board_of();
  press(board, '/');
  type(board, "migr");
  CHECK(board.shown().size() == 2);
  CHECK(shows(board, "task:schema/T002"));
  (void)enter(board);
  CHECK(board.shown().size() == 2);
  (void)board.press({Key::Kind::escape});
  CHECK(board.shown().size() > 2);
  CHECK_FALSE(shows(board, "task:schema/T002"));
}

TEST_CASE("left folds and goes out, right unfolds and goes in") {
  Board board = board_of();
  go_to(board, "task:login/T006");
  press(board, 'h');
  CHECK(at_cursor(board).key == "task:login/T004");
  press(board, 'h');
  CHECK_FALSE(shows(board, "task:login/T006"));
  press(board, 'h');
  CHECK(at_cursor(board).key == "login");
  press(board, 'l');
  CHECK(at_cursor(board).key == "task:login/T003");
  go_to(board, "schema");
  (void)enter(board);
  CHECK(shows(board, "task:schema/T001"));
}

TEST_CASE("what changed outside is marked until its time is over, and what we changed is not") {
  Board board = board_of();
  std::string text(kPlan);
  text.replace(text.find("- [ ] T008"), 5, "- [x]");
  show(board, text, true);
  CHECK(board.marked().empty());
  text.replace(text.find("- [ ] T009"), 5, "- [x]");
  show(board, text);
  CHECK(board.marked() == std::set<std::string>{"task:logout/T009"});
  CHECK(draw(board).rows.size() == 24);
  board.forget_marks();
  CHECK_FALSE(board.has_marks());
}

TEST_CASE("a task that only moves is not marked") {
  Board board = board_of();
  std::string text(kPlan);
  text.replace(text.find("- [x] T001"), 0, "- [ ] T000 New <!-- TASK: T000 -->\n");
  show(board, text);
  CHECK(board.marked() == std::set<std::string>{"task:schema/T000"});
}

TEST_CASE("the cursor stays on its task when lines come in front of it, and near it when it goes") {
  Board board = board_of();
  go_to(board, "task:logout/T008");
  std::string text(kPlan);
  text.insert(text.find("- [x] T003"), "- [ ] new one <!-- TASK: new -->\n");
  show(board, text);
  CHECK(at_cursor(board).key == "task:logout/T008");
  text.erase(text.find("- [ ] T008"), text.find("- [ ] T009") - text.find("- [ ] T008"));
  show(board, text);
  CHECK(at_cursor(board).key == "task:logout/T009");
  show(board, "# Empty\n");
  CHECK(board.shown().empty());
  CHECK(board.cursor() == 0);
}

TEST_CASE("tabs ask for their lines, and the plan's place is kept") {
  Board board = board_of();
  go_to(board, "task:logout/T008");
  const Action log = press(board, '2');
  CHECK(log.kind == Kind::load_page);
  CHECK(log.tab == Tab::log);
  board.show_page(Tab::timeline, {{"late answer"}});
  CHECK(board.page().empty());
  board.show_page(Tab::log, {{"one"}, {"two"}, {"three"}});
  CHECK(board.cursor() == 2);
  board.show_page(Tab::log, {{"one"}, {"two"}, {"three"}, {"four"}});
  CHECK(board.cursor() == 3);
  CHECK(press(board, ' ').kind == Kind::none);
  (void)board.press({Key::Kind::escape});
  CHECK(at_cursor(board).key == "task:logout/T008");
  CHECK(board.press({Key::Kind::back_tab}).tab == Tab::plans);
}

TEST_CASE("a new checkpoint does not move another one under the cursor") {
  Board board = board_of();
  press(board, '4');
  board.show_page(Tab::checkpoints, {{"second", "cp_2"}, {"first", "cp_1"}});
  press(board, 'j');
  board.show_page(Tab::checkpoints, {{"third", "cp_3"}, {"second", "cp_2"}, {"first", "cp_1"}});
  CHECK(press(board, 'R').target == "cp_1");
  board.show_page(Tab::checkpoints, {{"third", "cp_3"}});
  CHECK(press(board, 'R').target == "cp_3");
}

TEST_CASE("a rewind is shown before it is asked about, and only y does it") {
  Board board = board_of();
  CHECK(press(board, 'R').tab == Tab::checkpoints);
  board.show_page(Tab::checkpoints, {{"first", "cp_1"}, {"second", "cp_2"}});
  const Action preview = press(board, 'R');
  CHECK(preview.kind == Kind::preview_rewind);
  CHECK(preview.target == "cp_1");
  for (const char no : {'n', 'q', 'x', 't'}) {
    board.ask(Question::rewind, "Rewind", "-a\n+b\n");
    CHECK(press(board, no).kind == Kind::none);
    CHECK(message_of(board) == "nothing changed");
  }
  board.ask(Question::rewind, "Rewind", "-a\n+b\n");
  CHECK(enter(board).kind == Kind::none);
  board.ask(Question::rewind, "Rewind", "-a\n+b\n");
  CHECK(press(board, 'j').kind == Kind::none);
  CHECK(board.sheet());
  CHECK(press(board, 'y').kind == Kind::rewind);
}

TEST_CASE("commands run only after y, and are trusted only after t") {
  Board board = board_of();
  board.ask(Question::verify, "Verify", "make test");
  CHECK(press(board, 'n').kind == Kind::none);
  board.ask(Question::verify, "Verify", "make test");
  const Action once = press(board, 'y');
  CHECK(once.kind == Kind::run_verify);
  CHECK_FALSE(once.trust);
  board.ask(Question::verify, "Verify", "make test");
  CHECK(press(board, 't').trust);
}

TEST_CASE("an error stands above the last row until the next key") {
  Board board = board_of(kPlan, {10, 40});
  board.tell("the lock of this plan is held by another process: try again in a moment", true);
  CHECK(board.footer_rows() == 3);
  CHECK(board.message()->is_error);
  press(board, 'z');
  CHECK_FALSE(board.message());
  CHECK(board.footer_rows() == 1);
}

TEST_CASE("the mouse chooses rows and tabs, opens the chosen row and scrolls") {
  Board board = board_of();
  (void)board.point({Mouse::Kind::press, 2, 10});
  CHECK(board.cursor() == 0);
  (void)board.point({Mouse::Kind::press, 2, 10});
  CHECK(shows(board, "task:schema/T001"));
  (void)board.point({Mouse::Kind::wheel_down, 5, 5});
  CHECK(board.cursor() == 3);
  (void)board.point({Mouse::Kind::press, 23, 5});
  CHECK(board.cursor() == 3);
  CHECK(board.point({Mouse::Kind::press, 0, 7}).tab == Tab::log);
}

TEST_CASE("a press chooses the row that was shown there, though the message goes") {
  Board board = board_of(kPlan, {10, 40});
  (void)board.press({Key::Kind::end});
  board.tell("one\ntwo\nthree", false);
  const std::size_t shown_there = board.top() + 1;
  (void)board.point({Mouse::Kind::press, board.header_rows() + 1, 5});
  CHECK_FALSE(board.message());
  CHECK(board.cursor() == shown_there);
}

TEST_CASE("another plan begins with nothing of the one before") {
  Board board = board_of();
  press(board, '/');
  type(board, "T00");
  board.forget_plan();
  CHECK(board.size() == Size{24, 80});
  CHECK(board.filter().empty());
  show(board, "## B\n- [ ] other\n");
  CHECK(board.marked().empty());
}

}  // namespace
}  // namespace plankeep::board

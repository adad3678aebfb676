#include "board_screen/run_board.hpp"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "board/board.hpp"
#include "board/draw.hpp"
#include "board_screen/plan_desk.hpp"
#include "board_screen/screen.hpp"

namespace plankeep::board_screen {
namespace {

using std::chrono::milliseconds;
using system::TerminalSession;
using Woken = TerminalSession::Woken;

// Editors and agents write in several steps; half a plan is not worth a look.
constexpr milliseconds kRest{50};
// Where somebody never stops writing, the plan is looked at all the same.
constexpr int kMostRests = 20;
// How long the marks of what changed outside are seen.
constexpr milliseconds kMarksLast{3000};
// A command that has ended by then is not said to be running.
constexpr milliseconds kSilence{300};

// Closes the session behind the screen, whatever happens.
class OpenSession {
 public:
  explicit OpenSession(TerminalSession& session) : session_(session) {}
  ~OpenSession() { session_.close(); }
  OpenSession(const OpenSession&) = delete;
  OpenSession& operator=(const OpenSession&) = delete;

 private:
  TerminalSession& session_;
};

class Loop : public system::CommandWatch {
 public:
  Loop(const app::Context& context, TerminalSession& terminal, system::FileWatch* files, Screen& screen,
       const BoardRequest& request)
      : context_(context),
        terminal_(terminal),
        files_(files),
        screen_(screen),
        desk_(context, request.plan, request.actor, board_) {}

  base::Result<int> run() {
    board_.resize(screen_.size());
    listen();
    TRY(desk_.load());
    for (;;) {
      screen_.show(board::draw(board_));
      const Woken woken = terminal_.wait(longest_sleep(), files_);
      if (woken == Woken::end) return terminal_.ending_signal();
      if (woken == Woken::files && ++rests_ < kMostRests) {
        due_ = true;
        continue;
      }
      if (woken == Woken::time && !due_) board_.forget_marks();
      if (std::exchange(due_, false)) {
        rests_ = 0;
        TRY(look_again());
      }
      if (woken == Woken::keys) {
        TRY(read_keys());
        if (quits_) return 0;
      }
      if (woken == Woken::resized) resize();
      if (woken == Woken::stop) stop();
      if (woken == Woken::resumed) take_back();
    }
  }

  // Of a command that runs.
  void said(std::string_view) override {}  // shown when it has ended
  bool go_on(milliseconds elapsed) override {
    if (terminal_.ending()) return false;
    while (const auto input = screen_.read()) {
      const auto* key = std::get_if<board::Key>(&*input);
      if (key != nullptr && key->kind == board::Key::Kind::escape) return false;
    }
    if (elapsed >= kSilence) {
      const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(elapsed).count();
      board_.tell("running, " + std::to_string(seconds) + " s; Esc stops it", false);
      screen_.show(board::draw(board_));
    }
    return true;
  }

 private:
  std::optional<milliseconds> longest_sleep() const {
    if (due_) return kRest;
    if (board_.has_marks()) return kMarksLast;
    return std::nullopt;
  }

  // Files of a plan that is not shown any more are of no interest.
  void listen() {
    if (files_ == nullptr) return;
    std::vector<std::string> files = desk_.files();
    for (const std::string& file : files) (void)files_->add(file);
    if (!watched_.empty() && watched_.front() != files.front()) {
      for (const std::string& file : watched_) {
        if (std::find(files.begin(), files.end(), file) == files.end()) files_->remove(file);
      }
    }
    watched_ = std::move(files);
  }

  base::Status look_again() {
    if (context_.processes != nullptr) context_.processes->collect_ended();
    listen();
    return desk_.reload();
  }

  base::Status read_keys() {
    while (const auto input = screen_.read()) {
      const board::Action action = std::holds_alternative<board::Key>(*input)
                                       ? board_.press(std::get<board::Key>(*input))
                                       : board_.point(std::get<board::Mouse>(*input));
      if (action.kind == board::Action::Kind::quit) {
        quits_ = true;
        return {};
      }
      if (action.kind == board::Action::Kind::redraw) screen_.redraw();
      TRY(desk_.act(action, *this));
      if (action.kind != board::Action::Kind::none) listen();
      if (terminal_.ending()) return {};
    }
    return {};
  }

  void resize() {
    const system::Terminal size = terminal_.size();
    screen_.resize({size.rows, size.columns});
    board_.resize(screen_.size());
  }

  void stop() {
    screen_.put_away();
    terminal_.stop();
    resize();
    screen_.redraw();
  }

  // Somebody else stopped us, without a word before: the shell has had the terminal with modes of its own,
  // and the screen is as we left it or not. Everything is set up as after a stop of our own.
  void take_back() {
    screen_.put_away();
    resize();
    screen_.redraw();
  }

  const app::Context& context_;
  TerminalSession& terminal_;
  system::FileWatch* files_;
  Screen& screen_;
  board::Board board_;
  PlanDesk desk_;
  std::vector<std::string> watched_;  // the plan's own file first
  bool due_ = false;                  // the files changed, and were not looked at yet
  int rests_ = 0;
  bool quits_ = false;
};

}  // namespace

base::Result<int> run_board(const app::Context& context, TerminalSession& terminal, system::FileWatch* files,
                            const BoardRequest& request) {
  TRY(terminal.open());
  const OpenSession open(terminal);
  TRY_ASSIGN(const auto screen, Screen::open({context.environment.variable("TERM").value_or(""),
                                              request.colour, request.ascii}));
  terminal.set_farewell(screen->farewell());
  return Loop(context, terminal, files, *screen, request).run();
}

}  // namespace plankeep::board_screen

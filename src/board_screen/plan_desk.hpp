#pragma once
// What the board's actions do: each is a use case of the command line, and what came of it goes back into the
// board. No terminal here, so tests play it on a disk in memory.
//
//   PlanDesk desk(context, plan, "person", board);
//   TRY(desk.load());                       // at the start
//   desk.act(action, watch);                // whatever board.press() gave, but for quit and redraw
//   TRY(desk.reload());                     // when the files changed
//
// Nothing is held between the calls: no lock, no open file. Errors of use cases are told in the board; load()
// and reload() fail only when there is nothing left to show: not_found when the plan's folder is gone.
//
// Looking records nothing, as `status` does; a change does what the command does, and records what else was
// new.

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "board/board.hpp"
#include "editing/complete.hpp"
#include "project/context.hpp"
#include "project/plan_location.hpp"
#include "system/processes.hpp"
#include "tracking/outcome.hpp"
#include "verify/verify.hpp"

namespace plankeep::board_screen {

class PlanDesk {
 public:
  PlanDesk(const app::Context& context, app::PlanLocation plan, std::string actor, board::Board& board);
  ~PlanDesk();

  [[nodiscard]] base::Status load();
  [[nodiscard]] base::Status reload();
  /// `watch`: of the commands that `verify` runs. Fails as reload() does.
  [[nodiscard]] base::Status act(const board::Action& action, system::CommandWatch& watch);

  /// The files whose changes concern what is shown. They may be others after act().
  std::vector<std::string> files() const;

 private:
  // What checkpoints name as their cause.
  static constexpr const char* kCommand = "board";

  // A change of ours and what it takes to undo it.
  struct Change {
    enum class Kind { box, text, claim, blocker, note, verify, rewind };
    Kind kind = Kind::box;
    std::string target{};  // box, claim: its key; blocker: its text
    core::BoxState before = core::BoxState::open;
    std::string text_before{};   // text: the plan's; note: the note
    std::string text_after{};    // what must still stand there when it is undone
    app::BoxRecords recorded{};  // box: who had set it and when
  };

  using Warnings = std::vector<std::string>;

  void tell(const base::Error& error);
  void tell(const Warnings& warnings, const std::string& what);
  void tell(const app::Outcome& outcome, const std::string& what);
  base::Status show_with(const base::Error& error);
  base::Status show(std::set<std::string> ours, bool all_ours);
  std::string plan_text() const;
  void remember(Change change);
  void remember_text(const std::string& before, const app::Outcome& outcome);

  base::Status set_box(const board::Action& action);
  base::Status claim(const board::Action& action);
  base::Status add(const board::Action& action);
  base::Status decide(const board::Action& action);
  base::Status block(const board::Action& action);
  base::Status note(const board::Action& action);
  base::Status undo();
  base::Result<Warnings> take_back(const Change& change);
  base::Result<Warnings> take_back_text(const Change& change);
  base::Status preview_rewind(const board::Action& action);
  base::Status rewind();
  base::Status ask_to_verify(const board::Action& action, system::CommandWatch& watch);
  base::Status run_verification(bool trust, system::CommandWatch& watch);
  base::Status open_plan(const board::Action& action);
  void load_details(const board::Action& action);
  void load_page(board::Tab tab);

  const app::Context& context_;
  app::PlanLocation plan_;
  std::string actor_;
  board::Board& board_;
  std::map<std::string, std::vector<Change>> changes_;  // by the plan's path; oldest first
  std::string note_;                                    // the session note as it was shown last
  std::string warned_;                                  // what was warned of last
  std::string rewind_to_;                               // what was asked about
  std::unique_ptr<app::Verification> verification_;     // likewise
};

}  // namespace plankeep::board_screen

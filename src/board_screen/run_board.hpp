#pragma once
// `plankeep board`: the loop that alone knows terminal, files and model.
//
//   wait for keys, a signal or a change of the files → the model (board/board) → its action, done
//   (board_screen/plan_desk) → the model's frame on the screen
//
// It sleeps until something happens: there is no clock that wakes it, but for the end of the marks that show
// what changed outside, and where the system does not tell of changed files (system/file_watch).
//
// The terminal is as it was before whichever way this ends, crashes included (system/terminal_session).

#include <string>

#include "base/result.hpp"
#include "project/context.hpp"
#include "project/plan_location.hpp"
#include "system/terminal_session.hpp"

namespace plankeep::board_screen {

struct BoardRequest {
  app::PlanLocation plan;
  std::string actor;
  bool colour = true;
  bool ascii = false;
};

/// Until the user quits: 0, or the signal that ended it. `files` may be null: then nothing is noticed that
/// happens outside. Errors: not_found when there is no terminal, or one that cannot be drawn on; those of
/// showing the plan for the first time; not_found when its folder was removed.
[[nodiscard]] base::Result<int> run_board(const app::Context& context, system::TerminalSession& terminal,
                                          system::FileWatch* files, const BoardRequest& request);

}  // namespace plankeep::board_screen

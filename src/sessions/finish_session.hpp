#pragma once
// The record of a commit that was made within a turn gets the rest of the turn (spec 20.5, 21.6); a slice
// gets the whole session, which has ended then (spec 21.8).
//
//   TRY_ASSIGN(const bool done, finish_session(context, top, session, checkpoint));
//
// The transcript files, their hash and of a slice where it began: nothing else changes
// (core::finalise_session). Redacted like everything
// that reaches git. Killed: the checkpoint is what it was, or finished.

#include <string>

#include "base/result.hpp"
#include "project/context.hpp"
#include "sessions/export_sessions.hpp"

namespace plankeep::app {

/// `top`: of the work tree. True: the checkpoint has the whole transcript now. False: there is nothing to
/// do: the checkpoint or its record of the session is not there, another tool wrote it, or the transcript
/// is gone, empty or too large. Errors: those of app::SessionWriter; invalid_input, a rule of the settings.
[[nodiscard]] base::Result<bool> finish_session(const Context& context, const std::string& top,
                                                const RecordedSession& session,
                                                const std::string& checkpoint);

}  // namespace plankeep::app

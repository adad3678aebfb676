#pragma once
// What `session resume` did, for people and for programs.
//
// JSON: { kind: "resume", checkpoint, session_id, client, path, found, written, bytes, command[], directory,
// warnings[] }: schemas/output-session.schema.json.

#include <string>

#include "render/style.hpp"
#include "sessions/resume_session.hpp"

namespace plankeep::render {

/// The command stands alone on the last line. `print`: nothing was written.
std::string resumed_text(const app::ResumedSession& done, bool print, const Style& style);
std::string resumed_json(const app::ResumedSession& done);

}  // namespace plankeep::render

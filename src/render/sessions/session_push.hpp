#pragma once
// Session checkpoints that go to a remote, for people and for programs.
//
// JSON: { kind "push", remote, url, pushed[], merged[], already_there[], refused[] { ref, reason },
// put_back[], conflicts, waiting, warnings[] }: schemas/output-session.schema.json.

#include <string>

#include "render/style.hpp"
#include "sessions/push_sessions.hpp"

namespace plankeep::render {

/// What would go where: what a person reads before agreeing to it.
std::string push_question_text(const app::SessionPushView& view);

std::string session_pushed_text(const app::SessionPushed& pushed, const Style& style);
std::string session_pushed_json(const app::SessionPushed& pushed);

}  // namespace plankeep::render

#pragma once
// Session checkpoints, for people and for programs.
//
// JSON: of list { checkpoints[], warnings[] }, with --pending { branches[] { ..., snapshots[] }, running[] };
// of show { checkpoint { ..., sessions[], problems[] } }; of check { checkpoints, sessions, transcripts,
// transcript_bytes, findings[] { checkpoint, text }, findings_count }: schemas/output-session.schema.json has
// them all, told apart by "kind".

#include <string>
#include <string_view>
#include <vector>

#include "base/instant.hpp"
#include "render/style.hpp"
#include "sessions/sessions.hpp"

namespace plankeep::render {

/// A line each, newest first.
std::string session_list_text(const app::SessionList& list, base::Instant now, const Style& style);
std::string session_list_json(const app::SessionList& list);

/// What is on shadow branches, newest first, then the sessions that run.
std::string pending_sessions_text(const app::PendingSessions& pending, base::Instant now, const Style& style);
std::string pending_sessions_json(const app::PendingSessions& pending);

std::string session_text(const app::SessionView& view, base::Instant now, const Style& style);
/// `brief`: for a model: the first prompts, cut, and the first files.
std::string session_json(const app::SessionView& view, bool brief = false);

/// Only the prompts, of all sessions or of one (null: all).
std::string session_prompts_text(const app::SessionView& view, const sessions::StoredSession* only,
                                 const Style& style);
/// Only the files that were touched, a line each, sorted.
std::string session_files_text(const app::SessionView& view, const sessions::StoredSession* only);

std::string session_check_text(const app::SessionCheck& check, const Style& style);
std::string session_check_json(const app::SessionCheck& check);

}  // namespace plankeep::render

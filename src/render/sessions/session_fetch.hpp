#pragma once
// Session checkpoints that came from a remote, and those that it has, for people and for programs.
//
// JSON: { kind "fetch", remote, url, fetched[], branch, files, warnings[] } and { kind "remote", remote, url,
// checkpoints[] { id, created_at?, commit, here }, branch, branch_here }: schemas/output-session.schema.json.

#include <string>

#include "base/instant.hpp"
#include "render/style.hpp"
#include "sessions/fetch_sessions.hpp"

namespace plankeep::render {

std::string session_fetched_text(const app::SessionFetched& fetched);
std::string session_fetched_json(const app::SessionFetched& fetched);

/// A line each, newest first.
std::string remote_sessions_text(const app::RemoteSessions& there, base::Instant now, const Style& style);
std::string remote_sessions_json(const app::RemoteSessions& there);

}  // namespace plankeep::render

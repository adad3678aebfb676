#pragma once
// A session's part in a commit from plankeep's own checkpoints, where the client keeps no transcript or it is
// gone (spec 21). Pure.
//
// It has no transcript, tokens or model, and of prompts the first words, as checkpoints keep them. Its files
// are those that the session's tools wrote between the parent and the commit. Of a client whose tools are in
// no checkpoint (it keeps no transcript at all), they are the files that differed from HEAD when turns of the
// session ended in that time.

#include <optional>
#include <string>
#include <vector>

#include "session_rules/session_part.hpp"
#include "session_rules/work_moment.hpp"

namespace plankeep::core {

/// `moments`: of all sessions, oldest first. nullopt: no checkpoint speaks of the session in that time.
std::optional<SessionPart> recorded_part(const std::vector<WorkMoment>& moments, const std::string& session,
                                         const CommitSpan& span);

/// Whether a client's tool of this name writes files.
bool is_writing_tool(std::string_view tool);

}  // namespace plankeep::core

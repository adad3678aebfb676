#pragma once
// How Claude Code (seen: 2.1.329) reports background work that is over: as a prompt made of blocks
//
//   <task-notification>
//   <task-id>a46d2dae0cefe6003</task-id>
//   <status>killed</status>
//   ... <summary>, <note>, <result>, <usage> ...
//   </task-notification>
//
// Private to clients/*.cpp.

#include <string_view>
#include <vector>

#include "model/hook_event.hpp"

namespace plankeep::clients {

/// The blocks that the prompt consists of; empty when it does not begin with one, however many a person
/// quotes further on. A block without an id or a status gives empty texts: it is a notification all the same.
/// What a subagent wrote (`result`) cannot change its block's id and status, which stand before it and of
/// which the first counts.
std::vector<core::Notified> notifications_in(std::string_view prompt);

}  // namespace plankeep::clients

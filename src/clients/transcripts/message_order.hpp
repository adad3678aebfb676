#pragma once
// The order of a conversation's messages, by the ids that its client gives them. Pure; formats as in
// clients/transcripts/message_id.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/instant.hpp"

namespace plankeep::clients {

/// The ids of the messages up to and including the one that `id` names, oldest first: a message's own id, the
/// id that the model's API gave it, or that of a tool's use in it. Empty when the transcript has none such.
/// Lines of subagents are passed over.
std::vector<std::string> messages_until(std::string_view transcript, std::string_view id);

/// When that message was written; nullopt when the transcript has none such, or no time of it.
std::optional<base::Instant> message_time(std::string_view transcript, std::string_view id);

}  // namespace plankeep::clients

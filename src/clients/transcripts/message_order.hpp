#pragma once
// The order of a conversation's messages, by the ids that its client gives them. Pure; formats as in
// clients/transcripts/message_id.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/instant.hpp"

namespace plankeep::clients {

struct MessagesUntil {
  std::vector<std::string> ids;       // oldest first
  std::optional<base::Instant> time;  // when the last of them was written; nullopt: not known
};

/// The messages up to and including the one that `id` names: a message's own id, the id that the model's API
/// gave it, or that of a tool's use in it. None when the transcript has none such. Lines of subagents are
/// passed over.
MessagesUntil messages_until(std::string_view transcript, std::string_view id);

}  // namespace plankeep::clients

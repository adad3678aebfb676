#include "checkpoints/message_target.hpp"

#include <vector>

#include "base/limits.hpp"
#include "clients/transcripts/message_order.hpp"
#include "system/file_parts.hpp"
#include "tracking/loaded_state.hpp"

namespace plankeep::app {
namespace {

// No hook: somebody waits for this one answer. What is larger is looked at from its end.
constexpr std::uint64_t kTranscriptLimit = base::kLargestText;
constexpr std::size_t kMessagesLookedAt = 10'000;

}  // namespace

base::Result<core::Checkpoint> checkpoint_at_message(const Context& context, const PlanLocation& plan,
                                                     const OpenedCheckpoints& checkpoints,
                                                     const std::string& message) {
  base::Result<core::Checkpoint> exact = checkpoints.store->by_message(message);
  if (exact || exact.error().kind != base::ErrorKind::not_found) return exact;
  TRY_ASSIGN(const LoadedState loaded, load_state(*checkpoints.tracking, plan));
  if (!loaded.state) return exact;
  const auto& sessions = loaded.state->sessions;
  for (auto session = sessions.rbegin(); session != sessions.rend(); ++session) {
    if (session->transcript.empty()) continue;
    const std::vector<std::string> before = clients::messages_until(
        system::read_tail(context.files, session->transcript, kTranscriptLimit), message);
    std::size_t looked = 0;
    for (auto id = before.rbegin(); id != before.rend() && looked < kMessagesLookedAt; ++id, ++looked) {
      base::Result<core::Checkpoint> found = checkpoints.store->by_message(*id);
      if (found || found.error().kind != base::ErrorKind::not_found) return found;
    }
    if (!before.empty())
      return base::fail(base::ErrorKind::not_found, "no checkpoint is as old as the message " + message);
  }
  return exact;
}

}  // namespace plankeep::app

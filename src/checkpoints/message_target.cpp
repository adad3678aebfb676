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

// Its checkpoint is made beside the client, which writes the prompt a moment after it asked for it.
constexpr std::int64_t kBeside = 30 * base::kSecond;

// What a person had changed before a prompt of this session is kept under the last message of the turn
// before; empty: none had ended. The newest such that is no younger than `time`; nullopt: not known, the
// oldest.
base::Result<std::optional<core::CheckpointId>> kept_before_prompt(records::CheckpointStore& store,
                                                                   const std::string& session,
                                                                   const std::string& last,
                                                                   std::optional<base::Instant> time) {
  records::CheckpointQuery query;
  query.type = core::CheckpointType::turn;
  query.instance = session;
  query.limit = kMessagesLookedAt;
  TRY_ASSIGN(const std::vector<core::ListedCheckpoint> turns, store.list(query));
  std::optional<core::CheckpointId> found;
  for (const core::ListedCheckpoint& one : turns) {
    if (one.head.metadata.trigger != core::kBeforePrompt || one.message_id != last) continue;
    if (time && one.head.timestamp.milliseconds > time->milliseconds + kBeside) continue;
    found = one.head.id;
    if (time) break;
  }
  return found;
}

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
    const std::string transcript = system::read_tail(context.files, session->transcript, kTranscriptLimit);
    const clients::MessagesUntil before = clients::messages_until(transcript, message);
    if (before.ids.empty()) continue;
    std::optional<core::Checkpoint> nearest;
    std::size_t looked = 0;
    for (auto id = before.ids.rbegin(); id != before.ids.rend() && looked < kMessagesLookedAt && !nearest;
         ++id, ++looked) {
      base::Result<core::Checkpoint> found = checkpoints.store->by_message(*id);
      if (!found && found.error().kind != base::ErrorKind::not_found) return found;
      if (found) nearest = std::move(*found);
    }
    TRY_ASSIGN(const auto prompt,
               kept_before_prompt(*checkpoints.store, session->id,
                                  nearest ? nearest->moment.message_id : std::string(), before.time));
    if (prompt) return checkpoints.store->get(*prompt);
    if (nearest) return std::move(*nearest);
    return base::fail(base::ErrorKind::not_found, "no checkpoint is as old as the message " + message);
  }
  return exact;
}

}  // namespace plankeep::app

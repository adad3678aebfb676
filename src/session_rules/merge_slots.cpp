#include "session_rules/merge_slots.hpp"

#include <algorithm>
#include <string_view>
#include <tuple>

namespace plankeep::core {
namespace {

const SessionSlot* slot_of(const CheckpointVersion& version, const std::string& session) {
  const auto slot = std::find_if(version.slots.begin(), version.slots.end(),
                                 [&](const SessionSlot& one) { return one.session == session; });
  return slot == version.slots.end() ? nullptr : &*slot;
}

// The bytes of the whole lines that both begin with.
std::size_t common_beginning(std::string_view a, std::string_view b) {
  const auto differ =
      std::mismatch(a.begin(), a.begin() + static_cast<std::ptrdiff_t>(std::min(a.size(), b.size())),
                    b.begin())
          .first;
  const std::string_view same = a.substr(0, static_cast<std::size_t>(differ - a.begin()));
  return same.rfind('\n') + 1;  // npos + 1 is 0
}

auto newness(const SessionSlot& slot) {
  return std::tie(slot.created_at, slot.transcript_blob, slot.transcript);
}

void keep_conflict(std::vector<TranscriptConflict>& conflicts, TranscriptConflict conflict) {
  const auto same = std::find_if(conflicts.begin(), conflicts.end(), [&](const TranscriptConflict& one) {
    return one.session == conflict.session && one.blob == conflict.blob;
  });
  if (same == conflicts.end()) {
    conflicts.push_back(std::move(conflict));
  } else if (conflict.text.size() > same->text.size()) {
    // Both are ends of one transcript: the longer has the other in it.
    *same = std::move(conflict);
  }
}

SessionSlot merge_session(const SessionSlot& a, const SessionSlot& b,
                          std::vector<TranscriptConflict>& conflicts) {
  const SessionSlot* stays = newness(a) > newness(b) ? &a : &b;
  const SessionSlot* other = stays == &a ? &b : &a;
  if (std::string_view(other->transcript).starts_with(stays->transcript)) {
    // Equal ones: the newer stays.
    if (other->transcript.size() > stays->transcript.size()) std::swap(stays, other);
  } else if (!std::string_view(stays->transcript).starts_with(other->transcript)) {
    const std::size_t common = common_beginning(stays->transcript, other->transcript);
    keep_conflict(conflicts, {other->session, other->transcript_blob.substr(0, kConflictDigits),
                              other->transcript.substr(common)});
  }
  SessionSlot merged = *stays;
  merged.created_at = std::max(a.created_at, b.created_at);
  return merged;
}

// A conflict that the transcript holds by now is none any more.
bool is_settled(const TranscriptConflict& conflict, const CheckpointVersion& version) {
  const SessionSlot* slot = slot_of(version, conflict.session);
  return slot != nullptr && slot->transcript_blob.starts_with(conflict.blob);
}

}  // namespace

CheckpointVersion merge_checkpoints(const CheckpointVersion& remote, const CheckpointVersion& local) {
  CheckpointVersion version;
  for (const CheckpointVersion* side : {&remote, &local})
    for (const TranscriptConflict& conflict : side->conflicts) keep_conflict(version.conflicts, conflict);

  std::size_t next = 0;
  for (const SessionSlot& slot : remote.slots) {
    next = std::max(next, slot.number + 1);
    const SessionSlot* ours = slot_of(local, slot.session);
    SessionSlot result = ours == nullptr ? slot : merge_session(slot, *ours, version.conflicts);
    result.number = slot.number;
    version.slots.push_back(std::move(result));
  }
  for (const SessionSlot& slot : local.slots) {
    if (slot_of(remote, slot.session) != nullptr) continue;
    version.slots.push_back(slot);
    version.slots.back().number = next++;
  }
  std::erase_if(version.conflicts,
                [&](const TranscriptConflict& conflict) { return is_settled(conflict, version); });
  std::sort(version.conflicts.begin(), version.conflicts.end());
  return version;
}

std::string conflict_path(std::size_t slot_number, const TranscriptConflict& conflict) {
  return std::string(kConflictFolder)
      .append(std::to_string(slot_number))
      .append("-")
      .append(conflict.blob)
      .append(kConflictEnd);
}

}  // namespace plankeep::core

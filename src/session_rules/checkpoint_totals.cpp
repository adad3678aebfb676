#include "session_rules/checkpoint_totals.hpp"

#include <algorithm>
#include <limits>

#include "clients/transcripts/chunks.hpp"
#include "session_rules/checkpoint_names.hpp"

namespace plankeep::core {
namespace {

// Counts come from strangers: below 0 is 0, and a sum that is too large is the largest.
std::int64_t not_negative(std::int64_t number) {
  return std::max<std::int64_t>(number, 0);
}

std::int64_t sum_of(std::int64_t a, std::int64_t b) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  return not_negative(a) > kMost - not_negative(b) ? kMost : not_negative(a) + not_negative(b);
}

std::int64_t difference_of(std::int64_t a, std::int64_t b) {
  return not_negative(a) - not_negative(b);
}

using Counter = std::optional<std::int64_t> TokenUsage::*;
constexpr Counter kCounters[] = {&TokenUsage::input, &TokenUsage::cache_creation, &TokenUsage::cache_read,
                                 &TokenUsage::output, &TokenUsage::api_calls};

}  // namespace

std::optional<Strings> sorted_list(const std::set<std::string>& files) {
  if (files.empty()) return std::nullopt;
  return Strings(files.begin(), files.end());
}

TokenUsage with_counts(TokenUsage usage, const TokenUsage& counted) {
  for (const Counter counter : kCounters) usage.*counter = counted.*counter;
  if (counted.subagents) usage.subagents = counted.subagents;
  return usage;
}

std::string slot_folder(SessionLayout layout, const std::string& id, std::size_t slot) {
  std::string folder = "/";
  if (layout == SessionLayout::branch) folder += session_folder(id) + "/";
  return folder + std::to_string(slot) + "/";
}

SlotPaths paths_of(SlotPaths paths, SessionLayout layout, const std::string& folder, bool has_transcript,
                   bool has_prompt) {
  paths.metadata = folder + std::string(kMetadataFile);
  paths.transcript.reset();
  paths.content_hash.reset();
  if (has_transcript || layout == SessionLayout::branch) {
    paths.transcript = folder + clients::chunk_name(0);
    paths.content_hash = folder + std::string(kHashFile);
  }
  paths.prompt = has_prompt ? folder + std::string(kPromptFile) : "";
  return paths;
}

SessionTotals totals_of(const std::map<std::size_t, SessionMetadata>& sessions) {
  SessionTotals totals;
  for (const auto& [number, session] : sessions) {
    totals.checkpoints = sum_of(totals.checkpoints, session.checkpoints_count.value_or(0));
    if (session.files_touched)
      totals.files.insert(session.files_touched->begin(), session.files_touched->end());
    if (!session.token_usage) continue;
    if (!totals.tokens) totals.tokens.emplace();
    for (const Counter counter : kCounters)
      (*totals.tokens).*counter =
          sum_of(((*totals.tokens).*counter).value_or(0), ((*session.token_usage).*counter).value_or(0));
  }
  return totals;
}

void add_unreadable(SessionTotals& totals, const SessionRoot& before, const SessionTotals& readable_before) {
  totals.checkpoints =
      sum_of(totals.checkpoints, difference_of(before.checkpoints_count, readable_before.checkpoints));
  if (before.files_touched) totals.files.insert(before.files_touched->begin(), before.files_touched->end());
  if (!before.token_usage) return;
  if (!totals.tokens) totals.tokens.emplace();
  for (const Counter counter : kCounters) {
    const std::int64_t known = readable_before.tokens ? ((*readable_before.tokens).*counter).value_or(0) : 0;
    (*totals.tokens).*counter = sum_of(((*totals.tokens).*counter).value_or(0),
                                       difference_of(((*before.token_usage).*counter).value_or(0), known));
  }
}

}  // namespace plankeep::core

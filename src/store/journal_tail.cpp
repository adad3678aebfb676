#include "store/journal_tail.hpp"

#include <optional>

#include "model/chain.hpp"
#include "model/json/event_json.hpp"
#include "store/backward_lines.hpp"
#include "store/paths.hpp"

namespace plankeep::store {

namespace {

constexpr std::uint64_t kFirstPiece = 4096;
// Lines without a chain, which other tools write, are few as a rule.
constexpr std::uint64_t kChainLookedFor = 64ULL << 10;

std::optional<core::Batch> batch_of(const BackwardLines::Line& line) {
  if (line.too_long) return std::nullopt;
  const auto event = core::decode_event(line.text, core::EventParts::without_inventories);
  if (!event) return std::nullopt;
  return event->batch;
}

}  // namespace

base::Result<std::string> newest_chain(system::Folder& folder, std::uint64_t end) {
  BackwardLines lines(folder, kHistory, end, kFirstPiece);
  BackwardLines::Line line;
  for (;;) {
    TRY_ASSIGN(const bool found, lines.next(line));
    if (!found) return std::string();
    if (const std::string_view chain = core::chain_of(line.text); !chain.empty()) return std::string(chain);
    if (end - line.offset >= kChainLookedFor) return std::string();
  }
}

base::Result<JournalTail> find_tail(system::Folder& folder, std::uint64_t size) {
  JournalTail tail;
  tail.end = size;
  BackwardLines lines(folder, kHistory, size, kFirstPiece);
  BackwardLines::Line line;
  TRY_ASSIGN(bool found, lines.next(line));
  if (!found) return tail;
  std::optional<core::Batch> batch = batch_of(line);
  if (batch) tail.chain = core::chain_of(line.text);
  if (!line.terminated) {
    if (batch || line.too_long) {
      // A line too long to be an event cannot be copied aside; with an LF it becomes a damaged line in the
      // middle.
      tail.missing_newline = true;
    } else {
      tail.end = line.offset;
    }
  }
  // The last event tells whether its batch is whole. Lines behind it that are none came with it or are
  // damaged.
  while (!batch) {
    TRY_ASSIGN(found, lines.next(line));
    if (!found) return tail;
    batch = batch_of(line);
  }
  if (batch->index >= batch->size) return tail;
  tail.chain.clear();
  tail.end = line.offset;
  tail.missing_newline = false;
  for (std::int64_t expected = batch->index - 1; expected >= 1;) {
    TRY_ASSIGN(found, lines.next(line));
    if (!found) return tail;
    const std::optional<core::Batch> before = batch_of(line);
    if (!before) continue;
    if (*before != core::Batch{expected, batch->size}) return tail;
    tail.end = line.offset;
    --expected;
  }
  return tail;
}

}  // namespace plankeep::store

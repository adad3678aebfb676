#pragma once
// history.jsonl: append-only, the only truth about when and by whom (spec 4).
//
// Layout: one JSON object a line, LF. Constraints: an append costs the same at one event and at a million
// (nothing is read but the last bytes), and what a crash leaves at the end never spoils the next event.
//
// A torn end is what stands behind the last LF, and also whole lines of a batch (model/event) whose last
// event is missing: the save they belong to was never acknowledged. Readers leave a torn end out. The next
// append sets it aside: its bytes go to history.jsonl.damaged-<time>, synced, then the file is cut back. (A
// last line that is complete JSON and lacks only its LF counts as written: the LF is added.)
//
// A damaged line in the middle (a bad disk, an editor) is skipped and reported by doctor; it is never
// rewritten. An empty line says nothing and is passed over. LIMITATIONS: a line of more than 64 MiB is
// damaged, whatever it holds; a file without a line end within 256 MiB (a sparse giant) is no history, and
// every call fails with corrupt.
//
// Crash: before sync_data returns, an append is there whole, not at all, or as a torn end. After it, it is
// durable. Appenders hold the folder's lock; readers need none.

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/instant.hpp"
#include "base/result.hpp"
#include "model/chain.hpp"
#include "model/event.hpp"
#include "model/json/event_json.hpp"
#include "system/file_system.hpp"

namespace plankeep::store {

/// Numbers the events of one save ("batch"), chains them (model/chain) and appends them with one write and
/// one sync_data. Gives the size of the file afterwards. `chain`: the newest one that the caller knows of
/// (state.json keeps it), replaced by that of this save; it counts where the file's last lines have none,
/// which other tools may have written. Without it the last 64 KiB are looked through. When the write or its
/// sync fails, the file is cut back to where it was. A first append also syncs the folder. No events: nothing
/// is written. `end`: where the last whole line ends, if the caller knows it. If the file has exactly this
/// size, its last lines are not read: one may name each box of a large plan.
[[nodiscard]] base::Result<std::uint64_t> append_events(system::Folder& folder,
                                                        std::vector<core::Event>& events, base::Instant now,
                                                        std::string* chain = nullptr,
                                                        std::optional<std::uint64_t> end = {});

struct HistoryLine {
  std::string_view text;  // without its LF, valid during the call
  std::uint64_t offset = 0;
  std::int64_t number = 0;  // from 1 when read from the start, else from 1 at `from`
};

struct DamagedLine {
  std::uint64_t offset = 0;
  std::int64_t number = 0;
  std::string reason;
};

struct HistoryScan {
  std::uint64_t end = 0;        // offset behind the last whole line that counts
  std::uint64_t file_size = 0;  // end < file_size: the end is torn
  std::int64_t lines = 0;
  std::vector<DamagedLine> damaged;  // at most 100
  std::int64_t damaged_count = 0;
};

/// Whether a line may be of interest, decided without decoding it, which takes much longer. A line that fails
/// is skipped, so it must certainly be of no interest (model/json/event_json, can_contain). Where inventories
/// are left out, lines that are nothing else fail every test.
using LineTest = std::function<bool(std::string_view line)>;

/// Reads the lines from `from` on, in pieces, and calls `each` for every one that decodes; `each` returns
/// false to stop. A missing history is an empty one. `from` behind the end reads nothing. Damaged lines that
/// fail `test` are not counted as damaged. `end`: as in EventQuery.
[[nodiscard]] base::Result<HistoryScan> read_events(
    system::Folder& folder, std::uint64_t from,
    const std::function<bool(const core::Event& event, const HistoryLine& line)>& each,
    const LineTest& test = nullptr, core::EventParts parts = core::EventParts::all,
    std::optional<std::uint64_t> end = {});

/// Events to look for: those that meet every condition.
struct EventQuery {
  /// One of these; empty: every kind.
  std::vector<core::EventKind> kinds{};
  std::optional<base::Instant> since{};
  /// Ends at the first line that is certainly older; empty: looks through the whole history. Lines of one
  /// save have one time.
  std::optional<base::Instant> back_to{};
  /// Looks at so many lines at most.
  std::size_t within = std::numeric_limits<std::size_t>::max();
  /// Ids and names that the event contains, in whatever field. Lines without them are not decoded. Where the
  /// inventories are left out, events that are nothing else contain none. The views must stay valid.
  std::vector<std::string_view> texts{};
  /// What the fields must be; null: anything. Called last.
  std::function<bool(const core::Event& event)> matches{};
  core::EventParts parts = core::EventParts::all;
  /// Where the history ends, from history_end(), which decodes the last line, or from a state that knows
  /// it: for several queries of one file. nullopt: as it is now.
  std::optional<std::uint64_t> end{};
};

struct TailLine {
  std::string text;
  core::Event event;
};
/// The last events that meet the query, oldest first, at most `count`. Reads backwards from the end: the last
/// 20 of a million events cost a few kilobytes.
[[nodiscard]] base::Result<std::vector<TailLine>> last_events(system::Folder& folder, std::size_t count,
                                                              const EventQuery& query = {});

/// Reads the whole history and holds it against its chain. Damaged lines are passed over here: a save that
/// had one no longer fits.
[[nodiscard]] base::Result<core::ChainReport> check_chain(system::Folder& folder);

/// Counts the lines in [from, end), including damaged and empty ones, without decoding them. Both offsets
/// must be at the start of a line or at the end of the history. conflict: the file has become shorter.
[[nodiscard]] base::Result<std::int64_t> count_lines(system::Folder& folder, std::uint64_t from,
                                                     std::uint64_t end);

/// Size of the file, 0 when missing; corrupt when it is no regular file.
[[nodiscard]] base::Result<std::uint64_t> history_size(system::Folder& folder);

/// Makes what is in the file durable, for events that were found and not appended. A missing history is fine.
[[nodiscard]] base::Status sync_history(system::Folder& folder);

/// Offset behind the last line that counts: the size less a torn end. Reads a few kilobytes as a rule, and
/// nothing if the file has the size `known`, where the caller knows that a whole line ends.
[[nodiscard]] base::Result<std::uint64_t> history_end(system::Folder& folder,
                                                      std::optional<std::uint64_t> known = {});

}  // namespace plankeep::store

#include "store/journal.hpp"

#include <algorithm>

#include "model/chain.hpp"
#include "model/json/event_json.hpp"
#include "store/backward_lines.hpp"
#include "store/journal_tail.hpp"
#include "store/paths.hpp"
#include "store/quarantine.hpp"

namespace plankeep::store {

namespace {

using base::Result;
using base::Status;

constexpr std::uint64_t kFirstScanPiece = 64ULL << 10;
constexpr std::size_t kDamagedLinesReported = 100;

std::string encode_batch(std::vector<core::Event>& events) {
  const auto size = static_cast<std::int64_t>(events.size());
  std::string lines;
  for (std::size_t i = 0; i < events.size(); ++i) {
    events[i].batch = core::Batch{static_cast<std::int64_t>(i) + 1, size};
    std::string line = core::encode_event(events[i]);
    if (lines.empty()) {
      lines = std::move(line);  // a plan's first line can be long
    } else {
      lines += line;
    }
  }
  return lines;
}

// What the torn end holds goes to a file of its own before it is cut off.
Status keep_torn_end(system::Folder& folder, std::uint64_t from, std::uint64_t size, base::Instant now) {
  if (size - from > kHopelessLine) return base::fail(oversized_line(folder, kHistory, from));
  TRY_ASSIGN(const std::string torn, folder.read_range(kHistory, from, size - from));
  TRY(quarantine_bytes(folder, kHistory, torn, file_time(now)));
  return {};
}

Status write_synced(system::WritableFile& file, std::string_view bytes) {
  TRY(file.write(bytes));
  return file.sync_data();
}

struct Extent {
  std::uint64_t size = 0;
  JournalTail tail;
};

// Readers hold no lock: while they look at the end, an append that failed may cut it back.
Result<Extent> find_extent(system::Folder& folder) {
  constexpr int kMostAttempts = 8;
  for (int attempt = 1;; ++attempt) {
    Extent extent;
    TRY_ASSIGN(extent.size, history_size(folder));
    if (extent.size == 0) return extent;
    auto tail = find_tail(folder, extent.size);
    if (tail) {
      extent.tail = *tail;
      return extent;
    }
    if (tail.error().kind != base::ErrorKind::conflict || attempt == kMostAttempts)
      return base::fail(tail.error());
  }
}

// `line` may be its beginning alone.
bool is_inventory(std::string_view line) {
  return core::names_each_box(core::leading_kind(line));
}

// Reads forward, piece by piece, and hands over line by line. What is carried over is at most one line.
class Scanner {
 public:
  using Each = std::function<bool(const core::Event& event, const HistoryLine& line)>;

  Scanner(system::Folder& folder, HistoryScan& scan, const Each& each, const LineTest& test,
          core::EventParts parts)
      : folder_(folder),
        scan_(scan),
        each_(each),
        test_(test),
        parts_(parts),
        leaves_out_inventories_(test && parts == core::EventParts::without_inventories) {}

  Status run(std::uint64_t from, std::uint64_t end) {
    line_offset_ = from;
    std::uint64_t length = kFirstScanPiece;
    for (std::uint64_t at = from; at < end && !stopped_; length = std::min(2 * length, kLargestPiece)) {
      TRY_ASSIGN(const std::string piece, folder_.read_range(kHistory, at, std::min(length, end - at)));
      if (piece.empty()) {  // an append that failed was cut back meanwhile
        scan_.end = std::min(scan_.end, line_offset_);
        return {};
      }
      at += piece.size();
      TRY(take(piece, at));
    }
    // A last line that lacks only its LF.
    if (!stopped_ && line_offset_ < end) finish_line({}, end);
    if (stopped_) scan_.end = line_offset_;
    return {};
  }

 private:
  // `at` is the offset behind the piece.
  Status take(std::string_view piece, std::uint64_t at) {
    const std::uint64_t start = at - piece.size();
    std::size_t used = 0;
    while (used < piece.size() && !stopped_) {
      const std::size_t feed = piece.find('\n', used);
      if (feed == std::string_view::npos) return carry(piece.substr(used), at);
      finish_line(piece.substr(used, feed - used), start + feed + 1);
      used = feed + 1;
    }
    return {};
  }

  Status carry(std::string_view rest, std::uint64_t at) {
    if (at - line_offset_ > kHopelessLine) return base::fail(oversized_line(folder_, kHistory, line_offset_));
    left_out_ = left_out_ || (carried_.empty() && !too_long_ && is_left_out(rest));
    too_long_ = too_long_ || carried_.size() + rest.size() > kLongestLine;
    if (too_long_ || left_out_) {
      carried_.clear();
    } else {
      carried_ += rest;
    }
    return {};
  }

  void finish_line(std::string_view rest, std::uint64_t next_offset) {
    std::string_view text = rest;
    if (!carried_.empty()) {
      carried_ += rest;
      text = carried_;
    }
    ++scan_.lines;
    if (left_out_) {
      left_out_ = false;
    } else if (too_long_ || text.size() > kLongestLine) {
      damaged("longer than 64 MiB");
    } else if (!text.empty()) {  // an empty line says nothing and harms nobody
      deliver(text);
    }
    carried_.clear();
    too_long_ = false;
    line_offset_ = next_offset;
  }

  bool is_left_out(std::string_view line) const { return leaves_out_inventories_ && is_inventory(line); }

  void deliver(std::string_view text) {
    if (is_left_out(text) || (test_ && !test_(text))) return;
    const auto event = core::decode_event(text, parts_);
    if (!event) {
      damaged(event.error().message);
      return;
    }
    if (!each_(*event, HistoryLine{text, line_offset_, scan_.lines})) stopped_ = true;
  }

  void damaged(std::string reason) {
    ++scan_.damaged_count;
    if (scan_.damaged.size() >= kDamagedLinesReported) return;
    scan_.damaged.push_back(DamagedLine{line_offset_, scan_.lines, std::move(reason)});
  }

  system::Folder& folder_;
  HistoryScan& scan_;
  const Each& each_;
  const LineTest& test_;
  core::EventParts parts_;
  bool leaves_out_inventories_;
  std::string carried_;  // the beginning of a line whose end lies in a later piece
  std::uint64_t line_offset_ = 0;
  bool too_long_ = false;
  bool left_out_ = false;
  bool stopped_ = false;
};

// The conditions of a query, of a line's bytes and of its event.
class QueryTest {
 public:
  explicit QueryTest(const EventQuery& query)
      : query_(query),
        since_(query.since ? base::to_iso8601(*query.since) : std::string()),
        back_to_(query.back_to ? base::to_iso8601(*query.back_to) : std::string()),
        leaves_out_(leaves_out()) {}

  bool is_too_old(std::string_view line) const { return !core::can_be_since(line, back_to_); }

  // Null: every line is looked at.
  BackwardLines::LeavesOut leaves_out() const {
    const bool times = query_.parts == core::EventParts::times_of_inventories;
    const bool none = query_.parts == core::EventParts::without_inventories && !query_.texts.empty();
    return times || none ? is_inventory : nullptr;
  }

  /// What is given of a line that is left out; nullopt: nothing.
  std::optional<core::Event> left_out(std::string_view beginning) const {
    if (query_.parts != core::EventParts::times_of_inventories || !query_.texts.empty()) return std::nullopt;
    return core::leading_time_and_kind(beginning);
  }

  bool may_meet(std::string_view line) const {
    const auto known = core::leading_kind(line);
    if (leaves_out_ != nullptr && leaves_out_(line)) return false;
    const auto may_be = [line, known](core::EventKind kind) {
      return known ? *known == kind : core::can_contain(line, core::name_of(kind));
    };
    const auto may_hold = [line](std::string_view text) { return core::can_contain(line, text); };
    return core::can_be_since(line, since_) &&
           (query_.kinds.empty() || std::any_of(query_.kinds.begin(), query_.kinds.end(), may_be)) &&
           std::all_of(query_.texts.begin(), query_.texts.end(), may_hold);
  }

  bool meets(const core::Event& event) const {
    const std::vector<core::EventKind>& kinds = query_.kinds;
    return (kinds.empty() || std::find(kinds.begin(), kinds.end(), event.kind) != kinds.end()) &&
           (!query_.since || event.time >= *query_.since) && (!query_.matches || query_.matches(event));
  }

 private:
  const EventQuery& query_;
  std::string since_;
  std::string back_to_;
  BackwardLines::LeavesOut leaves_out_;
};

}  // namespace

Result<std::uint64_t> append_events(system::Folder& folder, std::vector<core::Event>& events,
                                    base::Instant now, std::string* chain, std::optional<std::uint64_t> end) {
  if (events.empty()) return history_size(folder);
  TRY_ASSIGN(const auto file, folder.open_append(kHistory));
  TRY_ASSIGN(const std::uint64_t size, file->size());
  JournalTail tail;
  if (size == 0) {
    // Before the first byte: whoever finds bytes here may rely on the file's name being on disk.
    TRY(folder.sync());
  } else if (end && *end == size) {
    tail.end = size;
    TRY_ASSIGN(const std::string last, folder.read_range(kHistory, size - 1, 1));
    tail.missing_newline = last != "\n";
  } else {
    TRY_ASSIGN(tail, find_tail(folder, size));
    if (tail.end < size) {
      TRY(keep_torn_end(folder, tail.end, size, now));
      TRY(file->truncate(tail.end));
    }
  }
  std::string before = std::move(tail.chain);
  if (before.empty() && tail.end > 0) {
    if (chain != nullptr && !chain->empty()) {
      before = *chain;
    } else {
      TRY_ASSIGN(before, newest_chain(folder, tail.end));
    }
  }
  std::string bytes = encode_batch(events);
  std::string own = core::put_chain(before, bytes);
  if (tail.missing_newline) bytes.insert(bytes.begin(), '\n');
  Status written = write_synced(*file, bytes);
  if (!written) {
    // Not promised, so it must not be found either: after a failed sync nobody knows what of it is on disk.
    // If even this fails, the lines are a torn end or are folded as what they are, changes that were made.
    (void)file->truncate(tail.end);
    return base::fail(std::move(written.error()));
  }
  if (chain != nullptr) *chain = std::move(own);
  return tail.end + bytes.size();
}

Result<HistoryScan> read_events(
    system::Folder& folder, std::uint64_t from,
    const std::function<bool(const core::Event& event, const HistoryLine& line)>& each, const LineTest& test,
    core::EventParts parts, std::optional<std::uint64_t> end) {
  HistoryScan scan;
  TRY_ASSIGN(scan.file_size, history_size(folder));
  scan.end = scan.file_size;
  if (from >= scan.file_size) return scan;
  if (end && *end <= scan.file_size) {
    scan.end = *end;
  } else {
    TRY_ASSIGN(const Extent extent, find_extent(folder));
    scan.file_size = extent.size;
    scan.end = extent.tail.end;
  }
  TRY(Scanner(folder, scan, each, test, parts).run(from, scan.end));
  return scan;
}

Result<std::vector<TailLine>> last_events(system::Folder& folder, std::size_t count,
                                          const EventQuery& query) {
  std::vector<TailLine> found;
  if (count == 0) return found;
  std::uint64_t end = 0;
  if (query.end) {
    end = *query.end;
  } else {
    TRY_ASSIGN(end, history_end(folder));
  }
  const QueryTest test(query);
  BackwardLines lines(folder, kHistory, end, kFirstScanPiece, test.leaves_out());
  BackwardLines::Line line;
  for (std::size_t looked_at = 0; found.size() < count && looked_at < query.within; ++looked_at) {
    TRY_ASSIGN(const bool more, lines.next(line));
    if (!more) break;
    if (line.too_long) continue;
    const std::string_view begins = line.left_out ? std::string_view(line.beginning) : line.text;
    if (test.is_too_old(begins)) break;
    if (line.left_out || is_inventory(begins)) {
      if (auto event = test.left_out(begins)) {
        if (test.meets(*event)) found.push_back(TailLine{std::string(line.text), std::move(*event)});
        continue;
      }
    }
    if (line.left_out || !test.may_meet(line.text)) continue;
    auto event = core::decode_event(line.text, query.parts);
    if (!event || !test.meets(*event)) continue;
    found.push_back(TailLine{std::string(line.text), std::move(*event)});
  }
  std::reverse(found.begin(), found.end());
  return found;
}

Result<core::ChainReport> check_chain(system::Folder& folder) {
  core::ChainCheck check;
  TRY(read_events(folder, 0, [&check](const core::Event& event, const HistoryLine& line) {
    check.take(line.text, line.number, event.batch);
    return true;
  }));
  return check.report();
}

Result<std::int64_t> count_lines(system::Folder& folder, std::uint64_t from, std::uint64_t end) {
  std::int64_t lines = 0;
  bool terminated = true;
  for (std::uint64_t at = from; at < end;) {
    TRY_ASSIGN(const std::string piece, folder.read_range(kHistory, at, std::min(kLargestPiece, end - at)));
    if (piece.empty()) {
      return base::fail(base::ErrorKind::conflict,
                        folder.path_of(kHistory) + " was truncated while being read",
                        "run the command again");
    }
    lines += std::count(piece.begin(), piece.end(), '\n');
    terminated = piece.back() == '\n';
    at += piece.size();
  }
  return lines + (terminated ? 0 : 1);
}

Result<std::uint64_t> history_size(system::Folder& folder) {
  TRY_ASSIGN(const system::FileInfo info, folder.info(kHistory));
  if (info.kind == system::FileKind::missing) return std::uint64_t{0};
  if (info.kind == system::FileKind::regular) return info.size;
  return base::fail(base::ErrorKind::corrupt, folder.path_of(kHistory) + " is not a regular file",
                    std::string(kSetsAside));
}

Status sync_history(system::Folder& folder) {
  TRY_ASSIGN(const std::uint64_t size, history_size(folder));
  if (size == 0) return {};
  TRY_ASSIGN(const auto file, folder.open_append(kHistory));
  return file->sync_data();
}

Result<std::uint64_t> history_end(system::Folder& folder, std::optional<std::uint64_t> known) {
  if (known) {
    TRY_ASSIGN(const std::uint64_t size, history_size(folder));
    if (size == *known) return size;
  }
  TRY_ASSIGN(const Extent extent, find_extent(folder));
  return extent.tail.end;
}

}  // namespace plankeep::store

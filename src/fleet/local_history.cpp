#include "fleet/local_history.hpp"

#include <algorithm>

#include "store/journal.hpp"
#include "store/paths.hpp"

namespace plankeep::fleet {
namespace {

using base::Result;

constexpr std::uint64_t kPiece = std::uint64_t{1} << 20;
constexpr std::uint64_t kLastLine = std::uint64_t{16} << 10;

}  // namespace

Result<std::uint64_t> LocalHistory::end() {
  if (!end_) {
    TRY_ASSIGN(end_, store::history_end(tracking_));
  }
  return *end_;
}

Result<HistoryPiece> LocalHistory::read(std::uint64_t offset, std::size_t most_lines,
                                        std::size_t most_bytes) {
  TRY_ASSIGN(const std::uint64_t last, end());
  HistoryPiece piece;
  piece.end = offset;
  std::size_t whole = 0;  // bytes of `text` that are whole lines
  std::uint64_t at = offset;
  while (at < last && piece.lines < most_lines) {
    if (piece.lines > 0 && piece.text.size() >= most_bytes) break;
    TRY_ASSIGN(const std::string more,
               tracking_.read_range(store::kHistory, at, std::min(kPiece, last - at)));
    if (more.empty()) break;
    at += more.size();
    std::size_t from = piece.text.size();
    piece.text += more;
    while (piece.lines < most_lines) {
      const std::size_t feed = piece.text.find('\n', from);
      if (feed == std::string::npos) break;
      if (piece.lines > 0 && feed + 1 > most_bytes) break;
      ++piece.lines;
      from = feed + 1;
      whole = from;
    }
  }
  // A last line that is whole and only lacks its LF counts as written.
  if (at >= last && piece.lines < most_lines && whole < piece.text.size()) {
    const bool another = piece.text.find('\n', whole) != std::string::npos;
    if (!another && (piece.lines == 0 || piece.text.size() <= most_bytes)) {
      piece.end = last;
      piece.text += '\n';
      ++piece.lines;
      return piece;
    }
  }
  piece.text.resize(whole);
  piece.end = offset + whole;
  return piece;
}

// The line that ends at `offset`; nullopt when none does.
Result<std::optional<std::string>> LocalHistory::line_before(std::uint64_t offset) {
  TRY_ASSIGN(const std::uint64_t last, end());
  if (offset == 0 || offset > last) return std::optional<std::string>{};
  for (std::uint64_t size = kLastLine;; size *= 4) {
    const std::uint64_t from = offset > size ? offset - size : 0;
    TRY_ASSIGN(std::string text, tracking_.read_range(store::kHistory, from, offset - from));
    if (text.ends_with('\n')) {
      text.pop_back();
    } else if (offset != last) {
      return std::optional<std::string>{};
    }
    const std::size_t feed = text.rfind('\n');
    if (feed != std::string::npos) return std::optional(text.substr(feed + 1));
    if (from == 0) return std::optional(std::move(text));
  }
}

Result<std::optional<std::uint64_t>> LocalHistory::find(
    std::int64_t lines, std::uint64_t bytes, const std::function<bool(std::string_view text)>& is_line) {
  if (lines == 0) return std::optional<std::uint64_t>{0};
  TRY_ASSIGN(const auto there, line_before(bytes));
  if (there && is_line(*there)) return std::optional(bytes);
  TRY_ASSIGN(const auto counted, line(lines));
  if (!counted || !is_line(*counted)) return std::optional<std::uint64_t>{};
  return std::optional(counted_to_);
}

Result<std::optional<std::string>> LocalHistory::line(std::int64_t number) {
  if (number <= counted_) counted_ = 0, counted_to_ = 0;
  std::string text;
  while (counted_ < number) {
    const auto most = static_cast<std::size_t>(std::min<std::int64_t>(number - counted_, 20'000));
    TRY_ASSIGN(HistoryPiece piece, read(counted_to_, most, kPiece * 4));
    if (piece.lines == 0) return std::optional<std::string>{};
    counted_ += static_cast<std::int64_t>(piece.lines);
    counted_to_ = piece.end;
    text = std::move(piece.text);
  }
  if (text.ends_with('\n')) text.pop_back();
  return std::optional(text.substr(text.rfind('\n') + 1));  // npos + 1 is 0
}

}  // namespace plankeep::fleet

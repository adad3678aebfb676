#pragma once
// The lines of a file from its end to its start, read in pieces. Private to store: the history's tail is
// found with it.
//
//   BackwardLines lines(folder, kHistory, size, first_piece);
//   for (;;) { TRY_ASSIGN(const bool found, lines.next(line)); if (!found) break; ... }
//
// Memory: one line and one piece. Pieces double from `first_piece` to kLargestPiece. Inside of a
// longer line each piece is as large as the part that was already read, so that joining them takes linear
// time. A line longer than kLongestLine is given without its text; one longer than kHopelessLine is no line
// but a file that is no history (a sparse giant): corrupt. A line of more than a piece may be left out for
// how it begins, and then it is not put together.

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "base/limits.hpp"
#include "base/result.hpp"
#include "system/file_system.hpp"

namespace plankeep::store {

inline constexpr std::uint64_t kLargestPiece = base::kMebibyte;
/// The first line of a plan without markers names each of its boxes and takes four to five times the plan's
/// bytes: 24 MB for 100,000 tasks.
inline constexpr std::uint64_t kLongestLine = base::kLargestText;
inline constexpr std::uint64_t kHopelessLine = base::kLargestJson;

/// corrupt: no line end within kHopelessLine.
[[nodiscard]] base::Error oversized_line(const system::Folder& folder, std::string_view name,
                                         std::uint64_t offset);

class BackwardLines {
 public:
  struct Line {
    std::uint64_t offset = 0;
    bool terminated = true;  // false only for the first one given
    bool too_long = false;   // then `text` is empty
    bool left_out = false;   // likewise
    std::string beginning;   // of a line that is left out
    std::string_view text;   // without its LF; valid until the next call of next()
  };

  /// Whether a line is of no interest, from its first bytes.
  using LeavesOut = bool (*)(std::string_view beginning);

  BackwardLines(system::Folder& folder, std::string_view name, std::uint64_t size, std::uint64_t first_piece,
                LeavesOut leaves_out = nullptr)
      : folder_(folder),
        name_(name),
        leaves_out_(leaves_out),
        begin_(size),
        end_(size),
        piece_(first_piece) {}

  /// false when there are no more.
  [[nodiscard]] base::Result<bool> next(Line& line);

 private:
  [[nodiscard]] base::Result<std::string> previous_piece(std::uint64_t least = 0);
  [[nodiscard]] base::Result<bool> next_too_long(Line& line);
  [[nodiscard]] base::Result<bool> leave_out(Line& line);
  [[nodiscard]] base::Result<std::string> read(std::uint64_t from, std::uint64_t length);

  system::Folder& folder_;
  std::string name_;
  LeavesOut leaves_out_;
  std::string buffer_;  // the bytes [begin_, end_) of the file, and behind them the line given last
  std::uint64_t begin_ = 0;
  std::uint64_t end_ = 0;  // behind what was not given yet
  std::uint64_t piece_ = 0;
};

}  // namespace plankeep::store

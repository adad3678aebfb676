#pragma once
// history.jsonl by numbered lines, as a fleet counts them. Reads only, in pieces; what stands behind the last
// line that counts (store/journal) is not there.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "system/file_system.hpp"

namespace plankeep::fleet {

struct HistoryPiece {
  std::string text;       // whole lines, each with its LF
  std::size_t lines = 0;  // in it
  std::uint64_t end = 0;  // offset behind it
};

class LocalHistory {
 public:
  /// `tracking`: the plan's tracking folder, which must outlive this.
  explicit LocalHistory(system::Folder& tracking) : tracking_(tracking) {}

  /// From a line's beginning at `offset`: at most so many lines and bytes, but at least one line. No lines:
  /// the end.
  [[nodiscard]] base::Result<HistoryPiece> read(std::uint64_t offset, std::size_t most_lines,
                                                std::size_t most_bytes);

  /// The offset behind line `lines`; 0 for none. `bytes`: where it is said to be, which is looked at first.
  /// `is_line` says of a text whether it is that line. nullopt: the line that stands there is another one, or
  /// there are fewer.
  [[nodiscard]] base::Result<std::optional<std::uint64_t>> find(
      std::int64_t lines, std::uint64_t bytes, const std::function<bool(std::string_view text)>& is_line);

  /// A line by its number, from 1, without its LF; nullopt: there are fewer. Reads from the beginning, or
  /// from where the last call stood.
  [[nodiscard]] base::Result<std::optional<std::string>> line(std::int64_t number);

 private:
  [[nodiscard]] base::Result<std::uint64_t> end();
  [[nodiscard]] base::Result<std::optional<std::string>> line_before(std::uint64_t offset);

  system::Folder& tracking_;
  std::optional<std::uint64_t> end_;
  std::int64_t counted_ = 0;  // lines in front of counted_to_
  std::uint64_t counted_to_ = 0;
};

}  // namespace plankeep::fleet

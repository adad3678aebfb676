#pragma once
// How many lines one text has that another has not.
//
// A line is what stands before a line feed, and what stands behind the last one if that is not empty; the two
// differ: "a" without a line feed is another line than "a" with one. Lines that both have are those of a
// longest common subsequence (merge/line_merge), so added - removed is always the difference of the numbers
// of lines. Binary texts (a NUL among the first 8,000 bytes, as git looks for one) have no lines.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace plankeep::core {

struct LineChanges {
  std::int64_t added = 0;
  std::int64_t removed = 0;
  bool operator==(const LineChanges&) const = default;
};

/// Empty for a file that is not there. Where one of them is binary nothing was added or removed.
LineChanges line_changes(std::string_view before, std::string_view after);

bool is_binary_text(std::string_view text);

/// With their line feeds.
std::vector<std::string_view> text_lines(std::string_view text);

/// The lines of `after` that `before` has not, in their order.
std::vector<std::string_view> added_lines(std::string_view before, std::string_view after);

/// A snapshot of the work tree without the lines that a commit leaves to a later one (git add -p, or an edit
/// behind git add): those that snapshot and work tree have, the latter right behind the commit, and neither
/// commit nor parent.
std::string without_lines_left_out(std::string_view snapshot, std::string_view parent,
                                   std::string_view commit, std::string_view behind);

}  // namespace plankeep::core

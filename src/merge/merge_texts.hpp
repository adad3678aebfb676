#pragma once
// The three texts of a merge with the same line ends, and with one at the end of each, so that lines can be
// compared; and which line ends the result gets. Private to this room.
//
// The side that changed the line ends, or the one at the end of the file, has its way. Mixed line ends stay
// as they are.

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

namespace plankeep::markdown {

enum Side : std::size_t { kBase, kOurs, kTheirs };
inline constexpr std::array kSides{kBase, kOurs, kTheirs};

struct MergeTexts {
  std::array<std::string, 3> text;  // by Side
  std::string line_end = "\n";      // of lines that are added
  bool final_line_end = true;       // of the result

  MergeTexts(std::string_view base, std::string_view ours, std::string_view theirs);

  /// Takes the line end at the end of a result away where it is not to have one.
  void end_as_wanted(std::string& result) const;
};

}  // namespace plankeep::markdown

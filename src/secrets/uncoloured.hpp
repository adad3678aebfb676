#pragma once
// A text without the terminal's colours, as `grep --color` and test runners write them into their output:
// they stand between a name and its value, and within a token. Private to this room.

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace plankeep::secrets {

class Uncoloured {
 public:
  /// Leaves out control sequences (ESC "[" …, ESC "(" …). No sequence goes over a line end, so the lines of
  /// the result are those of the text.
  explicit Uncoloured(std::string_view coloured);

  const std::string& text() const { return text_; }
  /// Where the byte text()[at] stands in the coloured text.
  std::size_t place(std::size_t at) const;

 private:
  std::string text_;
  // In order: from this place of text_ on, so many bytes had been left out.
  std::vector<std::pair<std::size_t, std::size_t>> left_out_;
};

}  // namespace plankeep::secrets

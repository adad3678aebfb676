#include "secrets/uncoloured.hpp"

#include <algorithm>
#include <iterator>

namespace plankeep::secrets {
namespace {

constexpr char kEscape = '\x1b';
constexpr std::size_t kLongest = 40;  // bytes of a control sequence

// The bytes of the control sequence that `text` begins with; 0: it begins with none.
std::size_t sequence_length(std::string_view text) {
  if (text.size() < 3 || text[0] != kEscape) return 0;
  if (text[1] == '(') return text[2] == '\n' ? 0 : 3;
  if (text[1] != '[') return 0;
  const std::size_t most = std::min(text.size(), kLongest);
  std::size_t at = 2;
  while (at < most && text[at] >= ' ' && text[at] <= '?') ++at;
  return at < most && text[at] >= '@' && text[at] <= '~' ? at + 1 : 0;
}

}  // namespace

Uncoloured::Uncoloured(std::string_view coloured) {
  text_.reserve(coloured.size());
  std::size_t lost = 0;
  for (std::size_t at = 0; at < coloured.size();) {
    const std::size_t escape = std::min(coloured.find(kEscape, at), coloured.size());
    text_.append(coloured, at, escape - at);
    at = escape;
    if (at == coloured.size()) break;
    const std::size_t length = sequence_length(coloured.substr(at));
    if (length == 0) {
      text_ += coloured[at++];
      continue;
    }
    at += length;
    lost += length;
    left_out_.emplace_back(text_.size(), lost);
  }
}

std::size_t Uncoloured::place(std::size_t at) const {
  const auto behind =
      std::upper_bound(left_out_.begin(), left_out_.end(), at,
                       [](std::size_t place, const auto& part) { return place < part.first; });
  return behind == left_out_.begin() ? at : at + std::prev(behind)->second;
}

}  // namespace plankeep::secrets

#include "worktree/percent.hpp"

namespace plankeep::git {
namespace {

constexpr std::string_view kDigits = "0123456789ABCDEF";

}  // namespace

std::string percent_encoded(std::string_view bytes) {
  std::string text;
  text.reserve(bytes.size());
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte > 0x20 && byte < 0x7f && c != '%') {
      text += c;
    } else {
      text += {'%', kDigits[byte >> 4U], kDigits[byte & 15U]};
    }
  }
  return text;
}

std::string percent_decoded(std::string_view text) {
  std::string bytes;
  bytes.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool room = text[i] == '%' && i + 2 < text.size();
    const std::size_t high = room ? kDigits.find(text[i + 1]) : std::string::npos;
    const std::size_t low = high != std::string::npos ? kDigits.find(text[i + 2]) : std::string::npos;
    if (low == std::string::npos) {
      bytes += text[i];
    } else {
      bytes += static_cast<char>(high * 16 + low);
      i += 2;
    }
  }
  return bytes;
}

}  // namespace plankeep::git

#include "charts/markup.hpp"

#include <array>
#include <cstdint>
#include <limits>

#include "base/utf8.hpp"

namespace plankeep::charts {
namespace {

// What base::printable takes away is shown here: who reads a report should see that it is there.
bool is_hidden(char32_t c) {
  if (c == U'\n' || c == U'\t') return false;
  return c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0x061c || c == 0x200e || c == 0x200f ||
         (c >= 0x2028 && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069) || c == 0xfeff ||
         (c >= 0xfff9 && c <= 0xfffb) || (c >= 0xe0000 && c <= 0xe007f);
}

void append_number(std::string& out, char32_t c) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  out += "\xe2\x9f\xa8U+";
  for (int shift = c > 0xffff ? 20 : 12; shift >= 0; shift -= 4)
    out += kDigits[(static_cast<std::uint32_t>(c) >> static_cast<unsigned>(shift)) & 0xfU];
  out += "\xe2\x9f\xa9";
}

void append(std::string& out, char32_t c) {
  switch (c) {
    case U'&':
      out += "&amp;";
      return;
    case U'<':
      out += "&lt;";
      return;
    case U'>':
      out += "&gt;";
      return;
    case U'"':
      out += "&quot;";
      return;
    case U'\'':
      out += "&#39;";
      return;
    default:
      break;
  }
  if (is_hidden(c)) {
    append_number(out, c);
  } else {
    base::append_utf8(out, c);
  }
}

}  // namespace

std::string markup_text(std::string_view text, std::size_t characters) {
  std::string out;
  out.reserve(text.size() + text.size() / 8);
  std::size_t count = 0;
  for (std::size_t at = 0; at < text.size();) {
    if (count++ == characters) return out + "\xe2\x80\xa6";
    const base::CodePoint next = base::decode_at(text, at);
    append(out, next.value);
    at += next.length;
  }
  return out;
}

std::string markup_text(std::string_view text) {
  return markup_text(text, std::numeric_limits<std::size_t>::max());
}

}  // namespace plankeep::charts

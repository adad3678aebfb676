#include "lsp/text.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "base/utf8.hpp"

namespace plankeep::lsp {
namespace {

constexpr char32_t kLastOfOneUnit = 0xFFFF;

std::size_t units_of(const base::CodePoint& character, Encoding encoding) {
  if (encoding == Encoding::utf8) return character.length;
  return encoding == Encoding::utf16 && character.value > kLastOfOneUnit ? 2 : 1;
}

}  // namespace

std::string_view name_of(Encoding encoding) {
  switch (encoding) {
    case Encoding::utf8:
      return "utf-8";
    case Encoding::utf16:
      return "utf-16";
    case Encoding::utf32:
      return "utf-32";
  }
  return "utf-16";
}

const std::vector<std::size_t>& Text::starts() const {
  if (!starts_.empty()) return starts_;
  starts_.push_back(0);
  const std::string_view all = bytes_;
  const bool plain = all.find('\r') == std::string_view::npos;
  for (std::size_t at = 0;;) {
    at = plain ? all.find('\n', at) : all.find_first_of("\r\n", at);
    if (at == std::string_view::npos) break;
    at += all.substr(at, 2) == "\r\n" ? 2 : 1;
    starts_.push_back(at);
  }
  return starts_;
}

Bytes Text::line(std::size_t line) const {
  const auto& all = starts();
  line = std::min(line, all.size() - 1);
  const std::size_t begin = all[line];
  std::size_t end = line + 1 < all.size() ? all[line + 1] : bytes_.size();
  if (line + 1 < all.size()) {
    if (end > begin && bytes_[end - 1] == '\n') --end;
    if (end > begin && bytes_[end - 1] == '\r') --end;
  }
  return {begin, end};
}

std::size_t Text::line_at(std::size_t offset) const {
  const auto& all = starts();
  return static_cast<std::size_t>(std::upper_bound(all.begin(), all.end(), offset) - all.begin()) - 1;
}

std::size_t Text::offset_of(Position position, Encoding encoding) const {
  if (position.line >= line_count()) return bytes_.size();
  const Bytes where = line(position.line);
  std::size_t units = 0;
  std::size_t at = where.begin;
  while (at < where.end) {
    const base::CodePoint character = base::decode_at(bytes_, at);
    units += units_of(character, encoding);
    if (units > position.character) break;
    at += character.length;
  }
  return at;
}

Position Text::position_of(std::size_t offset, Encoding encoding) const {
  offset = std::min(offset, bytes_.size());
  const std::size_t number = line_at(offset);
  const Bytes where = line(number);
  std::size_t units = 0;
  for (std::size_t at = where.begin; at < std::min(offset, where.end);) {
    const base::CodePoint character = base::decode_at(bytes_, at);
    if (at + character.length > offset) break;
    units += units_of(character, encoding);
    at += character.length;
  }
  return {static_cast<std::uint32_t>(number), static_cast<std::uint32_t>(units)};
}

std::size_t Text::offset_of_place(std::int64_t number, std::int64_t column) const {
  const Bytes where = line(static_cast<std::size_t>(std::max<std::int64_t>(number, 1) - 1));
  const bool marked = number <= 1 && std::string_view(bytes_).starts_with(base::kByteOrderMark);
  const std::size_t begin = where.begin + (marked ? base::kByteOrderMark.size() : 0);
  return std::min(begin + static_cast<std::size_t>(std::max<std::int64_t>(column, 1) - 1), where.end);
}

void Text::replace(Bytes part, std::string_view with) {
  if (part.end < part.begin) std::swap(part.begin, part.end);
  part.end = std::min(part.end, bytes_.size());
  part.begin = std::min(part.begin, part.end);
  bytes_.replace(part.begin, part.end - part.begin, with);
  starts_.clear();
}

}  // namespace plankeep::lsp

#include "markdown/source_text.hpp"

#include <algorithm>
#include <cassert>
#include <cstring>

#include "base/text.hpp"
#include "markdown/hidden_boxes.hpp"

namespace plankeep::markdown {
namespace {

std::string_view without_trailing_blanks(std::string_view line) {
  while (!line.empty() && (line.back() == ' ' || line.back() == '\t')) line.remove_suffix(1);
  return line;
}

// Two lines of "---" may be front matter or two thematic breaks. A box, a comment of HTML or any line that
// cannot be YAML between them shows that they are breaks, so that no box is lost. What can be YAML: mappings,
// lists, its own comments, indented lines, and the last line of something in brackets.
bool may_be_front_matter(std::string_view line) {
  if (line.empty()) return true;
  if (line.find("<!--") != std::string_view::npos || count_box_lines(line) > 0) return false;
  const std::size_t text = line.find_first_not_of(" \t");
  const char first = line[text];
  return text > 0 || first == '-' || first == '#' || first == ']' || first == '}' || line == "..." ||
         line.find(':') != std::string_view::npos;
}

std::size_t skip_blanks(std::string_view text, std::size_t at) {
  while (at < text.size() && (text[at] == ' ' || text[at] == '\t')) ++at;
  return at;
}

}  // namespace

SourceText::SourceText(std::string_view bytes) : bytes_(bytes) {
  if (bytes.starts_with(base::kByteOrderMark)) bom_ = base::kByteOrderMark.size();
  starts_.reserve(bytes.size() / 48 + 2);
  starts_.push_back(0);
  // A file without a lone CR, which is nearly every file, is cut at LF alone.
  const bool any_cr = std::memchr(bytes.data(), '\r', bytes.size()) != nullptr;
  for (std::size_t at = 0; at < bytes.size();) {
    std::size_t next = std::string_view::npos;
    if (any_cr) {
      next = bytes.find_first_of("\r\n", at);
      if (next != std::string_view::npos && bytes[next] == '\r' && next + 1 < bytes.size() &&
          bytes[next + 1] == '\n')
        ++next;
    } else {
      next = bytes.find('\n', at);
    }
    if (next == std::string_view::npos) break;
    at = next + 1;
    starts_.push_back(at);
  }
  body_start_ = bom_;
  if (line_count() < 2) return;
  const std::string_view first = without_trailing_blanks(line(1).substr(bom_));
  if (first != "---") return;
  for (std::int64_t n = 2; n <= line_count(); ++n) {
    const std::string_view text = without_trailing_blanks(line(n));
    if (!may_be_front_matter(text)) return;
    if (text != "---" && text != "...") continue;
    lines_before_body_ = n;
    body_start_ = n < line_count() ? line_start(n + 1) : bytes_.size();
    return;
  }
}

std::size_t SourceText::line_end(std::int64_t line) const {
  const auto index = static_cast<std::size_t>(line - 1);
  std::size_t end = index + 1 < starts_.size() ? starts_[index + 1] : bytes_.size();
  const std::size_t start = starts_[index];
  if (end > start && bytes_[end - 1] == '\n') --end;
  if (end > start && bytes_[end - 1] == '\r') --end;
  return end;
}

std::string_view SourceText::line(std::int64_t line) const {
  const std::size_t start = line_start(line);
  return bytes_.substr(start, line_end(line) - start);
}

std::string_view SourceText::shown_line(std::int64_t number) const {
  return number == 1 ? line(1).substr(bom_) : line(number);
}

Position SourceText::position(std::size_t offset) const {
  const auto after = std::upper_bound(starts_.begin(), starts_.end(), offset);
  const std::int64_t line = after - starts_.begin();
  std::size_t start = *(after - 1);
  if (line == 1) start += std::min(bom_, offset);
  return {line, static_cast<std::int64_t>(offset - start) + 1};
}

std::size_t SourceText::offset_of(std::int64_t line, std::int64_t column) const {
  return line_start(line) + (line == 1 ? bom_ : 0) + static_cast<std::size_t>(column - 1);
}

LogicalText::LogicalText(const SourceText& source, std::int64_t first_line, std::size_t first_offset,
                         std::int64_t last_line, int quotes) {
  if (first_line >= last_line) {
    one_line_ = true;
    view_ = source.bytes().substr(first_offset,
                                  std::max(source.line_end(first_line), first_offset) - first_offset);
    offset_ = first_offset;
    return;
  }
  for (std::int64_t n = first_line; n <= last_line; ++n) {
    std::size_t at = n == first_line ? first_offset : source.line_start(n);
    const std::size_t end = source.line_end(n);
    const std::string_view all = source.bytes().substr(0, end);
    if (n != first_line) {
      // A lazy line has fewer ">" than quotes around it: take those that are there.
      for (int quote = 0; quote < quotes; ++quote) {
        const std::size_t marker = skip_blanks(all, at);
        if (marker >= end || all[marker] != '>') break;
        at = marker + 1;
      }
      at = skip_blanks(all, at);
    }
    pieces_.push_back({joined_.size(), at});
    if (at < end) joined_.append(source.bytes().substr(at, end - at));
    if (n != last_line) joined_.push_back('\n');
  }
}

LogicalText::LogicalText(const SourceText& source, std::string_view literal, std::int64_t first_line) {
  std::int64_t n = first_line;
  joined_.reserve(literal.size());
  for (std::size_t at = 0; at < literal.size() && n <= source.line_count(); ++n) {
    std::size_t end = literal.find('\n', at);
    const std::size_t next = end == std::string_view::npos ? literal.size() : end + 1;
    if (end == std::string_view::npos) end = literal.size();
    std::size_t length = end - at;
    if (length > 0 && literal[at + length - 1] == '\r') --length;
    // A tab that is half indentation comes out of cmark as spaces: then the literal is longer than what it
    // stands for.
    const std::size_t line_length = source.line_end(n) - source.line_start(n);
    const std::size_t kept = std::min(length, line_length);
    const std::size_t offset = source.line_end(n) - kept;
    pieces_.push_back({joined_.size(), offset});
    joined_.append(source.bytes().substr(offset, kept));
    joined_.push_back('\n');
    at = next;
  }
  if (pieces_.empty()) pieces_.push_back({0, source.line_start(std::min(first_line, source.line_count()))});
}

std::size_t LogicalText::source_offset(std::size_t at) const {
  if (one_line_) return offset_ + at;
  const auto after =
      std::upper_bound(pieces_.begin(), pieces_.end(), at,
                       [](std::size_t offset, const Piece& piece) { return offset < piece.at; });
  assert(after != pieces_.begin());
  const Piece& piece = *(after - 1);
  return piece.offset + (at - piece.at);
}

}  // namespace plankeep::markdown

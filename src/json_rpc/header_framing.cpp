#include "json_rpc/header_framing.hpp"

#include <algorithm>
#include <charconv>

#include "base/text.hpp"
#include "base/utf8.hpp"

namespace plankeep::json_rpc {
namespace {

// What the fields of a header say; nullopt where they say nothing that can be followed.
std::optional<std::size_t> content_length(std::string_view header) {
  std::optional<std::size_t> length;
  while (!header.empty()) {
    const std::size_t end = std::min(header.find('\n'), header.size());
    const std::string_view line = base::trimmed(header.substr(0, end));
    header.remove_prefix(std::min(end + 1, header.size()));
    if (line.empty()) continue;
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos) return std::nullopt;
    const std::string name = base::to_lower(base::trimmed(line.substr(0, colon)));
    const std::string_view value = base::trimmed(line.substr(colon + 1));
    if (name == "content-length") {
      std::size_t number = 0;
      const auto [stop, problem] = std::from_chars(value.data(), value.data() + value.size(), number);
      if (problem != std::errc() || stop != value.data() + value.size() || length) return std::nullopt;
      length = number;
    } else if (name == "content-type") {
      const std::string type = base::to_lower(value);
      const std::size_t charset = type.find("charset=");
      if (charset == std::string::npos) continue;
      const std::string_view given = base::trimmed(std::string_view(type).substr(charset + 8));
      if (given != "utf-8" && given != "utf8" && given != "\"utf-8\"") return std::nullopt;
    }
  }
  return length;
}

}  // namespace

void HeaderReader::feed(std::string_view bytes) {
  if (broken_) return;
  const std::size_t dropped = std::min(dropping_, bytes.size());
  dropping_ -= dropped;
  bytes.remove_prefix(dropped);
  // Moved together only where that is cheap beside what came.
  if (begin_ > 0 && (begin_ == bytes_.size() || begin_ > bytes_.size() / 2)) {
    bytes_.erase(0, begin_);
    begin_ = 0;
  }
  bytes_.append(bytes);
}

// False: more is wanted, or nothing can be read any more.
bool HeaderReader::read_header() {
  const std::string_view rest = std::string_view(bytes_).substr(begin_);
  // The empty line: LF, maybe CR, LF.
  std::size_t at = looked_;
  for (;;) {
    at = rest.find('\n', at);
    if (at == std::string_view::npos || at + 1 >= rest.size()) break;
    std::size_t next = at + 1;
    if (rest[next] == '\r') ++next;
    if (next >= rest.size()) break;
    if (rest[next] == '\n') {
      const auto length = at < kLongestHeader ? content_length(rest.substr(0, at)) : std::nullopt;
      broken_ = !length;
      if (broken_) return false;
      begin_ += next + 1;
      looked_ = 0;
      length_ = *length;
      return true;
    }
    ++at;
  }
  looked_ = std::min(at, rest.size());
  broken_ = rest.size() > kLongestHeader;
  return false;
}

std::optional<HeaderReader::Message> HeaderReader::next() {
  if (broken_ || dropping_ > 0) return std::nullopt;
  if (!length_ && !read_header()) return std::nullopt;
  const std::size_t there = bytes_.size() - begin_;
  if (*length_ > longest_) {
    const std::size_t dropped = std::min(there, *length_);
    dropping_ = *length_ - dropped;
    begin_ += dropped;
    length_.reset();
    return Message{{}, true};
  }
  if (there < *length_) return std::nullopt;
  Message message{bytes_.substr(begin_, *length_), false};
  begin_ += *length_;
  length_.reset();
  return message;
}

std::string framed(std::string_view message) {
  std::string whole = "Content-Length: " + std::to_string(message.size()) + "\r\n\r\n";
  return whole.append(message);
}

}  // namespace plankeep::json_rpc

#include "json_rpc/line_framing.hpp"

namespace plankeep::json_rpc {
namespace {

bool says_something(std::string_view line) {
  return line.find_first_not_of(" \t\r") != std::string_view::npos;
}

}  // namespace

void LineReader::feed(std::string_view bytes) {
  bytes_.erase(0, begin_);
  looked_ -= begin_;
  begin_ = 0;
  bytes_.append(bytes);
}

std::optional<LineReader::Message> LineReader::next() {
  for (;;) {
    const std::size_t end = bytes_.find('\n', looked_);
    if (end == std::string::npos) {
      looked_ = bytes_.size();
      const bool long_already = looked_ - begin_ > longest_;
      if (dropping_ || long_already) begin_ = looked_;
      if (dropping_ || !long_already) return std::nullopt;
      dropping_ = true;
      return Message{{}, true};
    }
    const std::string_view line = std::string_view(bytes_).substr(begin_, end - begin_);
    begin_ = looked_ = end + 1;
    if (dropping_) {
      dropping_ = false;
      continue;
    }
    if (line.size() > longest_) return Message{{}, true};
    if (says_something(line)) return Message{std::string(line), false};
  }
}

std::optional<LineReader::Message> LineReader::rest() {
  if (auto message = next()) return message;
  if (dropping_) return std::nullopt;
  std::string line = bytes_.substr(begin_);
  begin_ = looked_ = bytes_.size();
  if (!says_something(line)) return std::nullopt;
  return Message{std::move(line), false};
}

}  // namespace plankeep::json_rpc

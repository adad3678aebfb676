#include "store/backward_lines.hpp"

#include <algorithm>

namespace plankeep::store {

namespace {

constexpr std::size_t kLongPart = std::size_t{32} << 10;

// The last line feed before `end`, or npos. In blocks, because memchr looks at many bytes at a time and rfind
// at one, and a line may hold a whole plan.
std::size_t last_feed(std::string_view text, std::size_t end) {
  constexpr std::size_t kBlock = 4096;
  while (end > 0) {
    const std::size_t begin = end > kBlock ? end - kBlock : 0;
    const std::string_view block = text.substr(begin, end - begin);
    if (block.find('\n') != std::string_view::npos) return begin + block.rfind('\n');
    end = begin;
  }
  return std::string_view::npos;
}

}  // namespace

base::Error oversized_line(const system::Folder& folder, std::string_view name, std::uint64_t offset) {
  std::string message = folder.path_of(name);
  message.append(" is not a history file: no line end within ").append(std::to_string(kHopelessLine >> 20));
  message.append(" MiB of byte ").append(std::to_string(offset));
  return base::Error{
      base::ErrorKind::corrupt, std::move(message), {}, "move it away and run the command again"};
}

base::Result<std::string> BackwardLines::read(std::uint64_t from, std::uint64_t length) {
  TRY_ASSIGN(std::string bytes, folder_.read_range(name_, from, length));
  if (bytes.size() == length) return bytes;
  return base::fail(base::ErrorKind::conflict, folder_.path_of(name_) + " was truncated while being read",
                    "run the command again");
}

base::Result<std::string> BackwardLines::previous_piece(std::uint64_t least) {
  const std::uint64_t length = std::min(std::max(piece_, least), begin_);
  TRY_ASSIGN(std::string piece, read(begin_ - length, length));
  begin_ -= length;
  piece_ = std::min(piece_ * 2, kLargestPiece);
  return piece;
}

base::Result<bool> BackwardLines::next(Line& line) {
  line = Line{};
  if (end_ == 0) return false;
  buffer_.resize(end_ - begin_);
  if (buffer_.empty()) {
    TRY_ASSIGN(buffer_, previous_piece());
  }
  line.terminated = buffer_.back() == '\n';
  // Where the search goes on: everything from here to the line's own LF is known to hold none.
  std::size_t unseen = buffer_.size() - (line.terminated ? 1 : 0);
  bool may_be_left_out = leaves_out_ != nullptr;
  for (;;) {
    const std::size_t feed = last_feed(buffer_, unseen);
    if (feed != std::string::npos || begin_ == 0) {
      const std::size_t start = feed == std::string::npos ? 0 : feed + 1;
      line.offset = begin_ + start;
      const std::size_t length = buffer_.size() - start - (line.terminated ? 1 : 0);
      line.too_long = length > kLongestLine;
      if (!line.too_long) line.text = std::string_view(buffer_).substr(start, length);
      end_ = line.offset;
      return true;
    }
    if (buffer_.size() > kLongestLine) return next_too_long(line);
    // A short line that only crosses into the piece before is soon put together.
    if (may_be_left_out && buffer_.size() >= kLongPart) {
      may_be_left_out = false;
      TRY_ASSIGN(const bool left_out, leave_out(line));
      if (left_out) return true;
    }
    TRY_ASSIGN(std::string piece, previous_piece(buffer_.size()));
    unseen = piece.size();
    buffer_.insert(0, piece);
  }
}

// The line that ends at end_ and begins before begin_. False: it is of interest, or too long to tell here.
base::Result<bool> BackwardLines::leave_out(Line& line) {
  constexpr std::uint64_t kPiece = 64ULL << 10;
  constexpr std::uint64_t kBeginning = 256;
  std::uint64_t start = begin_;
  while (start > 0) {
    const std::uint64_t length = std::min(kPiece, start);
    TRY_ASSIGN(const std::string piece, read(start - length, length));
    const std::size_t feed = last_feed(piece, piece.size());
    start -= length;
    if (feed != std::string::npos) {
      start += feed + 1;
      break;
    }
    if (end_ - start > kLongestLine) return false;
  }
  TRY_ASSIGN(std::string beginning, read(start, std::min(kBeginning, end_ - start)));
  if (!leaves_out_(beginning)) return false;
  line.left_out = true;
  line.beginning = std::move(beginning);
  line.offset = start;
  buffer_.clear();
  begin_ = end_ = start;
  return true;
}

base::Result<bool> BackwardLines::next_too_long(Line& line) {
  line.too_long = true;
  for (;;) {
    if (begin_ == 0) {
      buffer_.clear();
      line.offset = 0;
      end_ = 0;
      return true;
    }
    if (end_ - begin_ > kHopelessLine) return base::fail(oversized_line(folder_, name_, begin_));
    TRY_ASSIGN(buffer_, previous_piece());
    const std::size_t feed = buffer_.rfind('\n');
    if (feed == std::string::npos) continue;
    line.offset = begin_ + feed + 1;
    buffer_.resize(feed + 1);
    end_ = line.offset;
    return true;
  }
}

}  // namespace plankeep::store

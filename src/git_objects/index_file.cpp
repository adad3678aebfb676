#include "git_objects/index_file.hpp"

#include <algorithm>
#include <charconv>

namespace plankeep::git {
namespace {

constexpr std::uint32_t kFolderMode = 0040000;

// Takes numbers and texts off the front; after the first that is not there, nothing more.
class Reader {
 public:
  explicit Reader(std::string_view bytes) : rest_(bytes) {}

  bool good() const { return good_; }
  std::size_t left() const { return rest_.size(); }

  std::string_view take(std::size_t count) {
    if (count > rest_.size()) {
      good_ = false;
      rest_ = {};
      return {};
    }
    const std::string_view part = rest_.substr(0, count);
    rest_.remove_prefix(count);
    return part;
  }

  std::uint32_t number(std::size_t bytes) {
    std::uint32_t value = 0;
    for (const char byte : take(bytes)) value = value << 8U | static_cast<unsigned char>(byte);
    return value;
  }

  // The number of bytes that version 4 takes off the path before (varint.c of git: each further byte counts
  // from one more).
  std::size_t stripped() {
    std::size_t value = 0;
    for (int bytes = 0; bytes < 5; ++bytes) {
      const std::uint32_t next = number(1);
      value += next & 0x7fU;
      if ((next & 0x80U) == 0) return value;
      value = (value + 1) << 7U;
    }
    good_ = false;
    return 0;
  }

  std::string_view until(char end) {
    const std::size_t at = rest_.find(end);
    if (at == std::string_view::npos) return take(rest_.size() + 1);
    const std::string_view part = take(at);
    (void)take(1);
    return part;
  }

  // A decimal number behind which `end` follows.
  long long decimal(char end) {
    const std::string_view digits = until(end);
    long long value = 0;
    const auto [after, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc() || after != digits.data() + digits.size()) good_ = false;
    return value;
  }

 private:
  std::string_view rest_;
  bool good_ = true;
};

class IndexReader {
 public:
  IndexReader(ObjectFormat format, std::string_view bytes) : id_bytes_(id_length(format) / 2), in_(bytes) {}

  std::optional<IndexFile> read() {
    if (in_.take(4) != "DIRC") return std::nullopt;
    version_ = in_.number(4);
    const std::uint32_t count = in_.number(4);
    if (!in_.good() || version_ < 2 || version_ > 4 || count > in_.left()) return std::nullopt;
    index_.entries.reserve(count);
    for (std::uint32_t i = 0; i < count; ++i) {
      if (!entry()) return std::nullopt;
    }
    while (in_.good() && in_.left() > id_bytes_) {
      const std::string_view name = in_.take(4);
      const std::string_view content = in_.take(in_.number(4));
      // A name that begins with a small letter says that the rest means nothing to who does not know it.
      if (!in_.good() || name.front() < 'A' || name.front() > 'Z') return std::nullopt;
      // git writes this list once. The counts of one list must not be applied to another.
      if (name == "TREE" && (!index_.trees.empty() || !trees(content))) return std::nullopt;
    }
    if (!in_.good() || in_.left() != id_bytes_) return std::nullopt;
    return std::move(index_);
  }

 private:
  bool entry() {
    constexpr std::size_t kChangeTime = 8;
    constexpr std::size_t kPlace = 8;
    constexpr std::size_t kOwner = 8;
    constexpr std::uint32_t kExtended = 0x4000;
    constexpr std::uint32_t kStages = 0x3000;
    constexpr std::uint32_t kIntentToAdd = 0x2000;
    const std::size_t before = in_.left();
    IndexEntry entry;
    (void)in_.take(kChangeTime);
    entry.mtime_seconds = in_.number(4);
    entry.mtime_nanoseconds = in_.number(4);
    (void)in_.take(kPlace);
    entry.mode = in_.number(4);
    (void)in_.take(kOwner);
    entry.size = in_.number(4);
    entry.raw_id = in_.take(id_bytes_);
    const std::uint32_t flags = in_.number(2);
    if ((flags & kExtended) != 0) {
      if (version_ < 3) return false;
      entry.intent_to_add = (in_.number(2) & kIntentToAdd) != 0;
    }
    if (!in_.good() || (flags & kStages) != 0 || entry.mode == kFolderMode) return false;
    if (version_ == 4) {
      const std::string& last = index_.entries.empty() ? entry.path : index_.entries.back().path;
      const std::size_t stripped = in_.stripped();
      if (stripped > last.size()) return false;
      entry.path = last.substr(0, last.size() - stripped);
      entry.path += in_.until('\0');
    } else {
      entry.path = in_.until('\0');
      // At least one NUL, and the length of the whole is a multiple of eight.
      (void)in_.take((8 - (before - in_.left()) % 8) % 8);
    }
    if (!in_.good() || entry.path.empty()) return false;
    if (!index_.entries.empty() && index_.entries.back().path >= entry.path) return false;
    index_.entries.push_back(std::move(entry));
    return true;
  }

  bool trees(std::string_view content) {
    Reader in(content);
    std::vector<std::size_t> inside;
    while (in.left() > 0) {
      IndexTree tree;
      tree.name = in.until('\0');
      const long long entries = in.decimal(' ');
      const long long subtrees = in.decimal('\n');
      if (entries >= 0) tree.raw_id = in.take(id_bytes_);
      if (!in.good() || subtrees < 0) return false;
      index_.trees.push_back(tree);
      inside.push_back(static_cast<std::size_t>(subtrees));
    }
    for (std::size_t i = index_.trees.size(); i-- > 0;) {
      std::size_t next = i + 1;
      for (std::size_t folder = 0; folder < inside[i]; ++folder) {
        if (next >= index_.trees.size()) return false;
        next = index_.trees[next].past;
      }
      index_.trees[i].past = next;
    }
    return true;
  }

  std::size_t id_bytes_;
  Reader in_;
  std::uint32_t version_ = 0;
  IndexFile index_;
};

}  // namespace

std::optional<IndexFile> read_index_file(ObjectFormat format, std::string_view bytes) {
  return IndexReader(format, bytes).read();
}

}  // namespace plankeep::git

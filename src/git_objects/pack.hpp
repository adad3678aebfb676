#pragma once
// New objects as one pack: what `git unpack-objects` and `git index-pack --stdin` take.
//
//   Pack pack(format);
//   std::string id = pack.add(ObjectKind::blob, bytes);   // its name; the same object twice is there once
//   ...
//   std::string stream = std::move(pack).finish();
//
// Not compressed: the deflate streams are stored blocks. git compresses what it unpacks as it is configured,
// and 50 MiB of a transcript cost 0.4 s instead of 2.3. An object lives in the pack alone, so memory is the
// pack's size, once. Format: gitformat-pack(5), RFC 1950, RFC 1951 3.2.4.

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>

#include "git_objects/object.hpp"

namespace plankeep::git {

class Pack {
 public:
  explicit Pack(ObjectFormat format);

  std::string add(ObjectKind kind, std::string_view bytes);
  /// Whether it was added already; asked before large bytes are made again.
  bool holds(std::string_view id) const { return ids_.contains(id); }

  ObjectFormat format() const { return format_; }
  std::size_t objects() const { return ids_.size(); }
  /// Of the stream so far.
  std::size_t size() const { return stream_.size(); }

  /// The whole stream with its checksum. At most 2^32 - 1 objects, of which nobody comes near.
  std::string finish() &&;

 private:
  void append_stored(std::string_view bytes);

  ObjectFormat format_;
  std::string stream_;
  std::set<std::string, std::less<>> ids_;
};

}  // namespace plankeep::git

#include "git_objects/loose_object.hpp"

#include <zlib.h>

#include <charconv>
#include <limits>
#include <optional>

namespace plankeep::git {
namespace {

using base::ErrorKind;

tl::unexpected<base::Error> damaged(const char* what) {
  return base::fail(ErrorKind::corrupt, std::string("an object in the repository is damaged: ") + what);
}

class Inflater {
 public:
  explicit Inflater(std::string_view input) {
    // zlib reads its input and changes nothing; its old interface has no const.
    stream_.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(input.data()));
    stream_.avail_in = static_cast<uInt>(input.size());
    ready_ = ::inflateInit(&stream_) == Z_OK;
  }
  ~Inflater() {
    if (ready_) (void)::inflateEnd(&stream_);
  }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  /// As many bytes as there are, at most `count`; nullopt: damaged.
  std::optional<std::string> take(std::size_t count) {
    std::string bytes(count, '\0');
    stream_.next_out = reinterpret_cast<Bytef*>(bytes.data());
    stream_.avail_out = static_cast<uInt>(count);
    while (ready_ && !ended_ && stream_.avail_out > 0) {
      const int told = ::inflate(&stream_, Z_NO_FLUSH);
      ended_ = told == Z_STREAM_END;
      if (told != Z_OK && told != Z_STREAM_END) return std::nullopt;
    }
    if (!ready_) return std::nullopt;
    bytes.resize(count - stream_.avail_out);
    return bytes;
  }

 private:
  z_stream stream_{};
  bool ready_ = false;
  bool ended_ = false;
};

std::optional<ObjectKind> kind_called(std::string_view name) {
  for (const ObjectKind kind : {ObjectKind::commit, ObjectKind::tree, ObjectKind::blob}) {
    if (name_of(kind) == name) return kind;
  }
  return std::nullopt;
}

}  // namespace

base::Result<StoredObject> read_loose_object(std::string_view file, std::uint64_t limit) {
  constexpr std::size_t kLongestHeader = 32;  // "commit " and the digits of a size
  if (file.size() > std::numeric_limits<uInt>::max() || limit > std::numeric_limits<uInt>::max() / 2)
    return base::fail(ErrorKind::invalid_input, "an object in the repository is too large");
  Inflater inflater(file);
  auto start = inflater.take(kLongestHeader);
  if (!start) return damaged("it is not compressed as git does it");
  const std::size_t blank = start->find(' ');
  const std::size_t end = start->find('\0');
  if (blank == std::string::npos || end == std::string::npos || blank > end)
    return damaged("it has no header");
  const auto kind = kind_called(std::string_view(*start).substr(0, blank));
  if (!kind) return damaged("it is of no known kind");
  std::uint64_t size = 0;
  const char* digits = start->data() + blank + 1;
  const char* after = start->data() + end;
  if (const auto [read, error] = std::from_chars(digits, after, size);
      error != std::errc() || read != after || digits == after)
    return damaged("it has no size");
  if (size > limit) return base::fail(ErrorKind::invalid_input, "an object in the repository is too large");
  StoredObject object{*kind, start->substr(end + 1)};
  if (object.bytes.size() > size) return damaged("it is longer than it says");
  // One byte more than is wanted, so that what is too long is seen.
  auto rest = inflater.take(static_cast<std::size_t>(size) - object.bytes.size() + 1);
  if (!rest) return damaged("it is not compressed as git does it");
  object.bytes += *rest;
  if (object.bytes.size() != size) return damaged("its size is not what it says");
  return object;
}

}  // namespace plankeep::git

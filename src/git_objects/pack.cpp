#include "git_objects/pack.hpp"

#include <algorithm>
#include <cassert>
#include <limits>

#include "base/hex.hpp"
#include "base/sha1.hpp"
#include "base/sha256.hpp"

namespace plankeep::git {
namespace {

constexpr std::size_t kCountAt = 8;  // behind "PACK" and the version
constexpr std::size_t kHeader = 12;
constexpr std::size_t kStoredBlock = 65535;

char byte_of(std::uint64_t value) {
  return static_cast<char>(static_cast<unsigned char>(value & 0xffU));
}

void append_big_endian(std::string& stream, std::uint32_t value) {
  for (const unsigned shift : {24U, 16U, 8U, 0U}) stream += byte_of(value >> shift);
}

unsigned pack_type(ObjectKind kind) {
  switch (kind) {
    case ObjectKind::commit:
      return 1;
    case ObjectKind::tree:
      return 2;
    case ObjectKind::blob:
      break;
  }
  return 3;
}

// Type and size: four bits of the size in the first byte, seven in each that follows.
void append_entry_header(std::string& stream, ObjectKind kind, std::uint64_t size) {
  std::uint64_t byte = std::uint64_t{pack_type(kind)} << 4U | (size & 15U);
  for (size >>= 4U; size != 0; size >>= 7U) {
    stream += byte_of(byte | 0x80U);
    byte = size & 0x7fU;
  }
  stream += byte_of(byte);
}

std::uint32_t adler32(std::string_view bytes) {
  constexpr std::uint32_t kModulus = 65521;
  constexpr std::size_t kWithoutOverflow = 5552;  // so many bytes before the sums have to be reduced
  std::uint32_t a = 1;
  std::uint32_t b = 0;
  while (!bytes.empty()) {
    for (const char byte : bytes.substr(0, kWithoutOverflow)) {
      a += static_cast<unsigned char>(byte);
      b += a;
    }
    a %= kModulus;
    b %= kModulus;
    bytes.remove_prefix(std::min(bytes.size(), kWithoutOverflow));
  }
  return b << 16U | a;
}

}  // namespace

Pack::Pack(ObjectFormat format) : format_(format), stream_("PACK") {
  append_big_endian(stream_, 2);  // the version
  append_big_endian(stream_, 0);  // the count is put in at the end
}

std::string Pack::add(ObjectKind kind, std::string_view bytes) {
  std::string id = object_id(format_, kind, bytes);
  if (!ids_.insert(id).second) return id;
  append_entry_header(stream_, kind, bytes.size());
  append_stored(bytes);
  return id;
}

void Pack::append_stored(std::string_view bytes) {
  stream_.reserve(std::max(stream_.capacity(), stream_.size() + bytes.size() + bytes.size() / 8192 + 64));
  stream_ += "\x78\x01";  // deflate with a window of 32 KiB, the fastest level
  std::string_view rest = bytes;
  do {
    const std::string_view block = rest.substr(0, kStoredBlock);
    rest.remove_prefix(block.size());
    stream_ += rest.empty() ? '\1' : '\0';  // the last block, or one before it
    stream_ += byte_of(block.size());
    stream_ += byte_of(block.size() >> 8U);
    stream_ += byte_of(~block.size());
    stream_ += byte_of(~block.size() >> 8U);
    stream_ += block;
  } while (!rest.empty());
  append_big_endian(stream_, adler32(bytes));
}

std::string Pack::finish() && {
  assert(ids_.size() <= std::numeric_limits<std::uint32_t>::max());
  std::string count;
  append_big_endian(count, static_cast<std::uint32_t>(ids_.size()));
  stream_.replace(kCountAt, kHeader - kCountAt, count);
  const std::string checksum =
      format_ == ObjectFormat::sha1 ? base::sha1_hex(stream_) : base::sha256_hex(stream_);
  stream_ += base::from_hex(checksum).value_or(std::string());
  return std::move(stream_);
}

}  // namespace plankeep::git

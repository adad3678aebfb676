#pragma once
// SHA-256 (FIPS 180-4) of a block of bytes, as lower-case hexadecimal.

#include <memory>
#include <string>
#include <string_view>

namespace plankeep::base {

/// All 64 hexadecimal digits.
std::string sha256_hex(std::string_view bytes);

/// The same of bytes that come piece by piece.
class Sha256 {
 public:
  Sha256();
  ~Sha256();
  Sha256(const Sha256&) = delete;
  Sha256& operator=(const Sha256&) = delete;
  void add(std::string_view bytes);
  /// Of all that was added; the last thing to be asked.
  std::string hex();

 private:
  struct Context;
  std::unique_ptr<Context> context_;
};

/// "sha256:" and the first 16 digits: the checksum of state.json (spec 3).
std::string short_checksum(std::string_view bytes);

}  // namespace plankeep::base

#pragma once
// SHA-1 (FIPS 180-4): the names of objects in most git repositories.
//
// Only for that, not for security: two texts with the same SHA-1 can be made on purpose, and this variant
// does not detect them (git does, and refuses such objects).

#include <memory>
#include <string>
#include <string_view>

namespace plankeep::base {

/// All 40 hexadecimal digits.
std::string sha1_hex(std::string_view bytes);

/// The same of bytes that come piece by piece.
class Sha1 {
 public:
  Sha1();
  ~Sha1();
  Sha1(const Sha1&) = delete;
  Sha1& operator=(const Sha1&) = delete;
  void add(std::string_view bytes);
  /// Of all that was added; the last thing to be asked.
  std::string hex();

 private:
  struct Context;
  std::unique_ptr<Context> context_;
};

}  // namespace plankeep::base

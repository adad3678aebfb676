#pragma once
// SHA-1 (FIPS 180-4) of bytes that come piece by piece: the names of objects in most git repositories.
//
// Only for that. It protects nothing: whoever tries can make two texts with one SHA-1, and this is not the
// variant that notices (git has its own check and refuses such objects).

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

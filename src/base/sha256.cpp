// The low-level SHA256 call is used on purpose: the EVP interface loads providers and reads OpenSSL's
// configuration on the first digest, which costs as much as a whole run of plankeep. It is deprecated in
// OpenSSL 3 but stays part of its interface; OPENSSL_API_COMPAT asks for the 1.1 declarations.
#define OPENSSL_API_COMPAT 10100
#include "base/sha256.hpp"

#include <openssl/sha.h>

namespace plankeep::base {

std::string sha256_hex(std::string_view bytes) {
  unsigned char digest[SHA256_DIGEST_LENGTH];
  SHA256_CTX context;
  SHA256_Init(&context);
  SHA256_Update(&context, bytes.data(), bytes.size());
  SHA256_Final(digest, &context);
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  text.reserve(sizeof digest * 2);
  for (const unsigned char byte : digest) {
    text.push_back(kDigits[byte >> 4]);
    text.push_back(kDigits[byte & 15]);
  }
  return text;
}

std::string short_checksum(std::string_view bytes) {
  return "sha256:" + sha256_hex(bytes).substr(0, 16);
}

}  // namespace plankeep::base

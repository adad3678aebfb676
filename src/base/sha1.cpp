// The low-level call, for the reason that sha256.cpp gives.
#define OPENSSL_API_COMPAT 10100
#include "base/sha1.hpp"

#include <openssl/sha.h>

#include "base/hex.hpp"

namespace plankeep::base {

struct Sha1::Context {
  SHA_CTX openssl;
};

Sha1::Sha1() : context_(std::make_unique<Context>()) {
  SHA1_Init(&context_->openssl);
}

Sha1::~Sha1() = default;

void Sha1::add(std::string_view bytes) {
  SHA1_Update(&context_->openssl, bytes.data(), bytes.size());
}

std::string Sha1::hex() {
  unsigned char digest[SHA_DIGEST_LENGTH];
  SHA1_Final(digest, &context_->openssl);
  return to_hex(digest);
}

std::string sha1_hex(std::string_view bytes) {
  Sha1 sha1;
  sha1.add(bytes);
  return sha1.hex();
}

}  // namespace plankeep::base

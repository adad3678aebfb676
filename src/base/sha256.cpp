// The low-level SHA256 call is used on purpose: the EVP interface loads providers and reads OpenSSL's
// configuration on the first digest, which costs as much as a whole run of plankeep. It is deprecated in
// OpenSSL 3 but stays part of its interface; OPENSSL_API_COMPAT asks for the 1.1 declarations.
#define OPENSSL_API_COMPAT 10100
#include "base/sha256.hpp"

#include <openssl/sha.h>

#include "base/hex.hpp"

namespace plankeep::base {
namespace {

std::string hex_of(SHA256_CTX& context) {
  unsigned char digest[SHA256_DIGEST_LENGTH];
  SHA256_Final(digest, &context);
  return to_hex(digest);
}

}  // namespace

std::string sha256_hex(std::string_view bytes) {
  SHA256_CTX context;
  SHA256_Init(&context);
  SHA256_Update(&context, bytes.data(), bytes.size());
  return hex_of(context);
}

struct Sha256::Context {
  SHA256_CTX openssl;
};

Sha256::Sha256() : context_(std::make_unique<Context>()) {
  SHA256_Init(&context_->openssl);
}

Sha256::~Sha256() = default;

void Sha256::add(std::string_view bytes) {
  SHA256_Update(&context_->openssl, bytes.data(), bytes.size());
}

std::string Sha256::hex() {
  return hex_of(context_->openssl);
}

std::string short_checksum(std::string_view bytes) {
  return "sha256:" + sha256_hex(bytes).substr(0, 16);
}

}  // namespace plankeep::base

#include "base/sha1.hpp"

#include <rapidcheck.h>

#include <catch2/catch.hpp>

#include "base/hex.hpp"

using namespace plankeep::base;

TEST_CASE("SHA-1 gives the digests of FIPS 180-4") {
  CHECK(sha1_hex("") == "da39a3ee5e6b4b0d3255bfef95601890afd80709");
  CHECK(sha1_hex("abc") == "a9993e364706816aba3e25717850c26c9cd0d89d");
  CHECK(sha1_hex("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq") ==
        "84983e441c3bd26ebaae4aa1f95129e5e54670f1");
  CHECK(sha1_hex(std::string(1000000, 'a')) == "34aa973cd4c4daa4f61eeb2bdbad27316534016f");
}

TEST_CASE("SHA-1 does not see how bytes were cut into pieces") {
  CHECK(rc::check([](const std::string& first, const std::string& second) {
    Sha1 sha1;
    sha1.add(first);
    sha1.add(second);
    RC_ASSERT(sha1.hex() == sha1_hex(first + second));
  }));
}

TEST_CASE("hexadecimal is read back as the bytes it was made of") {
  CHECK(rc::check([](const std::string& bytes) {
    const std::string hex = to_hex({reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size()});
    RC_ASSERT(hex.size() == bytes.size() * 2);
    RC_ASSERT(from_hex(hex) == bytes);
  }));
  CHECK_FALSE(from_hex("0"));
  CHECK_FALSE(from_hex("0G"));
  CHECK_FALSE(from_hex("AB"));
  CHECK(from_hex("") == "");
}

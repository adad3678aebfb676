#include "base/base64.hpp"

#include <catch2/catch.hpp>
#include <string>

namespace plankeep::base {

// The test vectors of RFC 4648, section 10.
TEST_CASE("base64 gives what RFC 4648 says") {
  CHECK(base64("").empty());
  CHECK(base64("f") == "Zg==");
  CHECK(base64("fo") == "Zm8=");
  CHECK(base64("foo") == "Zm9v");
  CHECK(base64("foob") == "Zm9vYg==");
  CHECK(base64("fooba") == "Zm9vYmE=");
  CHECK(base64("foobar") == "Zm9vYmFy");
  CHECK(base64(std::string("\xff\xfe\xfd\x00", 4)) == "//79AA==");
}

}  // namespace plankeep::base

#include "git_objects/loose_object.hpp"

#include <catch2/catch.hpp>
#include <string>

#include "base/hex.hpp"

using namespace plankeep;
using git::read_loose_object;

namespace {

// As git 2.39 writes the file of the blob "hello\n" (ce013625030ba8dba906f756967f9e9ca394464a).
const std::string kHello = base::from_hex("78014bcac94f523063c848cdc9c9e702001dc50414").value_or("");

}  // namespace

TEST_CASE("a loose object is read as git wrote it") {
  const auto read = read_loose_object(kHello, 6);
  REQUIRE(read);
  CHECK(read->kind == git::ObjectKind::blob);
  CHECK(read->bytes == "hello\n");
}

TEST_CASE("a loose object that is larger than the limit is not decompressed") {
  const auto read = read_loose_object(kHello, 5);
  REQUIRE_FALSE(read);
  CHECK(read.error().kind == base::ErrorKind::invalid_input);
}

TEST_CASE("a loose object that is cut is an error at every length") {
  for (std::size_t length = 0; length < kHello.size() - 4; ++length) {
    INFO(length);
    CHECK_FALSE(read_loose_object(kHello.substr(0, length), 100));
  }
}

TEST_CASE("a loose object with any other byte is an error or something else, never a crash") {
  for (std::size_t at = 0; at < kHello.size(); ++at) {
    for (int value = 0; value < 256; ++value) {
      std::string damaged = kHello;
      damaged[at] = static_cast<char>(value);
      const auto read = read_loose_object(damaged, 100);
      if (read) CHECK(read->bytes.size() <= 100);
    }
  }
}

#include "git_objects/pack.hpp"

#include <catch2/catch.hpp>

#include "base/hex.hpp"
#include "base/sha1.hpp"

using namespace plankeep;
using namespace plankeep::git;

TEST_CASE("an object that is added twice is in the pack once") {
  Pack pack(ObjectFormat::sha1);
  const std::string id = pack.add(ObjectKind::blob, "x");
  const std::size_t size = pack.size();
  CHECK(pack.add(ObjectKind::blob, "x") == id);
  CHECK(pack.objects() == 1);
  CHECK(pack.size() == size);
  CHECK(pack.holds(id));
  CHECK(pack.add(ObjectKind::tree, "x") != id);
  CHECK(pack.objects() == 2);
}

TEST_CASE("a pack of one small blob is these bytes") {
  Pack pack(ObjectFormat::sha1);
  pack.add(ObjectKind::blob, "hi\n");
  const std::string stream = std::move(pack).finish();
  const std::string body = stream.substr(0, stream.size() - 20);
  // Header, version 2, one object; a blob of three bytes; stored deflate; Adler-32 of "hi\n".
  const auto expected = base::from_hex(
      "5041434b0000000200000001"
      "33"
      "7801010300fcff68690a"
      "021700dc");
  REQUIRE(expected);
  CHECK(body == *expected);
  CHECK(stream.substr(body.size()) == *base::from_hex(base::sha1_hex(body)));
}

TEST_CASE("an empty pack has a header and a checksum") {
  CHECK(Pack(ObjectFormat::sha1).finish().size() == 32);
  CHECK(Pack(ObjectFormat::sha256).finish().size() == 44);
}

#include "base/checksum_beside.hpp"

#include <catch2/catch.hpp>
#include <string>

#include "base/sha256.hpp"

using plankeep::base::ChecksumBeside;
using plankeep::base::short_checksum;

TEST_CASE("a checksum made beside other work is the checksum, of small and of large texts") {
  for (const std::size_t size : {std::size_t{0}, std::size_t{1}, (std::size_t{1} << 20) - 1,
                                 std::size_t{1} << 20, std::size_t{5} << 20}) {
    const std::string text(size, 'a');
    ChecksumBeside sum(text);
    CHECK(sum.value() == short_checksum(text));
    CHECK(sum.value() == short_checksum(text));
  }
}

TEST_CASE("a checksum that nobody asks for is waited for") {
  const std::string text(std::size_t{2} << 20, 'a');
  { const ChecksumBeside sum(text); }
  CHECK(short_checksum(text) == ChecksumBeside(text).value());
}

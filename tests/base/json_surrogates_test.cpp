#include "base/json_surrogates.hpp"

#include <catch2/catch.hpp>

using plankeep::base::without_lone_surrogates;

TEST_CASE("a lone half of a character becomes U+FFFD, a pair and everything else stays") {
  CHECK(without_lone_surrogates(R"("a\ud83d")") == R"("a\ufffd")");
  CHECK(without_lone_surrogates(R"("\uDE00b\ud83d\ud83d\ude00")") == R"("\ufffdb\ufffd\ud83d\ude00")");
  CHECK_FALSE(without_lone_surrogates(R"("\ud83d\ude00 \u00e9")"));
  CHECK_FALSE(without_lone_surrogates(R"("an escaped backslash: \\ud83d")"));
  CHECK_FALSE(without_lone_surrogates("\\"));
  CHECK_FALSE(without_lone_surrogates("\\ud83"));
  CHECK_FALSE(without_lone_surrogates(""));
}

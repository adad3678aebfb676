#include "base/ulid.hpp"

#include <rapidcheck.h>

#include <catch2/catch.hpp>

using namespace plankeep::base;

namespace {

UlidRandom any_random() {
  return *rc::gen::container<UlidRandom>(rc::gen::arbitrary<std::uint8_t>());
}

Instant any_time() {
  return {*rc::gen::inRange<std::int64_t>(0, kLastUlidMillisecond)};
}

}  // namespace

TEST_CASE("a ULID is what other makers of ULIDs give for the same moment and bytes") {
  CHECK(make_ulid({1700000000000}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}) == "01HF7YAT00000G40R40M30E209");
  // The time of the specification's own example.
  CHECK(make_ulid({1469918176385}, {}).substr(0, 10) == "01ARYZ6S41");
  CHECK(make_ulid({0}, {}) == "00000000000000000000000000");
  UlidRandom ones;
  ones.fill(0xff);
  CHECK(make_ulid({kLastUlidMillisecond}, ones) == "7ZZZZZZZZZZZZZZZZZZZZZZZZZ");
}

TEST_CASE("a moment that no ULID can hold becomes the nearest one") {
  CHECK(make_ulid({-1}, {}) == make_ulid({0}, {}));
  CHECK(make_ulid({kLastUlidMillisecond + 1}, {}) == make_ulid({kLastUlidMillisecond}, {}));
}

TEST_CASE("the time of a ULID is the one it was made with") {
  CHECK(rc::check([] {
    const Instant when = any_time();
    const std::string ulid = make_ulid(when, any_random());
    RC_ASSERT(is_ulid(ulid));
    RC_ASSERT(ulid_time(ulid) == when);
  }));
}

TEST_CASE("ULIDs sort by their time, then by their random bytes") {
  CHECK(rc::check([] {
    const std::pair<Instant, UlidRandom> a{any_time(), any_random()};
    const std::pair<Instant, UlidRandom> b{*rc::gen::element(a.first, any_time()), any_random()};
    RC_ASSERT((make_ulid(a.first, a.second) < make_ulid(b.first, b.second)) == (a < b));
  }));
}

TEST_CASE("what is no ULID has no time") {
  for (const char* text :
       {"", "01HF7YAT00000G40R40M30E20", "01HF7YAT00000G40R40M30E2099", "81HF7YAT00000G40R40M30E209",
        "01hf7yat00000g40r40m30e209", "01HF7YAT00000G40R40M30E20I", "01HF7YAT00000G40R40M30E20U",
        "a1b2c3d4e5f6", "01HF7YAT00000G40R40M30E2\n9"}) {
    INFO(text);
    CHECK_FALSE(is_ulid(text));
    CHECK_FALSE(ulid_time(text));
  }
}

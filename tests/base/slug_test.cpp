#include "base/slug.hpp"

#include <rapidcheck.h>

#include <catch2/catch.hpp>

#include "base/utf8.hpp"
#include "support/hostile_text.hpp"

using namespace plankeep::base;

TEST_CASE("A slug keeps letters, marks and digits in lower case and puts one dash between them") {
  CHECK(slug("Phase 1: Setup", "phase") == "phase-1-setup");
  CHECK(slug("  --Hello,   World!--  ", "task") == "hello-world");
  CHECK(slug("ÄÖÜ straße Ω", "task") == "äöü-straße-ω");
  CHECK(slug("第一阶段：准备 🚀", "phase") == "第一阶段-准备");
  CHECK(slug("Cafe\xcc\x81 au lait", "task") == "cafe\xcc\x81-au-lait");
}

TEST_CASE("A title without letter or digit gets the fallback") {
  CHECK(slug("", "task") == "task");
  CHECK(slug("!!! 🚀 ---", "phase") == "phase");
  CHECK(slug("\xff\xfe", "task") == "task");
}

TEST_CASE("A slug has at most 48 characters and no dash at its end") {
  CHECK(slug(std::string(60, 'a'), "task") == std::string(48, 'a'));
  CHECK(slug(std::string(47, 'a') + " b", "task") == std::string(47, 'a'));
  CHECK(slug(std::string(46, 'a') + " bc", "task") == std::string(46, 'a') + "-b");
  CHECK(slug(std::string(48, 'a') + " b", "task") == std::string(48, 'a'));
}

TEST_CASE("a variation selector goes with the character that it belongs to") {
  CHECK(slug("Tests \xE2\x9A\xA0\xEF\xB8\x8F", "x") == "tests");
  CHECK(slug("\xEF\xB8\x8F Tests", "x") == "tests");
  CHECK(slug("\xE2\x9A\xA0\xEF\xB8\x8F", "x") == "x");
  // On a kept character it stays: it may tell two names apart.
  CHECK(slug("\xE8\x91\x9B\xF3\xA0\x84\x80", "x") == "\xE8\x91\x9B\xF3\xA0\x84\x80");
}

TEST_CASE("Every slug is made of word characters with single dashes inside, and is its own slug") {
  CHECK(rc::check("slugs", [] {
    const std::string title = plankeep::test::hostile_text() + plankeep::test::hostile_bytes();
    const std::string result = slug(title, "task");
    RC_ASSERT(find_invalid_utf8(result) == std::string_view::npos);
    RC_ASSERT(!result.empty() && result.front() != '-' && result.back() != '-');
    RC_ASSERT(result.find("--") == std::string::npos);
    std::size_t characters = 0;
    for (std::size_t at = 0; at < result.size(); ++characters) {
      const CodePoint next = decode_at(result, at);
      RC_ASSERT(next.value == U'-' || is_word_character(next.value));
      at += next.length;
    }
    RC_ASSERT(characters <= 48U);
    RC_ASSERT(slug(result, "task") == result);
  }));
}

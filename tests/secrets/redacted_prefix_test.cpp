#include "secrets/redacted_prefix.hpp"

#include <rapidcheck.h>

#include <catch2/catch.hpp>

#include "secrets/redactor.hpp"

using namespace plankeep::secrets;

namespace {

std::string rules_now() {
  return Redactor::standard().finder().fingerprint();
}

}  // namespace

TEST_CASE("a prefix holds for a text that only grew, with the same rules") {
  const std::string text = "{\"a\":1}\n{\"b\":2}\n{\"to";
  const RedactedPrefix prefix = prefix_of(text, rules_now(), {std::string(40, 'a')});
  CHECK(prefix.bytes == 16);
  CHECK(still_holds(prefix, text, rules_now()));
  CHECK(still_holds(prefix, text + "rn\":3}\n", rules_now()));
  CHECK_FALSE(still_holds(prefix, "{\"a\":7}\n{\"b\":2}\n", rules_now()));
  CHECK_FALSE(still_holds(prefix, text.substr(0, 15), rules_now()));
  CHECK_FALSE(still_holds(prefix, text, std::string(64, '0')));
  CHECK_FALSE(still_holds(prefix_of("no line end", rules_now(), {}), "no line end\n", rules_now()));
}

TEST_CASE("what is written of a prefix is read again, and nothing else is") {
  const RedactedPrefix prefix =
      prefix_of("a\nb\n", rules_now(), {std::string(40, 'a'), std::string(64, 'b')});
  const std::string text = prefix_text(prefix);
  CHECK(text.find("\"a\\n") == std::string::npos);
  CHECK(read_prefix(text) == prefix);
  for (std::size_t cut = 0; cut + 2 < text.size(); ++cut) CHECK_FALSE(read_prefix(text.substr(0, cut)));
  for (const char* bad : {"", "[]", "{}", "null", "{\"version\":2}",
                          "{\"version\":1,\"bytes\":1,\"sha256\":\"x\",\"rules\":\"y\"}"})
    CHECK_FALSE(read_prefix(bad));
  std::string other = text;
  other.replace(other.find("\"version\":1"), 11, "\"version\":2");
  CHECK_FALSE(read_prefix(other));
}

TEST_CASE("redacting what was appended gives what redacting everything gives") {
  const std::string secret = "ghp_" + std::string(18, 'a') + "1B3d5F7h9J2l4N6p8R";
  CHECK(rc::check([&] {
    std::string text;
    std::vector<std::size_t> ends{0};
    const int count = *rc::gen::inRange(1, 12);
    for (int i = 0; i < count; ++i) {
      text += *rc::gen::element<std::string>("{\"text\":\"" + secret + "\"}\n", "plain " + secret + "\r\n",
                                             "{\"n\":1}\n", "\n", "{\"password\":\"correct horse\"}\n",
                                             "{\"a\":\"token = \\\"abcd1234\\\"\"}\n");
      ends.push_back(text.size());
    }
    const Redactor& redactor = Redactor::standard();
    const std::string whole = redactor.json_lines(text).text();
    const std::size_t at = ends[*rc::gen::inRange<std::size_t>(0, ends.size())];
    RC_ASSERT(redactor.json_lines(text.substr(0, at)).text() + redactor.json_lines(text.substr(at)).text() ==
              whole);
    RC_ASSERT(whole.find(secret) == std::string::npos);
  }));
}

#include "secrets/known_secrets.hpp"

#include <rapidcheck.h>

#include <catch2/catch.hpp>
#include <string>
#include <vector>

using namespace plankeep::secrets;

namespace {

// Put together here, never written out, as in secrets_test.
std::string token(std::size_t count) {
  const std::string all = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
  std::string text;
  for (unsigned seed = 7; text.size() < count;) {
    seed = seed * 1664525u + 1013904223u;
    text += all[(seed >> 16) % all.size()];
  }
  return text;
}

const std::vector<std::string>& pieces() {
  static const std::vector<std::string> all{"- [ ] Draw the map <!-- TASK: map -->",
                                            "\n",
                                            "\n",
                                            "\n\n",
                                            "\r\n",
                                            " ",
                                            "ghp_",
                                            token(36),
                                            "ghp_" + token(36),
                                            token(40),
                                            "password",
                                            "Authorization",
                                            ": ",
                                            "Bearer " + token(30),
                                            "=",
                                            "\"",
                                            ",",
                                            "h1:",
                                            "sha256-",
                                            "token = \"",
                                            "--password ",
                                            "curl -u kim:",
                                            "\x1b[1m",
                                            "+",
                                            "**",
                                            "https://kim:",
                                            "@example.org",
                                            "-----BEGIN ",
                                            "RSA PRIVATE KEY-----\n",
                                            token(64),
                                            "-----END RSA PRIVATE KEY-----",
                                            std::string(17'000, 'w'),
                                            std::string(16'384, ' ')};
  return all;
}

std::string some_text() {
  std::string text;
  const auto count = *rc::gen::inRange<std::size_t>(0, 12);
  for (std::size_t i = 0; i < count; ++i) text += *rc::gen::elementOf(pieces());
  return text;
}

bool same(const std::vector<Region>& a, const std::vector<Region>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Region& one, const Region& other) {
    return one.begin == other.begin && one.end == other.end && one.rule == other.rule;
  });
}

// Changes a text again and again; after each change the two must agree.
void edit_and_compare(const SecretFinder& finder) {
  KnownSecrets known;
  std::string text = some_text();
  RC_ASSERT(same(known.find(finder, text), finder.find(text)));
  const auto edits = *rc::gen::inRange<std::size_t>(1, 8);
  for (std::size_t i = 0; i < edits; ++i) {
    const auto begin = *rc::gen::inRange<std::size_t>(0, text.size() + 1);
    const auto length = *rc::gen::inRange<std::size_t>(0, 60);
    text.replace(begin, std::min(length, text.size() - begin), some_text());
    RC_ASSERT(same(known.find(finder, text), finder.find(text)));
  }
}

SecretFinder finder_with(FinderOptions options) {
  auto made = SecretFinder::make(std::move(options));
  if (!made) FAIL(made.error().message);
  return std::move(*made);
}

}  // namespace

TEST_CASE("what is known of a text that changes is what a search of the whole text finds") {
  const SecretFinder finder = finder_with({});
  CHECK(rc::check("known secrets", [&] { edit_and_compare(finder); }));
  FinderOptions options;
  options.personal = true;
  const SecretFinder personal = finder_with(std::move(options));
  CHECK(rc::check("with personal data", [&] { edit_and_compare(personal); }));
}

TEST_CASE("a custom rule with a keyword over two lines is found as in a search of the whole text") {
  FinderOptions options;
  CustomRule rule;
  rule.id = "two-lines";
  rule.pattern = "ab+c";
  rule.keywords = {"c\nsecret"};
  options.custom.push_back(rule);
  const SecretFinder finder = finder_with(std::move(options));
  KnownSecrets known;
  CHECK(known.find(finder, "abbc\nsecre\n").empty());
  CHECK(known.find(finder, "abbc\nsecret\n").size() == 1);
}

TEST_CASE("a secret moves with the lines above it, and is gone with its line") {
  const SecretFinder finder = finder_with({});
  const std::string line = "- [ ] Use ghp_" + token(36) + "\n";
  KnownSecrets known;
  REQUIRE(known.find(finder, line).size() == 1);
  const Region first = known.find(finder, line).front();
  const std::vector<Region> moved = known.find(finder, "One more\n" + line);
  REQUIRE(moved.size() == 1);
  CHECK(moved.front().begin == first.begin + 9);
  CHECK(known.find(finder, "One more\n").empty());
}

TEST_CASE("a colon or comma on the next line does not make a value a secret") {
  const SecretFinder finder = finder_with({});
  const std::string line = "authorization\n";
  KnownSecrets known;
  CHECK(known.find(finder, line + "xyz1\n").empty());
  CHECK(known.find(finder, line + ": xyz1\n").empty());
  CHECK(finder.find(line + ": xyz1\n").empty());
  CHECK(finder.find("authorization : xyz1\n").size() == 1);

  const std::string argument = "set(\"password\"\n";
  CHECK(known.find(finder, argument + "x\n").empty());
  CHECK(known.find(finder, argument + ", \"hunter2abc\")\n").empty());
  CHECK(finder.find(argument + ", \"hunter2abc\")\n").empty());
  CHECK(finder.find("set(\"password\", \"hunter2abc\")\n").size() == 1);
}

#include "base/redact.hpp"

#include <rapidcheck.h>

#include <catch2/catch.hpp>
#include <chrono>
#include <vector>

#include "support/hostile_text.hpp"

using namespace plankeep;
using core::redact;

namespace {

std::string repeated(std::string_view text, std::size_t count) {
  std::string out;
  for (std::size_t i = 0; i < count; ++i) out += text;
  return out;
}

// In pieces, so that nobody who looks for keys in sources finds one here.
std::string key(std::string_view prefix, std::size_t length) {
  std::string made(prefix);
  for (std::size_t i = 0; i < length; ++i) made += "A1b2C3d4E5"[i % 10];
  return made;
}

}  // namespace

TEST_CASE("keys of providers are taken out wherever they stand") {
  const std::vector<std::string> keys{"AKIA" + std::string(16, 'Q'),
                                      "ASIA" + std::string(16, '7'),
                                      key("ghp_", 36),
                                      key("gho_", 36),
                                      key("ghs_", 36),
                                      key("github_pat_", 60),
                                      key("sk-", 48),
                                      key("sk-ant-api03-", 80),
                                      key("sk-proj-", 60),
                                      key("xoxb-", 40),
                                      key("AIza", 35),
                                      key("sk_live_", 24),
                                      key("rk_live_", 24),
                                      key("glpat-", 20),
                                      key("npm_", 36),
                                      key("eyJ", 20) + "." + key("eyJ", 40) + "." + key("", 43)};
  for (const std::string& one : keys) {
    CAPTURE(one);
    CHECK(redact(one) == "[redacted]");
    CHECK(redact("curl -d '" + one + "' x") == "curl -d '[redacted]' x");
    CHECK(redact("(" + one + ")\n" + one + "\n") == "([redacted])\n[redacted]\n");
  }
}

TEST_CASE("a private key goes, its title stays") {
  const std::string begin = "-----BEGIN OPENSSH PRIVATE KEY-----";
  const std::string end = "-----END OPENSSH PRIVATE KEY-----";
  CHECK(redact("a\n" + begin + "\nb3Blbn\nNz\n" + end + "\nb") == "a\n" + begin + "[redacted]" + end + "\nb");
  CHECK(redact(begin + "\nb3Blbn") == begin + "[redacted]");
  CHECK(redact("-----BEGIN CERTIFICATE-----\nMIIB\n") == "-----BEGIN CERTIFICATE-----\nMIIB\n");
}

TEST_CASE("values that are named as secrets are taken out") {
  const std::vector<std::pair<std::string, std::string>> examples{
      {"curl -H 'Authorization: Bearer abc.def'", "curl -H 'Authorization: Bearer [redacted]'"},
      {"Authorization: Basic dXNlcjpwdw==", "Authorization: Basic [redacted]"},
      {"authorization:xyz next", "authorization:[redacted] next"},
      {"\"Authorization\": \"token xyz\"", "\"Authorization\": \"token [redacted]\""},
      {"bearer a1b2c3d4e5", "bearer [redacted]"},
      {"tool --token abc --dry-run", "tool --token [redacted] --dry-run"},
      {"tool --token=abc", "tool --token=[redacted]"},
      {"tool --api-key \"a b\" x", "tool --api-key \"[redacted]\" x"},
      {"mysql --password='hunter 2'", "mysql --password='[redacted]'"},
      {"PASSWORD=hunter2 make", "PASSWORD=[redacted] make"},
      {"export DB_PASSWORD=\"x y\"", "export DB_PASSWORD=\"[redacted]\""},
      {"AWS_SECRET_ACCESS_KEY=wJalr/x", "AWS_SECRET_ACCESS_KEY=[redacted]"},
      {"GITHUB_TOKEN=abc;ls", "GITHUB_TOKEN=[redacted];ls"},
      {"{\"password\": \"p\", \"user\": \"u\"}", "{\"password\": \"[redacted]\", \"user\": \"u\"}"},
      {"-H X-Api-Key:abc123", "-H X-Api-Key:[redacted]"},
      {"git clone https://me:s3cret@host/x", "git clone https://me:[redacted]@host/x"},
      {"url?access_token=abc&x=1", "url?access_token=[redacted]&x=1"},
  };
  for (const auto& [text, expected] : examples) {
    CHECK(redact(text) == expected);
    CHECK(redact(expected) == expected);
  }
}

TEST_CASE("what gives nothing away stays") {
  const std::vector<std::string> texts{
      "",
      "0123456789abcdef0123456789abcdef01234567",
      "sha256:0123456789abcdef",
      "f47ac10b-58cc-4372-a567-0e02b2c3d479",
      "cp_0a1b2c_001 T004 US-001 1.2.3",
      "toolu_01A09q90qw90lq917835lq9",
      "pip install sk-learn-contrib-and-more-words",
      "task-based-planning",
      "the bearer of good news",
      "Bearer tokens expire",
      "--token $GITHUB_TOKEN",
      "PASSWORD=${PW} make",
      "max_tokens=4096",
      "token=true",
      "if (token == other)",
      "password: required",
      "--token --verbose",
      "ghp_short AKIA npm_install eyJ eyJabc.d",
      "https://host:8080/a@b",
      "https://github.com/a/b",
      "ssh-keygen -t ed25519 -f ~/.ssh/id_ed25519",
      "secrets are kept in the vault",
      "fix(token): rename",
  };
  for (const std::string& text : texts) CHECK(redact(text) == text);
}

TEST_CASE("any text comes through, and a second time nothing changes") {
  CHECK(rc::check("redact", [] {
    const std::string text =
        test::hostile_text() +
        *rc::gen::element<std::string>("--token ", "password=", "eyJ", "://a:", "sk-", "") +
        test::hostile_text();
    const std::string once = redact(text);
    RC_ASSERT(redact(once) == once);
  }));
}

TEST_CASE("the time is linear in the text") {
  for (const char* piece : {"sk-", "eyJ", "eyJaaaaaaaaaa.", "-----BEGIN PRIVATE KEY-----", "://a:", "token=",
                            "--token ", "bearer ", "a-", "\"password\": \"", "authorization: "}) {
    CAPTURE(piece);
    const std::string text = repeated(piece, (std::size_t{1} << 20) / std::string_view(piece).size());
    const auto begin = std::chrono::steady_clock::now();
    (void)redact(text);
    CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(5));
  }
}

// Secrets are put together here, never written out: nobody's scanner need look at this file twice.

#include <rapidcheck.h>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "secrets/redactor.hpp"

using namespace plankeep::secrets;

namespace {

const Redactor& redactor() {
  static const Redactor made = [] {
    auto made_now = Redactor::make({});
    if (!made_now) FAIL(made_now.error().message);
    return std::move(*made_now);
  }();
  return made;
}

constexpr const char* kAlnum = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
constexpr const char* kLowerHex = "0123456789abcdef";
constexpr const char* kBase32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
constexpr const char* kLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

// The same for the same seed; the letters of the alphabet in an order that looks random.
std::string letters(std::size_t count, const char* alphabet, unsigned seed = 7) {
  const std::string all(alphabet);
  std::string text;
  while (text.size() < count) {
    seed = seed * 1664525u + 1013904223u;
    text += all[(seed >> 16) % all.size()];
  }
  return text;
}

struct Planted {
  const char* rule;
  std::string secret;
};

std::vector<Planted> planted() {
  const auto a = [](std::size_t n) { return letters(n, kAlnum); };
  const auto h = [](std::size_t n) { return letters(n, kLowerHex); };
  return {
      {"github-token", "ghp_" + a(36)},
      {"github-token", "ghs_" + a(36)},
      {"github-fine-grained", "github_pat_" + a(22) + "_" + a(59)},
      {"gitlab-token", "glpat-" + a(20)},
      {"aws-access-key", "AKIA" + letters(16, kBase32)},
      {"google-api-key", "AIza" + a(35)},
      {"google-oauth", "ya29." + a(60)},
      {"anthropic-key", "sk-ant-api03-" + a(93) + "AA"},
      {"openai-key", "sk-" + a(20) + "T3BlbkFJ" + a(20)},
      {"openai-project-key", "sk-proj-" + a(60)},
      {"slack-token", "xoxb-" + letters(11, "123456789") + "-" + a(24)},
      {"slack-app-token", "xapp-1-" + a(11) + "-" + a(40)},
      {"slack-webhook", "hooks.slack.com/services/T" + a(8) + "/B" + a(8) + "/" + a(24)},
      {"stripe-key", "sk_live_" + a(24)},
      {"npm-token", "npm_" + a(36)},
      {"pypi-token", "pypi-AgEIcHlwaS5vcmc" + a(80)},
      {"rubygems-key", "rubygems_" + h(48)},
      {"hugging-face-token", "hf_" + letters(34, kLetters)},
      {"sendgrid-key", "SG." + a(22) + "." + a(43)},
      {"twilio-key", "SK" + h(32)},
      {"databricks-token", "dapi" + h(32)},
      {"digitalocean-token", "dop_v1_" + h(64)},
      {"doppler-token", "dp.pt." + a(43)},
      {"vault-token", "hvs." + a(90)},
      {"terraform-token", a(14) + ".atlasv1." + a(67)},
      {"azure-client-secret", a(3) + "8Q~" + a(34)},
      {"cloudflare-origin-key", "v1.0-" + h(24) + "-" + h(146)},
      {"fly-token", "fo1_" + a(43)},
      {"grafana-token", "glsa_" + a(32) + "_" + h(8)},
      {"linear-key", "lin_api_" + a(40)},
      {"notion-token", "ntn_" + a(46)},
      {"postman-key", "PMAK-" + h(24) + "-" + h(34)},
      {"pulumi-token", "pul-" + h(40)},
      {"sentry-token", "sntryu_" + h(64)},
      {"shopify-token", "shpat_" + h(32)},
      {"square-token", "sq0atp-" + a(22)},
      {"supabase-key", "sbp_" + h(40)},
      {"age-key", "AGE-SECRET-KEY-1" + letters(58, "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L")},
      {"perplexity-key", "pplx-" + a(48)},
      {"planetscale-token", "pscale_tkn_" + a(43)},
      {"telegram-bot-token", letters(9, "123456789") + ":A" + a(34)},
      {"json-web-token", "eyJhbGciOiJIUzI1NiJ9" + a(4) + ".eyJzdWIiOiIx" + a(20) + "." + a(43)},
      {"random-text", a(40)},
  };
}

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("every vendor's token is found in plain text, in quotes and in a URL") {
  for (const Planted& one : planted()) {
    INFO(one.rule);
    for (const std::string& around : {std::string("use @ now"), std::string("x = \"@\";"), std::string("(@)"),
                                      std::string("- @\n- next")}) {
      std::string text = around;
      text.replace(text.find('@'), 1, one.secret);
      const Redacted redacted = redactor().plain(text);
      CHECK_FALSE(holds(redacted.text(), one.secret));
      CHECK(redacted.report().total() == 1);
      std::string wanted = around;
      wanted.replace(wanted.find('@'), 1, "REDACTED");
      if (std::string(one.rule) != "slack-webhook") CHECK(redacted.text() == wanted);
    }
    const Redacted alone = redactor().plain(one.secret + " ");
    REQUIRE(alone.report().findings.size() == 1);
    CHECK(alone.report().findings.begin()->first == one.rule);
  }
}

TEST_CASE("what only looks like a secret stays") {
  const std::string kept[] = {
      "commit " + letters(40, kLowerHex) + " and sha256:" + letters(64, kLowerHex),
      "session 123e4567-e89b-12d3-a456-426614174000",
      "\"integrity\": \"sha512-" + letters(86, kAlnum) + "==\"",
      "toolu_" + letters(24, kAlnum),
      "AKIA" + letters(9, kBase32) + "EXAMPLE",
      "password: string;  token?: string",
      "const password = getPassword(user)",
      "--password \"$DB_PASSWORD\" --token ${TOKEN}",
      "postgres://user:${PASSWORD}@db/app and https://user@host/path",
      "API_KEY=<your key> SECRET=changeme TOKEN=xxxxxxxx",
      "a_very_long_name_of_a_function_that_does_something_useful",
      "src/components/authentication/PasswordResetTokenService.java",
      "The token is checked, then the secret is read.",
      "01ARZ3NDEKTSV4RRFFQ69G5FAV",
      "- [ ] T001 Rotate the API key: see the runbook",
  };
  for (const std::string& text : kept) CHECK(redactor().plain(text).text() == text);
}

TEST_CASE("a value is taken out where its name or place says that it is a secret") {
  const std::pair<const char*, const char*> rows[] = {
      {"postgres://admin:hunter2@db:5432/app", "postgres://admin:REDACTED@db:5432/app"},
      {"curl -u kim:hunter2 https://x.org", "curl -u kim:REDACTED https://x.org"},
      {"DB_PASSWORD=hunter2!", "DB_PASSWORD=REDACTED"},
      {"password = 'correct horse'", "password = 'REDACTED'"},
      {"password = 'correcthorse'", "password = 'REDACTED'"},
      {"{\"apiKey\": \"abc1234\"}", "{\"apiKey\": \"REDACTED\"}"},
      {"Authorization: Bearer abc.def.ghi", "Authorization: Bearer REDACTED"},
      {"Cookie: session=abcdef; theme=dark", "Cookie: REDACTED"},
      {"deploy --api-key abc123def --force", "deploy --api-key REDACTED --force"},
      {"  secret_key: s3cr3tvalue", "  secret_key: REDACTED"},
      {"Server=db;User=sa;Password=p4ssw0rd;Database=x", "Server=db;User=sa;Password=REDACTED;Database=x"},
  };
  for (const auto& [text, wanted] : rows) CHECK(redactor().plain(text).text() == wanted);
}

TEST_CASE("a private key goes whole, over lines, in JSON and cut off") {
  const std::string body =
      letters(64, kAlnum) + "\n" + letters(64, kAlnum) + "\n" + letters(20, kAlnum) + "=\n";
  const std::string begin =
      "-----BEGIN RSA "
      "PRIVATE KEY-----\n";
  const std::string end =
      "-----END RSA "
      "PRIVATE KEY-----";
  CHECK(redactor().plain("a\n" + begin + body + end + "\nb").text() == "a\nREDACTED\nb");
  CHECK(redactor().plain("a\n" + begin + body).text() == "a\nREDACTED\n");
  const std::string json = nlohmann::json{{"text", "k: " + begin + body + end}}.dump();
  CHECK(redactor().json(json).text() == "{\"text\":\"k: REDACTED\"}");
}

TEST_CASE("no spelling of an escape hides a secret, and no other byte changes") {
  const std::string secret = "ghp_" + letters(36, kAlnum);
  std::string escaped = "\\u0067\\u0068p_" + secret.substr(4);
  CHECK(redactor().json_lines("{\"a\":\"" + escaped + "\"}\n").text() == "{\"a\":\"REDACTED\"}\n");
  const std::string line = "{ \"n\" : 1.0e3, \"x\":\"a\\/b\", \"t\" : \"see " + secret + "\\n\" }\r\n";
  CHECK(redactor().json_lines(line).text() ==
        "{ \"n\" : 1.0e3, \"x\":\"a\\/b\", \"t\" : \"see REDACTED\\n\" }\r\n");
  const std::string nested =
      nlohmann::json{{"a", nlohmann::json{{"password", "hunter2!"}, {"b", escaped}}.dump()}}.dump();
  const std::string out = redactor().json(nested).text();
  CHECK_FALSE(holds(out, "hunter2"));
  const std::string deep = "{\"a\":\"{\\\"b\\\":\\\"\\\\u0067hp_" + secret.substr(4) + "\\\"}\"}";
  CHECK_FALSE(holds(redactor().json(deep).text(), secret.substr(10)));
  CHECK(redactor().json_lines("no json " + secret + "\n{\"a\":1}\n").text() ==
        "no json REDACTED\n{\"a\":1}\n");
}

TEST_CASE("what becomes JSON without its secrets is read as JSON") {
  // A NUL in a string is none of JSON's.
  const std::string line =
      std::string("{\"a\":\"token = 'ab") + '\0' + "cd'\",\"b\":\"\\u0070assword=hunter22\"}";
  const std::string once = redactor().json_lines(line).text();
  CHECK(once == "{\"a\":\"token = 'REDACTED'\",\"b\":\"password=REDACTED\"}");
  CHECK(redactor().json_lines(once).text() == once);
  CHECK(redactor().json(line).text() == once);
}

TEST_CASE("ids and paths are spared, but no token in them, and pictures lose their data") {
  const std::string random = letters(40, kAlnum);
  const std::string token = "npm_" + letters(36, kAlnum);
  CHECK(redactor().json("{\"uuid\":\"" + random + "\"}").text() == "{\"uuid\":\"" + random + "\"}");
  CHECK(redactor().json("{\"parentId\":\"" + random + "\"}").text() == "{\"parentId\":\"" + random + "\"}");
  CHECK(redactor().json("{\"file_path\":\"/tmp/" + token + "\"}").text() ==
        "{\"file_path\":\"/tmp/REDACTED\"}");
  const std::string data = letters(400, kAlnum);
  const std::string picture = "{\"type\":\"image\",\"source\":{\"media_type\":\"image/png\",\"data\":\"" +
                              data + "\",\"type\":\"base64\"}}";
  const Redacted redacted = redactor().json(picture);
  CHECK(redacted.text() ==
        "{\"type\":\"image\",\"source\":{\"media_type\":\"image/"
        "png\",\"data\":\"REDACTED\",\"type\":\"base64\"}}");
  CHECK(redacted.report().pictures == 1);
}

TEST_CASE("a token goes where it is a key of JSON as well, and other keys stay") {
  const std::string token = "ghp_" + letters(36, kAlnum);
  CHECK(redactor()
            .json_lines("{ \"a\":1, \"" + token + "\" : {\"\\u0067hp_" + token.substr(4) + "\":\"yes\"}}\n")
            .text() == "{ \"a\":1, \"REDACTED\" : {\"REDACTED\":\"yes\"}}\n");
  const std::string keys = "{\"" + letters(40, kAlnum) + "\":1,\"password=swordfish\":2,\"" +
                           letters(90, kLowerHex) + "\":\"b\",\"type\":\"image\"}";
  CHECK(redactor().json(keys).text() == keys);
}

TEST_CASE("a user's rule is looked for as well, and one that is no pattern is refused") {
  CustomRule rule;
  rule.id = "ticket";
  rule.pattern = "ACME-([0-9]{4})";
  rule.group = 1;
  RedactorOptions options;
  options.finder.custom = {rule};
  options.finder.personal = true;
  const auto made = Redactor::make(options);
  REQUIRE(made);
  CHECK(made->plain("ACME-1234 by kim@example.org").text() == "ACME-REDACTED by [REDACTED_EMAIL]");
  CHECK(redactor().plain("ACME-1234 by kim@example.org").text() == "ACME-1234 by kim@example.org");
  CHECK(made->finder().fingerprint() != redactor().finder().fingerprint());
  for (const char* bad : {"(", "a(?=b)"}) {
    rule.pattern = bad;
    options.finder.custom = {rule};
    const auto refused = Redactor::make(options);
    REQUIRE_FALSE(refused);
    CHECK(refused.error().message.find("ticket") != std::string::npos);
  }
}

TEST_CASE("redacting twice is redacting once, and what was planted is gone") {
  CHECK(rc::check([] {
    const auto secrets = planted();
    const auto pieces = *rc::gen::container<std::vector<std::string>>(rc::gen::element<std::string>(
        "a", " ", "=", "\"", "token: ", "password=", "://u:", "@h", "\n", "-", "x1", "'", "key", "\\", "+",
        "**", "`", ": ", "\x1b[1m", "\x1b[", "a.c:3:", "\u2192", "[", "password: str = "));
    std::string text;
    std::vector<std::string> used;
    for (const std::string& piece : pieces) {
      text += piece;
      if (*rc::gen::inRange(0, 3) != 0) continue;
      const std::string& secret = secrets[*rc::gen::inRange<std::size_t>(0, secrets.size())].secret;
      text += " " + secret + " ";
      used.push_back(secret);
    }
    const std::string once = redactor().plain(text).text();
    for (const std::string& secret : used) RC_ASSERT(once.find(secret) == std::string::npos);
    RC_ASSERT(redactor().plain(once).text() == once);
    RC_ASSERT(redactor().finder().find(once).empty());
    const std::string json = nlohmann::json{{"text", text}, {"n", 1}}.dump() + "\n";
    const std::string lines = redactor().json_lines(json + json).text();
    RC_ASSERT(lines == redactor().json_lines(json).text() + redactor().json_lines(json).text());
    RC_ASSERT(nlohmann::json::accept(lines.substr(0, lines.find('\n'))));
    for (const std::string& secret : used) RC_ASSERT(lines.find(secret) == std::string::npos);
    RC_ASSERT(redactor().json_lines(lines).text() == lines);
  }));
}

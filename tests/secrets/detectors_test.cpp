// The parts that find: keywords, places in long lines, random text, private keys, names with values.

#include <rapidcheck.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <set>

#include "base/utf8.hpp"
#include "secrets/keywords.hpp"
#include "secrets/random_text.hpp"
#include "secrets/redactor.hpp"
#include "support/hostile_text.hpp"

using namespace plankeep;
using namespace plankeep::secrets;

namespace {

// Looks random, and is the same in every run.
std::string characters(std::size_t count, unsigned seed = 11) {
  constexpr std::string_view kAll = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
  std::string text;
  while (text.size() < count) {
    seed = seed * 1664525u + 1013904223u;
    text += kAll[(seed >> 16) % kAll.size()];
  }
  return text;
}

std::string repeated(std::string_view text, std::size_t count) {
  std::string out;
  for (std::size_t i = 0; i < count; ++i) out += text;
  return out;
}

}  // namespace

TEST_CASE("every built-in pattern compiles") {
  CHECK(Redactor::standard().finder().compile_all());
  RedactorOptions options;
  options.finder.personal = true;
  const auto made = Redactor::make(options);
  REQUIRE(made);
  CHECK(made->finder().compile_all());
  std::set<std::string_view> ids;
  for (const Rule& rule : made->finder().rules()) CHECK(ids.insert(rule.id).second);
}

TEST_CASE("keywords are found as looking at each place finds them") {
  CHECK(rc::check([] {
    const auto letters = rc::gen::container<std::string>(rc::gen::element('a', 'b', 'A', 'B', '_', '-', '1'));
    std::vector<std::pair<std::string, bool>> words;
    const int count = *rc::gen::inRange(1, 8);
    for (int i = 0; i < count; ++i) {
      std::string word = *letters;
      if (word.size() >= Keywords::kShortest)
        words.emplace_back(word.substr(0, 4), *rc::gen::arbitrary<bool>());
    }
    Keywords keywords;
    for (std::size_t i = 0; i < words.size(); ++i) keywords.add(words[i].first, words[i].second, i);
    keywords.finish();
    const std::string text = *letters + *letters;
    std::multiset<std::pair<std::size_t, std::size_t>> found;
    keywords.each(text, 0, text.size(), [&](std::size_t rule, std::size_t at, std::size_t length) {
      RC_ASSERT(length == words[rule].first.size());
      found.emplace(at, rule);
    });
    std::multiset<std::pair<std::size_t, std::size_t>> expected;
    for (std::size_t at = 0; at < text.size(); ++at) {
      for (std::size_t i = 0; i < words.size(); ++i) {
        const auto& [word, exact] = words[i];
        const std::string here = text.substr(at, word.size());
        const bool inside = at > 0 && (std::isalnum(text[at - 1]) != 0 || text[at - 1] == '_');
        if (exact ? here == word && !inside : base::to_lower(here) == base::to_lower(word))
          expected.emplace(at, i);
      }
    }
    RC_ASSERT(found == expected);
  }));
}

TEST_CASE("a secret anywhere in a line of a megabyte is found, however long it is") {
  const std::string token = "ghp_" + characters(36);
  const std::string longer = "sk-ant-api03-" + characters(60000);
  for (const std::size_t before : {0u, 1u, 1023u, 8192u, 16383u, 16384u, 16385u, 300000u}) {
    for (const std::string& secret : {token, longer}) {
      CAPTURE(before, secret.size());
      const std::string text = std::string(before, '.') + " " + secret + " " + std::string(before, ',') +
                               " " + secret + " " + std::string(700000, '.');
      CHECK(redact(text) == std::string(before, '.') + " REDACTED " + std::string(before, ',') +
                                " REDACTED " + std::string(700000, '.'));
    }
  }
}

// A search without bounds would look at each megabyte a hundred thousand times, and the test would not end.
TEST_CASE("a megabyte of unfinished secrets is searched in one pass") {
  for (const char* piece :
       {"ghp_", "sk-", "eyJ", "eyJaaaaaaaaaaaaaaa.", "-----BEGIN PRIVATE KEY-----", "://a:", "://a:b@",
        "token=", "--token ", "bearer ", "a-", "password: \"", "authorization: ", "-u a:", "a:b@c ",
        "token: ", "cookie: a=", "A1b2C3d4E5f6G7h8I9"}) {
    CAPTURE(piece);
    const std::string text = repeated(piece, (std::size_t{1} << 20) / std::string_view(piece).size());
    CHECK_FALSE(redact(text).empty());
  }
}

TEST_CASE("many threads give what one gives") {
  std::string text;
  for (int i = 0; text.size() < (std::size_t{3} << 20); ++i) {
    text += "{\"n\":" + std::to_string(i) + ",\"t\":\"" + characters(static_cast<std::size_t>(i % 90)) +
            " ghp_" + characters(36, static_cast<unsigned>(i)) + "\"}\n";
  }
  std::string one_by_one;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at) + 1;
    one_by_one += Redactor::standard().json_lines(text.substr(at, end - at)).text();
    at = end;
  }
  const Redacted whole = Redactor::standard().json_lines(text);
  CHECK(whole.text() == one_by_one);
  CHECK(whole.report().total() > 1000);
}

TEST_CASE("random text is found, but no ids, checksums and words") {
  const auto is_random = [](const std::string& text) { return next_random(text, 0).has_value(); };
  CHECK(is_random(characters(40)));
  CHECK(is_random("x " + characters(40, 3) + " y"));
  for (const std::string& text : std::vector<std::string>{
           "", characters(22), repeated("a1B2", 20), "createsTheOrderWithManyDifferentLettersQuickly",
           "the_quick_brown_fox_jumps_over_the_lazy_dog_1234", "THE-QUICK-BROWN-FOX-JUMPS-OVER-LAZY-DOGS",
           "0123456789abcdef0123456789ABCDEF01234567",
           "sha512-" + characters(60) + "/" + characters(30) + "==",
           "golang.org/x/mod v0.1 h1:" + characters(43) + "=", "SHA256:" + characters(43),
           "msg_" + characters(24), "01ARZ3NDEKTSV4RRFFQ69G5FAV"}) {
    CAPTURE(text);
    CHECK_FALSE(is_random(text));
  }
}

TEST_CASE("a private key is found with what tools put around its lines") {
  const std::string dashes = "-----";
  const std::string begin = dashes + "BEGIN EC PRIVATE KEY" + dashes;
  const std::string end = dashes + "END EC PRIVATE KEY" + dashes;
  const std::string a = characters(64);
  const std::string b = characters(64, 5);
  for (const std::string feed :
       {"\n", "\r\n", "\n+", "\n    12\xe2\x86\x92", "\\n", "\\\\n", "\",\n  \"", "\n> "}) {
    CAPTURE(feed);
    std::string key = begin;
    for (const std::string& part : {a, b, std::string("q7=")}) key += feed + part;
    CHECK(redact("x " + key + feed + end + " y") == "x REDACTED y");
    // Cut off: nothing of the lines stays.
    const std::string cut = redact("x " + key);
    CHECK(cut.find(a.substr(0, 12)) == std::string::npos);
    CHECK(cut.find(b.substr(0, 12)) == std::string::npos);
  }
  const std::string words = "A file that begins with " + begin + " and ends with " + end + " is a key.";
  CHECK(redact(words) == words);
  CHECK(redact("see " + begin + " at the top") == "see " + begin + " at the top");
  CHECK(redact(dashes + "BEGIN CERTIFICATE" + dashes + "\nMIIB\n") ==
        dashes + "BEGIN CERTIFICATE" + dashes + "\nMIIB\n");
}

TEST_CASE("values behind names of secrets are taken out") {
  const std::pair<const char*, const char*> rows[] = {
      {"curl -H 'Authorization: Bearer abc.def.ghi'", "curl -H 'Authorization: Bearer REDACTED'"},
      {"Authorization: Basic dXNlcjpwdw==", "Authorization: Basic REDACTED"},
      {"authorization:xyz1 next", "authorization:REDACTED next"},
      {"Authorization   : xyz1 next", "Authorization   : REDACTED next"},
      {"set-cookie    : sid=abc123; x", "set-cookie    : REDACTED"},
      {"\"Authorization\": \"token xyz12\"", "\"Authorization\": \"token REDACTED\""},
      {"bearer a1b2c3d4e5", "bearer REDACTED"},
      {"tool --token abcd --dry-run", "tool --token REDACTED --dry-run"},
      {"tool --token=abcd", "tool --token=REDACTED"},
      {"tool --api-key \"abcd\" x", "tool --api-key \"REDACTED\" x"},
      {"mysql --password='hunter 2'", "mysql --password='REDACTED'"},
      {"PASSWORD=hunter2 make", "PASSWORD=REDACTED make"},
      {"PASSWORD=swordfish make", "PASSWORD=REDACTED make"},
      {"export DB_PASSWORD=\"x y z\"", "export DB_PASSWORD=\"REDACTED\""},
      {"AWS_SECRET_ACCESS_KEY=wJalr/x", "AWS_SECRET_ACCESS_KEY=REDACTED"},
      {"GITHUB_TOKEN=abcd;ls", "GITHUB_TOKEN=REDACTED;ls"},
      {"TOKEN_PROD=abcd1", "TOKEN_PROD=REDACTED"},
      {"-H X-Api-Key:abc123", "-H X-Api-Key:REDACTED"},
      {"git clone https://me:s3cret@host/x", "git clone https://me:REDACTED@host/x"},
      {"redis://:p4ssw0rd@cache:6379/0", "redis://:REDACTED@cache:6379/0"},
      {"url?access_token=abcd&x=1", "url?access_token=REDACTED&x=1"},
      {"jdbc:sqlserver://db;user=sa;password=swordfish;x=1",
       "jdbc:sqlserver://db;user=sa;password=REDACTED;x=1"},
      {"machine host login kim password swordfish", "machine host login kim password REDACTED"},
      {"System.setProperty(\"APP_TOKEN\", \"8nl9noegn\")", "System.setProperty(\"APP_TOKEN\", \"REDACTED\")"},
      {"<password>swordfish</password>", "<password>REDACTED</password>"},
      {"apiToken = 8nl9noegnoccozfhgu1u", "apiToken = REDACTED"},
      {"api_token ?= \"8nl9\"; var key_token string = \"8nl9\"",
       "api_token ?= \"REDACTED\"; var key_token string = \"REDACTED\""},
      {"curl --user  kim:'swordfish' x", "curl --user  kim:'REDACTED' x"},
      {"Set-Cookie: sid=abcdef12; Path=/", "Set-Cookie: REDACTED"},
      {"set password=swordfish, host=db user=bob password=abc; passwd: letmein; sftp "
       "bob:Sw0rdfish9@files.example.org",
       "set password=REDACTED, host=db user=bob password=REDACTED; passwd: REDACTED; sftp "
       "bob:REDACTED@files.example.org"},
      {"otpauth://totp/Acme:kim?secret=JBSWY3DPEHPK3PXP", "otpauth://totp/Acme:kim?secret=REDACTED"},
      {"password=swordfish", "password=REDACTED"},
      {"the login is passwd=qwerty.", "the login is passwd=REDACTED"},
      {"secret = swordfish", "secret = REDACTED"},
      {"token: abcdef", "token: REDACTED"},
      {"# staging\n- db.password: letmein\nuser: bob", "# staging\n- db.password: REDACTED\nuser: bob"},
      {"api_key=abcdefgh", "api_key=REDACTED"},
      {"admin:S3cr3tPw@10.0.0.5:22", "admin:REDACTED@10.0.0.5:22"},
      {"admin:swordfish@10.0.0.5", "admin:REDACTED@10.0.0.5"},
      {"(root:hunter2@localhost)", "(root:REDACTED@localhost)"},
  };
  for (const auto& [text, expected] : rows) {
    CHECK(redact(text) == expected);
    CHECK(redact(expected) == expected);
    CHECK(Redactor::standard().finder().find(expected).empty());
  }
}

// What a tool prints around a setting: a diff, grep, a listing with line numbers, colours.
TEST_CASE("no decoration of a tool's output hides a named value") {
  const std::pair<const char*, const char*> rows[] = {
      {"+password: Vb7kQz93Lm", "+password: REDACTED"},
      {">password: Vb7kQz93Lm", ">password: REDACTED"},
      {"-password: swordfish\n+password: letmein\n", "-password: REDACTED\n+password: REDACTED\n"},
      {"> password: swordfish", "> password: REDACTED"},
      {"app.yml:3:api_key: 9f86d081884c7d65", "app.yml:3:api_key: REDACTED"},
      {"app.yml-4-  password: swordfish", "app.yml-4-  password: REDACTED"},
      {"conf/app.yml:password: swordfish", "conf/app.yml:password: REDACTED"},
      {"     5\u2192client_secret: Qx7mZp29Lm", "     5\u2192client_secret: REDACTED"},
      {"     5\u2192  password: swordfish", "     5\u2192  password: REDACTED"},
      {"     5\tpassword: swordfish", "     5\tpassword: REDACTED"},
      {"5|client_secret: Qx7mZp29Lm", "5|client_secret: REDACTED"},
      {"//password: Vb7kQz93Lm", "//password: REDACTED"},
      {"use `token: Kp4tQz93Lm` (secret: Kp4tQz93Lm)", "use `token: REDACTED` (secret: REDACTED)"},
      {"**Password:** Mn8wQz93Lm", "**Password:** REDACTED"},
      {"- *Password*: `Mn8wQz93Lm`", "- *Password*: `REDACTED`"},
      {"__Password:__ Mn8wQz93Lm", "__Password:__ REDACTED"},
      {"`password`: `Mn8wQz93Lm`", "`password`: `REDACTED`"},
      {"Password          : Mn8wQz93Lm", "Password          : REDACTED"},
      {"const apiKey: string = \"swordfish\";", "const apiKey: string = \"REDACTED\";"},
      {"password?: string = 'sword fish'", "password?: string = 'REDACTED'"},
      {"apiKey: Optional[str] = \"swordfish\"", "apiKey: Optional[str] = \"REDACTED\""},
      {"password: str | None = 'swordfish'", "password: str | None = 'REDACTED'"},
      {"let password: &str = \"swordfish\";", "let password: &str = \"REDACTED\";"},
      {"const TOKEN: &'static str = \"swordfish\";", "const TOKEN: &'static str = \"REDACTED\";"},
      {"char password[32] = \"swordfish\";", "char password[32] = \"REDACTED\";"},
      {"\x1b[36mDB_PASSWORD\x1b[0m=Zz8wQz93Lm", "\x1b[36mDB_PASSWORD\x1b[0m=REDACTED"},
      {"\x1b[32m+\x1b[m\x1b[32mpassword: Zz8wQz93Lm\x1b[m",
       "\x1b[32m+\x1b[m\x1b[32mpassword: REDACTED\x1b[m"},
      {"\"\x1b[34mtoken\x1b[0m\": \x1b(B\x1b[m\"swordfish\"",
       "\"\x1b[34mtoken\x1b[0m\": \x1b(B\x1b[m\"REDACTED\""},
      {"a.yml\x1b[36m:\x1b[m3\x1b[36m:\x1b[m\x1b[01;31m\x1b[Kpassword\x1b[m\x1b[K: swordfish",
       "a.yml\x1b[36m:\x1b[m3\x1b[36m:\x1b[m\x1b[01;31m\x1b[Kpassword\x1b[m\x1b[K: REDACTED"},
  };
  for (const auto& [text, expected] : rows) {
    CHECK(redact(text) == expected);
    CHECK(redact(expected) == expected);
    CHECK(Redactor::standard().finder().find(expected).empty());
  }
  const std::string token = "ghp_" + characters(36);
  CHECK(redact("a \x1b[1m" + token.substr(0, 9) + "\x1b[0m" + token.substr(9) + " b") ==
        "a \x1b[1mREDACTED b");
}

TEST_CASE("decorated text that gives nothing away stays") {
  for (const char* text : {"the password: must be at least 12 characters",
                           "Set a password: 8 to 64 characters, one digit",
                           "+ * @param token: the access token of 2024",
                           "-    token: str | None = None,",
                           "+    token: Optional[str] = None",
                           "src/auth.ts:12:  token: string;",
                           "    14\u2192  private readonly apiKey: string;",
                           "    15\t  secret: Uint8Array,",
                           "fn sign(secret: &[u8], token: u64) -> Vec<u8>",
                           "let token: Token = parser.next_token();",
                           "const token: string = await refresh(token);",
                           "let password: &str = args.password;",
                           "token[\"type\"] = \"Characters\"",
                           "**Token:** the value that the client sends",
                           "**Password**: at least 12 characters, see below",
                           "- **Secret:** encrypted at rest",
                           "`token`: the CSRF token, `password: string` is required",
                           "(token: see the docs), which expires after 3600 seconds",
                           "apiKey: str = \"\"; char password[64]; char token[MAX_TOKEN] = {0};",
                           "| password | required | 12 characters |",
                           "docker pull ghcr.io/acme/token:1.2.3",
                           "npm run test:token:watch",
                           "src/token:45:int main",
                           "tests/secret.cpp:102: CHECK(token)",
                           "case Kind::token: return 1;",
                           "refs/heads/secret: 3 commits",
                           "algorithm for the secret: HS256",
                           "token: base64, or token: uint32_t",
                           "> password: changeme",
                           "+PASSWORD=${DB_PASSWORD}",
                           "> The token: expired, so refresh it",
                           "+  password: process.env.DB_PASSWORD,",
                           "app.yml:3:  token: ${TOKEN}",
                           "-  secret: $SECRET",
                           "access-token: 15 minutes",
                           "\x1b[1mtoken\x1b[0m: the CSRF token\x1b[",
                           "T4 [P] token: rotate the key (US2)"}) {
    CAPTURE(text);
    CHECK(redact(text) == text);
  }
}

TEST_CASE("what gives nothing away stays") {
  for (const char* text : {"",
                           "f47ac10b-58cc-4372-a567-0e02b2c3d479",
                           "cp_0a1b2c_001 T004 US-001 1.2.3",
                           "toolu_01A09q90qw90lq917835lq9",
                           "task-based-planning and risk-averse",
                           "the bearer of good news",
                           "Bearer tokens expire",
                           "--token $GITHUB_TOKEN",
                           "PASSWORD=${PW} make",
                           "max_tokens=200000",
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
                           "connect(password=args.password, token=token)",
                           "api_key=settings.API_KEY",
                           "Authorization: checked by the middleware",
                           "Cookie: the banner is shown once",
                           "docker run -u 1000:1000 image",
                           "git push -u origin main: done",
                           "password=getPassword(user)",
                           "const token = await refresh(token);",
                           "token: string | undefined",
                           "primary key: id",
                           "keyboard: qwerty",
                           "the key: it must be unique",
                           "monkey=banana1",
                           "PWD=/home/kim/project",
                           "SESSION_ID=8b80fe64-f87c-4a25-a3f1-3d4b4951469e",
                           "options such as `--token X`, and more",
                           "[\"password\", \"username\"]",
                           "token = parser.token",
                           "mailto:bob99@example.org, cc:kim@example.org",
                           "npm:string-width@4.2.3 nginx:1.25@sha256 bob:pass@host.example.org",
                           "12:30@office.example.org git@github.com:kim/shop.git",
                           "connect(user=user, password=given, host=host)",
                           "    password=given,\n    host=host,",
                           "token_type=access grant",
                           "password = value",
                           "token = new_token",
                           "    self.token = following",
                           "id-token: write",
                           "credentials: include\nsecret: encrypted",
                           "password: must be longer",
                           "fix the token: expired",
                           "- [ ] T9 Store the token: encrypted, per user"}) {
    CAPTURE(text);
    CHECK(redact(text) == text);
  }
}

TEST_CASE("any bytes come through, and a second time nothing changes") {
  CHECK(rc::check([] {
    const std::string text = test::hostile_text() +
                             *rc::gen::element<std::string>("--token ", "password=", "eyJ", "://a:", "sk-",
                                                            "-----BEGIN PRIVATE KEY-----") +
                             test::hostile_text();
    const std::string once = redact(text);
    RC_ASSERT(redact(once) == once);
    const std::string lines = Redactor::standard().json_lines(text).text();
    RC_ASSERT(Redactor::standard().json_lines(lines).text() == lines);
  }));
}

TEST_CASE("a custom rule takes its first group, has its own replacement, and needs no keyword") {
  RedactorOptions options;
  options.finder.custom = {{"ticket", "ACME-(?:([0-9]{4})|([a-z]{4}))", {}, -1, 0, "[TICKET]"},
                           {"badge", "badge [A-Za-z0-9]+", {"badge"}, -1, 3.0, ""}};
  const auto made = Redactor::make(options);
  REQUIRE(made);
  CHECK(made->plain("ACME-1234 and ACME-abcd").text() == "ACME-[TICKET] and ACME-[TICKET]");
  CHECK(made->plain("BADGE no; badge x7Kq2Lm9; badge aaaaaaaa").text() ==
        "BADGE no; REDACTED; badge aaaaaaaa");
  CHECK(made->plain("ACME-1234").report().findings.at("ticket") == 1);
  options.finder.custom = {{"group", "a(b)", {}, 2, 0, ""}};
  CHECK_FALSE(Redactor::make(options));
  options.finder.custom = {{"", "a", {}, -1, 0, ""}};
  CHECK_FALSE(Redactor::make(options));
}

// If each word were searched back to the beginning of the text, this would take hours.
TEST_CASE("a long text without any \"=\" is searched in one pass") {
  constexpr std::size_t kWords = 100'000;
  const std::string word = "a-word-that-is-long-enough-to-be-random ";
  std::string text;
  text.reserve(kWords * word.size());
  for (std::size_t i = 0; i < kWords; ++i) text += word;
  text += "zQ4fT9wLx2Vb7Rk1Nm8Yc3Hd6Jp0Sg5A";
  const auto found = Redactor::standard().finder().find(text);
  REQUIRE(found.size() == 1);
  CHECK(found.front().begin == kWords * word.size());
}

TEST_CASE("more keywords than the table has room for are refused, not forgotten") {
  FinderOptions options;
  for (int i = 0; i < 70'000; i += 100) {
    CustomRule& rule = options.custom.emplace_back();
    rule.id = "many-" + std::to_string(i);
    rule.pattern = "x[0-9]+";
    for (int k = i; k < i + 100; ++k) rule.keywords.push_back("keyword-" + std::to_string(k));
  }
  const auto made = SecretFinder::make(std::move(options));
  REQUIRE_FALSE(made);
  CHECK(made.error().kind == base::ErrorKind::invalid_input);
}

TEST_CASE("no plan of the fixtures looks as if it held a secret") {
  std::size_t plans = 0;
  for (const auto& entry : std::filesystem::directory_iterator(PLANKEEP_TESTS_DIR "/fixtures/plans")) {
    if (entry.path().extension() != ".md") continue;
    std::ifstream in(entry.path(), std::ios::binary);
    const std::string text(std::istreambuf_iterator<char>(in), {});
    CAPTURE(entry.path().string());
    CHECK(Redactor::standard().finder().find(text).empty());
    ++plans;
  }
  CHECK(plans > 70);
}

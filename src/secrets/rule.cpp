#include "secrets/rule.hpp"

#include <algorithm>
#include <array>

#include "base/utf8.hpp"
#include "secrets/token_rules.hpp"

namespace plankeep::secrets {
namespace {

// Names of fields whose value is a secret, with a suffix ("TOKEN_PROD", "password2"). "max_tokens" is not
// one.
#define PLANKEEP_NAMES                                                                                \
  "(?:password|passwd|passphrase|pwd|secret|token|api[-_]?key|private[-_]?key|access[-_]?key|"        \
  "secret[-_]?key|signing[-_]?key|encryption[-_]?key|account[-_]?key|client[-_]?secret|credentials?)" \
  "(?:_[a-z0-9_]{0,20}|[-_]?value|[0-9]{1,3})?"

// What may stand between a name and "=": "string" in Go; ": string", ": &'static str", ": Optional[str]",
// ": str | None" in others.
#define PLANKEEP_TYPE                                                                          \
  R"re((?:\s{1,3}[a-z]{2,12}|\??\s{0,3}:\s{0,3}&?(?:'[a-z]{1,10}\s)?[a-z][a-z0-9_.:]{0,40})re" \
  R"re((?:[<\[][^=<>"'`\[\]\r\n]{0,40}[>\]])?\??(?:\s{0,2}\|\s{0,2}[a-z]{2,20}){0,3}!?)?)re"

constexpr std::string_view kNamedWords = "passw|passphrase|pwd|secret|token|key|credential";

// Of regions that overlap, the first rule counts.
constexpr std::array kBuiltIn = {
    Rule{"url-password", "://", R"([a-zA-Z][a-zA-Z0-9+.-]{1,30}://[^\s/?#:@"'<>]*:([^\s/?#@"'<>]+)@)",
         RuleKind::address, 1, 0, Around::url},
    Rule{
        "authorization-header", "authorization",
        R"re((?i)\bauthorization\\?["']?\s*[:=]\s*\\?["']?(?:(?:bearer|basic|token|digest|negotiate|apikey)\s+)?([^\s"',;\\]{3,}))re",
        RuleKind::address, 1, 0, Around::header},
    Rule{"bearer-token", "bearer", R"((?i)\bbearer\s+([A-Za-z0-9._~+/=-]{8,}))", RuleKind::address, 1, 0,
         Around::blank},
    Rule{"cookie-header", "cookie",
         R"re((?i)\b(?:set-)?cookie["']?\s*:\s*["']?([A-Za-z0-9_.-]+=[^\r\n"'\\]{4,}))re", RuleKind::address,
         1, 0, Around::header},
    Rule{"user-password", "-u|--user",
         R"re((?:^|\s)(?:-u|--user)[ =]{1,3}["']?[^\s:"'/<\[]*:["']?([^\s"'<\[]{4,}))re", RuleKind::address,
         1, 0, Around::user},
    // user:password@host
    Rule{
        "login-password", "@",
        R"re((?:^|[\s"'`(=,;\[{<>|])[A-Za-z][A-Za-z0-9_.%+-]{0,63}:([^\s:/?#@"'<>`,;(){}\[\]|\\]{3,100})@(?:localhost\b|\d{1,3}(?:\.\d{1,3}){3}\b|(?:[A-Za-z0-9-]{1,63}\.){1,8}[A-Za-z]{2,24}\b))re",
        RuleKind::address, 1, 0, Around::login},
    Rule{"netrc-password", "^machine", R"((?i)\bmachine\s+\S+\s+login\s+\S+\s+password\s+(\S+))",
         RuleKind::address, 1, 0, Around::blank},
    // name = "value", "name": 'value', var name string = "value", name: &str = "value", name[32] = "value"
    Rule{"named-value", kNamedWords,
         "(?i)" PLANKEEP_NAMES R"re(\\?["'\]]{0,2}(?:\[[a-z0-9_]{0,20}\])?)re" PLANKEEP_TYPE
         R"re(\s{0,5}(?:[.?:+]{0,3}=>?|:)\s{0,5}\\?["'`]([^"'`\\\r\n]{3,400}))re",
         RuleKind::named, 1, 0, Around::assignment},
    // setProperty("name", "value")
    Rule{"named-argument", kNamedWords,
         "(?i)" PLANKEEP_NAMES R"re(["']\s{0,3},\s{0,3}["']([^"'`\\\s]{6,400})["'])re", RuleKind::named, 1, 0,
         Around::argument},
    // <password>value</password>
    Rule{"named-element", kNamedWords, "(?i)" PLANKEEP_NAMES R"re(>\s{0,5}([^\s<>]{4,400})\s{0,5}</)re",
         RuleKind::named, 1, 0, Around::element},
    // NAME=value in an environment file, a shell or a connection string.
    Rule{"named-setting", kNamedWords,
         "(?i)" PLANKEEP_NAMES R"re(=([^\s\x1b"'`;&|,(){}\[\]<>\\=][^\s\x1b"'`;&|,(){}\[\]<>\\]{2,}))re",
         RuleKind::named, 1, 0, Around::assignment},
    // --password value, --api-key value
    Rule{"named-option", kNamedWords,
         "(?i)--[a-z0-9-]{0,30}" PLANKEEP_NAMES R"re(\s+["']?([^\s"'`,;|&<>()\\-][^\s"'`,;|&<>()\\]{3,}))re",
         RuleKind::named, 1, 0, Around::option},
    // name: value, where the value has digits, as in YAML and HTTP headers; with what tools and people put
    // around it: "+name: value", "file:3:name: value", "5→name: value", "`name: value`", "**Name:** value".
    Rule{"named-line", kNamedWords,
         "(?i)(?:^|[^a-z0-9_./@-]|(?:^|\\s)//)[a-z0-9_.-]{0,40}" PLANKEEP_NAMES
         R"re(["'`*]{0,4}[ \t]{0,20}:[*_]{0,3}[ \t]*["'`(]?([^\s\x1b"'`,(){}\[\]<>\\]{5,200}))re",
         RuleKind::named, 1, 0, Around::assignment},
    // name = value, without quotes, where the value looks like no name.
    Rule{"named-words", kNamedWords,
         "(?i)" PLANKEEP_NAMES R"re([ \t]{1,5}=[ \t]{1,5}([a-z0-9_+/=:.~-]{10,400}))re", RuleKind::named, 1,
         0, Around::assignment},
    // name: value and name = value that stand alone on a line, or between semicolons, as in a settings file.
    // In front may be what grep, a diff or a listing with line numbers puts there.
    Rule{
        "named-word", kNamedWords,
        R"re((?i)(?:^(?:[^\s:]+[:-][0-9]{1,7}[:-]|[^\s:]*[./][^\s:]*:|[ \t]*[0-9]{1,7}(?:[:|\t]|\xe2\x86\x92))?|[;{,]))re"
        R"re([ \t]*(?:[-*+>][ \t]*){0,3}["']?[a-z0-9_.-]{0,40})re"
        "(?:password|passwd|passphrase|pwd|secret|token|api[-_]?key|private[-_]?key|access[-_]?key|"
        "client[-_]?secret)"
        R"re(["']?(?::[ \t]{1,5}|[ \t]{1,5}=[ \t]{1,5})([^\s"'`,;(){}\[\]<>\\]{5,200})[ \t\r]*(?:$|[;\n]))re",
        RuleKind::named, 1, 0, Around::assignment},
};

#undef PLANKEEP_NAMES
#undef PLANKEEP_TYPE

constexpr std::array kPersonal = {
    Rule{"email-address", "", R"([A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63})+)",
         RuleKind::personal, 0, 0, Around::any, "[REDACTED_EMAIL]"},
    Rule{"telephone-number", "", R"(\+[1-9]\d{0,2}[ .-]?(?:\(?\d{1,4}\)?[ .-]?){2,5}\d{2,4}\b)",
         RuleKind::personal, 0, 0, Around::any, "[REDACTED_PHONE]"},
};

}  // namespace

std::vector<Rule> built_in_rules() {
  std::vector<Rule> rules;
  constexpr std::size_t kRoom = 128;
  rules.reserve(kRoom);
  add_token_rules(rules);
  rules.insert(rules.end(), kBuiltIn.begin(), kBuiltIn.end());
  return rules;
}

std::vector<Rule> personal_rules() {
  return {kPersonal.begin(), kPersonal.end()};
}

bool is_placeholder(std::string_view value) {
  if (value.empty()) return true;
  const std::string low = base::to_lower(value);
  const char first = value.front();
  if (first == '$' || first == '%' || first == '<' || first == '{' || first == '@') return true;
  if (low.find("${") != std::string::npos || low.find("{{") != std::string::npos ||
      low.find("$(") != std::string::npos)
    return true;
  if (value.starts_with("REDACTED") || low.starts_with("[redacted")) return true;
  // "***", "xxxxxx", "......", "------"
  if (std::all_of(low.begin(), low.end(),
                  [](char c) { return c == '*' || c == 'x' || c == '.' || c == '-' || c == '_'; }))
    return true;
  constexpr std::array<std::string_view, 8> kBeginnings = {
      "your", "process.env", "os.environ", "env.", "os.getenv", "getenv", "secrets.", "vault:"};
  if (std::any_of(kBeginnings.begin(), kBeginnings.end(),
                  [&low](std::string_view word) { return low.starts_with(word); }))
    return true;
  // Whole words only: "password-4kd83j" may be a password.
  constexpr std::array<std::string_view, 31> kWords = {
      "changeme", "change-me", "change_me", "example",  "placeholder", "password",  "passwd",   "pass",
      "secret",   "token",     "string",    "number",   "boolean",     "undefined", "null",     "none",
      "true",     "false",     "nil",       "optional", "required",    "dummy",     "redacted", "bearer",
      "basic",    "missing",   "invalid",   "unknown",  "expired",     "default",   "integer"};
  return std::find(kWords.begin(), kWords.end(), low) != kWords.end();
}

bool names_a_secret(std::string_view key) {
  constexpr std::size_t kLongestName = 200;
  constexpr std::array<std::string_view, 16> kEnds = {
      "password",   "passwd",       "passphrase", "pwd",        "secret",     "token",
      "apikey",     "privatekey",   "accesskey",  "secretkey",  "signingkey", "encryptionkey",
      "accountkey", "clientsecret", "credential", "credentials"};
  if (key.size() > kLongestName) return false;
  std::string name;
  for (const char c : base::to_lower(key)) {
    if (c != '-' && c != '_') name += c;
  }
  return std::any_of(kEnds.begin(), kEnds.end(),
                     [&name](std::string_view end) { return std::string_view(name).ends_with(end); });
}

}  // namespace plankeep::secrets

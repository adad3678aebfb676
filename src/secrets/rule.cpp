#include "secrets/rule.hpp"

#include <re2/re2.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/utf8.hpp"
#include "secrets/token_rules.hpp"

namespace plankeep::secrets {
namespace {

Rule rule(std::string id, std::vector<std::string> keywords, std::string pattern, RuleKind kind, int group) {
  Rule made;
  made.id = std::move(id);
  made.keywords = std::move(keywords);
  made.pattern = std::move(pattern);
  made.kind = kind;
  made.group = group;
  return made;
}

// Words that end a name of a field whose value is a secret.
constexpr const char* kSecretNames =
    "(?:password|passwd|passphrase|pwd|secret|token|api[-_]?key|private[-_]?key|access[-_]?key|"
    "secret[-_]?key|signing[-_]?key|encryption[-_]?key|client[-_]?secret|credentials?)";

void add_address_rules(std::vector<Rule>& rules) {
  rules.push_back(rule("url-password", {"://"},
                       R"([a-zA-Z][a-zA-Z0-9+.-]{1,30}://[^\s/?#:@"'<>]*:([^\s/?#@"'<>]+)@)",
                       RuleKind::address, 1));
  rules.push_back(rule(
      "authorization-header", {"authorization"},
      R"re((?i)\bauthorization["']?\s*[:=]\s*["']?(?:(?:bearer|basic|token|digest|negotiate|apikey)\s+)?([^\s"',;\\]{6,}))re",
      RuleKind::address, 1));
  rules.push_back(
      rule("bearer-token", {"bearer"}, R"((?i)\bbearer\s+([A-Za-z0-9._~+/=-]{16,}))", RuleKind::address, 1));
  rules.push_back(rule("cookie-header", {"cookie"},
                       R"re((?i)\b(?:set-)?cookie["']?\s*:\s*["']?([^\r\n"'\\]{6,}))re", RuleKind::address,
                       1));
  rules.push_back(rule("user-password", {"-u", "--user"},
                       R"re((?:^|\s)(?:-u|--user)[ =]["']?[^\s:"']+:([^\s"'@]{4,}))re", RuleKind::address,
                       1));
  rules.push_back(rule("netrc-password", {"password"},
                       R"((?i)\bmachine\s+\S+\s+login\s+\S+\s+password\s+(\S+))", RuleKind::address, 1));
}

void add_named_rules(std::vector<Rule>& rules) {
  const std::vector<std::string> keywords{"passw", "passphrase", "pwd",       "secret",
                                          "token", "key",        "credential"};
  // name = "value", "name": 'value'
  rules.push_back(
      rule("named-value", keywords,
           std::string("(?i)") + kSecretNames +
               R"re([a-z0-9_]{0,20}["'\]]{0,2}\s{0,5}(?::|=>?|:=)\s{0,5}["'`]([^"'`\\\r\n]{4,400}))re",
           RuleKind::named, 1));
  // NAME=value in an environment file, a shell or a connection string.
  rules.push_back(
      rule("named-setting", keywords,
           std::string("(?i)") + kSecretNames + R"re([a-z0-9_]{0,20}=([^\s"'`;&|,(){}<>\\]{6,}))re",
           RuleKind::named, 1));
  // --password value, --api-key value
  rules.push_back(
      rule("named-option", keywords,
           std::string("(?i)--[a-z0-9-]{0,30}") + kSecretNames + R"re(\s+["']?([^\s"'\\-][^\s"'\\]{5,}))re",
           RuleKind::named, 1));
  // name: value, where the value has digits, as in YAML.
  rules.push_back(rule("named-line", keywords,
                       std::string("(?im)^[ \\t-]*[a-z0-9_.-]{0,40}") + kSecretNames +
                           R"re(:[ \t]+([^\s"'`,(){}<>\\]{0,200}[0-9][^\s"'`,(){}<>\\]{5,}))re",
                       RuleKind::named, 1));
}

}  // namespace

std::vector<Rule> built_in_rules() {
  std::vector<Rule> rules = token_rules();
  add_address_rules(rules);
  add_named_rules(rules);
  return rules;
}

std::vector<Rule> personal_rules() {
  Rule mail =
      rule("email-address", {"@"}, R"([A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63})+)",
           RuleKind::personal, 0);
  mail.label = "EMAIL";
  Rule phone = rule("telephone-number", {"+"}, R"(\+[1-9]\d{0,2}[ .-]?(?:\(?\d{1,4}\)?[ .-]?){2,5}\d{2,4}\b)",
                    RuleKind::personal, 0);
  phone.label = "PHONE";
  return {std::move(mail), std::move(phone)};
}

double entropy_of(std::string_view text) {
  std::array<std::size_t, 256> counts{};
  for (const char c : text) ++counts[static_cast<unsigned char>(c)];
  double bits = 0;
  for (const std::size_t count : counts) {
    if (count == 0) continue;
    const double share = static_cast<double>(count) / static_cast<double>(text.size());
    bits -= share * std::log2(share);
  }
  return bits;
}

bool is_placeholder(std::string_view value) {
  if (value.empty()) return true;
  const std::string lower = base::to_lower(value);
  const char first = value.front();
  if (first == '$' || first == '%' || first == '<' || first == '{' || first == '@') return true;
  if (lower.find("${") != std::string::npos || lower.find("{{") != std::string::npos) return true;
  if (value == "REDACTED" || value.starts_with("[REDACTED") || lower == "[redacted]") return true;
  // "***", "xxxxxx", "......", "------"
  if (std::all_of(lower.begin(), lower.end(),
                  [](char c) { return c == '*' || c == 'x' || c == '.' || c == '-' || c == '_'; }))
    return true;
  static constexpr const char* kWords[] = {
      "changeme", "change-me", "change_me",   "example",    "placeholder", "your",     "password",
      "passwd",   "secret",    "token",       "string",     "number",      "boolean",  "undefined",
      "null",     "none",      "true",        "false",      "nil",         "optional", "required",
      "dummy",    "redacted",  "process.env", "os.environ", "env.",        "getenv"};
  return std::any_of(std::begin(kWords), std::end(kWords), [&lower](std::string_view word) {
    const bool starts = lower.starts_with(word);
    // "password" is one, "password-4kd83j" may be a password.
    return word == "your" || word.find('.') != std::string_view::npos ? starts : lower == word;
  });
}

bool names_a_secret(std::string_view key) {
  static const RE2 pattern("(?i)(?:^|[-_. a-z0-9])" + std::string(kSecretNames) + "$");
  if (key.size() > 200) return false;
  return RE2::PartialMatch(re2::StringPiece(key.data(), key.size()), pattern);
}

}  // namespace plankeep::secrets

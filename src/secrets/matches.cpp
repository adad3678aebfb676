#include "secrets/matches.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "base/utf8.hpp"
#include "secrets/characters.hpp"

namespace plankeep::secrets {
namespace {

constexpr double kLeastTokenBits = 2.3;

// The most bytes between a name and its ":" or "=".
constexpr std::size_t kMostBetween = 24;

bool is_blank(char c) {
  return c == ' ' || c == '\t';
}
bool is_space(char c) {
  return is_blank(c) || c == '\n' || c == '\r';
}

// Where the name that the keyword is in ends.
std::size_t end_of_name(std::string_view text, std::size_t at) {
  constexpr std::size_t kLongestRest = 40;
  const std::size_t most = std::min(text.size(), at + kLongestRest);
  while (at < most && (is_word(text[at]) || text[at] == '-')) ++at;
  return at;
}

// Whether ":" or "=" follows, after quotes, asterisks, blanks, perhaps a size or a type, and a sign
// or two (".=", "?=", "?:").
bool is_assigned(std::string_view text, std::size_t at) {
  at = end_of_name(text, at);
  const std::size_t between = std::min(text.size(), at + kMostBetween);
  while (at < between &&
         (is_quote(text[at]) || text[at] == ']' || text[at] == '\\' || text[at] == '*' || is_blank(text[at])))
    ++at;
  if (at < text.size() && text[at] == '[') {  // "password[32] ="
    at = std::min(text.find(']', at), between);
    while (at < between && (text[at] == ']' || is_blank(text[at]))) ++at;
  }
  if (at < text.size() && (text[at] == ':' || text[at] == '=')) return true;
  if (at > 0 && is_blank(text[at - 1])) {
    while (at < between && is_word(text[at])) ++at;
    while (at < between && is_blank(text[at])) ++at;
  }
  while (at < between && (text[at] == '.' || text[at] == '?' || text[at] == '+')) ++at;
  return at < text.size() && (text[at] == '=' || text[at] == ':');
}

// Whether the keyword is in a word that begins with "--" and is followed by a blank.
bool is_option(std::string_view text, std::size_t at, std::size_t end) {
  constexpr std::size_t kLongestOption = 40;
  std::size_t begin = at;
  while (begin > 0 && at - begin < kLongestOption && (is_word(text[begin - 1]) || text[begin - 1] == '-'))
    --begin;
  if (text.substr(begin, 2) != "--") return false;
  while (end < text.size() && (is_word(text[end]) || text[end] == '-')) ++end;
  return end < text.size() && is_blank(text[end]);
}

bool has_digit(std::string_view text) {
  return std::any_of(text.begin(), text.end(), is_number);
}

// Whether it cannot be a word of a sentence.
bool is_no_word(std::string_view value) {
  constexpr std::size_t kLongestWord = 16;
  if (value.size() >= kLongestWord || has_digit(value)) return true;
  if (std::count_if(value.begin(), value.end(), [](char c) { return c == '.' || c == '='; }) > 1) return true;
  return std::any_of(value.begin() + 1, value.end(), is_upper) &&
         std::any_of(value.begin(), value.end(), is_lower);
}

// Whether a value is what programs and descriptions say where a secret would stand: "args.password", "token:
// newToken", "password = value".
bool is_code(std::string_view value) {
  constexpr std::array<std::string_view, 34> kWords = {
      "value",  "values",    "input",  "text",     "data",    "result",    "response", "request", "self",
      "this",   "other",     "config", "settings", "options", "args",      "params",   "field",   "bytes",
      "buffer", "varchar",   "object", "write",    "include", "encrypted", "hashed",   "stored",  "masked",
      "hidden", "incorrect", "wrong",  "valid",    "empty",   "rotated",   "revoked"};
  while (value.ends_with('.')) value.remove_suffix(1);
  if (value.find('.') != std::string_view::npos || names_a_secret(value)) return true;
  return std::find(kWords.begin(), kWords.end(), base::to_lower(value)) != kWords.end();
}

// Names of types, encodings and algorithms that have digits: "token: uint64", "secret: HS256".
bool is_kind(std::string_view value) {
  constexpr std::array<std::string_view, 31> kKinds = {
      "uint8",  "uint16",   "uint32",    "uint64",   "uint128", "int16",   "int32",     "int64",
      "int128", "float32",  "float64",   "sha256",   "sha384",  "sha512",  "sha-256",   "sha-512",
      "base32", "base64",   "base64url", "hs256",    "hs384",   "hs512",   "rs256",     "es256",
      "oauth2", "oauth2.0", "argon2",    "argon2id", "pbkdf2",  "ed25519", "uint8array"};
  const std::size_t end = value.find_last_not_of(".;?!|*_");
  std::string name = base::to_lower(value.substr(0, end == std::string_view::npos ? 0 : end + 1));
  if (name.ends_with("_t")) name.resize(name.size() - 2);
  return std::find(kKinds.begin(), kKinds.end(), name) != kKinds.end();
}

// Whether the text at `at` stands between the parentheses of a call.
bool is_in_call(std::string_view text, std::size_t at) {
  constexpr std::size_t kLongestCall = 300;
  int closed = 0;
  for (std::size_t left = std::min(at, kLongestCall); left > 0 && text[at - 1] != '\n'; --left) {
    const char c = text[--at];
    if (c == ')') ++closed;
    if (c == '(' && closed-- == 0) return at > 0 && is_word(text[at - 1]);
  }
  return false;
}

// "self.token = next": a statement, not a setting.
bool is_member(std::string_view text, Span match) {
  const std::string_view whole = text.substr(match.begin, match.end - match.begin);
  return whole.find("self.") != std::string_view::npos || whole.find("this.") != std::string_view::npos;
}

// An argument on a line of its own: "    token=given,".
bool ends_with_comma(std::string_view text, std::size_t at) {
  return text.substr(at, 1) == "," && (at + 1 == text.size() || text[at + 1] == '\n' || text[at + 1] == '\r');
}

// Whether the right side is a name of a program: "password=args.password", "token=token"; not
// "PASSWORD=swordfish", nor "password=swordfish".
bool is_expression(std::string_view text, Span match, Span value) {
  const std::string_view right = text.substr(value.begin, value.end - value.begin);
  if (value.end < text.size() && (text[value.end] == '(' || text[value.end] == '[')) return true;
  if (has_digit(right)) return false;
  const bool names = std::all_of(right.begin(), right.end(), [](char c) { return is_word(c) || c == '.'; });
  if (!names) return false;
  // "Server=db;Password=swordfish" and "?token=swordfish" have values, as the sign before the name shows.
  std::size_t begin = match.begin;
  while (begin > 0 && (is_word(text[begin - 1]) || text[begin - 1] == '-')) --begin;
  if (begin > 0 && (text[begin - 1] == ';' || text[begin - 1] == '?' || text[begin - 1] == '&')) return false;
  const std::string_view name = text.substr(begin, value.begin - begin);
  if (name.starts_with("--") || std::none_of(name.begin(), name.end(), is_lower)) return false;
  // "token_type=access" names no secret.
  const std::string_view whole = name.substr(0, name.find_first_of(" \t="));
  return is_code(right) || !names_a_secret(whole) || is_in_call(text, begin) ||
         ends_with_comma(text, value.end);
}

bool is_short_number(std::string_view value) {
  constexpr std::size_t kLongestNumber = 5;
  return value.size() <= kLongestNumber && std::all_of(value.begin(), value.end(), is_number);
}

// "PWD=/home/kim/project", "TOKEN_FILE=/run/secrets/token".
bool is_path(std::string_view value) {
  return (value.starts_with('/') || value.starts_with("./") || value.starts_with("~/")) && is_wordy(value);
}

bool counts_as_named(const Rule& rule, std::string_view text, Span match, Span secret) {
  const std::string_view value = text.substr(secret.begin, secret.end - secret.begin);
  if (is_placeholder(value) || is_short_number(value) || is_path(value)) return false;
  if (rule.id == "named-setting") return !is_expression(text, match, secret);
  if (rule.id == "named-line") return has_digit(value) && !is_kind(value);
  if (rule.id == "named-word")
    return !is_code(value) && !is_kind(value) && !value.ends_with('.') && !is_member(text, match);
  if (rule.id == "named-argument") return is_no_word(value);
  if (rule.id == "named-words")
    return has_digit(value) && !is_wordy(value) && !is_expression(text, match, secret);
  return true;
}

// "bob:Sw0rdfish9@files.example.org", "admin:secret@10.0.0.5"; not "mailto:bob@example.org".
bool is_password_of_login(std::string_view text, Span match, std::string_view value) {
  constexpr std::array<std::string_view, 26> kBeforeMail = {
      "mailto", "mail", "email", "acct",  "sip",   "sips",   "xmpp",   "im",       "user",
      "from",   "to",   "cc",    "bcc",   "by",    "author", "sender", "reply-to", "contact",
      "owner",  "npm",  "jsr",   "patch", "https", "http",   "ssh",    "git"};
  const std::string_view whole = text.substr(match.begin, match.end - match.begin);
  const std::string_view host = whole.substr(whole.rfind('@') + 1);
  const std::size_t user = std::min(whole.find_first_not_of(" \t\"'`(=,;[{<>|"), whole.size());
  const std::string name = base::to_lower(whole.substr(user, whole.find(':', user) - user));
  if (std::find(kBeforeMail.begin(), kBeforeMail.end(), name) != kBeforeMail.end()) return false;
  const bool is_address = host == "localhost" || std::all_of(host.begin(), host.end(),
                                                             [](char c) { return is_number(c) || c == '.'; });
  return is_address || is_no_word(value);
}

bool counts_as_address(const Rule& rule, std::string_view text, Span match, std::string_view value) {
  if (is_placeholder(value)) return false;
  if (rule.id == "authorization-header" || rule.id == "bearer-token") return is_no_word(value);
  if (rule.id == "login-password") return is_password_of_login(text, match, value);
  // "-u 1000:1000" names a user and a group.
  if (rule.id == "user-password") return !std::all_of(value.begin(), value.end(), is_number);
  return true;
}

bool counts_as_personal(std::string_view value) {
  return value.find("noreply") == std::string_view::npos && !value.starts_with("actions@") &&
         !value.starts_with("git@");
}

}  // namespace

bool is_worth_trying(Around around, std::string_view text, std::size_t at, std::size_t length) {
  constexpr std::size_t kLongestUser = 300;
  const std::size_t end = at + length;
  const char next = end < text.size() ? text[end] : '\0';
  switch (around) {
    case Around::any:
      return true;
    case Around::assignment:
      return is_assigned(text, end);
    case Around::argument: {
      const std::string_view rest = text.substr(end_of_name(text, end), 5);
      const std::size_t sign = rest.find_first_of(",\n");
      return !rest.empty() && is_quote(rest[0]) && sign != std::string_view::npos && rest[sign] == ',';
    }
    case Around::element:
      return text.substr(end_of_name(text, end), 1) == ">";
    case Around::option:
      return is_option(text, at, end);
    case Around::url: {
      const std::string_view rest = text.substr(end, kLongestUser);
      const std::size_t sign = rest.find_first_of("@ \t\n\r");
      return sign != std::string_view::npos && rest[sign] == '@';
    }
    case Around::header: {
      const std::size_t most = std::min(text.size(), end + kMostBetween);
      std::size_t sign = end;
      while (sign < most && (is_quote(text[sign]) || text[sign] == '\\' || is_blank(text[sign]))) ++sign;
      return sign < text.size() && (text[sign] == ':' || text[sign] == '=');
    }
    case Around::blank:
      return is_space(next);
    case Around::login: {
      const std::size_t begin = at - std::min(at, kLongestUser);
      const std::string_view before = text.substr(begin, at - begin);
      const std::size_t sign = before.find_last_of(": \t\n\r");
      return is_letter_or_digit(next) && sign != std::string_view::npos && before[sign] == ':';
    }
    case Around::user: {
      if (next != ' ' && next != '=') return false;
      std::string_view rest = text.substr(end + 1, kLongestUser);
      rest.remove_prefix(std::min(rest.find_first_not_of(" ="), rest.size()));
      const std::size_t sign = rest.find_first_of(": \t\n\r");
      return sign != std::string_view::npos && rest[sign] == ':';
    }
  }
  return true;
}

bool counts(const Rule& rule, std::string_view text, Span match, Span secret) {
  const std::string_view value = text.substr(secret.begin, secret.end - secret.begin);
  if (rule.entropy > 0 && entropy_of(value) < rule.entropy) return false;
  switch (rule.kind) {
    case RuleKind::named:
      return counts_as_named(rule, text, match, secret);
    case RuleKind::address:
      return counts_as_address(rule, text, match, value);
    case RuleKind::token:
      // "ghp_xxxxxxxx" only illustrates a token; "REDACTED" was one ("otpauth://…?secret=REDACTED").
      return value != rule.replacement && entropy_of(value) >= kLeastTokenBits && !value.ends_with("EXAMPLE");
    case RuleKind::personal:
      return counts_as_personal(value);
    case RuleKind::entropy:
    case RuleKind::custom:
      return true;
  }
  return true;
}

}  // namespace plankeep::secrets

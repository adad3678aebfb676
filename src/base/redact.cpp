#include "base/redact.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

#include "base/text.hpp"

namespace plankeep::core {
namespace {

using base::is_blank;
using base::is_digit;

constexpr std::string_view kRedacted = "[redacted]";
// A name is no longer, and a value is recognised by its first characters.
constexpr std::size_t kLongestName = 64;

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
bool is_word(char c) {
  return is_letter(c) || is_digit(c) || c == '_';
}
bool is_key_character(char c) {
  return is_word(c) || c == '-';
}
bool is_token_character(char c) {
  return is_key_character(c) || c == '.' || c == '~' || c == '+' || c == '/' || c == '=';
}
bool is_quote(char c) {
  return c == '"' || c == '\'' || c == '`';
}
bool ends_value(char c) {
  return is_blank(c) || c == '\n' || c == '\r' || is_quote(c) || c == ',' || c == ';' || c == ')' ||
         c == '}' || c == '&' || c == '|' || c == '<' || c == '>';
}

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

// A key with a form of its own: what it begins with and how many characters follow at least.
struct KeyForm {
  std::string_view prefix;
  std::size_t least;
  bool needs_digit = false;
};
constexpr std::array kKeyForms{
    KeyForm{"AKIA", 16},     KeyForm{"ASIA", 16},      KeyForm{"ghp_", 20},     KeyForm{"gho_", 20},
    KeyForm{"ghs_", 20},     KeyForm{"ghu_", 20},      KeyForm{"ghr_", 20},     KeyForm{"github_pat_", 20},
    KeyForm{"xoxa-", 10},    KeyForm{"xoxb-", 10},     KeyForm{"xoxp-", 10},    KeyForm{"xoxr-", 10},
    KeyForm{"xoxs-", 10},    KeyForm{"xoxe-", 10},     KeyForm{"AIza", 30},     KeyForm{"sk_live_", 10},
    KeyForm{"rk_live_", 10}, KeyForm{"sk_test_", 10},  KeyForm{"rk_test_", 10}, KeyForm{"glpat-", 16},
    KeyForm{"npm_", 30},     KeyForm{"sk-", 20, true},
};

// How the names of secrets end, without "-" and "_".
constexpr std::array<std::string_view, 10> kSecretNames{"password",   "passwd",     "passphrase", "secret",
                                                        "token",      "apikey",     "accesskey",  "secretkey",
                                                        "privatekey", "credentials"};

class Redactor {
 public:
  explicit Redactor(std::string_view text) : text_(text) {}

  std::string run() {
    out_.reserve(text_.size());
    while (at_ < text_.size()) {
      if (!take_url_password() && !take_word()) out_ += text_[at_++];
    }
    return std::move(out_);
  }

 private:
  char at(std::size_t place) const { return place < text_.size() ? text_[place] : '\0'; }
  bool starts(std::string_view with) const { return text_.substr(at_, with.size()) == with; }

  void keep_until(std::size_t end) {
    out_.append(text_.substr(at_, end - at_));
    at_ = end;
  }
  void redact_until(std::size_t end) {
    out_ += kRedacted;
    at_ = end;
  }

  template <class Is>
  std::size_t run_end(std::size_t from, const Is& is, std::size_t most = std::string_view::npos) const {
    const std::size_t last = most < text_.size() - from ? from + most : text_.size();
    while (from < last && is(text_[from])) ++from;
    return from;
  }

  // What begins at the beginning of a word, or at the dashes before it.
  bool take_word() {
    if (at_ > 0 && is_word(text_[at_ - 1])) return false;
    const char first = text_[at_];
    if (first == '-') return take_private_key();
    if (!is_word(first)) return false;
    return take_key() || take_web_token() || take_named_value();
  }

  bool take_key() {
    for (const KeyForm& form : kKeyForms) {
      if (!starts(form.prefix)) continue;
      const std::size_t begin = at_ + form.prefix.size();
      const std::size_t seen = run_end(begin, is_key_character, kLongestName);
      if (seen - begin < form.least) return false;
      const std::string_view tail = text_.substr(begin, seen - begin);
      if (form.needs_digit && std::none_of(tail.begin(), tail.end(), is_digit)) return false;
      redact_until(run_end(seen, is_key_character));
      return true;
    }
    return false;
  }

  bool take_web_token() {
    if (!starts("eyJ")) return false;
    const std::size_t header = run_end(at_, is_key_character);
    if (header - at_ < 10 || at(header) != '.') return keep_run(header);
    const std::size_t body = run_end(header + 1, is_key_character);
    if (body - header < 10 || at(body) != '.') return keep_run(body);
    redact_until(run_end(body + 1, is_key_character));
    return true;
  }

  // Nothing in it, and nothing begins in it: it is not looked at again.
  bool keep_run(std::size_t end) {
    keep_until(end);
    return true;
  }

  bool take_private_key() {
    constexpr std::string_view kBegin = "-----BEGIN ";
    constexpr std::string_view kKey = "PRIVATE KEY-----";
    constexpr std::string_view kEnd = "-----END ";
    if (!starts(kBegin)) return false;
    const std::string_view title = text_.substr(at_, kLongestName);
    const std::size_t key = title.find(kKey);
    if (key == std::string_view::npos) return false;
    keep_until(at_ + key + kKey.size());
    const std::size_t end = text_.find(kEnd, at_);
    redact_until(end == std::string_view::npos ? text_.size() : end);
    return true;
  }

  // user:password@ behind "://".
  bool take_url_password() {
    constexpr std::string_view kMark = "://";
    if (text_[at_] != ':' || !starts(kMark)) return false;
    const auto in_name = [](char c) { return !ends_value(c) && c != '/' && c != '@' && c != ':'; };
    const auto in_password = [](char c) { return !ends_value(c) && c != '/' && c != '@'; };
    const std::size_t colon = run_end(at_ + kMark.size(), in_name, kLongestName);
    if (at(colon) != ':') return false;
    const std::size_t end = run_end(colon + 1, in_password, 4 * kLongestName);
    if (at(end) != '@' || end == colon + 1 || at(colon + 1) == '$') return false;
    keep_until(colon + 1);
    redact_until(end);
    return true;
  }

  // A name that says that its value is a secret, and the value.
  bool take_named_value() {
    const std::size_t end = run_end(at_, is_key_character, kLongestName);
    if (end < text_.size() && is_key_character(text_[end])) return false;
    std::string name;
    for (const char c : text_.substr(at_, end - at_)) {
      if (c != '-' && c != '_') name += lower(c);
    }
    if (name == "bearer") return take_bearer(end);
    if (name == "authorization" || name == "proxyauthorization") return take_header(end, true);
    const bool secret = std::any_of(kSecretNames.begin(), kSecretNames.end(), [&name](std::string_view one) {
      return std::string_view(name).ends_with(one);
    });
    if (!secret) return false;
    const bool option =
        at_ >= 2 && text_.substr(at_ - 2, 2) == "--" && (at_ == 2 || !is_key_character(text_[at_ - 3]));
    if (at(end) == '=' && at(end + 1) != '=') return take_value(end + 1);
    if (option && is_blank(at(end))) {
      const std::size_t value = run_end(end, is_blank);
      return at(value) != '-' && take_value(value);
    }
    const bool dashed = text_.substr(at_, end - at_).find('-') != std::string_view::npos;
    if (dashed && !option && at(end) == ':') return take_header(end, false);
    return take_json_value(end);
  }

  bool take_bearer(std::size_t end) {
    const std::size_t value = run_end(end, is_blank);
    if (value == end) return false;
    const std::size_t seen = run_end(value, is_token_character, kLongestName);
    const std::string_view token = text_.substr(value, seen - value);
    if (token.size() < 8 || std::none_of(token.begin(), token.end(), is_digit)) return false;
    keep_until(value);
    redact_until(run_end(seen, is_token_character));
    return true;
  }

  // `Authorization: Basic X`, `X-Api-Key: X`.
  bool take_header(std::size_t end, bool with_scheme) {
    std::size_t value = is_quote(at(end)) ? end + 1 : end;
    if (at(value) != ':' && at(value) != '=') return false;
    value = run_end(value + 1, is_blank);
    if (is_quote(at(value))) ++value;
    if (with_scheme) value = behind_scheme(value);
    return take_value(value);
  }

  // Behind the name of an authentication scheme, if one stands there.
  std::size_t behind_scheme(std::size_t value) const {
    constexpr std::array<std::string_view, 5> kSchemes{"bearer", "basic", "digest", "token", "negotiate"};
    const std::size_t end = run_end(value, is_letter, kLongestName);
    if (!is_blank(at(end))) return value;
    std::string name;
    for (const char c : text_.substr(value, end - value)) name += lower(c);
    const bool known = std::find(kSchemes.begin(), kSchemes.end(), name) != kSchemes.end();
    return known ? run_end(end, is_blank) : value;
  }

  // `"password": "X"`.
  bool take_json_value(std::size_t end) {
    if (!is_quote(at(end)) || at(end + 1) != ':') return false;
    const std::size_t value = run_end(end + 2, is_blank);
    return is_quote(at(value)) && take_value(value);
  }

  // The value at `begin`, in quotes or up to the next blank. What names a variable, counts or says yes is
  // none.
  bool take_value(std::size_t begin) {
    const char quote = at(begin);
    const bool quoted = is_quote(quote);
    if (quoted) ++begin;
    const auto in_quotes = [quote](char c) { return c != quote && c != '\n'; };
    const std::size_t end =
        quoted ? run_end(begin, in_quotes) : run_end(begin, [](char c) { return !ends_value(c); });
    const std::string_view value = text_.substr(begin, end - begin);
    if (value.empty() || value.front() == '$' || value.front() == '<' || value == kRedacted) return false;
    const bool number = std::all_of(value.begin(), value.end(), is_digit);
    if (number && value.size() < 6) return false;
    if (value == "true" || value == "false" || value == "null" || value == "None") return false;
    keep_until(begin);
    redact_until(end);
    return true;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::string out_;
};

}  // namespace

std::string redact(std::string_view text) {
  return Redactor(text).run();
}

}  // namespace plankeep::core

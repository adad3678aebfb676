#pragma once
// What a secret looks like. Rules are data: an RE2 pattern, keywords that a line must contain before the
// pattern is tried, and what else must be true of a match.
//
// The built-in table follows what vendors publish about their tokens (prefix, alphabet, length). A rule that
// is too wide removes some words from a text; one that is too narrow leaks a key. Where a vendor gives no
// length, the shortest in its documentation counts.

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace plankeep::secrets {

enum class RuleKind {
  token,     // a vendor's format: certain
  address,   // in a URL, a connection string, an HTTP header
  named,     // a value whose name says that it is a secret
  entropy,   // looks random
  custom,    // the user's
  personal,  // e-mail address, telephone number
};

/// What must surround a keyword before the pattern is tried. Much cheaper than the pattern.
enum class Around {
  any,
  assignment,  // ":" or "=" follows the name
  argument,    // the name is in quotes and "," follows
  element,     // ">" follows the name
  option,      // the name is in a word that begins with "--"
  url,         // "@" follows before the next blank
  header,      // ":" or "=" follows at once
  blank,       // a blank follows
  user,        // ":" follows in the next word
  login,       // ":" stands in the word before "@"
};

/// A rule of the user's, as settings give it.
struct CustomRule {
  std::string id;                       // "ticket"
  std::string pattern;                  // RE2
  std::vector<std::string> keywords{};  // tried on lines with one of these, in any letter case; none: on all
  int group = -1;                       // the group that is the secret; -1: the first that is not empty, else
                                        // the whole match
  double entropy = 0;                   // its bits per byte, at least
  std::string replacement{};            // empty: "REDACTED"
  bool operator==(const CustomRule&) const = default;
};

/// Refers to texts that outlive it: those of the built-in table or of the finder's custom rules.
struct Rule {
  std::string_view id{};  // "github-token"
  // Separated by "|": a line must contain one of them, in any letter case. With "^" in front the case counts,
  // and a word must begin there.
  std::string_view keywords{};
  std::string_view pattern{};  // RE2
  RuleKind kind = RuleKind::token;
  int group = 0;  // as CustomRule::group
  double entropy = 0;
  Around around = Around::any;
  std::string_view replacement = "REDACTED";
};

/// Vendors' tokens, then addresses and named values.
std::vector<Rule> built_in_rules();
/// E-mail addresses and telephone numbers.
std::vector<Rule> personal_rules();

/// A value that only stands for a secret: "changeme", "<token>", "${TOKEN}", "$TOKEN", "***", "xxxx",
/// "REDACTED", "null".
bool is_placeholder(std::string_view value);

/// Whether a field of this name holds a secret: "password", "apiKey", "client_secret", "x-auth-token".
bool names_a_secret(std::string_view key);

}  // namespace plankeep::secrets

#pragma once
// What a secret looks like. Rules are data: a pattern of RE2, keywords that a text must hold before the
// pattern is tried, and what else must be true of a match.
//
// The built-in table is made from what the vendors publish about their tokens (prefix, alphabet, length). A
// rule that is too wide costs a text some words; one that is too narrow costs somebody a key. Where a vendor
// names no length, the shortest that is seen in its documents counts.

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace plankeep::secrets {

enum class RuleKind {
  token,     // a provider's form: certain
  address,   // in a URL, a connection string, an HTTP header
  named,     // a value whose name says that it is one
  entropy,   // looks random
  custom,    // the user's
  personal,  // e-mail address, telephone number
};

/// What must stand around a keyword before the pattern is worth trying. Cheaper than any pattern.
enum class Around {
  any,
  assignment,  // behind the name comes ":" or "="
  argument,    // behind the name in quotes comes ","
  element,     // ">" follows the name
  option,      // "--" stands in front of the name
  url,         // "@" follows before the next blank
  header,      // ":" or "=" follows at once
  blank,       // a blank follows
  user,        // ":" follows in the next word
};

/// A rule of the user's, as settings give it.
struct CustomRule {
  std::string id;                       // "ticket"
  std::string pattern;                  // RE2
  std::vector<std::string> keywords{};  // one of them is in the text, letter case aside; none: always tried
  int group = -1;                       // what of the match is the secret; -1: the first group that holds
                                        // something, else the whole match
  double entropy = 0;                   // at least so many bits a byte in it; 0: any
  std::string replacement{};            // empty: "REDACTED"
  bool operator==(const CustomRule&) const = default;
};

/// Views of texts that outlive it: of the built-in table, or of the finder's custom rules.
struct Rule {
  std::string_view id{};  // "github-token"
  // Between "|": words of which one is in the text, letter case aside. "^" in front: it stands at the
  // beginning of a word, written exactly so.
  std::string_view keywords{};
  std::string_view pattern{};  // RE2
  RuleKind kind = RuleKind::token;
  int group = 0;  // as CustomRule::group
  double entropy = 0;
  Around around = Around::any;
  std::string_view replacement = "REDACTED";
};

/// Provider tokens, then addresses and named values; in this order.
std::vector<Rule> built_in_rules();
/// E-mail addresses and telephone numbers.
std::vector<Rule> personal_rules();

/// A value that stands for a secret and is none: "changeme", "<token>", "${TOKEN}", "$TOKEN", "***", "xxxx",
/// "REDACTED", "null".
bool is_placeholder(std::string_view value);

/// The name of a field that holds a secret: "password", "apiKey", "client_secret", "x-auth-token".
bool names_a_secret(std::string_view key);

}  // namespace plankeep::secrets

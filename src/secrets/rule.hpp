#pragma once
// What a secret looks like. Rules are data: a pattern of RE2, words that a text must hold before the pattern
// is tried, and what else must be true of a match. Private to this room, but for `Rule` in the settings'
// rules.
//
// The built-in table is made from what the vendors publish about their tokens (prefix, alphabet, length). A
// rule that is too wide costs a text some words; one that is too narrow costs somebody a key. Where a vendor
// names no length, the shortest that is seen in its documents counts.

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

struct Rule {
  std::string id;                     // "github-token"
  std::vector<std::string> keywords;  // one of them is in the text, letter case aside; none: always tried
  std::string pattern;                // RE2
  RuleKind kind = RuleKind::token;
  int group = 0;            // what of the match is the secret
  double entropy = 0;       // at least so many bits a byte in it; 0: any
  bool many_lines = false;  // may go over line ends
  std::string label;        // of personal data: "EMAIL"
};

/// Provider tokens, private keys, addresses and named values; in this order.
std::vector<Rule> built_in_rules();
/// E-mail addresses and telephone numbers.
std::vector<Rule> personal_rules();

/// Bits a byte of `text` (Shannon); 0 for an empty one.
double entropy_of(std::string_view text);

/// A value that stands for a secret and is none: "changeme", "<token>", "${TOKEN}", "$TOKEN", "***", "xxxx",
/// "REDACTED", "null".
bool is_placeholder(std::string_view value);

/// The name of a field that holds a secret: "password", "apiKey", "client_secret", "x-auth-token".
bool names_a_secret(std::string_view key);

}  // namespace plankeep::secrets

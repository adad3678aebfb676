#pragma once
// Where a text holds secrets. Linear in the text: one pass looks for the rules' keywords, a rule runs only on
// lines with one of its keywords, and RE2 does not backtrack. Bounded memory: in a line longer than 16 KiB a
// rule sees only what surrounds its keyword, from 1 KiB before it to the end of its match.
//
//   TRY_ASSIGN(SecretFinder finder, SecretFinder::make(options));
//   for (const Region& region : finder.find(text)) ...
//
// Made in microseconds: a built-in pattern is compiled when a text first has its keyword, so most processes
// compile none. Custom rules are compiled at once, since they may be wrong.
//
// Threads may share a finder.

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "secrets/rule.hpp"

namespace plankeep::secrets {

struct Region {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::size_t rule = 0;  // index into rules(); of merged regions the smallest
};

struct FinderOptions {
  bool personal = false;             // also personal data
  std::vector<CustomRule> custom{};  // the user's, after the built-in ones
};

class SecretFinder {
 public:
  /// invalid_input: a custom rule does not compile, has no id, or names a group that its pattern does not
  /// have; or the rules have more than 20,000 keywords.
  [[nodiscard]] static base::Result<SecretFinder> make(FinderOptions options);
  SecretFinder(SecretFinder&&) noexcept;
  SecretFinder& operator=(SecretFinder&&) noexcept;
  ~SecretFinder();

  /// In the order of the text. Regions that overlap or touch are merged.
  std::vector<Region> find(std::string_view text) const;
  /// The same, only with rules of this kind.
  std::vector<Region> find(std::string_view text, RuleKind only) const;
  /// Searches only the lines text[begin, end). `begin` is the start of a line; `end` is one, too, or the
  /// text's end. If the text has no "-----BEGIN", searching all of its lines this way finds the same as
  /// find(text).
  std::vector<Region> find_in_lines(std::string_view text, std::size_t begin, std::size_t end) const;

  const std::vector<Rule>& rules() const;
  std::size_t custom_rules() const;
  /// Changes whenever the rules do: what was redacted with other rules is redacted again.
  std::string fingerprint() const;
  /// For tests: compiles what find() would compile later. False: a pattern of the built-in table is wrong.
  bool compile_all() const;

 private:
  struct Compiled;
  explicit SecretFinder(std::unique_ptr<Compiled> compiled);
  std::unique_ptr<Compiled> compiled_;
};

}  // namespace plankeep::secrets

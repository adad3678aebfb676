#pragma once
// Removes secrets from texts before they are stored or sent.
//
//   const std::string safe = secrets::redact(text);               // with the built-in rules alone
//
//   TRY_ASSIGN(const Redactor redactor, Redactor::make(options));  // also with the user's rules
//   const Redacted text = redactor.json_lines(transcript);
//   store(text.text());
//
// Only this class makes a Redacted, so a function that takes one cannot be given an unredacted text. No call
// lets a text through unsearched.
//
// A secret becomes "REDACTED", personal data "[REDACTED_EMAIL]" or "[REDACTED_PHONE]". Every other byte
// stays. Redacting the result again changes nothing.
//
// In JSON only string values change, and keys that hold a vendor's token. Values are decoded before they are
// searched, so an escape hides nothing. A value that is JSON itself is searched as JSON. Values of keys that
// name ids and paths are searched for vendors' tokens only; the value of a key that names a secret is
// replaced as a whole. Pictures (an object whose "type" is "base64" or begins with "image") lose their data.
// Anything else is searched as plain text.

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "base/result.hpp"
#include "secrets/finder.hpp"

namespace plankeep::secrets {

/// How many findings each rule had; never what was found.
struct RedactionReport {
  std::map<std::string, std::size_t, std::less<>> findings;  // by the rule's id
  std::size_t pictures = 0;                                  // whose data was taken out

  std::size_t total() const;
  void add(const RedactionReport& other);
};

class Redacted {
 public:
  const std::string& text() const { return text_; }
  std::string take() && { return std::move(text_); }
  const RedactionReport& report() const { return report_; }

 private:
  friend class Redactor;
  Redacted(std::string text, RedactionReport report) : text_(std::move(text)), report_(std::move(report)) {}

  std::string text_;
  RedactionReport report_;
};

struct RedactorOptions {
  FinderOptions finder{};
  bool keep_pictures = false;
};

class Redactor {
 public:
  /// Errors as SecretFinder::make.
  [[nodiscard]] static base::Result<Redactor> make(RedactorOptions options);
  /// With the built-in rules alone. Made at the first call, and lives as long as the program.
  static const Redactor& standard();

  Redacted plain(std::string_view text) const;
  /// A text that is one JSON value.
  Redacted json(std::string_view text) const;
  /// One JSON value per line. Line ends (LF or CR LF) are kept. Lines are independent: a text that is
  /// redacted in parts that end at line ends gives the same result, with less memory (a part and twice its
  /// longest line). A text of a megabyte or more is redacted by up to four threads.
  Redacted json_lines(std::string_view text) const;

  const SecretFinder& finder() const { return finder_; }

 private:
  Redactor(SecretFinder finder, bool keep_pictures)
      : finder_(std::move(finder)), keep_pictures_(keep_pictures) {}

  Redacted lines(std::string_view text) const;
  std::string redact_text(std::string_view text, RedactionReport& report, bool tokens_only) const;
  std::string redact_value(std::string_view text, RedactionReport& report, int depth) const;
  std::string redact_document(std::string_view text, RedactionReport& report) const;
  bool redact_json(std::string_view text, RedactionReport& report, int depth, std::string& out) const;

  SecretFinder finder_;
  bool keep_pictures_ = false;
};

/// standard().plain(text).
std::string redact(std::string_view text);

}  // namespace plankeep::secrets

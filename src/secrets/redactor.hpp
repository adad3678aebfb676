#pragma once
// Takes secrets out of texts before they are kept or sent.
//
//   const std::string safe = secrets::redact(text);               // with the built-in rules alone
//
//   TRY_ASSIGN(const Redactor redactor, Redactor::make(options));  // with the user's rules, too
//   const Redacted text = redactor.json_lines(transcript);
//   store(text.text());
//
// A Redacted can be made only here, so what takes a Redacted cannot be given a text that nobody looked
// through. Fails closed: there is no call that lets a text through unread.
//
// A secret becomes "REDACTED", personal data "[REDACTED_EMAIL]". Every other byte stays. What comes out is a
// fixpoint: redacting it again changes nothing.
//
// In JSON only string values are changed. A value is decoded before it is searched, so no spelling of an
// escape hides anything, and what is found is put back at its own place. A value that holds JSON itself is
// read as JSON. Values of keys that name ids and paths are searched for providers' tokens only; keys that
// name a secret give up their whole value. Pictures (an object whose "type" is "base64" or begins with
// "image") lose their data. What is no JSON is read as plain text.

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
  /// With the built-in rules alone; made when it is first asked for, and lives as long as the program.
  static const Redactor& standard();

  Redacted plain(std::string_view text) const;
  /// A file that is one JSON value.
  Redacted json(std::string_view text) const;
  /// A JSON value a line. Lines keep their ends; a carriage return before one belongs to it. Each line by
  /// itself: redacting a text in parts that end at line ends gives the same, and needs less memory (a part
  /// and twice its longest line). Parts of more than a megabyte go to several threads.
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

#pragma once
// What was redacted already of a text that only grows: the record behind "a transcript is redacted once".
//
//   const auto known = read_prefix(file);                            //
//   <git-common-dir>/plankeep/redacted/<session> std::size_t from = 0; if (known && still_holds(*known,
//   transcript, redactor.finder().fingerprint())) from = known->bytes; const Redacted fresh =
//   redactor.json_lines(transcript.substr(from));
//   ... store the fresh part, add its ids ...
//   write(prefix_text(prefix_of(transcript, fingerprint, ids)));      // 0600, whole-file write
//
// It holds no text, and of the text only a digest of all of it. Losing it costs time: everything is redacted
// again. The form is one JSON object with "version", "bytes", "sha256", "rules" and "chunks".

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace plankeep::secrets {

struct RedactedPrefix {
  std::size_t bytes = 0;            // of the text before it was redacted; a line ends there
  std::string sha256;               // of these bytes, 64 hexadecimal digits
  std::string rules;                // SecretFinder::fingerprint
  std::vector<std::string> chunks;  // ids of the blobs that hold what came out, in order
  bool operator==(const RedactedPrefix&) const = default;
};

/// Of the whole lines of `text`: what is behind the last line end may still grow.
RedactedPrefix prefix_of(std::string_view text, std::string rules, std::vector<std::string> chunks);

/// Whether `text` begins with exactly these bytes, a line ends there, and the rules are the same.
bool still_holds(const RedactedPrefix& prefix, std::string_view text, std::string_view rules);

std::string prefix_text(const RedactedPrefix& prefix);
/// nullopt: torn, of another version, or not one.
std::optional<RedactedPrefix> read_prefix(std::string_view text);

}  // namespace plankeep::secrets

#pragma once
// How much of a growing text has been redacted, so that a transcript is redacted only once.
//
//   const auto known = read_prefix(file);   // <git-common-dir>/plankeep/redacted/<session>
//
//   const std::string rules = redactor.finder().fingerprint();
//   const bool holds = known && still_holds(*known, transcript, rules);
//
//   const Redacted fresh = redactor.json_lines(transcript.substr(holds ? known->bytes : 0));
//   ... store the fresh part, add its ids ...
//
//   write(prefix_text(prefix_of(transcript, rules, ids)));   // 0600, whole-file write
//
// The file is one JSON object: "version", "bytes", "sha256", "rules" and "chunks". It holds no text, only a
// digest of it. If it is lost, everything is redacted again.

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

/// Of the complete lines of `text`: the last line may still grow if it has no line end.
RedactedPrefix prefix_of(std::string_view text, std::string rules, std::vector<std::string> chunks);

/// Whether `text` begins with exactly these bytes, a line ends there, and the rules are the same.
bool still_holds(const RedactedPrefix& prefix, std::string_view text, std::string_view rules);

std::string prefix_text(const RedactedPrefix& prefix);
/// nullopt: torn, of another version, or not one.
std::optional<RedactedPrefix> read_prefix(std::string_view text);

}  // namespace plankeep::secrets

#pragma once
// Texts that look random, and private keys: found by scanning, not by a pattern. Private to this room.

#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>

namespace plankeep::secrets {

struct Span {
  std::size_t begin = 0;
  std::size_t end = 0;
};

/// Shannon entropy of `text` in bits per byte; 0 if it is empty.
double entropy_of(std::string_view text);

/// The first run of letters, digits, "+", "_", "=" and "-" from `at` on with more than 4.5 bits per byte;
/// nullopt: there is none. Skipped: public ids (UUID, ULID, hexadecimal digests, "toolu_…", "msg_…"),
/// checksums ("sha512-…", "SHA256:…", "h1:…"), and joined words.
std::optional<Span> next_random(std::string_view text, std::size_t at);

/// Whether it looks like joined words ("createsTheOrder"): lower case, upper case and digits change seldom.
bool is_wordy(std::string_view text);

/// The private key (PEM, OpenSSH, PGP) whose "-----BEGIN" is at `begin`, up to its end line. Its lines may be
/// separated by line numbers, diff signs, quotes or a written-out "\n". A key without an end line reaches as
/// far as its lines look like base64. nullopt: no key, or only its first line.
std::optional<Span> private_key_at(std::string_view text, std::size_t begin);

/// False: `text` certainly has none.
bool may_hold_private_key(std::string_view text);

}  // namespace plankeep::secrets

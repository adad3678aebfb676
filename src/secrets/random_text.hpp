#pragma once
// Texts that look random, and private keys: found by a walk, not by a pattern. Private to this room.

#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>

namespace plankeep::secrets {

struct Span {
  std::size_t begin = 0;
  std::size_t end = 0;
};

/// Bits a byte of `text` (Shannon); 0 for an empty one.
double entropy_of(std::string_view text);

/// The first run of letters, digits, "+", "_", "=" and "-" from `at` on that has more than 4.5 bits a byte.
/// Not taken for random: ids that are public (UUID, ULID, hexadecimal digests, "toolu_…", "msg_…"), checksums
/// ("sha512-…", "SHA256:…", "h1:…"), and words written together or joined.
std::optional<Span> next_random(std::string_view text, std::size_t at);

/// Words written together or joined, by how seldom small letters, capitals and digits change.
bool is_wordy(std::string_view text);

/// A private key whose "-----BEGIN" stands at `begin` (PEM, OpenSSH, PGP), up to its end line. Line numbers,
/// signs of a diff, quotes and "\n" written out may stand between its lines. One that is cut off goes as far
/// as its lines look like a key's. nullopt: no key, or no more of it than its title.
std::optional<Span> private_key_at(std::string_view text, std::size_t begin);

}  // namespace plankeep::secrets

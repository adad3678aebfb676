#pragma once
// Files that hold secrets, recognised by their name or by their first bytes.

#include <string_view>

namespace plankeep::secrets {

/// By the file's name or the end of its path, whatever the letter case:
/// - environment files: `.env`, `.env.local`, `.envrc`, but not `.env.example` and other templates;
/// - keys and key stores: `*.pem`, `*.key`, `*.p12`, `*.kdbx`, `id_ed25519`, ...;
/// - files in which tools keep passwords: `.netrc`, `.pgpass`, `.git-credentials`, `.aws/credentials`, ...
///
/// `path`: with "/" between its parts. docs/secrets.md has the whole list.
bool is_secret_file(std::string_view path);

inline constexpr std::size_t kKeyBeginning = 128;  // bytes that begins_like_a_key needs
/// Whether a file begins like a private key (PEM, OpenSSH, PGP, PuTTY, age).
bool begins_like_a_key(std::string_view beginning);

}  // namespace plankeep::secrets

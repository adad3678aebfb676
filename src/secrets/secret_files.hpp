#pragma once
// Files that hold secrets, told by their name or by how they begin.

#include <string_view>

namespace plankeep::secrets {

/// The file's name, or the end of its path, says so: `.env` and `.env.local` (but no `.env.example`,
/// `.sample`,
/// `.template`, `.dist`, `.test`), keys and key stores (`*.pem`, `*.key`, `*.p12`, `*.pfx`, `*.jks`,
/// `*.kdbx`, `id_ed25519`), and what tools keep passwords in (`.netrc`, `.pgpass`, `.git-credentials`,
/// `.htpasswd`,
/// `.aws/credentials`). Letter case does not matter. `path`: with "/" between its parts.
bool is_secret_file(std::string_view path);

/// The beginning of a file is that of a private key (PEM, OpenSSH, PGP, PuTTY, age).
inline constexpr std::size_t kKeyBeginning = 128;  // bytes that are enough to tell
bool begins_like_a_key(std::string_view beginning);

}  // namespace plankeep::secrets

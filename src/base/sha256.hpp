#pragma once
// SHA-256 (FIPS 180-4) of a block of bytes, as lower-case hexadecimal.

#include <string>
#include <string_view>

namespace plankeep::base {

/// All 64 hexadecimal digits.
std::string sha256_hex(std::string_view bytes);

/// "sha256:" and the first 16 digits: the checksum of state.json (spec 3).
std::string short_checksum(std::string_view bytes);

}  // namespace plankeep::base

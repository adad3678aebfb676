#pragma once
// ULID (github.com/ulid/spec): a moment and 80 random bits as 26 characters that sort by the moment.
//
// Crockford's base 32 without I, L, O and U. 48 bits are milliseconds since 1970, so the first character is 0
// to 7. We write upper case only and read nothing else: such an id names refs and folders, and two spellings
// of one would be two of them.

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/instant.hpp"

namespace plankeep::base {

inline constexpr std::size_t kUlidLength = 26;
inline constexpr std::int64_t kLastUlidMillisecond = (std::int64_t{1} << 48) - 1;  // in the year 10889

using UlidRandom = std::array<std::uint8_t, 10>;

/// A moment before 1970 or behind kLastUlidMillisecond is taken as the nearest one inside. Two of one
/// millisecond differ by their random bits alone; whoever makes both takes care of those.
std::string make_ulid(Instant when, const UlidRandom& random);

/// 26 characters of the alphabet that make_ulid() could have written.
bool is_ulid(std::string_view text);

/// The moment it was made for; nullopt when the text is no ULID.
std::optional<Instant> ulid_time(std::string_view text);

}  // namespace plankeep::base

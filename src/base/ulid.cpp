#include "base/ulid.hpp"

#include <algorithm>

namespace plankeep::base {
namespace {

constexpr std::string_view kAlphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
constexpr std::size_t kTimeLength = 10;
constexpr unsigned kBits = 5;  // a character

}  // namespace

std::string make_ulid(Instant when, const UlidRandom& random) {
  std::string text(kUlidLength, '0');
  auto time =
      static_cast<std::uint64_t>(std::clamp<std::int64_t>(when.milliseconds, 0, kLastUlidMillisecond));
  for (std::size_t at = kTimeLength; at-- > 0; time >>= kBits) text[at] = kAlphabet[time & 31U];
  // 80 bits are two times 40, and 40 bits are eight characters.
  for (std::size_t half = 0; half < 2; ++half) {
    std::uint64_t bits = 0;
    for (std::size_t byte = 0; byte < 5; ++byte) bits = bits << 8U | random[half * 5 + byte];
    const std::size_t begin = kTimeLength + half * 8;
    for (std::size_t at = begin + 8; at-- > begin; bits >>= kBits) text[at] = kAlphabet[bits & 31U];
  }
  return text;
}

bool is_ulid(std::string_view text) {
  return text.size() == kUlidLength && text.front() >= '0' && text.front() <= '7' &&
         text.find_first_not_of(kAlphabet) == std::string_view::npos;
}

std::optional<Instant> ulid_time(std::string_view text) {
  if (!is_ulid(text)) return std::nullopt;
  std::int64_t milliseconds = 0;
  for (const char digit : text.substr(0, kTimeLength))
    milliseconds = milliseconds * 32 + static_cast<std::int64_t>(kAlphabet.find(digit));
  return Instant{milliseconds};
}

}  // namespace plankeep::base

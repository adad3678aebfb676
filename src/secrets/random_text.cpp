#include "secrets/random_text.hpp"

#include <algorithm>
#include <array>
#include <bitset>
#include <cmath>
#include <cstdint>

#include "secrets/characters.hpp"

namespace plankeep::secrets {
namespace {

constexpr double kRandomBits = 4.5;
constexpr std::size_t kShortestRandom = 23;  // fewer different bytes cannot give so many bits a byte

constexpr std::array<bool, 256> kParts = [] {
  std::array<bool, 256> parts{};
  for (std::size_t c = 0; c < parts.size(); ++c) {
    const char one = static_cast<char>(c);
    parts[c] = is_letter_or_digit(one) || one == '+' || one == '_' || one == '=' || one == '-';
  }
  return parts;
}();

bool is_part(char c) {
  return kParts[static_cast<unsigned char>(c)];
}

bool has_enough_different(std::string_view text) {
  std::bitset<256> seen;
  for (const char c : text) seen.set(static_cast<unsigned char>(c));
  return seen.count() >= kShortestRandom;
}

template <class List>
bool starts_with_one_of(std::string_view text, const List& list) {
  return std::any_of(list.begin(), list.end(), [&](std::string_view one) { return text.starts_with(one); });
}

// Ids that clients and models give: public, and needed to read a transcript.
constexpr std::array<std::string_view, 12> kIds = {"toolu_",    "msg_",      "call_", "req_",
                                                   "chatcmpl-", "srvtoolu_", "resp_", "item_",
                                                   "cp_",       "fc_",       "rs_",   "evt_"};
constexpr std::array<std::string_view, 4> kDigests = {"sha512-", "sha384-", "sha256-", "sha1-"};
constexpr std::array<std::string_view, 5> kBeforeDigests = {
    "h1:", "sha256:", "SHA256:", "sha512:", "sha256="};

// Whether a run belongs to a checksum in base64, which its "/" cuts into several runs.
bool is_of_digest(std::string_view text, Span run) {
  constexpr std::size_t kLongestDigest = 128;
  std::size_t begin = run.begin;
  const std::size_t least = begin > kLongestDigest ? begin - kLongestDigest : 0;
  while (begin > least && (is_part(text[begin - 1]) || text[begin - 1] == '/')) --begin;
  const std::string_view whole = text.substr(begin, run.end - begin);
  if (starts_with_one_of(whole, kDigests)) return true;
  const std::string_view before = text.substr(0, begin);
  return std::any_of(kBeforeDigests.begin(), kBeforeDigests.end(),
                     [&](std::string_view one) { return before.ends_with(one); }) ||
         std::any_of(kBeforeDigests.begin(), kBeforeDigests.end(),
                     [&](std::string_view one) { return one.back() == '=' && whole.starts_with(one); });
}

bool is_ulid(std::string_view text) {
  constexpr std::size_t kLength = 26;
  return text.size() == kLength && text[0] >= '0' && text[0] <= '7' &&
         text.find_first_not_of("0123456789ABCDEFGHJKMNPQRSTVWXYZ") == std::string_view::npos;
}

// --- private keys ------------------------------------------------------------------------------------------

constexpr std::string_view kBegin = "-----BEGIN";
constexpr std::string_view kEnd = "-----END";
constexpr std::string_view kPrivate = "PRIVATE KEY";
constexpr std::string_view kDashes = "-----";
constexpr std::size_t kLongestTitle = 64;
constexpr std::size_t kLongestKey = std::size_t{64} << 10;
constexpr std::size_t kShortestLine = 16;  // of base64, in the middle of a key

bool is_base64(char c) {
  return is_letter_or_digit(c) || c == '+' || c == '/' || c == '=';
}

std::size_t end_of_title(std::string_view text, std::size_t begin, std::string_view word) {
  const std::size_t dashes = text.substr(0, begin + kLongestTitle).find(kDashes, begin + word.size());
  if (dashes == std::string_view::npos) return dashes;
  const std::string_view title = text.substr(begin, dashes - begin);
  return title.find(kPrivate) == std::string_view::npos ? std::string_view::npos : dashes + kDashes.size();
}

// The end of whatever may separate two lines of a key.
std::size_t past_line_end(std::string_view text, std::size_t at) {
  constexpr std::size_t kMost = 40;
  const std::size_t begin = at;
  std::size_t good = at;
  while (at < text.size() && at - begin < kMost) {
    const char c = text[at];
    if (c == '\\' && at + 1 < text.size() && (text[at + 1] == 'n' || text[at + 1] == 'r')) {
      at += 2;
      good = at;
    } else if (!is_letter_or_digit(c)) {
      ++at;
      good = at;
    } else if (is_number(c)) {
      // A line number: digits with no base64 behind them.
      std::size_t end = at;
      while (end < text.size() && is_number(text[end])) ++end;
      if (end < text.size() && is_base64(text[end])) break;
      at = end;
    } else {
      break;
    }
  }
  return good;
}

}  // namespace

double entropy_of(std::string_view text) {
  std::array<std::uint32_t, 256> counts{};
  for (const char c : text) ++counts[static_cast<unsigned char>(c)];
  double bits = 0;
  for (const std::uint32_t count : counts) {
    if (count == 0) continue;
    const double share = static_cast<double>(count) / static_cast<double>(text.size());
    bits -= share * std::log2(share);
  }
  return bits;
}

// Random text changes between lower case, upper case and digits about every second character; words change
// every fourth or less often ("createsTheOrder", "user_id-42").
bool is_wordy(std::string_view text) {
  constexpr double kWordLength = 3.5;
  const auto kind = [](char c) { return is_lower(c) ? 0 : is_upper(c) ? 1 : is_number(c) ? 2 : 3; };
  std::size_t runs = 1;
  std::size_t letters = 1;
  for (std::size_t i = 1; i < text.size(); ++i) {
    if (kind(text[i]) == 3) continue;
    ++letters;
    const bool capitalised = is_upper(text[i - 1]) && is_lower(text[i]);
    if (kind(text[i]) != kind(text[i - 1]) && !capitalised) ++runs;
  }
  return static_cast<double>(letters) >= static_cast<double>(runs) * kWordLength;
}

std::optional<Span> next_random(std::string_view text, std::size_t at) {
  // A run that is too short ends before the first place where a long one could end, so look there first.
  while (at + kShortestRandom <= text.size()) {
    std::size_t back = at + kShortestRandom;
    while (back > at && is_part(text[back - 1])) --back;
    if (back > at) {
      at = back;
      continue;
    }
    std::size_t end = at + kShortestRandom;
    while (end < text.size() && is_part(text[end])) ++end;
    // "NAME=value": the value counts; "=" at the end belongs to it.
    std::string_view run = text.substr(at, end - at);
    const std::size_t equals = run.substr(0, run.find_last_not_of('=')).rfind('=');
    if (equals != std::string_view::npos) {
      at += equals + 1;
      run.remove_prefix(equals + 1);
    }
    if (has_enough_different(run) && entropy_of(run) > kRandomBits && !starts_with_one_of(run, kIds) &&
        !is_ulid(run) && !is_wordy(run) && !is_of_digest(text, {at, end}))
      return Span{at, end};
    at = end;
  }
  return std::nullopt;
}

std::optional<Span> private_key_at(std::string_view text, std::size_t begin) {
  if (!text.substr(begin).starts_with(kBegin)) return std::nullopt;
  const std::size_t body = end_of_title(text, begin, kBegin);
  if (body == std::string_view::npos) return std::nullopt;
  std::string_view near = text.substr(0, std::min(text.size(), body + kLongestKey));
  near = near.substr(0, near.find(kBegin, body));  // the next key
  const std::size_t close = near.find(kEnd, body);
  if (close != std::string_view::npos) {
    const std::size_t end = end_of_title(text, close, kEnd);
    std::size_t longest = 0;
    std::size_t run = 0;
    for (const char c : text.substr(body, close - body)) {
      run = is_base64(c) ? run + 1 : 0;
      longest = std::max(longest, run);
    }
    // A sentence about these two lines holds no key.
    if (end != std::string_view::npos && longest >= kShortestLine) return Span{begin, end};
  }
  std::size_t end = body;
  for (bool more = true; more;) {
    const std::size_t line = past_line_end(text, end);
    std::size_t stop = line;
    while (stop < text.size() && is_base64(text[stop])) ++stop;
    more = stop - line >= kShortestLine;
    // The last line of a key is short.
    if (more || (end > body && stop > line && line > end)) end = stop;
  }
  if (end == body) return std::nullopt;
  return Span{begin, end};
}

bool may_hold_private_key(std::string_view text) {
  return text.find(kBegin) != std::string_view::npos;
}

}  // namespace plankeep::secrets

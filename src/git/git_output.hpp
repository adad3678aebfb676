#pragma once
// What git's answers are made of. For git/ and the rooms that read answers of git's by themselves.

#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.hpp"
#include "base/instant.hpp"
#include "system/processes.hpp"

namespace plankeep::git {

/// Branches: their names stand behind it.
inline constexpr std::string_view kBranchRefs = "refs/heads/";

/// Takes the part up to `end` off the front of `text`; all of it when there is no `end`.
inline std::string_view take_until(std::string_view& text, char end) {
  const std::size_t at = text.find(end);
  const std::string_view part = text.substr(0, at);
  text.remove_prefix(at == std::string_view::npos ? text.size() : at + 1);
  return part;
}

/// Takes the last line off the end of `text`.
inline std::string take_last_line(std::string_view& text) {
  if (text.ends_with('\n')) text.remove_suffix(1);
  const std::size_t start = text.rfind('\n') + 1;  // npos + 1 is 0
  std::string line(text.substr(start));
  text = text.substr(0, start);
  return line;
}

/// False when the text is no number, or more than one.
template <typename Number>
bool read_number(std::string_view text, Number& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

/// Seconds since 1970 as git writes them; nullopt: no number, or outside the years 1970 to 9999.
inline std::optional<base::Instant> instant_of_seconds(std::string_view digits) {
  std::int64_t seconds = 0;
  constexpr std::int64_t kLatest = 253'402'300'799;  // the last second of 9999
  if (!read_number(digits, seconds) || seconds < 0 || seconds > kLatest) return std::nullopt;
  return base::Instant{seconds * base::kSecond};
}

inline bool is_id(std::string_view text) {
  if (text.size() != 40 && text.size() != 64) return false;
  // Without branches: digits and letters take turns at random, and lists are long.
  bool hexadecimal = true;
  for (const char digit : text)
    hexadecimal = hexadecimal & (static_cast<unsigned char>(digit - '0') < 10 ||
                                 static_cast<unsigned char>(digit - 'a') < 6);
  return hexadecimal;
}

/// The first line of what git said.
inline std::string words_of(const system::Finished& finished) {
  std::string_view said = finished.errors;
  said = said.substr(0, said.find('\n'));
  if (said.empty()) return "it exited with status " + std::to_string(finished.status);
  return std::string(said);
}

inline base::Error refused(const system::Finished& finished) {
  return {base::ErrorKind::io, "git refused: " + words_of(finished), {}, {}};
}

inline std::string without_line_feed(std::string text) {
  if (text.ends_with('\n')) text.pop_back();
  return text;
}

/// It said that there is no work tree to speak of.
inline bool no_work_tree(const system::Finished& finished) {
  return finished.errors.find("not a git repository") != std::string::npos ||
         finished.errors.find("must be run in a work tree") != std::string::npos;
}

}  // namespace plankeep::git

#pragma once
// Reading what git prints. Private to this room.

#include <string>
#include <string_view>

#include "base/error.hpp"
#include "system/processes.hpp"

namespace plankeep::git {

/// A full object id.
inline bool is_id(std::string_view text) {
  return (text.size() == 40 || text.size() == 64) &&
         text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

/// Takes the part up to `end` off the front of `text`; all of it when there is no `end`.
inline std::string_view take_until(std::string_view& text, char end) {
  const std::size_t at = text.find(end);
  const std::string_view part = text.substr(0, at);
  text.remove_prefix(at == std::string_view::npos ? text.size() : at + 1);
  return part;
}

inline std::string without_line_feed(std::string text) {
  if (text.ends_with('\n')) text.pop_back();
  return text;
}

/// In git's own words: the first line of what it said.
inline base::Error refused(const system::Finished& finished) {
  std::string_view said = finished.errors;
  said = said.substr(0, said.find('\n'));
  const std::string words =
      said.empty() ? "it ended with status " + std::to_string(finished.status) : std::string(said);
  return {base::ErrorKind::io, "git refuses: " + words, {}, {}};
}

/// It said that there is no work tree to speak of.
inline bool no_work_tree(const system::Finished& finished) {
  return finished.errors.find("not a git repository") != std::string::npos ||
         finished.errors.find("must be run in a work tree") != std::string::npos;
}

}  // namespace plankeep::git

#pragma once
// The floors of src/ and which foreign header belongs to which room, as a function of text, so that the rule
// itself can be tested on bad examples.
//
//   for (const Include& include : includes_of(text))
//     if (auto objection = objection_to("render/view.hpp", include)) ...
//
// Paths are relative to src/ and use "/".

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace plankeep::architecture {

struct Include {
  int line = 1;
  std::string target;   // as written between the quotes or brackets
  bool quoted = false;  // "..." rather than <...>
};

/// Every #include line, also those inside comments and #if 0: a commented-out include is a bad example for
/// its readers.
std::vector<Include> includes_of(std::string_view text);

/// nullopt for a folder that is no room.
std::optional<int> floor_of(std::string_view room);

/// Why the file at `path` must not include this; nullopt when it may.
std::optional<std::string> objection_to(std::string_view path, const Include& include);

/// Why the file as a whole breaks a house rule (header guard, own header first); nullopt when it does not.
/// `has_own_header`: a .hpp of the same name stands beside the .cpp.
std::optional<std::string> objection_to_file(std::string_view path, std::string_view text,
                                             bool has_own_header);

}  // namespace plankeep::architecture

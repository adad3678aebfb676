#pragma once
// Finds the secrets of a text that is searched again after each small change, as in an editor. Searches only
// the lines that have changed.
//
//   KnownSecrets known;
//   for (const Region& region : known.find(finder, text)) ...
//
// Gives the same result as finder.find(text). Remembers the last text. These texts are searched whole each
// time: an entirely different one; one with a private key, which spans lines, or with colours; any text if
// there are custom rules.

#include <string>
#include <string_view>
#include <vector>

#include "secrets/finder.hpp"

namespace plankeep::secrets {

class KnownSecrets {
 public:
  /// `finder` must be the same in all calls. The result is valid until the next call.
  const std::vector<Region>& find(const SecretFinder& finder, std::string_view text);

 private:
  bool by_line_ = false;  // whether regions_ can be updated line by line
  std::string text_;
  std::vector<Region> regions_;
};

}  // namespace plankeep::secrets

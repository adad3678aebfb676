#pragma once
// The secrets of a text that is searched again after each small change, as an editor's is. What was found in
// lines that are still the same is kept.
//
//   KnownSecrets known;
//   for (const Region& region : known.find(finder, text)) ...
//
// Always what finder.find(text) gives. Remembers the last text; an entirely different one is searched whole.
// So is a text with a private key in it, which is no matter of single lines, and any text with custom rules.

#include <string>
#include <string_view>
#include <vector>

#include "secrets/finder.hpp"

namespace plankeep::secrets {

class KnownSecrets {
 public:
  /// `finder`: the same one each time. The regions are valid until the next call.
  const std::vector<Region>& find(const SecretFinder& finder, std::string_view text);

 private:
  bool by_line_ = false;  // what is known of text_ is known line by line
  std::string text_;
  std::vector<Region> regions_;
};

}  // namespace plankeep::secrets

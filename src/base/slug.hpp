#pragma once
// The id of a thing that has only a title (spec 7.7).
//
// Unicode letters, marks and digits are kept in lower case, everything else between them becomes one "-"; at
// most 48 characters (code points), without a "-" at either end. Nothing is composed or transliterated. A
// variation selector behind a character that is left out goes with it.

#include <string>
#include <string_view>

namespace plankeep::base {

/// `fallback` when no letter or digit is left.
std::string slug(std::string_view title, std::string_view fallback);

}  // namespace plankeep::base

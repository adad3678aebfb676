#pragma once
// How much of a commit's id people see.

#include <cstddef>

namespace plankeep::render {

inline constexpr std::size_t kShortCommit = 10;  // digits; git's own abbreviations begin at 7

}  // namespace plankeep::render

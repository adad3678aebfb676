#pragma once
// Any bytes as one word of printable ASCII: everything else, the space and "%" become %XX. Private to
// worktree/.

#include <string>
#include <string_view>

namespace plankeep::git {

std::string percent_encoded(std::string_view bytes);
/// Anything else than %XX is unchanged.
std::string percent_decoded(std::string_view text);

}  // namespace plankeep::git

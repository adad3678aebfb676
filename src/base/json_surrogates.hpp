#pragma once
// Programs written in JavaScript cut texts between the two halves of a character and send the lone half as an
// escape, which is no JSON. Whoever must not fail on that reads it as U+FFFD.

#include <optional>
#include <string>
#include <string_view>

namespace plankeep::base {

/// The text with each escape of a lone surrogate as that of U+FFFD, of the same length; nullopt when there is
/// none. The text need not be JSON otherwise.
std::optional<std::string> without_lone_surrogates(std::string_view json);

}  // namespace plankeep::base

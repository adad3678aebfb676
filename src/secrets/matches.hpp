#pragma once
// Checks around a keyword before its rule is tried, and of a match before it counts. Private to this room.

#include <cstddef>
#include <string_view>

#include "secrets/random_text.hpp"
#include "secrets/rule.hpp"

namespace plankeep::secrets {

/// `at`, `length`: of the keyword in the text.
bool is_worth_trying(Around around, std::string_view text, std::size_t at, std::size_t length);

/// Whether a match is a secret: not a placeholder, not an expression of a programming language, and random
/// enough. `match`, `secret`: positions in the text.
bool counts(const Rule& rule, std::string_view text, Span match, Span secret);

}  // namespace plankeep::secrets

#pragma once
// The part of the built-in table that knows vendors' tokens. Private to this room.

#include <vector>

#include "secrets/rule.hpp"

namespace plankeep::secrets {

/// Appends them to `rules`.
void add_token_rules(std::vector<Rule>& rules);

}  // namespace plankeep::secrets

#pragma once
// The part of the built-in table that knows vendors' tokens. Private to this room.

#include <vector>

#include "secrets/rule.hpp"

namespace plankeep::secrets {

/// Behind those that are there.
void add_token_rules(std::vector<Rule>& rules);

}  // namespace plankeep::secrets

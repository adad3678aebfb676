#pragma once
// The part of the built-in table that knows vendors' tokens. Private to this room.

#include <vector>

#include "secrets/rule.hpp"

namespace plankeep::secrets {

std::vector<Rule> token_rules();

}  // namespace plankeep::secrets

#pragma once
// What the check of the history's chain found (model/chain), in words and as JSON.

#include <string>

#include "model/chain.hpp"

namespace plankeep::render {

/// "holds: 12 lines", or from which line on it does not. One line, without a full stop.
std::string chain_words(const core::ChainReport& report);

/// `plankeep log --verify --json`, see schemas/output-chain.schema.json.
std::string chain_json(const core::ChainReport& report);

}  // namespace plankeep::render

#pragma once
// JSON of ours on its way to a model.

#include <string>
#include <string_view>

#include "base/result.hpp"

namespace plankeep::mcp {

/// The same value in one line, every string and key made safe to be shown (base::printable, lines kept): what
/// stands in a plan may hold escape sequences, and JSON would carry them through. `internal` when it is no
/// JSON.
[[nodiscard]] base::Result<std::string> safe_json(std::string_view json);

}  // namespace plankeep::mcp

#pragma once
// Looks at standard output once, at start.

#include "system/environment.hpp"
#include "system/terminal.hpp"

namespace plankeep::system {

/// Width and height are what the variables COLUMNS and LINES say (1 to 10000), else the terminal's own, else
/// 80 by 24.
Terminal standard_output(const Environment& environment);

}  // namespace plankeep::system

#pragma once
// Looks at standard output once, at start.

#include "system/environment.hpp"
#include "system/terminal.hpp"

namespace plankeep::system {

/// The width is the terminal's own, else the variable COLUMNS (1 to 10000), else 80.
Terminal standard_output(const Environment& environment);

}  // namespace plankeep::system

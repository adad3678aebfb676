#pragma once
// What standard output is.

#include "system/environment.hpp"
#include "system/terminal.hpp"

namespace plankeep::system {

/// Width and height are what the variables COLUMNS and LINES say (1 to 10000), else the terminal's own, else
/// 80 by 24.
Terminal standard_output(const Environment& environment);

/// Of the window at standard error; 80 when it does not say.
std::size_t columns_of_standard_error();

/// The size of the window at standard output; what it does not say stays as it is.
void take_window_size(Terminal& terminal);

}  // namespace plankeep::system

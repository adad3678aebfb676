#pragma once
// Showing text in the user's pager, as git does it.

#include <string_view>

#include "system/environment.hpp"

namespace plankeep::system {

/// Runs $PAGER (the user's own command line: /bin/sh runs it where it is more than a name), or less without
/// one, with `text` as its standard input, and waits for its end. LESS is FRX and LV is -c unless they are
/// set. An interrupt at the keyboard is the pager's meanwhile. False: there is no pager (PAGER is empty or
/// cat, or it cannot be started), and nothing was shown.
bool show_in_pager(std::string_view text, const Environment& environment);

}  // namespace plankeep::system

#pragma once
// Whether output is coloured, and whether it may use more than ASCII: by what the user said and by what the
// environment says, as is usual (no-color.org, bixense.com/clicolors).

#include <cstddef>

#include "cli/globals.hpp"
#include "render/style.hpp"
#include "system/environment.hpp"

namespace plankeep::cli {

/// The first of these that says something: --color; NO_COLOR; FORCE_COLOR and CLICOLOR_FORCE; TERM=dumb;
/// CLICOLOR=0; whether it is a terminal.
bool wants_colour(Colour asked, const system::Environment& environment, bool is_terminal);

/// The first that is set of LC_ALL, LC_CTYPE and LANG names the character set. Where none is set nothing is
/// known of the reader, and plans are UTF-8.
bool is_utf8_locale(const system::Environment& environment);

/// A terminal on which a line can be drawn over.
bool is_smart_terminal(const system::Environment& environment, bool is_terminal);

/// Where nothing is a terminal nothing is cut.
render::Style style_for(Colour asked, const system::Environment& environment, bool is_terminal,
                        std::size_t columns);

}  // namespace plankeep::cli

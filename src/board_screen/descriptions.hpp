#pragma once
// Descriptions of common terminals, for machines where no terminfo is installed.
//
// Each is a compiled terminfo entry as ncurses 6.1 and later take it in the variable TERMINFO ("b64:…",
// terminfo(5)), made with `infocmp -0 -Q2 -q NAME` of Debian 12's ncurses-base (6.4). The description that
// the system has of a terminal goes first.

#include <optional>
#include <string_view>

namespace plankeep::board_screen {

struct Description {
  std::string_view name;  // that the description itself has: ncurses wants it asked for by that
  std::string_view text;
};

/// The nearest for a terminal of this name ($TERM); nullopt for one that nothing is known of.
std::optional<Description> description_for(std::string_view terminal);

}  // namespace plankeep::board_screen

#include "board_screen/descriptions.hpp"

#include <catch2/catch.hpp>

namespace plankeep::board_screen {
namespace {

TEST_CASE("terminals that are no terminfo's get the description of their family") {
  CHECK(description_for("xterm-kitty")->name == "xterm-256color");
  CHECK(description_for("alacritty-direct")->name == "xterm-256color");
  CHECK(description_for("tmux-256color")->name == "tmux-256color");
  CHECK(description_for("screen.xterm-256color")->name == "screen-256color");
  CHECK(description_for("linux")->name == "linux");
  CHECK(description_for("vt220")->name == "vt100");
  CHECK_FALSE(description_for("adm3a"));
  CHECK_FALSE(description_for(""));
}

TEST_CASE("descriptions are in the form that ncurses takes in TERMINFO") {
  for (const char* name :
       {"xterm", "xterm-256color", "screen", "tmux", "linux", "vt100", "rxvt", "xterm-color"}) {
    INFO(name);
    const auto found = description_for(name);
    REQUIRE(found);
    CHECK(found->text.starts_with("b64:"));
    CHECK(found->text.size() > 500);
  }
}

}  // namespace
}  // namespace plankeep::board_screen

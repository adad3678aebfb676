#include "cli/terminal_style.hpp"

#include <catch2/catch.hpp>

#include "support/map_environment.hpp"

namespace plankeep::cli {
namespace {

using Variables = std::map<std::string, std::string>;

bool coloured(const Variables& variables, bool is_terminal, Colour asked = Colour::automatic) {
  test::MapEnvironment environment;
  environment.variables = variables;
  return wants_colour(asked, environment, is_terminal);
}

bool utf8(const Variables& variables) {
  test::MapEnvironment environment;
  environment.variables = variables;
  return is_utf8_locale(environment);
}

TEST_CASE("colour: a terminal has it, a pipe has not") {
  CHECK(coloured({{"TERM", "xterm"}}, true));
  CHECK_FALSE(coloured({{"TERM", "xterm"}}, false));
  CHECK_FALSE(coloured({{"TERM", "dumb"}}, true));
  CHECK_FALSE(coloured({}, true));
}

TEST_CASE("colour: the environment says more than the terminal") {
  CHECK_FALSE(coloured({{"TERM", "xterm"}, {"NO_COLOR", "1"}}, true));
  CHECK(coloured({{"TERM", "xterm"}, {"NO_COLOR", ""}}, true));
  CHECK_FALSE(coloured({{"TERM", "xterm"}, {"CLICOLOR", "0"}}, true));
  CHECK(coloured({{"TERM", "xterm"}, {"CLICOLOR", "1"}}, true));
  CHECK(coloured({{"CLICOLOR_FORCE", "1"}}, false));
  CHECK_FALSE(coloured({{"CLICOLOR_FORCE", "0"}}, false));
  CHECK(coloured({{"FORCE_COLOR", "1"}}, false));
  CHECK(coloured({{"FORCE_COLOR", "3"}, {"TERM", "dumb"}}, true));
  CHECK_FALSE(coloured({{"FORCE_COLOR", "0"}, {"TERM", "xterm"}}, true));
  CHECK_FALSE(coloured({{"FORCE_COLOR", "1"}, {"NO_COLOR", "1"}}, true));
}

TEST_CASE("colour: the option says more than the environment") {
  CHECK(coloured({{"NO_COLOR", "1"}}, false, Colour::always));
  CHECK_FALSE(coloured({{"FORCE_COLOR", "1"}, {"TERM", "xterm"}}, true, Colour::never));
}

TEST_CASE("the first of LC_ALL, LC_CTYPE and LANG says what the reader can read") {
  CHECK(utf8({}));
  CHECK(utf8({{"LANG", "de_DE.UTF-8"}}));
  CHECK(utf8({{"LANG", "C.utf8"}}));
  CHECK_FALSE(utf8({{"LANG", "C"}}));
  CHECK_FALSE(utf8({{"LC_ALL", "POSIX"}, {"LANG", "en_US.UTF-8"}}));
  CHECK_FALSE(utf8({{"LC_CTYPE", "de_DE.ISO-8859-1"}, {"LANG", "en_US.UTF-8"}}));
  CHECK(utf8({{"LC_ALL", ""}, {"LC_CTYPE", "en_US.UTF-8"}, {"LANG", "C"}}));
}

TEST_CASE("nothing is cut where nothing is a terminal") {
  test::MapEnvironment environment;
  CHECK(style_for(Colour::automatic, environment, false, 80).columns == render::kUnlimited);
  CHECK(style_for(Colour::automatic, environment, true, 72).columns == 72);
  environment.variables["LC_ALL"] = "C";
  CHECK(style_for(Colour::automatic, environment, false, 80).ascii);
}

}  // namespace
}  // namespace plankeep::cli

#include "cli/terminal_style.hpp"

#include <algorithm>
#include <string>

namespace plankeep::cli {
namespace {

std::string value_of(const system::Environment& environment, const char* name) {
  return environment.variable(name).value_or("");
}

bool says_no(const std::string& value) {
  return value == "0" || value == "false";
}

}  // namespace

bool wants_colour(Colour asked, const system::Environment& environment, bool is_terminal) {
  if (asked != Colour::automatic) return asked == Colour::always;
  if (!value_of(environment, "NO_COLOR").empty()) return false;
  const std::string force = value_of(environment, "FORCE_COLOR");
  if (!force.empty()) return !says_no(force);
  const std::string forced = value_of(environment, "CLICOLOR_FORCE");
  if (!forced.empty() && !says_no(forced)) return true;
  if (!is_smart_terminal(environment, is_terminal)) return false;
  return !says_no(value_of(environment, "CLICOLOR"));
}

bool is_utf8_locale(const system::Environment& environment) {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    std::string locale = value_of(environment, name);
    if (locale.empty()) continue;
    std::transform(locale.begin(), locale.end(), locale.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    return locale.find("utf-8") != std::string::npos || locale.find("utf8") != std::string::npos;
  }
  return true;
}

bool is_smart_terminal(const system::Environment& environment, bool is_terminal) {
  const std::string terminal = value_of(environment, "TERM");
  return is_terminal && !terminal.empty() && terminal != "dumb";
}

render::Style style_for(Colour asked, const system::Environment& environment, bool is_terminal,
                        std::size_t columns) {
  render::Style style;
  style.colour = wants_colour(asked, environment, is_terminal);
  style.columns = is_terminal ? columns : render::kUnlimited;
  style.ascii = !is_utf8_locale(environment);
  return style;
}

}  // namespace plankeep::cli

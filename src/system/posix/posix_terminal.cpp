#include "system/posix/posix_terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <charconv>
#include <string>

namespace plankeep::system {

namespace {

constexpr std::size_t kWidest = 10000;

std::size_t columns_from(const Environment& environment, std::size_t fallback) {
  const auto text = environment.variable("COLUMNS");
  if (!text) return fallback;
  std::size_t columns = 0;
  const char* last = text->data() + text->size();
  const auto [end, error] = std::from_chars(text->data(), last, columns);
  if (error != std::errc{} || end != last || columns == 0 || columns > kWidest) return fallback;
  return columns;
}

}  // namespace

Terminal standard_output(const Environment& environment) {
  Terminal terminal;
  terminal.is_terminal = ::isatty(STDOUT_FILENO) == 1;
  winsize size{};
  if (terminal.is_terminal && ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
    terminal.columns = size.ws_col;
  } else {
    terminal.columns = columns_from(environment, terminal.columns);
  }
  return terminal;
}

}  // namespace plankeep::system

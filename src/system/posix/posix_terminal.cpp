#include "system/posix/posix_terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <charconv>
#include <string>

namespace plankeep::system {

namespace {

constexpr std::size_t kWidest = 10000;

// What the variable says, if that can be; else `fallback`.
std::size_t size_from(const Environment& environment, const char* name, std::size_t fallback) {
  const auto text = environment.variable(name);
  if (!text) return fallback;
  std::size_t size = 0;
  const char* last = text->data() + text->size();
  const auto [end, error] = std::from_chars(text->data(), last, size);
  if (error != std::errc{} || end != last || size == 0 || size > kWidest) return fallback;
  return size;
}

}  // namespace

void take_window_size(Terminal& terminal) {
  winsize size{};
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0) return;
  if (size.ws_col > 0) terminal.columns = size.ws_col;
  if (size.ws_row > 0) terminal.rows = size.ws_row;
}

std::size_t columns_of_standard_error() {
  winsize size{};
  return ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : Terminal().columns;
}

Terminal standard_output(const Environment& environment) {
  Terminal terminal;
  terminal.is_terminal = ::isatty(STDOUT_FILENO) == 1;
  if (terminal.is_terminal) take_window_size(terminal);
  terminal.columns = size_from(environment, "COLUMNS", terminal.columns);
  terminal.rows = size_from(environment, "LINES", terminal.rows);
  return terminal;
}

}  // namespace plankeep::system

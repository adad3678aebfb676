#pragma once
// Standard output and error, as commands see them. The real one is in main.cpp.

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>

#include "system/file_watch.hpp"

namespace plankeep::cli {

class Console {
 public:
  virtual ~Console() = default;
  /// Writes all of `text` to standard output at once. False when nobody reads any more (a closed pipe) or it
  /// cannot be written; what cannot be written for another reason is said on standard error by main.
  virtual bool write(std::string_view text) = 0;
  /// The same through the user's pager, where there is one.
  virtual bool page(std::string_view text) { return write(text); }
  /// The same for standard error; failing is nobody's business.
  virtual void write_error(std::string_view text) = 0;
  /// What comes next on standard input, at most `count` bytes; empty at its end, and when nothing came for
  /// `timeout` (then `gave_up` is set). Never waits for a terminal: there it is at its end.
  virtual std::string read(std::size_t count, std::chrono::milliseconds timeout, bool& gave_up) = 0;
  /// The same for a program that serves one client: waits as long as it takes, for a terminal too. Empty at
  /// the end of standard input, and when it is time to end: an interrupt (from the first call on it only does
  /// that, and ends a write that waits), or nobody reads standard output any more.
  virtual std::string await(std::size_t count) {
    (void)count;
    return {};
  }
  /// Sleeps until `watch` (may be null) has seen a change, or `time` is over; false when it is time to end:
  /// an interrupt, or standard output was closed.
  virtual bool wait(std::chrono::milliseconds time, system::FileWatch* watch) = 0;
  /// Whether somebody sits at a terminal who can be asked: standard input and standard error are one.
  virtual bool can_ask() const { return false; }
  /// Asks on standard error, and gives the line that is answered, without its end; empty when there is none
  /// (its end, an interrupt).
  virtual std::string ask(std::string_view question) {
    (void)question;
    return {};
  }
  /// From the first call on an interrupt, hang-up or request to end does not end the process: it is noted,
  /// and told here.
  virtual bool interrupted() { return false; }
};

/// All of standard input, or its first `most` bytes; what came until then when nothing came for `timeout`.
inline std::string read_all(Console& console, std::size_t most, std::chrono::milliseconds timeout) {
  constexpr std::size_t kAtOnce = std::size_t{64} << 10;
  std::string text;
  bool gave_up = false;
  while (text.size() < most) {
    const std::string more = console.read(std::min(kAtOnce, most - text.size()), timeout, gave_up);
    if (more.empty()) break;
    text += more;
  }
  return text;
}

}  // namespace plankeep::cli

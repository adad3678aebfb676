#pragma once
// Standard output and error, as commands see them. The real one is in main.cpp.

#include <chrono>
#include <string_view>

namespace plankeep::cli {

class Console {
 public:
  virtual ~Console() = default;
  /// Writes all of `text` to standard output at once. False when nobody reads any more (a closed pipe) or it
  /// cannot be written; what cannot be written for another reason is said on standard error by main.
  virtual bool write(std::string_view text) = 0;
  /// The same for standard error; failing is nobody's business.
  virtual void write_error(std::string_view text) = 0;
  /// Sleeps; false when it is time to end: an interrupt, or standard output was closed.
  virtual bool wait(std::chrono::milliseconds time) = 0;
};

}  // namespace plankeep::cli

#pragma once
// The rows of a checkpoint store that cannot be read, until somebody asks for the warnings. For engines.

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "base/result.hpp"

namespace plankeep::records {

class PassedOver {
 public:
  /// Only what is wrong with the row itself is passed over; other errors come back.
  [[nodiscard]] base::Status add(const base::Error& error) {
    if (error.kind == base::ErrorKind::io || error.kind == base::ErrorKind::busy) return base::fail(error);
    if (count_++ == 0) first_ = error.message;
    return {};
  }

  /// Adds a sentence about them, if there are any, and forgets them.
  void tell(std::vector<std::string>& warnings) {
    const std::size_t count = std::exchange(count_, 0);
    if (count == 0) return;
    warnings.push_back((count == 1 ? std::string("1 checkpoint") : std::to_string(count) + " checkpoints") +
                       " cannot be read and " + (count == 1 ? "is" : "are") + " ignored: " + first_);
  }

 private:
  std::size_t count_ = 0;
  std::string first_;
};

}  // namespace plankeep::records

#pragma once
// Counts the rows of a checkpoint store that could not be read, for one warning about all of them. Used by
// the engines.

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "base/result.hpp"
#include "base/text.hpp"

namespace plankeep::records {

class PassedOver {
 public:
  /// Counts an error in the row itself. Errors of the connection or the disk (io, busy) are returned.
  [[nodiscard]] base::Status add(const base::Error& error) {
    if (error.kind == base::ErrorKind::io || error.kind == base::ErrorKind::busy) return base::fail(error);
    if (count_++ == 0) first_ = error.message;
    return {};
  }

  /// Appends one warning about the counted rows, if there are any, and starts again at zero.
  void tell(std::vector<std::string>& warnings) {
    const std::size_t count = std::exchange(count_, 0);
    if (count == 0) return;
    warnings.push_back(base::counted(count, "checkpoint", "checkpoints") + " cannot be read and " +
                       (count == 1 ? "is" : "are") + " ignored: " + first_);
  }

 private:
  std::size_t count_ = 0;
  std::string first_;
};

}  // namespace plankeep::records

#pragma once
// The time of day, as a port, so that tests say what time it is.

#include "base/instant.hpp"

namespace plankeep::system {

class Clock {
 public:
  virtual ~Clock() = default;
  virtual base::Instant now() = 0;
};

}  // namespace plankeep::system

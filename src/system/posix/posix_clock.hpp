#pragma once
// The machine's time of day.
//
// The variable PLANKEEP_NOW (an ISO-8601 moment, "2026-11-20T15:43:50.123Z") stops the clock there: for tests
// and for output that is the same on every run. A text that is no moment is passed over.

#include <optional>

#include "system/clock.hpp"
#include "system/environment.hpp"

namespace plankeep::system {

class PosixClock : public Clock {
 public:
  explicit PosixClock(const Environment& environment);
  base::Instant now() override;

 private:
  std::optional<base::Instant> fixed_;
};

}  // namespace plankeep::system

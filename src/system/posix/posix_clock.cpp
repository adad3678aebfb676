#include "system/posix/posix_clock.hpp"

#include <chrono>

namespace plankeep::system {

PosixClock::PosixClock(const Environment& environment) {
  if (const auto text = environment.variable("PLANKEEP_NOW")) fixed_ = base::parse_iso8601(*text);
}

base::Instant PosixClock::now() {
  if (fixed_) return *fixed_;
  const auto since_epoch = std::chrono::system_clock::now().time_since_epoch();
  return base::Instant{std::chrono::duration_cast<std::chrono::milliseconds>(since_epoch).count()};
}

}  // namespace plankeep::system

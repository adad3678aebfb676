#pragma once
// A clock that stands still until a test moves it.

#include "system/clock.hpp"

namespace plankeep::test {

class FakeClock : public system::Clock {
 public:
  /// 2026-11-20T15:43:50.123Z
  static constexpr std::int64_t kStart = 1'795'189'430'123;

  explicit FakeClock(base::Instant start = base::Instant{kStart}) : now_(start) {}
  base::Instant now() override { return now_; }
  void advance(std::int64_t milliseconds) { now_.milliseconds += milliseconds; }
  void set(base::Instant now) { now_ = now; }

 private:
  base::Instant now_;
};

}  // namespace plankeep::test

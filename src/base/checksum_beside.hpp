#pragma once
// The checksum of a text, worked out while the caller goes on with something else.
//
//   ChecksumBeside sum(bytes);      // `bytes` must stay until value() was called or `sum` is gone
//   auto plan = parse(bytes);
//   use(*plan, sum.value());
//
// A large text gets a thread of its own for it; for a small one starting the thread would cost more than the
// checksum, which is then made in value(). So it is where no thread can be had.

#include <string>
#include <string_view>
#include <thread>

namespace plankeep::base {

class ChecksumBeside {
 public:
  explicit ChecksumBeside(std::string_view bytes);
  ~ChecksumBeside();
  ChecksumBeside(const ChecksumBeside&) = delete;
  ChecksumBeside& operator=(const ChecksumBeside&) = delete;

  /// base::short_checksum of the text. Waits for it.
  const std::string& value();

 private:
  std::string_view bytes_;
  std::string checksum_;
  std::thread thread_;
};

}  // namespace plankeep::base

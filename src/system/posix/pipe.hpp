#pragma once
// Descriptors and pipes for other processes. Private to system/posix.

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <string>

#include "base/error.hpp"

namespace plankeep::system {

class Descriptor {
 public:
  explicit Descriptor(int number = -1) : number_(number) {}
  ~Descriptor() { close(); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return number_; }
  bool open() const { return number_ >= 0; }
  void set(int number) {
    close();
    number_ = number;
  }
  void close() {
    if (number_ >= 0) ::close(number_);
    number_ = -1;
  }

 private:
  int number_;
};

struct Pipe {
  Descriptor reading;
  Descriptor writing;
  bool make() {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) return false;
    reading.set(ends[0]);
    writing.set(ends[1]);
    return true;
  }
};

inline base::Error process_error(const std::string& what, int number) {
  const base::ErrorKind kind = number == ENOENT ? base::ErrorKind::not_found : base::ErrorKind::io;
  return {kind, what + ": " + std::strerror(number), {}, {}};
}

}  // namespace plankeep::system

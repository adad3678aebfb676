#pragma once
// What standard output is, for looks only.

#include <cstddef>

namespace plankeep::system {

struct Terminal {
  bool is_terminal = false;
  std::size_t columns = 80;
  std::size_t rows = 24;
};

}  // namespace plankeep::system

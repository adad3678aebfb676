#pragma once

#include "support/golden.hpp"

namespace plankeep::render {

inline void check_golden(const std::string& name, const std::string& actual) {
  test::check_golden("render", name, actual);
}

}  // namespace plankeep::render

#pragma once
// state.json, version 2 (spec 3), and recovery.json (spec 5).
//
// Reading is strict about what is known (a wrong type is an error that names its path) and keeps what is not.
// A file of another version is refused. Writing: two spaces, final line feed, known keys in the order of spec
// 3, then what was unknown.

#include <string>
#include <string_view>

#include "base/result.hpp"
#include "model/state.hpp"

namespace plankeep::core {

std::string encode_state(const State& state);
[[nodiscard]] base::Result<State> decode_state(std::string_view json);

struct Recovery {
  base::Instant saved_at;
  std::string reason;
  State state;
  bool operator==(const Recovery&) const = default;
};

std::string encode_recovery(const Recovery& recovery);
[[nodiscard]] base::Result<Recovery> decode_recovery(std::string_view json);

}  // namespace plankeep::core

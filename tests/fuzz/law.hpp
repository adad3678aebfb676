#pragma once
// law(condition, "what should hold"): stops the process when it does not, in every build type, so that
// libFuzzer keeps the input and the corpus test fails.

#include <cstdint>
#include <cstdio>
#include <cstdlib>

namespace plankeep::fuzz {

inline void law(bool holds, const char* sentence) {
  if (holds) return;
  std::fprintf(stderr, "broken law: %s\n", sentence);
  std::abort();
}

}  // namespace plankeep::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

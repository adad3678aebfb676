#pragma once
// A plan's text with one thing changed.

#include <catch2/catch.hpp>
#include <string>

/// `text` with `fresh` in the place of the first `old`, which must be there.
inline std::string with(std::string text, const std::string& old, const std::string& fresh) {
  const std::size_t at = text.find(old);
  REQUIRE(at != std::string::npos);
  return text.replace(at, old.size(), fresh);
}

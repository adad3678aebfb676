#pragma once
// Times as a person or a model gives them to a command or tool: `--since`, `--older-than`. `argument` is how
// it is called there, for the message. invalid_input, with what would be one, when the text is none.

#include <cstdint>
#include <string>
#include <string_view>

#include "base/instant.hpp"
#include "base/result.hpp"

namespace plankeep::app {

/// "2026-11-20T15:00:00Z", "2026-11-20" (its first moment, UTC), or a length of time before `now`
/// (base/instant).
[[nodiscard]] base::Result<base::Instant> read_since(std::string_view argument, const std::string& text,
                                                     base::Instant now);

/// A length of time, in milliseconds.
[[nodiscard]] base::Result<std::int64_t> read_age(std::string_view argument, const std::string& text);

}  // namespace plankeep::app

#pragma once
// What a client gives its status line command (spec 10.7). Claude Code 2.1: seen by running it.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.hpp"

namespace plankeep::clients {

struct StatusLineInput {
  std::string session_id;
  std::string cwd;
  std::string project;                 // empty when it is not said
  std::optional<int> context_percent;  // absent before the first answer
  std::optional<std::int64_t> context_window;
};

/// corrupt when it is no JSON object. Fields of other types than expected count as absent.
[[nodiscard]] base::Result<StatusLineInput> read_status_line_input(std::string_view json);

}  // namespace plankeep::clients

#include "clients/status_line.hpp"

#include <algorithm>
#include <cmath>

#include "base/json_reader.hpp"

namespace plankeep::clients {
namespace {

using base::JsonReader;
using base::JsonType;
using base::Status;

Status text(JsonReader& in, std::string& value) {
  return in.peek() == JsonType::string ? in.string(value) : in.skip();
}

Status read_window(JsonReader& in, StatusLineInput& input) {
  return in.object([&](std::string_view key) -> Status {
    if (in.peek() != JsonType::number) return in.skip();
    if (key == "used_percentage") {
      double percent = 0;
      TRY(in.number(percent));
      input.context_percent = static_cast<int>(std::lround(std::clamp(percent, 0.0, 1000.0)));
      return {};
    }
    if (key == "context_window_size") {
      double size = 0;
      TRY(in.number(size));
      constexpr double kMost = 1e12;
      if (size >= 1 && size <= kMost) input.context_window = static_cast<std::int64_t>(size);
      return {};
    }
    return in.skip();
  });
}

}  // namespace

base::Result<StatusLineInput> read_status_line_input(std::string_view json) {
  StatusLineInput input;
  JsonReader in(json);
  std::string cwd;
  TRY(in.object([&](std::string_view key) -> Status {
    if (key == "session_id") return text(in, input.session_id);
    if (key == "cwd") return text(in, cwd);
    if (key == "workspace" && in.peek() == JsonType::object) {
      return in.object([&](std::string_view part) -> Status {
        if (part == "current_dir") return text(in, input.cwd);
        if (part == "project_dir") return text(in, input.project);
        return in.skip();
      });
    }
    if (key == "context_window" && in.peek() == JsonType::object) return read_window(in, input);
    return in.skip();
  }));
  TRY(in.end());
  if (input.cwd.empty()) input.cwd = std::move(cwd);
  return input;
}

}  // namespace plankeep::clients

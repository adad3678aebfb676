#pragma once
// What a model passed to a tool: typed, and nothing that the tool does not know.
//
//   ToolArguments arguments(object);
//   TRY(arguments.take("ids", ids));            // absent or null: `ids` stays as it was
//   TRY(arguments.finish());                    // everything was taken
//
// Errors are invalid_input and name the argument, so that whoever called can mend it.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "json_rpc/json.hpp"

namespace plankeep::mcp {

using json_rpc::Json;

class ToolArguments {
 public:
  explicit ToolArguments(const Json& object);

  [[nodiscard]] base::Status take(std::string_view name, std::string& value);
  [[nodiscard]] base::Status take(std::string_view name, std::optional<std::string>& value);
  [[nodiscard]] base::Status take(std::string_view name, std::vector<std::string>& value);
  [[nodiscard]] base::Status take(std::string_view name, bool& value);
  /// From `least` to `most`.
  [[nodiscard]] base::Status take(std::string_view name, std::int64_t& value, std::int64_t least,
                                  std::int64_t most);
  /// One of `choices`.
  [[nodiscard]] base::Status take(std::string_view name, std::string& value,
                                  const std::vector<std::string_view>& choices);

  [[nodiscard]] base::Status finish() const;

 private:
  /// Null when it was not passed.
  Json passed(std::string_view name);

  Json left_ = Json::object();
  std::vector<std::string> known_;  // that were asked for
};

}  // namespace plankeep::mcp

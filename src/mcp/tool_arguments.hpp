#pragma once
// What a model passed to a tool: typed, and nothing that the tool does not know.
//
//   TRY_ASSIGN(auto arguments, ToolArguments::read(json));
//   TRY(arguments.take("ids", ids));            // absent or null: `ids` stays as it was
//   TRY(arguments.finish());                    // everything was taken
//
// Errors are invalid_input and name the argument, so that whoever called can mend it.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.hpp"

namespace plankeep::mcp {

class ToolArguments {
 public:
  /// `object` must outlive the arguments.
  [[nodiscard]] static base::Result<ToolArguments> read(std::string_view object);

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
  /// Its JSON; empty when it was not passed.
  std::string_view raw(std::string_view name);

  std::vector<std::pair<std::string, std::string_view>> left_;
  std::vector<std::string> known_;  // that were asked for
};

}  // namespace plankeep::mcp

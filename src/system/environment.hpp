#pragma once
// What the process was started with: variables and the working directory, as a port.

#include <optional>
#include <string>

namespace plankeep::system {

class Environment {
 public:
  virtual ~Environment() = default;
  /// nullopt when it is not set; an empty variable is an empty text.
  virtual std::optional<std::string> variable(const std::string& name) const = 0;
  /// Absolute.
  virtual std::string working_directory() const = 0;
};

}  // namespace plankeep::system

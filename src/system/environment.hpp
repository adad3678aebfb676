#pragma once
// What the process was started with: variables, the working directory and the program itself, as a port.

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
  /// The file that is running, absolute and free of symbolic links; empty when the system does not say.
  virtual std::string program() const { return {}; }
};

}  // namespace plankeep::system

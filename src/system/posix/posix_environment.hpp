#pragma once
// The environment of this process.

#include "system/environment.hpp"

namespace plankeep::system {

class PosixEnvironment : public Environment {
 public:
  std::optional<std::string> variable(const std::string& name) const override;
  /// "/" when the folder we were started in is gone: nothing is found there, which is the truth.
  std::string working_directory() const override;
  std::string program() const override;
};

}  // namespace plankeep::system

#pragma once
// An environment made of a map: nothing of the real one gets in.

#include <map>

#include "system/environment.hpp"

namespace plankeep::test {

class MapEnvironment : public system::Environment {
 public:
  std::map<std::string, std::string> variables;
  std::string directory = "/";
  std::string running = "/usr/bin/plankeep";

  std::optional<std::string> variable(const std::string& name) const override {
    const auto found = variables.find(name);
    if (found == variables.end()) return std::nullopt;
    return found->second;
  }
  std::string working_directory() const override { return directory; }
  std::string program() const override { return running; }
};

}  // namespace plankeep::test

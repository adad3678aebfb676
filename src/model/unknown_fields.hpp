#pragma once
// Fields of a file that this version does not know, kept as their JSON text and written back.

#include <string>
#include <vector>

namespace plankeep::core {

struct UnknownField {
  std::string name;
  std::string json;
  bool operator==(const UnknownField&) const = default;
};
using UnknownFields = std::vector<UnknownField>;

}  // namespace plankeep::core

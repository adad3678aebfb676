#pragma once
// Records of session checkpoints that another program had thrown away (sessions/lost_records), in words.

#include <string>
#include <vector>

#include "base/text.hpp"

namespace plankeep::render {

/// A line, or nothing where nothing was put back.
inline std::string put_back_text(const std::vector<std::string>& ids) {
  if (ids.empty()) return {};
  return base::counted(ids.size(), "session checkpoint", "session checkpoints") +
         " put back that another program had thrown away: " + base::joined(ids) + "\n";
}

}  // namespace plankeep::render

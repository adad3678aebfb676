#pragma once
// Which plan a file was before it was renamed. Pure.
//
// Compares the titles of the boxes with those of the folder's missing plans. A missing plan counts if at
// least half of the boxes of the longer plan are in both: a file may be renamed and edited at once. An
// archived one counts only if the text is the same or has most of its ticks, and only where no other is as
// alike.

#include <cstddef>
#include <string>
#include <vector>

#include "model/plan.hpp"
#include "model/state.hpp"

namespace plankeep::core {

struct GonePlan {
  std::string name;  // of the file
  State state;       // what was recorded last
};

/// Indexes of those that `plan` may have been, the file's checksum being `checksum`: none, the one that it
/// was, or several of which the contents do not tell which.
std::vector<std::size_t> predecessors_of(const Plan& plan, const std::string& checksum,
                                         const std::vector<GonePlan>& gone);

}  // namespace plankeep::core

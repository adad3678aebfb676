#pragma once
// Tasks and criteria that are gone from the plan. They never raise a percentage without one of these lines
// (spec 9.5).

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/json_writer.hpp"
#include "rules/view.hpp"

namespace plankeep::render {

/// "2 tasks and 1 criterion".
std::string vanished_count(const std::vector<core::VanishedTask>& gone);

/// "2 tasks are no longer in the plan: a, b (Title)": the first five, titles of at most `longest` columns.
std::string vanished_words(const std::vector<core::VanishedTask>& gone, std::size_t longest);

/// "it" or "them", for "to put ... back: plankeep restore --lost".
std::string_view them(const std::vector<core::VanishedTask>& gone);

/// Both in one line. `plan`: for --plan, where that is needed.
std::string vanished_line(const std::vector<core::VanishedTask>& gone, std::size_t longest,
                          const std::string& plan = {});

/// "vanished": [ { id, phaseId, title?, done, criterion? } ]
void write_vanished(base::JsonWriter& out, const std::vector<core::VanishedTask>& gone);

}  // namespace plankeep::render

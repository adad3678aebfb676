#pragma once
// A prd.json as ralph loops keep it, as a plan with markers (`plankeep import`). Pure.
//
// Read of the file: project, description, branchName, verificationCommands { name: command line } and
// userStories [ { id, title, description, acceptanceCriteria [], priority, passes, notes } ]; of a story only
// `title` or `description` must be there. (The shape is the one of the example in snarktank/ralph.)
//
// A story becomes a phase with one task of its id; its criteria become ACCEPT boxes `<id>-1`, `<id>-2`, …;
// `passes` ticks task and criteria. Stories are sorted by priority, those without one last, else in their
// order. verificationCommands become a last phase `checks` of open criteria, each with its command.
//
// The text is somebody else's: it is put on one line and escaped, so that it shows as it is and can be no
// marker, comment, box, heading or list. The plan is read again before it is given back and must say what the
// file says. What is not kept or was changed stands in `notes`, unknown fields by their path.
//
// Errors: invalid_input for what is no JSON, no prd.json, or holds a value of the wrong type, with its path.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace plankeep::markdown {

struct ImportedPlan {
  std::string text;
  std::size_t tasks = 0;
  std::size_t done = 0;
  std::size_t criteria = 0;
  std::vector<std::string> notes;  // one line each; may quote the file
};

/// `name`: the file's name, for the plan's first lines.
[[nodiscard]] base::Result<ImportedPlan> import_prd(std::string_view json, std::string_view name);

}  // namespace plankeep::markdown

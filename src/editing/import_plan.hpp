#pragma once
// A plan made from another tool's file (`plankeep import`; markdown/import_prd says what is read).
//
// The plan is written by temporary file and rename, synced. One that is there is never overwritten unless
// `force`: then it is replaced like an edit (mode and owner kept), and the next sync records what that
// changed. Tracking is not begun: that is `init`.
//
// Errors: conflict when the plan is there; invalid_input for a file that cannot be imported or is larger than
// 16 MiB; not_found, io, corrupt (no regular file, on either side).

#include <string>

#include "base/result.hpp"
#include "markdown/import_prd.hpp"
#include "project/context.hpp"

namespace plankeep::app {

struct ImportRequest {
  std::string file;
  std::string to = "plan.md";  // a file; its folder must be there
  bool force = false;
  bool write = true;
};

[[nodiscard]] base::Result<markdown::ImportedPlan> import_plan(const Context& context,
                                                               const ImportRequest& request);

}  // namespace plankeep::app

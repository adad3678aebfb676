#pragma once
// What going back to a checkpoint changed, or would.
//
// JSON: { plan {id, path}, to {checkpoint, type, time}, from (the checkpoint that --undo goes back to; null
// when nothing was done), what: "plan", "files", "all", "head" or
// "files_and_head" (an undo's), dryRun, planChanged,
// planPermissionsChanged? (only when true), files [ {path, change:
// added|changed|mode|type|removed} ], kept [ {path, reason} ], leftOut [ {path, reason}
// ] (what no checkpoint holds, changed or not: it stays as it is), otherPlans [path] (tracked plans among the
// files), commit?, branch? (absent: detached), headMoved?, leftBehind? {commit, count} (commits on no branch,
// with "head"), diff? (of the plan, with --dry-run), progress?, revision? (of what was recorded), warnings[]
// }.

#include <string>
#include <string_view>

#include "base/instant.hpp"
#include "render/style.hpp"
#include "rewind/rewind.hpp"

namespace plankeep::render {

/// `plan`: how it was named, for the commands that the text tells; empty: they find it without.
std::string rewind_text(const app::Rewound& rewound, base::Instant now, const Style& style,
                        std::string_view plan = {});
std::string rewind_json(const app::Rewound& rewound);

}  // namespace plankeep::render

#pragma once
// What going back to a checkpoint changed, or would.
//
// JSON: { plan {id, path}, to {checkpoint, type, time}, from (the checkpoint that --undo goes back to; null
// when nothing was done), what: "plan", "files", "all" or "head", dryRun, planChanged, files [ {path, change:
// added|changed|mode|type|removed} ], kept [ {path, reason} ], leftOut [ {path, reason}
// ] (what no checkpoint holds, changed or not: it stays as it is), otherPlans [path] (tracked plans among the
// files), commit?, branch? (absent: detached), headMoved?, leftBehind? {commit, count} (commits on no branch,
// with "head"), diff? (of the plan, with --dry-run), progress?, revision? (of what was recorded), warnings[]
// }.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/instant.hpp"
#include "model/progress.hpp"
#include "render/style.hpp"

namespace plankeep::render {

struct RewoundFile {
  std::string path;
  std::string word;  // of a change what it is; of a kept one why
};

struct RewindView {
  std::string plan_id;
  std::string path;
  std::string to;
  std::string to_type;
  base::Instant to_time;
  std::string from;
  std::string what;
  bool dry = false;
  std::string plan_before;
  std::string plan_after;
  std::vector<RewoundFile> files;
  std::vector<RewoundFile> kept;
  std::vector<RewoundFile> left_out;
  std::vector<std::string> other_plans;
  std::string commit;
  std::string branch;
  bool head_moved = false;
  std::string left_commit;
  std::size_t left_behind = 0;
  std::optional<core::Progress> progress;
  std::int64_t revision = 0;
  std::vector<std::string> warnings;
};

/// Warnings are not in it: they go to standard error.
std::string rewind_text(const RewindView& view, base::Instant now, const Style& style);
std::string rewind_json(const RewindView& view);

}  // namespace plankeep::render

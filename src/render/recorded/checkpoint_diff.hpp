#pragma once
// In what two checkpoints differ, and where one was written to.
//
// JSON of diff: { plan {id, path}, from {checkpoint, type, time}, to (the same; null: now), plan_changed
// (null: not known), tasks [ {change: ticked|unticked|started|stopped|added|removed, id, phase, title} ],
// files [ {path, change: added|changed|mode|type|removed, added, removed (lines; null: binary)} ] (null: not
// known), diff? (as git shows it, made safe to print), warnings[] }; of checkout { plan, checkpoint, folder,
// plan_file (null: none), files (their number), warnings[] }.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/checkpoint.hpp"
#include "render/style.hpp"
#include "rules/todo_changes.hpp"

namespace plankeep::render {

struct FileDifferenceRow {
  std::string path;
  std::string change;
  std::optional<std::int64_t> added;
  std::optional<std::int64_t> removed;
};

struct CheckpointDiffView {
  std::string plan_id;
  std::string path;
  core::CheckpointHead from;
  std::optional<core::CheckpointHead> to;
  std::optional<bool> plan_changed;
  std::vector<core::TodoChange> tasks;
  std::optional<std::vector<FileDifferenceRow>> files;
  std::optional<std::string> patch;  // nullopt: only the list is wanted
  std::vector<std::string> warnings;
};

/// Tasks first, then files. Without the warnings.
std::string checkpoint_diff_text(const CheckpointDiffView& view, const Style& style);
std::string checkpoint_diff_json(const CheckpointDiffView& view);

struct CheckedOutView {
  std::string plan_id;
  std::string path;
  std::string checkpoint;
  std::string folder;
  std::string plan_file;
  std::size_t files = 0;
  std::vector<std::string> warnings;
};

std::string checked_out_text(const CheckedOutView& view, const Style& style);
std::string checked_out_json(const CheckedOutView& view);

}  // namespace plankeep::render

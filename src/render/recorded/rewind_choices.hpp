#pragma once
// What can be gone back to, a line each, newest first.
//
// JSON: { plan {id, path}, choices [ { number (from 1), checkpoint (core::write_listed), files_changed (since
// the checkpoint before it; null: not known) } ], warnings[] }.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/instant.hpp"
#include "model/checkpoint.hpp"
#include "render/style.hpp"

namespace plankeep::render {

struct RewindChoiceRow {
  core::ListedCheckpoint checkpoint;
  std::optional<std::int64_t> files;
};

struct RewindChoicesView {
  std::string plan_id;
  std::string path;
  std::vector<RewindChoiceRow> rows;
  std::vector<std::string> warnings;
};

/// Without the warnings.
std::string rewind_choices_text(const RewindChoicesView& view, base::Instant now, const Style& style);
std::string rewind_choices_json(const RewindChoicesView& view);

}  // namespace plankeep::render

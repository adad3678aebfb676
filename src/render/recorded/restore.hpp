#pragma once
// The earlier texts of a plan, as `plankeep restore` lists them.
//
// JSON: { plan {id, path}, texts [ {number, time, digits, bytes, progress, lost[]} ], warnings[] }; of a
// restore with --dry-run { plan, from (one of those), what: "plan" or "lost_tasks", changed, diff }.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/instant.hpp"
#include "model/progress.hpp"
#include "render/style.hpp"

namespace plankeep::render {

struct EarlierTextRow {
  std::size_t number = 0;
  base::Instant time;
  std::string digits;
  std::uint64_t bytes = 0;
  core::Progress progress;
  std::vector<std::string> lost;  // ids of tasks that the plan does not have now
};

struct EarlierTextsView {
  std::string plan_id;
  std::string path;
  std::vector<EarlierTextRow> rows;  // newest first
  std::vector<std::string> warnings;
};

std::string earlier_texts_text(const EarlierTextsView& view, base::Instant now, const Style& style);
std::string earlier_texts_json(const EarlierTextsView& view);

struct RestorePreview {
  std::string plan_id;
  std::string path;
  EarlierTextRow from;
  std::string what;  // "plan", "lost_tasks"
  std::string before;
  std::string after;
};

std::string restore_preview_text(const RestorePreview& preview, const Style& style);
std::string restore_preview_json(const RestorePreview& preview);

}  // namespace plankeep::render

#include "render/recorded/restore.hpp"

#include <algorithm>

#include "base/json_writer.hpp"
#include "base/utf8.hpp"
#include "render/json_parts.hpp"
#include "render/line_diff.hpp"

namespace plankeep::render {
namespace {

constexpr std::size_t kLostShown = 5;

std::string lost_text(const std::vector<std::string>& lost) {
  if (lost.empty()) return {};
  std::string text = counted(lost.size(), "task", "tasks") + " missing from the current plan: ";
  for (std::size_t i = 0; i < lost.size() && i < kLostShown; ++i)
    text += (i > 0 ? ", " : "") + safe_line(lost[i]);
  if (lost.size() > kLostShown) text += ", …";
  return text;
}

void write_row(base::JsonWriter& out, const app::EarlierText& row) {
  out.begin_object();
  out.key("number").value(static_cast<std::int64_t>(row.number));
  out.key("time").value(base::to_iso8601(row.time));
  out.key("digits").value(row.digits);
  out.key("bytes").value(row.size);
  write_progress(out, row.progress);
  write_strings(out, "lost", row.lost);
  out.end_object();
}

}  // namespace

std::string earlier_texts_text(const app::EarlierTexts& earlier, base::Instant now, const Style& style) {
  std::string text;
  const std::size_t columns = std::max(style.columns, kNarrowest);
  for (const app::EarlierText& row : earlier.texts) {
    std::string line = pad_left(std::to_string(row.number), 3) + "  " + row.digits.substr(0, 8) + "  " +
                       pad_right(base::ago(row.time, now), 12) + "  " +
                       std::to_string(row.progress.completed) + " of " +
                       counted(row.progress.total, "task", "tasks");
    if (const std::string lost = lost_text(row.lost); !lost.empty()) line += ", " + lost;
    text += base::fit_to_width(line, columns) + "\n";
  }
  if (earlier.texts.empty()) text = "no earlier version of this plan\n";
  if (!earlier.texts.empty()) {
    text += paint(style, Paint::dim,
                  "Restore one: plankeep restore NUMBER; only its lost tasks: --lost; preview: --dry-run");
    text += "\n";
  }
  return text;
}

std::string earlier_texts_json(const app::EarlierTexts& earlier) {
  base::JsonWriter out(base::JsonWriter::Layout::indented);
  out.begin_object();
  write_plan_reference(out, earlier.plan);
  out.key("texts").begin_array();
  for (const app::EarlierText& row : earlier.texts) write_row(out, row);
  out.end_array();
  write_strings(out, "warnings", earlier.warnings);
  out.end_object();
  return out.finish();
}

std::string restore_preview_text(const app::Restored& preview, const Style& style) {
  if (preview.before == preview.after) return "nothing would change\n";
  return line_diff(preview.before, preview.after, style);
}

std::string restore_preview_json(const app::Restored& preview, const app::PlanLocation& plan,
                                 app::Restore what) {
  base::JsonWriter out(base::JsonWriter::Layout::indented);
  out.begin_object();
  write_plan_reference(out, plan);
  out.key("from");
  write_row(out, preview.from);
  out.key("what").value(what == app::Restore::lost_tasks ? "lost_tasks" : "plan");
  out.key("changed").value(preview.before != preview.after);
  out.key("diff").value(line_diff(preview.before, preview.after, Style{}));
  out.end_object();
  return out.finish();
}

}  // namespace plankeep::render

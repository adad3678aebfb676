#include "render/recorded/restore.hpp"

#include <algorithm>

#include "base/json_writer.hpp"
#include "base/utf8.hpp"
#include "render/json_parts.hpp"
#include "render/line_diff.hpp"

namespace plankeep::render {
namespace {

constexpr std::size_t kIdsShown = 5;

std::string lost_text(const std::vector<std::string>& lost) {
  if (lost.empty()) return {};
  std::string text = counted(lost.size(), "task", "tasks") + " missing from the current plan: ";
  for (std::size_t i = 0; i < lost.size() && i < kIdsShown; ++i)
    text += (i > 0 ? ", " : "") + safe_line(lost[i]);
  if (lost.size() > kIdsShown) text += ", …";
  return text;
}

void write_row(base::JsonWriter& out, const EarlierTextRow& row) {
  out.begin_object();
  out.key("number").value(static_cast<std::int64_t>(row.number));
  out.key("time").value(base::to_iso8601(row.time));
  out.key("digits").value(row.digits);
  out.key("bytes").value(row.bytes);
  write_progress(out, row.progress);
  write_strings(out, "lost", row.lost);
  out.end_object();
}

}  // namespace

std::string earlier_texts_text(const EarlierTextsView& view, base::Instant now, const Style& style) {
  std::string text;
  const std::size_t columns = std::max(style.columns, kNarrowest);
  for (const EarlierTextRow& row : view.rows) {
    std::string line = pad_left(std::to_string(row.number), 3) + "  " + row.digits.substr(0, 8) + "  " +
                       pad_right(base::ago(row.time, now), 12) + "  " +
                       std::to_string(row.progress.completed) + " of " +
                       counted(row.progress.total, "task", "tasks");
    if (const std::string lost = lost_text(row.lost); !lost.empty()) line += ", " + lost;
    text += base::fit_to_width(line, columns) + "\n";
  }
  if (view.rows.empty()) text = "no earlier version of this plan\n";
  if (!view.rows.empty()) {
    text += paint(style, Paint::dim,
                  "Restore one: plankeep restore NUMBER; only its lost tasks: --lost; preview: --dry-run");
    text += "\n";
  }
  return text;
}

std::string earlier_texts_json(const EarlierTextsView& view) {
  base::JsonWriter out(base::JsonWriter::Layout::indented);
  out.begin_object();
  write_plan_reference(out, view.plan_id, view.path);
  out.key("texts").begin_array();
  for (const EarlierTextRow& row : view.rows) write_row(out, row);
  out.end_array();
  write_strings(out, "warnings", view.warnings);
  out.end_object();
  return out.finish();
}

std::string restore_preview_text(const RestorePreview& preview, const Style& style) {
  if (preview.before == preview.after) return "nothing would change\n";
  return line_diff(preview.before, preview.after, style);
}

std::string restore_preview_json(const RestorePreview& preview) {
  base::JsonWriter out(base::JsonWriter::Layout::indented);
  out.begin_object();
  write_plan_reference(out, preview.plan_id, preview.path);
  out.key("from");
  write_row(out, preview.from);
  out.key("what").value(preview.what);
  out.key("changed").value(preview.before != preview.after);
  out.key("diff").value(line_diff(preview.before, preview.after, Style{}));
  out.end_object();
  return out.finish();
}

}  // namespace plankeep::render

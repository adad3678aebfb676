#include "render/recorded/checkpoint_diff.hpp"

#include <algorithm>

#include "base/json_writer.hpp"
#include "base/utf8.hpp"
#include "render/json_parts.hpp"
#include "render/recorded/log.hpp"

namespace plankeep::render {
namespace {

using base::JsonWriter;
using What = core::TodoChange::What;

void write_side(JsonWriter& out, const core::CheckpointHead& head) {
  out.begin_object();
  out.key("checkpoint").value(head.id.text);
  out.key("type").value(core::name_of(head.type));
  out.key("time").value(base::to_iso8601(head.timestamp));
  out.end_object();
}

void write_lines(JsonWriter& out, std::string_view key, const std::optional<std::int64_t>& lines) {
  out.key(key);
  if (lines) {
    out.value(*lines);
  } else {
    out.null();
  }
}

Paint paint_of(What what) {
  if (what == What::ticked || what == What::added) return Paint::good;
  return what == What::unticked || what == What::removed ? Paint::bad : Paint::active;
}

std::string lines_of(const git::FileDifference& file) {
  if (!file.added || !file.removed) return "binary";
  return "+" + std::to_string(*file.added) + " -" + std::to_string(*file.removed);
}

// What stands in a snapshot is from strangers: no escape in it reaches a terminal.
std::string painted_patch(std::string_view patch, const Style& style) {
  std::string safe = base::printable(patch, true);
  if (!style.colour) return safe;
  std::string text;
  std::string_view rest = safe;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    const std::string_view line = rest.substr(0, end);
    const Paint kind = line.starts_with("diff ") || line.starts_with("+++") || line.starts_with("---")
                           ? Paint::strong
                       : line.starts_with("@@") ? Paint::dim
                       : line.starts_with('+')  ? Paint::good
                       : line.starts_with('-')  ? Paint::bad
                                                : Paint::plain;
    text += paint(style, kind, line) + "\n";
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return text;
}

}  // namespace

std::string checkpoint_diff_text(const app::CheckpointDiff& diff, const Style& style) {
  const std::size_t columns = std::max(style.columns, kNarrowest);
  std::string text;
  if (!diff.tasks.empty()) text += paint(style, Paint::strong, "Tasks") + "\n";
  std::size_t widest = 0;
  for (const core::TodoChange& change : diff.tasks)
    widest = std::max(widest, core::name_of(change.what).size());
  for (const core::TodoChange& change : diff.tasks) {
    const std::string word = pad_right(std::string(core::name_of(change.what)), widest);
    // Only the title is cut, never the id.
    const std::string id = safe_line(change.item.id.text) + ": ";
    const std::size_t used = std::min(columns, 4 + word.size() + base::display_width(id));
    text += "  " + paint(style, paint_of(change.what), word) + "  " + id +
            base::fit_to_width(safe_line(change.item.title), std::max(columns - used, kNarrowTitle)) + "\n";
  }
  if (diff.tasks.empty() && diff.plan_changed)
    text += *diff.plan_changed ? "no task changed, only the plan's text\n" : "the plan is identical\n";
  if (!diff.plan_changed) text += "the plan could not be read on one of the two sides\n";
  if (!diff.files) return text;
  if (diff.files->empty()) return text + "no files differ\n";
  if (diff.patch) {
    for (const git::FileDifference& file : *diff.files) {
      if (file.only_permissions) text += "other permissions: " + safe_line(file.path) + "\n";
    }
    return diff.patch->empty() ? text : text + "\n" + painted_patch(*diff.patch, style);
  }
  text += paint(style, Paint::strong, "Files") + "\n";
  std::int64_t added = 0;
  std::int64_t removed = 0;
  std::size_t lines = 0;
  std::size_t words = 0;
  for (const git::FileDifference& file : *diff.files) {
    added += file.added.value_or(0);
    removed += file.removed.value_or(0);
    lines = std::max(lines, lines_of(file).size());
    words = std::max(words, git::name_of(file.what).size());
  }
  // Paths are what a person copies: they are never cut.
  for (const git::FileDifference& file : *diff.files)
    text += "  " + pad_right(std::string(git::name_of(file.what)), words) + "  " +
            pad_right(lines_of(file), lines) + "  " + safe_line(file.path) + "\n";
  return text + counted(diff.files->size(), "file", "files") + ", " + counted(added, "line", "lines") +
         " added, " + counted(removed, "line", "lines") + " removed\n";
}

std::string checkpoint_diff_json(const app::PlanLocation& plan, const app::CheckpointDiff& diff) {
  JsonWriter out(JsonWriter::Layout::indented);
  out.begin_object();
  write_plan_reference(out, plan);
  out.key("from");
  write_side(out, diff.from);
  out.key("to");
  if (diff.to) {
    write_side(out, *diff.to);
  } else {
    out.null();
  }
  out.key("plan_changed");
  if (diff.plan_changed) {
    out.value(*diff.plan_changed);
  } else {
    out.null();
  }
  out.key("tasks").begin_array();
  for (const core::TodoChange& change : diff.tasks) {
    out.begin_object();
    out.key("change").value(core::name_of(change.what));
    out.key("id").value(change.item.id.text);
    out.key("phase").value(change.item.phase.text);
    out.key("title").value(change.item.title);
    out.end_object();
  }
  out.end_array();
  out.key("files");
  if (diff.files) {
    out.begin_array();
    for (const git::FileDifference& file : *diff.files) {
      out.begin_object();
      out.key("path").value(base::to_valid_utf8(file.path));
      out.key("change").value(git::name_of(file.what));
      write_lines(out, "added", file.added);
      write_lines(out, "removed", file.removed);
      out.end_object();
    }
    out.end_array();
  } else {
    out.null();
  }
  if (diff.patch && diff.files) out.key("diff").value(base::printable(*diff.patch, true));
  write_strings(out, "warnings", diff.warnings);
  out.end_object();
  return out.finish();
}

std::string checked_out_text(const app::CheckedOut& done, const Style& style) {
  const std::string folder = shell_word(done.folder);
  const std::string removal = folder.empty() ? std::string() : "; to delete it: rm -r -- " + folder;
  return "wrote " + counted(done.files, "file", "files") + " of " + safe_line(done.checkpoint.id.text) +
         " to " + safe_line(done.folder) + "\n" +
         paint(style, Paint::dim, "A plain folder outside git's control" + removal) + "\n";
}

std::string checked_out_json(const app::PlanLocation& plan, const app::CheckedOut& done) {
  JsonWriter out(JsonWriter::Layout::indented);
  out.begin_object();
  write_plan_reference(out, plan);
  out.key("checkpoint").value(done.checkpoint.id.text);
  out.key("folder").value(base::to_valid_utf8(done.folder));
  out.key("plan_file");
  if (done.plan_file.empty()) {
    out.null();
  } else {
    out.value(done.plan_file);
  }
  out.key("files").value(done.files);
  write_strings(out, "warnings", done.warnings);
  out.end_object();
  return out.finish();
}

}  // namespace plankeep::render

#include "render/recorded/rewind_choices.hpp"

#include <algorithm>

#include "base/json_writer.hpp"
#include "base/utf8.hpp"
#include "model/json/checkpoint_json.hpp"
#include "render/json_parts.hpp"
#include "render/recorded/checkpoint.hpp"

namespace plankeep::render {
namespace {

std::string what_of(const core::ListedCheckpoint& one) {
  if (one.turn > 0) return "turn " + std::to_string(one.turn);
  if (one.head.metadata.trigger == core::kBeforePrompt) return "your edits";
  if (one.head.metadata.trigger == core::kAfterPrompt) return "after prompt";
  return std::string(type_words(one.head));
}

std::string choice_words(const core::ListedCheckpoint& one) {
  if (!one.head.metadata.note.empty()) return safe_line(one.head.metadata.note);
  return one.prompt.empty() ? std::string() : "\"" + safe_line(one.prompt) + "\"";
}

}  // namespace

std::string rewind_choices_text(const app::RewindChoices& found, base::Instant now, const Style& style) {
  if (found.choices.empty()) return "no checkpoints\n";
  struct Cells {
    std::string number, what, time, tasks, files, id, words;
  };
  std::vector<Cells> table;
  Cells widest;
  const auto widen = [](std::string& column, const std::string& cell) {
    column.resize(std::max(column.size(), base::display_width(cell)));
  };
  for (std::size_t i = 0; i < found.choices.size(); ++i) {
    const core::ListedCheckpoint& one = found.choices[i].checkpoint;
    Cells cells;
    cells.number = std::to_string(i + 1);
    cells.what = what_of(one);
    cells.time = base::ago(one.head.timestamp, now);
    if (one.count)
      cells.tasks = std::to_string(one.count->done) + "/" + counted(one.count->tasks, "task", "tasks");
    const auto& files = found.choices[i].files;
    cells.files = files                   ? counted(*files, "file", "files")
                  : found.choices[i].gone ? "plan only, files gone"
                  : one.tree.empty()      ? "plan only"
                                          : "";
    cells.id = safe_line(one.head.id.text);
    cells.words = choice_words(one);
    widen(widest.number, cells.number);
    widen(widest.what, cells.what);
    widen(widest.time, cells.time);
    widen(widest.tasks, cells.tasks);
    widen(widest.files, cells.files);
    widen(widest.id, cells.id);
    table.push_back(std::move(cells));
  }
  const std::size_t columns = std::max(style.columns, kNarrowest);
  std::string text;
  for (const Cells& cells : table) {
    // The id is what a person copies: it stands in front of what may be cut.
    std::string line =
        pad_left(cells.number, widest.number.size()) + "  " + pad_right(cells.id, widest.id.size()) + "  " +
        pad_right(cells.what, widest.what.size()) + "  " + pad_right(cells.time, widest.time.size()) + "  " +
        pad_left(cells.tasks, widest.tasks.size()) + "  " + pad_left(cells.files, widest.files.size());
    if (!cells.words.empty()) line += "  " + cells.words;
    while (line.ends_with(' ')) line.pop_back();
    text += base::fit_to_width(line, columns) + "\n";
  }
  return text;
}

std::string rewind_choices_json(const app::PlanLocation& plan, const app::RewindChoices& found) {
  base::JsonWriter out(base::JsonWriter::Layout::indented);
  out.begin_object();
  write_plan_reference(out, plan);
  out.key("choices").begin_array();
  for (std::size_t i = 0; i < found.choices.size(); ++i) {
    out.begin_object();
    out.key("number").value(i + 1);
    out.key("checkpoint");
    core::write_listed(out, found.choices[i].checkpoint);
    out.key("files_changed");
    if (found.choices[i].files) {
      out.value(*found.choices[i].files);
    } else {
      out.null();
    }
    if (found.choices[i].gone) out.key("snapshot_gone").value(true);
    out.end_object();
  }
  out.end_array();
  write_strings(out, "warnings", found.warnings);
  out.end_object();
  return out.finish();
}

}  // namespace plankeep::render

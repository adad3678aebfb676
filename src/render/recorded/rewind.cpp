#include "render/recorded/rewind.hpp"

#include <algorithm>

#include "base/json_writer.hpp"
#include "base/utf8.hpp"
#include "render/json_parts.hpp"
#include "render/line_diff.hpp"

namespace plankeep::render {
namespace {

// A whole build put back is a number, not a list.
constexpr std::size_t kPathsShown = 40;
constexpr std::size_t kWordColumns = 8;
constexpr std::size_t kNamesShown = 3;

void add_paths(std::string& text, const std::vector<RewoundFile>& files, std::size_t columns, bool reasons,
               const Style& style) {
  for (std::size_t i = 0; i < files.size() && i < kPathsShown; ++i) {
    const RewoundFile& file = files[i];
    const std::string path = safe_line(file.path);
    const std::string line = reasons ? "  " + path + ": " + safe_line(file.word)
                                     : "  " + pad_right(file.word, kWordColumns) + "  " + path;
    text += base::fit_to_width(line, columns) + "\n";
  }
  if (files.size() <= kPathsShown) return;
  const auto more = static_cast<std::int64_t>(files.size() - kPathsShown);
  text += paint(style, Paint::dim, "  and " + counted(more, "more", "more")) + "\n";
}

std::string short_commit(const std::string& commit) {
  constexpr std::size_t kDigits = 12;
  return commit.substr(0, kDigits);
}

// What stays as it is because no checkpoint ever holds it, in one line.
std::string about_left_out(const RewindView& view, std::size_t columns) {
  if (view.left_out.empty()) return {};
  std::string text = "in no checkpoint, not changed: ";
  for (std::size_t i = 0; i < view.left_out.size() && i < kNamesShown; ++i) {
    const RewoundFile& file = view.left_out[i];
    text += (i == 0 ? "" : ", ") + safe_line(file.path) + " (" + safe_line(file.word) + ")";
  }
  if (view.left_out.size() > kNamesShown)
    text += " and " + counted(static_cast<std::int64_t>(view.left_out.size() - kNamesShown), "more", "more");
  return base::fit_to_width(text, columns) + "\n";
}

// What a person has to know of HEAD, and does not see.
std::string about_head(const RewindView& view) {
  std::string text;
  if (view.head_moved && view.branch.empty())
    text += std::string(view.dry ? "HEAD would be" : "HEAD is") +
            " detached: new commits will be on no branch (create one: git switch -c NAME)\n";
  if (view.left_behind > 0)
    text += counted(static_cast<std::int64_t>(view.left_behind), "commit is", "commits are") +
            " no longer on any branch; to keep: git branch NAME " + short_commit(view.left_commit) + "\n";
  return text;
}

std::string what_changed(const RewindView& view) {
  std::string text;
  const auto add = [&text](const std::string& part) { text += (text.empty() ? "" : ", ") + part; };
  if (view.head_moved)
    add("HEAD at " + (view.branch.empty() ? short_commit(view.commit) : safe_line(view.branch)));
  if (!view.files.empty()) add(counted(static_cast<std::int64_t>(view.files.size()), "file", "files"));
  if (view.plan_before != view.plan_after) add("the plan");
  return text;
}

}  // namespace

std::string rewind_text(const RewindView& view, base::Instant now, const Style& style) {
  const std::string checkpoint =
      safe_line(view.to) + " (" + safe_line(view.to_type) + ", " + base::ago(view.to_time, now) + ")";
  const std::string changed = what_changed(view);
  std::string text;
  if (changed.empty()) {
    text = "already identical to " + checkpoint + "\n";
  } else {
    text = (view.dry ? "would restore " : "restored ") + changed + " from " + checkpoint + "\n";
  }
  const std::size_t columns = std::max(style.columns, kNarrowest);
  add_paths(text, view.files, columns, false, style);
  if (!view.kept.empty()) {
    text += "not changed:\n";
    add_paths(text, view.kept, columns, true, style);
  }
  text += about_left_out(view, columns);
  for (const std::string& plan : view.other_plans)
    text += std::string(view.dry ? "would also rewind another plan: " : "also rewound another plan: ") +
            safe_line(plan) + "\n";
  text += about_head(view);
  if (view.dry) {
    if (view.plan_before != view.plan_after) text += line_diff(view.plan_before, view.plan_after, style);
    return text;
  }
  if (view.progress && view.plan_before != view.plan_after)
    text += std::to_string(view.progress->completed) + " of " +
            counted(view.progress->total, "task", "tasks") + " done\n";
  if (!view.from.empty()) text += paint(style, Paint::dim, "Undo: plankeep rewind --undo") + "\n";
  return text;
}

std::string rewind_json(const RewindView& view) {
  base::JsonWriter out(base::JsonWriter::Layout::indented);
  out.begin_object();
  write_plan_reference(out, view.plan_id, view.path);
  out.key("to").begin_object();
  out.key("checkpoint").value(view.to);
  out.key("type").value(view.to_type);
  out.key("time").value(base::to_iso8601(view.to_time));
  out.end_object();
  out.key("from");
  if (view.from.empty()) {
    out.null();
  } else {
    out.value(view.from);
  }
  out.key("what").value(view.what);
  out.key("dryRun").value(view.dry);
  out.key("planChanged").value(view.plan_before != view.plan_after);
  const auto list = [&out](std::string_view name, std::string_view word,
                           const std::vector<RewoundFile>& files) {
    out.key(name).begin_array();
    for (const RewoundFile& file : files) {
      out.begin_object();
      out.key("path").value(file.path);
      out.key(word).value(file.word);
      out.end_object();
    }
    out.end_array();
  };
  list("files", "change", view.files);
  list("kept", "reason", view.kept);
  list("leftOut", "reason", view.left_out);
  write_strings(out, "otherPlans", view.other_plans);
  if (!view.commit.empty()) {
    out.key("commit").value(view.commit);
    write_optional(out, "branch", view.branch);
    out.key("headMoved").value(view.head_moved);
    if (view.left_behind > 0) {
      out.key("leftBehind").begin_object();
      out.key("commit").value(view.left_commit);
      out.key("count").value(view.left_behind);
      out.end_object();
    }
  }
  if (view.dry) out.key("diff").value(line_diff(view.plan_before, view.plan_after, Style{}));
  if (view.progress) {
    write_progress(out, *view.progress);
    out.key("revision").value(view.revision);
  }
  write_strings(out, "warnings", view.warnings);
  out.end_object();
  return out.finish();
}

}  // namespace plankeep::render

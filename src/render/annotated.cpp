#include "render/annotated.hpp"

#include "base/json_writer.hpp"
#include "rules/view.hpp"

namespace plankeep::render {

std::string annotated_text(const Annotation& annotation, const Style& style) {
  const std::string file = safe_line(annotation.path);
  std::string text;
  for (const AddedRow& row : annotation.added) {
    text += paint(style, Paint::dim, place(file, row.line) + ":");
    text += ' ';
    text += row.kind;
    text += ' ';
    text += safe_line(row.id);
    text += '\n';
  }
  const auto count = static_cast<std::int64_t>(annotation.added.size());
  if (count == 0) return file + ": no markers missing\n";
  text += file + ": ";
  text += counted(count, "marker", "markers");
  text += annotation.written ? " added\n" : " missing\n";
  return text;
}

std::string annotated_json(const Annotation& annotation) {
  base::JsonWriter out(base::JsonWriter::Layout::indented);
  out.begin_object();
  out.key("path").value(annotation.path);
  out.key("written").value(annotation.written);
  out.key("added").begin_array();
  for (const AddedRow& row : annotation.added) {
    out.begin_object();
    out.key("line").value(row.line);
    out.key("kind").value(row.kind);
    out.key("id").value(row.id);
    out.end_object();
  }
  out.end_array();
  out.end_object();
  return out.finish();
}

}  // namespace plankeep::render

#include "render/recorded/imported.hpp"

#include "base/json_writer.hpp"
#include "base/utf8.hpp"
#include "render/json_parts.hpp"

namespace plankeep::render {

std::string imported_text(const std::vector<app::ImportedSnapshot>& imported, base::Instant now,
                          const Style& style) {
  std::string text;
  for (const app::ImportedSnapshot& one : imported) {
    const std::string id = one.answer.checkpoint.head.id.text;
    std::string line =
        id + "  " + counted(one.files, "file", "files") + " of snapshot " + short_commit(one.snapshot.commit);
    if (one.snapshot.time) line += ", " + base::ago(*one.snapshot.time, now);
    line += ", session " + safe_line(one.snapshot.session_id);
    if (!one.snapshot.subject.empty()) line += ": " + safe_line(one.snapshot.subject);
    text += line + "\n";
    text += paint(style, Paint::dim,
                  "  to see what would change: plankeep rewind " + id + (one.has_plan ? "" : " --files") +
                      " --dry-run") +
            "\n";
  }
  return text;
}

std::string imported_json(const app::PlanLocation& plan, const std::vector<app::ImportedSnapshot>& imported) {
  base::JsonWriter out(base::JsonWriter::Layout::indented);
  out.begin_object();
  write_plan_reference(out, plan);
  out.key("imported").begin_array();
  std::vector<std::string> warnings;
  for (const app::ImportedSnapshot& one : imported) {
    const core::Checkpoint& checkpoint = one.answer.checkpoint;
    out.begin_object();
    out.key("checkpoint").value(checkpoint.head.id.text);
    out.key("commit").value(one.snapshot.commit);
    out.key("session_id").value(one.snapshot.session_id);
    out.key("subject").value(one.snapshot.subject);
    if (one.snapshot.time) out.key("time").value(base::to_iso8601(*one.snapshot.time));
    write_optional(out, "commit_then", one.commit_then);
    out.key("files").value(one.files);
    out.key("has_plan").value(one.has_plan);
    out.key("ref").value(checkpoint.moment.snapshot ? checkpoint.moment.snapshot->ref : std::string());
    out.key("left_out").begin_array();
    for (const git::LeftOut& left : one.left_out) {
      out.begin_object();
      out.key("path").value(base::to_valid_utf8(left.path));
      out.key("why").value(git::name_of(left.why));
      out.end_object();
    }
    out.end_array();
    out.end_object();
    warnings.insert(warnings.end(), one.answer.warnings.begin(), one.answer.warnings.end());
  }
  out.end_array();
  write_strings(out, "warnings", warnings);
  out.end_object();
  return out.finish();
}

}  // namespace plankeep::render

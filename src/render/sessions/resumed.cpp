#include "render/sessions/resumed.hpp"

#include "base/json_writer.hpp"
#include "base/text.hpp"
#include "clients/shell_words.hpp"
#include "render/json_parts.hpp"

namespace plankeep::render {
namespace {

using Found = app::ResumedSession::Found;

std::string what_happened(const app::ResumedSession& done, bool print) {
  const std::string size = counted(done.bytes, "byte", "bytes");
  switch (done.found) {
    case Found::missing:
      return (print ? "Would write the transcript (" : "Wrote the transcript (") + size + ") to";
    case Found::beginning:
      return (print ? "Would extend the client's transcript to " : "Extended the client's transcript to ") +
             size + ":";
    case Found::same:
      return "The client already has the transcript:";
    case Found::longer:
      return "The client's transcript is longer than the stored one and was not changed:";
    case Found::different:
      break;
  }
  return "The client's transcript differs from the stored one and was not changed:";
}

}  // namespace

std::string resumed_text(const app::ResumedSession& done, bool print, const Style& style) {
  std::string text = what_happened(done, print) + "\n  " + safe_line(done.path) + "\n";
  text += "To continue, run in " + safe_line(done.directory) + ":\n";
  return text + "  " +
         paint(style, Paint::strong, safe_line(base::joined(done.command, " ", clients::shell_quoted))) +
         "\n";
}

std::string resumed_json(const app::ResumedSession& done) {
  base::JsonWriter out(base::JsonWriter::Layout::indented);
  out.begin_object();
  out.key("kind").value("resume");
  out.key("checkpoint").value(done.checkpoint);
  out.key("session_id").value(done.session);
  out.key("client").value(done.client);
  out.key("path").value(done.path);
  out.key("found").value(app::name_of(done.found));
  out.key("written").value(done.written);
  out.key("bytes").value(static_cast<std::int64_t>(done.bytes));
  write_strings(out, "command", done.command);
  out.key("directory").value(done.directory);
  write_strings(out, "warnings", done.warnings);
  out.end_object();
  return out.finish();
}

}  // namespace plankeep::render

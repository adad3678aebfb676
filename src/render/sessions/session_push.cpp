#include "render/sessions/session_push.hpp"

#include "base/json_writer.hpp"
#include "base/text.hpp"
#include "base/utf8.hpp"
#include "render/json_parts.hpp"
#include "render/sessions/put_back.hpp"

namespace plankeep::render {

std::string push_question_text(const app::SessionPushView& view) {
  const std::string& name = view.remote.remote.name;
  return counted(view.checkpoints, "session checkpoint", "session checkpoints") + " would go to remote " +
         safe_line(name) + " (" + safe_line(view.remote.shown_url) +
         "), to which nothing has been pushed yet.\nThey hold prompts and transcripts: everyone who can read "
         "that "
         "repository can read them.\n";
}

std::string session_pushed_text(const app::SessionPushed& pushed, const Style& style) {
  std::string text;
  for (const app::SessionPushed::Refused& one : pushed.refused)
    text += paint(style, Paint::bad, "not pushed") + " " + safe_line(one.ref) + ": " + safe_line(one.reason) +
            "\n";
  for (const std::string& line : pushed.remote_said) text += "  remote: " + safe_line(line) + "\n";
  text += put_back_text(pushed.put_back);
  const std::string remote = "remote " + safe_line(pushed.remote);
  if (pushed.pushed.empty() && pushed.refused.empty()) {
    text += remote + " has all session checkpoints\n";
  } else {
    text += counted(pushed.pushed.size(), "ref", "refs") + " pushed to " + remote;
    if (!pushed.merged.empty())
      text += ", " + std::to_string(pushed.merged.size()) + " merged with what others pushed";
    text += "\n";
  }
  if (pushed.conflicts > 0) {
    text += counted(pushed.conflicts, "transcript", "transcripts") +
            " diverged: the rest of the other one is kept in plankeep/conflicts/ of the checkpoint\n";
  }
  if (pushed.waiting > 0) text += counted(pushed.waiting, "ref waits", "refs wait") + " in the push queue\n";
  return text;
}

std::string session_pushed_json(const app::SessionPushed& pushed) {
  base::JsonWriter out(base::JsonWriter::Layout::indented);
  out.begin_object();
  out.key("kind").value("push");
  out.key("remote").value(pushed.remote);
  out.key("url").value(pushed.url);
  write_strings(out, "pushed", pushed.pushed);
  write_strings(out, "merged", pushed.merged);
  write_strings(out, "already_there", pushed.already_there);
  out.key("refused").begin_array();
  for (const app::SessionPushed::Refused& one : pushed.refused) {
    out.begin_object();
    out.key("ref").value(one.ref);
    out.key("reason").value(one.reason);
    out.end_object();
  }
  out.end_array();
  write_strings(out, "remote_said", pushed.remote_said);
  write_strings(out, "put_back", pushed.put_back);
  out.key("conflicts").value(pushed.conflicts);
  out.key("waiting").value(pushed.waiting);
  write_strings(out, "warnings", pushed.warnings);
  out.end_object();
  return out.finish();
}

}  // namespace plankeep::render

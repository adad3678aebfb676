#include "render/error.hpp"

#include "base/json_writer.hpp"
#include "base/utf8.hpp"
#include "render/json_parts.hpp"

namespace plankeep::render {
namespace {

/// Safe to print, further lines indented so that no text can pose as a line of ours.
std::string block(std::string_view text) {
  std::string clean = base::printable(text, true);
  while (!clean.empty() && (clean.back() == '\n' || clean.back() == ' ')) clean.pop_back();
  std::string out;
  for (const char c : clean) {
    out += c;
    if (c == '\n') out += "  ";
  }
  return out;
}

}  // namespace

std::string error_text(const base::Error& error, const Style& style) {
  std::string text = "plankeep: ";
  text += paint(style, Paint::bad, "error:");
  text += ' ';
  if (!error.context.empty()) text += block(error.context) + ": ";
  text += block(error.message);
  text += '\n';
  if (!error.hint.empty()) {
    text += paint(style, Paint::strong, "hint:");
    text += ' ';
    text += block(error.hint);
    text += '\n';
  }
  return text;
}

std::string warning_text(std::string_view warning, const Style& style) {
  return "plankeep: " + paint(style, Paint::warning, "warning:") + " " + block(warning) + "\n";
}

std::string error_json(const base::Error& error, int exit) {
  base::JsonWriter out(base::JsonWriter::Layout::compact);
  out.begin_object();
  write_error(out, error, exit);
  out.end_object();
  return out.finish();
}

void write_error(base::JsonWriter& out, const base::Error& error, int exit) {
  out.key("error").begin_object();
  out.key("kind").value(base::name_of(error.kind));
  out.key("message").value(error.message);
  write_optional(out, "context", error.context);
  write_optional(out, "hint", error.hint);
  out.key("exit").value(exit);
  out.end_object();
}

}  // namespace plankeep::render

#include "render/sessions/cleaned.hpp"

#include <algorithm>

#include "base/json_writer.hpp"
#include "base/text.hpp"
#include "render/json_parts.hpp"

namespace plankeep::render {
namespace {

using app::CleanedItem;

std::string item_words(const CleanedItem& item, base::Instant now) {
  switch (item.kind) {
    case CleanedItem::Kind::shadow_branch:
      return "shadow branch " + safe_line(item.name) +
             (item.time ? ", " + base::ago(*item.time, now) : std::string());
    case CleanedItem::Kind::checkpoint:
      return "session checkpoint " + safe_line(item.name) + " in " + safe_line(item.ref);
    case CleanedItem::Kind::cache:
      break;
  }
  return "cache " + safe_line(item.name);
}

}  // namespace

std::string cleaned_text(const app::SessionClean& clean, base::Instant now, const Style& style) {
  std::string text;
  std::size_t going = 0;
  for (const CleanedItem& item : clean.items) {
    if (!item.kept.empty()) continue;
    ++going;
    text += (item.removed ? "removed " : "would remove ") + item_words(item, now) + "\n";
  }
  for (const CleanedItem& item : clean.items) {
    if (!item.kept.empty()) text += "kept " + item_words(item, now) + ": " + safe_line(item.kept) + "\n";
  }
  if (clean.items.empty()) text = "nothing to clean\n";
  if (!clean.bundle.empty())
    text += "A bundle has what was removed: " + safe_line(clean.bundle) + "\n" +
            paint(style, Paint::dim, "To bring a ref back: git fetch BUNDLE REF:REF") + "\n";
  if (!clean.acted && going > 0)
    text += paint(style, Paint::dim, "Nothing was changed. To remove them: the same with --yes") + "\n";
  return text;
}

std::string cleaned_json(const app::SessionClean& clean) {
  base::JsonWriter out(base::JsonWriter::Layout::indented);
  out.begin_object();
  out.key("kind").value("clean");
  out.key("dry_run").value(!clean.acted);
  out.key("items").begin_array();
  for (const CleanedItem& item : clean.items) {
    out.begin_object();
    out.key("kind").value(app::name_of(item.kind));
    out.key("name").value(item.name);
    write_optional(out, "ref", item.ref);
    write_optional(out, "commit", item.commit);
    if (item.time) out.key("time").value(base::to_iso8601(*item.time));
    write_optional(out, "kept", item.kept);
    out.key("removed").value(item.removed);
    out.end_object();
  }
  out.end_array();
  write_optional(out, "bundle", clean.bundle);
  write_strings(out, "warnings", clean.warnings);
  out.end_object();
  return out.finish();
}

}  // namespace plankeep::render

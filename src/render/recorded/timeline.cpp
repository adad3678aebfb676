#include "render/recorded/timeline.hpp"

#include <algorithm>

#include "base/json_writer.hpp"
#include "base/utf8.hpp"
#include "model/json/event_json.hpp"
#include "render/json_parts.hpp"
#include "render/recorded/checkpoint.hpp"
#include "render/recorded/log.hpp"

namespace plankeep::render {
namespace {

using base::JsonWriter;
using core::TimelineEntry;

constexpr std::size_t kKindColumns = 10;  // "checkpoint"

std::size_t room_beside(std::string_view text, std::size_t columns) {
  const std::size_t used = base::display_width(text);
  return std::max(used < columns ? columns - used : 0, kNarrowTitle);
}

std::string_view kind_of(const TimelineEntry& entry) {
  if (entry.checkpoint) return "checkpoint";
  return entry.commit ? "commit" : "event";
}

// In so many columns if that can be: what people wrote gives way, ids never do.
std::string words_of(const core::ListedCheckpoint& one, std::size_t columns) {
  const core::CheckpointHead& head = one.head;
  std::string text = safe_line(head.id.text) + " " + std::string(type_words(head));
  if (!head.phase.empty()) text += ", phase " + safe_line(head.phase.text);
  if (head.context_window_percent) text += ", context " + std::to_string(*head.context_window_percent) + " %";
  const std::string details = details_of(one);
  if (details.empty()) return text;
  return text + ", " + base::fit_to_width(details, room_beside(text + ", ", columns));
}

std::string words_of(const core::TimelineCommit& commit, std::size_t columns) {
  std::string milestone;
  if (commit.milestone) {
    milestone = " (milestone " + std::to_string(*commit.milestone);
    if (!commit.phase.empty()) milestone += ", phase " + safe_line(commit.phase.text);
    if (!commit.tier.empty()) milestone += ", " + safe_line(commit.tier);
    milestone += ")";
  }
  const std::string id = short_commit(commit.id) + " ";
  return id + base::fit_to_width(safe_line(commit.subject), room_beside(id + milestone, columns)) + milestone;
}

std::string words_of(const TimelineEntry& entry, std::size_t columns) {
  if (entry.checkpoint) return words_of(*entry.checkpoint, columns);
  if (entry.commit) return words_of(*entry.commit, columns);
  return entry.event ? describe(*entry.event, columns) : std::string();
}

// Whose it is; empty: nobody's by name.
std::string_view actor_of(const TimelineEntry& entry) {
  if (entry.commit) return entry.commit->author;
  return entry.event ? std::string_view(entry.event->by) : std::string_view();
}

Paint paint_of(const TimelineEntry& entry) {
  if (entry.checkpoint) return Paint::active;
  return entry.commit ? Paint::strong : Paint::plain;
}

void write_checkpoint(JsonWriter& out, const core::ListedCheckpoint& one) {
  const core::CheckpointHead& head = one.head;
  out.key("checkpoint").begin_object();
  out.key("id").value(head.id.text);
  out.key("type").value(core::name_of(head.type));
  out.key("trigger").value(head.metadata.trigger);
  out.key("instance").value(head.instance_id);
  write_optional(out, "phase", head.phase.text);
  write_optional(out, "note", head.metadata.note);
  if (one.turn > 0) out.key("turn").value(one.turn);
  write_optional(out, "message_id", one.message_id);
  write_optional(out, "prompt", one.prompt);
  write_optional(out, "commit_sha", one.commit_sha);
  out.end_object();
}

void write_commit(JsonWriter& out, const core::TimelineCommit& commit) {
  out.key("commit").begin_object();
  out.key("id").value(commit.id);
  out.key("author").value(commit.author);
  out.key("subject").value(commit.subject);
  if (commit.milestone) out.key("milestone").value(*commit.milestone);
  write_optional(out, "phase", commit.phase.text);
  write_optional(out, "tier", commit.tier);
  out.end_object();
}

}  // namespace

std::string timeline_text(const app::Timeline& timeline, const Style& style) {
  if (timeline.entries.empty()) return "no entries yet\n";
  const std::size_t columns = std::max(style.columns, kNarrowest);
  // As wide as its longest, but no wider than a quarter of the line.
  std::size_t actors = 0;
  for (const TimelineEntry& entry : timeline.entries)
    actors = std::max(actors, base::display_width(safe_line(actor_of(entry))));
  actors = std::min(actors, columns / 4);
  std::string text;
  std::string day;
  for (const TimelineEntry& entry : timeline.entries) {
    const std::string moment = base::to_iso8601(entry.time);
    if (moment.substr(0, 10) != day) {
      day = moment.substr(0, 10);
      text += paint(style, Paint::strong, day + " UTC") + "\n";
    }
    const std::string time = moment.size() > 19 ? moment.substr(11, 8) : moment;
    const std::string kind = pad_right(std::string(kind_of(entry)), kKindColumns);
    std::string actor = safe_line(actor_of(entry));
    // A name of git's may be cut; an actor of ours is what --by takes.
    if (entry.commit) actor = base::fit_to_width(actor, actors);
    actor = pad_right(std::move(actor), actors);
    std::size_t used = 2 + time.size() + 2 + kKindColumns + 2;
    if (actors > 0) used += base::display_width(actor) + 2;
    const std::string what = words_of(entry, used < columns ? columns - used : 0);
    text += "  ";
    text += paint(style, Paint::dim, time);
    text += "  ";
    text += paint(style, Paint::dim, kind);
    text += "  ";
    if (actors > 0) text += actor + "  ";
    text += paint(style, paint_of(entry), what);
    text += '\n';
  }
  return text;
}

std::string timeline_json(const app::PlanLocation& plan, const app::Timeline& timeline) {
  JsonWriter out(JsonWriter::Layout::indented);
  out.begin_object();
  write_plan_reference(out, plan);
  out.key("entries").begin_array();
  for (const TimelineEntry& entry : timeline.entries) {
    out.begin_object();
    out.key("time").value(base::to_iso8601(entry.time));
    out.key("kind").value(kind_of(entry));
    out.key("text").value(words_of(entry, kUnlimited));
    if (entry.event) {
      std::string line = core::encode_event(*entry.event);
      line.pop_back();  // its line feed
      out.key("event").raw(line);
    }
    if (entry.checkpoint) write_checkpoint(out, *entry.checkpoint);
    if (entry.commit) write_commit(out, *entry.commit);
    out.end_object();
  }
  out.end_array();
  write_strings(out, "warnings", timeline.warnings);
  out.end_object();
  return out.finish();
}

}  // namespace plankeep::render

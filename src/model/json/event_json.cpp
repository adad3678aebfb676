#include "model/json/event_json.hpp"

#include <algorithm>
#include <charconv>

#include "base/instant.hpp"
#include "base/json_reader.hpp"
#include "base/json_writer.hpp"
#include "base/text.hpp"
#include "model/event_fields.hpp"
#include "model/json/evidence_json.hpp"
#include "model/json/json_fields.hpp"
#include "model/json/removed_json.hpp"
#include "model/progress.hpp"

namespace plankeep::core {
namespace {

using base::JsonReader;
using base::JsonWriter;
using base::Status;

// Most fields are texts: they are asked for first, which spares them std::visit's call through its table.
template <class Visitor>
auto visit_member(const EventField& field, const Visitor& visitor) {
  if (const auto* text = std::get_if<std::string Event::*>(&field.member)) return visitor(*text);
  return std::visit(visitor, field.member);
}

template <class Value>
void write_list(JsonWriter& out, std::string_view key, const std::vector<Value>& values);

void write_value(JsonWriter& out, const std::string& text) {
  out.value(text);
}
void write_value(JsonWriter& out, bool truth) {
  out.value(truth);
}
void write_value(JsonWriter& out, std::int64_t number) {
  out.value(number);
}
void write_value(JsonWriter& out, PhaseStatus status) {
  out.value(name_of(status));
}
void write_value(JsonWriter& out, base::Instant time) {
  out.value(base::to_iso8601(time));
}
void write_value(JsonWriter& out, const Evidence& evidence) {
  write_evidence(out, evidence);
}
void write_value(JsonWriter& out, const RemovedTask& removed) {
  write_removed(out, removed);
}

template <class Kind>
void write_value(JsonWriter& out, const Id<Kind>& id) {
  out.value(id.text);
}

void write_value(JsonWriter& out, const GivenId& given) {
  out.begin_object();
  out.key("id").value(given.id.text);
  out.key("title").value(given.title);
  if (!given.phase.empty()) out.key("phaseId").value(given.phase.text);
  if (!given.parent.empty()) out.key("parent").value(given.parent.text);
  if (given.done) out.key("done").value(true);
  out.end_object();
}

void write_value(JsonWriter& out, const PlacedTask& placed) {
  out.begin_object();
  out.key("id").value(placed.id.text);
  if (!placed.phase.empty()) out.key("phaseId").value(placed.phase.text);
  if (!placed.parent.empty()) out.key("parent").value(placed.parent.text);
  out.end_object();
}

void write_value(JsonWriter& out, const PhaseInventory& phase) {
  out.begin_object();
  out.key("id").value(phase.id.text);
  out.key("status").value(name_of(phase.status));
  write_list(out, "tasks", phase.tasks);
  write_list(out, "done", phase.done);
  write_list(out, "acceptance", phase.criteria);
  write_list(out, "met", phase.met);
  out.end_object();
}

template <class Value>
void write_value(JsonWriter& out, const std::optional<Value>& value) {
  write_value(out, *value);
}

template <class Value>
void write_value(JsonWriter& out, const std::vector<Value>& values) {
  out.begin_array();
  for (const Value& value : values) write_value(out, value);
  out.end_array();
}

template <class Value>
void write_list(JsonWriter& out, std::string_view key, const std::vector<Value>& values) {
  if (values.empty()) return;
  out.key(key);
  write_value(out, values);
}

template <class Value>
bool is_set(const Value& value) {
  if constexpr (requires { value.empty(); }) {
    return !value.empty();
  } else if constexpr (requires { value.has_value(); }) {
    return value.has_value();
  } else {
    return value != Value{};
  }
}

template <class Value>
void write_field(JsonWriter& out, const EventField& field, const Value& value) {
  switch (field.presence) {
    case EventField::Presence::always:
      break;
    case EventField::Presence::when_set:
      if (!is_set(value)) return;
      break;
    case EventField::Presence::when_false:
      if (is_set(value)) return;
      break;
    case EventField::Presence::as_count:
      if constexpr (requires { value.size(); }) out.key(field.name).value(value.size());
      return;
  }
  out.key(field.name);
  write_value(out, value);
}

Status read_value(JsonReader& in, std::string& text) {
  return in.string(text);
}
Status read_value(JsonReader& in, bool& truth) {
  return in.boolean(truth);
}
Status read_value(JsonReader& in, std::int64_t& number) {
  return in.integer(number);
}
Status read_value(JsonReader& in, PhaseStatus& status) {
  return read_status(in, status);
}
Status read_value(JsonReader& in, base::Instant& time) {
  return read_time(in, time);
}
Status read_value(JsonReader& in, Evidence& evidence) {
  return read_evidence(in, evidence);
}
Status read_value(JsonReader& in, RemovedTask& removed) {
  return read_removed(in, removed);
}

template <class Kind>
Status read_value(JsonReader& in, Id<Kind>& id) {
  return in.string(id.text);
}

template <class Value>
Status read_value(JsonReader& in, std::vector<Value>& values);

Status read_value(JsonReader& in, GivenId& given) {
  return in.object([&](std::string_view key) -> Status {
    if (key == "id") return in.string(given.id.text);
    if (key == "title") return in.string(given.title);
    if (key == "phaseId") return in.string(given.phase.text);
    if (key == "parent") return in.string(given.parent.text);
    if (key == "done") return in.boolean(given.done);
    return in.skip();
  });
}

Status read_value(JsonReader& in, PlacedTask& placed) {
  return in.object([&](std::string_view key) -> Status {
    if (key == "id") return in.string(placed.id.text);
    if (key == "phaseId") return in.string(placed.phase.text);
    if (key == "parent") return in.string(placed.parent.text);
    return in.skip();
  });
}

Status read_value(JsonReader& in, PhaseInventory& phase) {
  return in.object([&](std::string_view key) -> Status {
    if (key == "id") return in.string(phase.id.text);
    if (key == "status") return read_status(in, phase.status);
    if (key == "tasks") return read_value(in, phase.tasks);
    if (key == "done") return read_value(in, phase.done);
    if (key == "acceptance") return read_value(in, phase.criteria);
    if (key == "met") return read_value(in, phase.met);
    return in.skip();
  });
}

template <class Value>
Status read_value(JsonReader& in, std::optional<Value>& value) {
  return read_value(in, value.emplace());
}

template <class Value>
Status read_value(JsonReader& in, std::vector<Value>& values) {
  values.clear();
  return in.array([&]() -> Status { return read_value(in, values.emplace_back()); });
}

Status read_batch(JsonReader& in, Batch& batch) {
  std::string text;
  TRY(in.string(text));
  const char* const last = text.data() + text.size();
  Batch read;
  const auto index = std::from_chars(text.data(), last, read.index);
  if (index.ec == std::errc{} && index.ptr != last && *index.ptr == '/') {
    const auto size = std::from_chars(index.ptr + 1, last, read.size);
    if (size.ec == std::errc{} && size.ptr == last && read.index >= 1 && read.index <= read.size) {
      batch = read;
      return {};
    }
  }
  return in.error("a place in a batch like \"2/3\"");
}

bool is_inventory(const EventField::Member& member) {
  return std::holds_alternative<std::vector<GivenId> Event::*>(member) ||
         std::holds_alternative<std::vector<PlacedTask> Event::*>(member) ||
         std::holds_alternative<std::vector<PhaseInventory> Event::*>(member) ||
         std::holds_alternative<std::vector<RemovedTask> Event::*>(member);
}

// The value of one field that is neither `ts` nor `event`.
Status read_field(JsonReader& in, std::string_view key, EventParts parts, Event& event) {
  if (key == "batch") return read_batch(in, event.batch);
  for (const EventField* field : fields_of(event.kind)) {
    if (field->name != key) continue;
    if (field->presence == EventField::Presence::as_count) break;
    if (parts != EventParts::all && is_inventory(field->member)) break;
    if (field->member == EventField::Member(&Event::fence)) return read_fence(in, event.fence);
    return visit_member(*field, [&](auto member) { return read_value(in, event.*member); });
  }
  return in.skip();
}

struct Seen {
  bool time = false;
  bool name = false;
  bool early = false;  // a field came before the event's name, when it could not be told what it means
};

// One pass over the line. `kind_known`: event.kind and event.name stand already.
Status read_line(std::string_view line, EventParts parts, bool kind_known, Event& event, Seen& seen) {
  JsonReader in(line);
  bool named = false;
  TRY(in.object([&](std::string_view key) -> Status {
    if (key == "ts") {
      seen.time = true;
      return read_time(in, event.time);
    }
    if (key == "event") {
      // Two names would leave open what the fields between them mean.
      if (named) return in.error("one \"event\"");
      named = true;
      if (kind_known) return in.skip();
      seen.name = true;
      std::string name;
      TRY(in.string(name));
      event.kind = event_kind(name);
      if (event.kind == EventKind::unknown) event.name = std::move(name);
      return {};
    }
    if (kind_known || named) return read_field(in, key, parts, event);
    seen.early = true;
    return in.skip();
  }));
  TRY(in.end());
  if (!seen.time) return in.error("a \"ts\"");
  if (!seen.name) return in.error("an \"event\"");
  return {};
}

Status read_event(std::string_view line, EventParts parts, Event& event) {
  Seen seen;
  TRY(read_line(line, parts, false, event, seen));
  // Our own lines begin with ts and event, so this second look is for the lines of others.
  if (seen.early) TRY(read_line(line, parts, true, event, seen));
  return {};
}

// The start of a line as encode_event writes it.
constexpr std::string_view kLineStart = R"({"ts":")";

// The time of a line that begins as encode_event writes it, else nothing.
std::string_view leading_time(std::string_view line) {
  constexpr std::string_view kShape = R"(0000-00-00T00:00:00.000Z")";
  if (!line.starts_with(kLineStart)) return {};
  const std::string_view rest = line.substr(kLineStart.size());
  const bool fits = rest.size() >= kShape.size() &&
                    std::equal(kShape.begin(), kShape.end(), rest.begin(), [](char wanted, char c) {
                      return base::is_digit(wanted) ? base::is_digit(c) : c == wanted;
                    });
  return fits ? rest.substr(0, kShape.size() - 1) : std::string_view();
}

// About how long the list of boxes in this event gets as JSON. 0 without one: the line is short.
std::size_t inventory_size(const Event& event) {
  constexpr std::size_t kAround = 64;  // keys, quotes and commas of one box
  std::size_t size = 0;
  for (const std::vector<GivenId>* const boxes : {&event.ids, &event.marked}) {
    for (const GivenId& box : *boxes)
      size += kAround + 2 * box.id.text.size() + box.title.size() + box.phase.text.size() +
              box.parent.text.size();
  }
  return size;
}

}  // namespace

std::string encode_event(const Event& event) {
  JsonWriter out(JsonWriter::Layout::compact);
  out.reserve(inventory_size(event));
  out.begin_object();
  out.key("ts").value(base::to_iso8601(event.time));
  out.key("event").value(event.kind == EventKind::unknown ? std::string_view(event.name)
                                                          : name_of(event.kind));
  for (const EventField* field : fields_of(event.kind)) {
    visit_member(*field, [&](auto member) { write_field(out, *field, event.*member); });
  }
  if (event.batch.size > 1) {
    out.key("batch").value(std::to_string(event.batch.index) + "/" + std::to_string(event.batch.size));
  }
  out.end_object();
  return out.finish();
}

// An event is large: it is read where it is returned, not moved there.
base::Result<Event> decode_event(std::string_view line, EventParts parts) {
  base::Result<Event> event;
  if (Status read = read_event(line, parts, *event); !read) event = tl::unexpected(std::move(read.error()));
  return event;
}

bool can_contain(std::string_view line, std::string_view text) {
  return line.find(text) != std::string_view::npos || line.find('\\') != std::string_view::npos;
}

bool can_be_since(std::string_view line, std::string_view since) {
  constexpr std::string_view kTimeKey = R"("ts")";
  // Times in this form can be compared as text.
  const std::string_view time = leading_time(line);
  if (time.empty() || time >= since) return true;
  // A second "ts" would be the one that counts.
  return can_contain(line.substr(kLineStart.size()), kTimeKey);
}

std::optional<EventKind> leading_kind(std::string_view line) {
  constexpr std::string_view kName = R"(","event":")";
  const std::string_view time = leading_time(line);
  if (time.empty()) return std::nullopt;
  line.remove_prefix(kLineStart.size() + time.size());
  if (!line.starts_with(kName)) return std::nullopt;
  line.remove_prefix(kName.size());
  const std::size_t end = line.find_first_of("\"\\");
  if (end == std::string_view::npos || line[end] != '"') return std::nullopt;
  // A second name would make it a damaged line.
  return event_kind(line.substr(0, end));
}

std::optional<Event> leading_time_and_kind(std::string_view line) {
  const auto kind = leading_kind(line);
  if (!kind) return std::nullopt;
  const auto time = base::parse_iso8601(leading_time(line));
  if (!time) return std::nullopt;
  std::optional<Event> event(std::in_place);
  event->time = *time;
  event->kind = *kind;
  return event;
}

bool names_each_box(std::optional<EventKind> kind) {
  return kind == EventKind::checkpoint_created || kind == EventKind::boxes_found;
}

}  // namespace plankeep::core

#include "model/json/session_json.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include "base/json_reader.hpp"
#include "model/json/go_json_writer.hpp"

namespace plankeep::core {
namespace {

using base::ErrorKind;
using base::JsonReader;
using base::JsonType;
using base::Result;
using base::Status;

// What was wrong on the way, and where the reader stands.
struct SessionReading {
  std::vector<std::string> problems;
  std::string path;
};

// One key of a struct: how its value is read, and written if it has one.
template <class T>
struct SessionKey {
  std::string_view name;
  bool required;  // always written; a list that is not there as null
  bool nullable;  // null is a value of it
  Status (*read)(JsonReader& in, T& into, SessionReading& reading);
  bool (*is_set)(const T& from);
  void (*write)(GoJsonWriter& out, const T& from);
};

template <class T>
struct SessionKeys;

template <class T>
Status read_fields(JsonReader& in, T& into, SessionReading& reading);
template <class T>
void write_fields(GoJsonWriter& out, const T& from);

Status read_value(JsonReader& in, std::string& value, SessionReading&) {
  return in.string(value);
}
Status read_value(JsonReader& in, std::int64_t& value, SessionReading&) {
  return in.integer(value);
}
Status read_value(JsonReader& in, double& value, SessionReading&) {
  return in.number(value);
}
Status read_value(JsonReader& in, bool& value, SessionReading&) {
  return in.boolean(value);
}
Status read_value(JsonReader& in, RawJson& value, SessionReading&) {
  std::string_view json;
  TRY(in.raw(json));
  value.json = json;
  return {};
}
template <class T>
requires requires {
  SessionKeys<T>::all();
}
Status read_value(JsonReader& in, T& value, SessionReading& reading) {
  return read_fields(in, value, reading);
}
template <class T>
Status read_value(JsonReader& in, std::vector<T>& values, SessionReading& reading) {
  const std::string path = reading.path;
  Status read = in.array([&]() -> Status {
    reading.path = path + "[" + std::to_string(values.size()) + "]";
    return read_value(in, values.emplace_back(), reading);
  });
  reading.path = path;
  return read;
}
template <class T>
Status read_value(JsonReader& in, std::optional<T>& value, SessionReading& reading) {
  T read{};
  TRY(read_value(in, read, reading));
  value = std::move(read);
  return {};
}

void write_value(GoJsonWriter& out, const std::string& value) {
  out.string(value);
}
void write_value(GoJsonWriter& out, std::int64_t value) {
  out.number(value);
}
void write_value(GoJsonWriter& out, double value) {
  out.number(value);
}
void write_value(GoJsonWriter& out, bool value) {
  out.boolean(value);
}
void write_value(GoJsonWriter& out, const RawJson& value) {
  out.raw(value.json);
}
template <class T>
requires requires {
  SessionKeys<T>::all();
}
void write_value(GoJsonWriter& out, const T& value) {
  write_fields(out, value);
}
template <class T>
void write_value(GoJsonWriter& out, const std::vector<T>& values) {
  out.begin('[');
  for (const T& value : values) {
    out.element();
    write_value(out, value);
  }
  out.end(']');
}
template <class T>
void write_value(GoJsonWriter& out, const std::optional<T>& value) {
  if (value) {
    write_value(out, *value);
  } else {
    out.raw("null");
  }
}

template <class T>
constexpr bool kIsOptional = false;
template <class T>
constexpr bool kIsOptional<std::optional<T>> = true;

template <class M>
struct MemberParts;
template <class V, class T>
struct MemberParts<V T::*> {
  using Value = V;
  using Struct = T;
};

template <auto Member>
constexpr auto session_key(std::string_view name, bool required) {
  using Parts = MemberParts<decltype(Member)>;
  using T = typename Parts::Struct;
  using V = typename Parts::Value;
  SessionKey<T> key{};
  key.name = name;
  key.required = required;
  key.nullable = required && kIsOptional<V>;
  key.read = [](JsonReader& in, T& into, SessionReading& reading) {
    return read_value(in, into.*Member, reading);
  };
  key.is_set = [](const T& from) {
    if constexpr (kIsOptional<V>) {
      return (from.*Member).has_value();
    } else {
      return (void)from, true;
    }
  };
  key.write = [](GoJsonWriter& out, const T& from) { write_value(out, from.*Member); };
  return key;
}
template <auto Member>
constexpr auto always(std::string_view name) {
  return session_key<Member>(name, true);
}
template <auto Member>
constexpr auto maybe(std::string_view name) {
  return session_key<Member>(name, false);
}

template <>
struct SessionKeys<TokenUsage> {
  using T = TokenUsage;
  static std::span<const SessionKey<T>> all() {
    static constexpr std::array kKeys{
        maybe<&T::input>("input_tokens"),           maybe<&T::cache_creation>("cache_creation_tokens"),
        maybe<&T::cache_read>("cache_read_tokens"), maybe<&T::output>("output_tokens"),
        maybe<&T::api_calls>("api_call_count"),     maybe<&T::subagents>("subagent_tokens")};
    return kKeys;
  }
};

template <>
struct SessionKeys<LineAttribution> {
  using T = LineAttribution;
  static std::span<const SessionKey<T>> all() {
    static constexpr std::array kKeys{
        maybe<&T::calculated_at>("calculated_at"),       maybe<&T::agent_lines>("agent_lines"),
        maybe<&T::agent_removed>("agent_removed"),       maybe<&T::human_added>("human_added"),
        maybe<&T::human_modified>("human_modified"),     maybe<&T::human_removed>("human_removed"),
        maybe<&T::total_committed>("total_committed"),   maybe<&T::total_changed>("total_lines_changed"),
        maybe<&T::agent_percentage>("agent_percentage"), maybe<&T::metric>("metric_version")};
    return kKeys;
  }
};

template <>
struct SessionKeys<CodeFinding> {
  using T = CodeFinding;
  static std::span<const SessionKey<T>> all() {
    static constexpr std::array kKeys{always<&T::path>("path"), maybe<&T::line>("line"),
                                      maybe<&T::end_line>("end_line"), always<&T::finding>("finding")};
    return kKeys;
  }
};

template <>
struct SessionKeys<Learnings> {
  using T = Learnings;
  static std::span<const SessionKey<T>> all() {
    static constexpr std::array kKeys{always<&T::repository>("repo"), always<&T::code>("code"),
                                      always<&T::workflow>("workflow")};
    return kKeys;
  }
};

template <>
struct SessionKeys<SessionSummary> {
  using T = SessionSummary;
  static std::span<const SessionKey<T>> all() {
    static constexpr std::array kKeys{always<&T::intent>("intent"), always<&T::outcome>("outcome"),
                                      always<&T::learnings>("learnings"), always<&T::friction>("friction"),
                                      always<&T::open_items>("open_items")};
    return kKeys;
  }
};

template <>
struct SessionKeys<SessionMetrics> {
  using T = SessionMetrics;
  static std::span<const SessionKey<T>> all() {
    static constexpr std::array kKeys{maybe<&T::duration_ms>("duration_ms"), maybe<&T::turns>("turn_count"),
                                      maybe<&T::context_tokens>("context_tokens"),
                                      maybe<&T::context_window>("context_window_size")};
    return kKeys;
  }
};

template <>
struct SessionKeys<SessionMetadata> {
  using T = SessionMetadata;
  static std::span<const SessionKey<T>> all() {
    static constexpr std::array kKeys{
        maybe<&T::cli_version>("cli_version"),
        always<&T::checkpoint_id>("checkpoint_id"),
        always<&T::session_id>("session_id"),
        always<&T::strategy>("strategy"),
        always<&T::created_at>("created_at"),
        maybe<&T::branch>("branch"),
        maybe<&T::commit_sha>("commit_sha"),
        maybe<&T::checkpoints_count>("checkpoints_count"),
        maybe<&T::save_step_count>("save_step_count"),
        always<&T::files_touched>("files_touched"),
        maybe<&T::agent>("agent"),
        maybe<&T::model>("model"),
        maybe<&T::turn_id>("turn_id"),
        maybe<&T::is_task>("is_task"),
        maybe<&T::tool_use_id>("tool_use_id"),
        maybe<&T::transcript_identifier_at_start>("transcript_identifier_at_start"),
        maybe<&T::checkpoint_transcript_start>("checkpoint_transcript_start"),
        maybe<&T::transcript_lines_at_start>("transcript_lines_at_start"),
        maybe<&T::compact_transcript_start>("compact_transcript_start"),
        maybe<&T::token_usage>("token_usage"),
        maybe<&T::model_usage>("model_usage"),
        maybe<&T::skill_events_version>("skill_events_version"),
        maybe<&T::skill_events>("skill_events"),
        maybe<&T::session_metrics>("session_metrics"),
        maybe<&T::summary>("summary"),
        maybe<&T::initial_attribution>("initial_attribution"),
        maybe<&T::prompt_attributions>("prompt_attributions"),
        maybe<&T::kind>("kind"),
        maybe<&T::review_skills>("review_skills"),
        maybe<&T::review_prompt>("review_prompt"),
        maybe<&T::investigate_run_id>("investigate_run_id"),
        maybe<&T::investigate_topic>("investigate_topic")};
    return kKeys;
  }
};

template <>
struct SessionKeys<SlotPaths> {
  using T = SlotPaths;
  static std::span<const SessionKey<T>> all() {
    static constexpr std::array kKeys{always<&T::metadata>("metadata"),
                                      maybe<&T::transcript>("transcript"),
                                      maybe<&T::compact_transcript>("compact_transcript"),
                                      maybe<&T::content_hash>("content_hash"),
                                      always<&T::prompt>("prompt"),
                                      maybe<&T::assets_manifest>("assets_manifest")};
    return kKeys;
  }
};

template <>
struct SessionKeys<SessionRoot> {
  using T = SessionRoot;
  static std::span<const SessionKey<T>> all() {
    static constexpr std::array kKeys{maybe<&T::cli_version>("cli_version"),
                                      always<&T::checkpoint_id>("checkpoint_id"),
                                      always<&T::strategy>("strategy"),
                                      maybe<&T::branch>("branch"),
                                      maybe<&T::commit_sha>("commit_sha"),
                                      maybe<&T::linked_commits>("linked_commits"),
                                      always<&T::checkpoints_count>("checkpoints_count"),
                                      always<&T::files_touched>("files_touched"),
                                      always<&T::sessions>("sessions"),
                                      maybe<&T::token_usage>("token_usage"),
                                      maybe<&T::model_usage>("model_usage"),
                                      maybe<&T::combined_attribution>("combined_attribution"),
                                      maybe<&T::has_review>("has_review"),
                                      maybe<&T::has_investigation>("has_investigation"),
                                      maybe<&T::imported>("imported")};
    return kKeys;
  }
};

template <>
struct SessionKeys<PlanLines> {
  using T = PlanLines;
  static std::span<const SessionKey<T>> all() {
    static constexpr std::array kKeys{always<&T::agent>("agent"), always<&T::person>("person"),
                                      always<&T::unknown>("unknown")};
    return kKeys;
  }
};

template <>
struct SessionKeys<PlanLink> {
  using T = PlanLink;
  static std::span<const SessionKey<T>> all() {
    static constexpr std::array kKeys{always<&T::schema_version>("schema_version"),
                                      always<&T::plan_id>("plan_id"),
                                      maybe<&T::phase_id>("phase_id"),
                                      maybe<&T::phase_title>("phase_title"),
                                      always<&T::tasks_done>("tasks_done"),
                                      always<&T::criteria_met>("criteria_met"),
                                      maybe<&T::tier>("tier"),
                                      always<&T::history_events>("history_events"),
                                      always<&T::written_by>("written_by"),
                                      maybe<&T::transcript_left_out>("transcript_left_out"),
                                      maybe<&T::lines>("lines")};
    return kKeys;
  }
};

// A value that is not what its key says is a problem and is kept; a syntax error ends the reading.
template <class T>
Status read_fields(JsonReader& in, T& into, SessionReading& reading) {
  const auto keys = SessionKeys<T>::all();
  std::vector<bool> seen(keys.size());
  std::size_t next = 0;  // the known key that the next one stands in front of
  const std::string path = reading.path;
  TRY(in.object([&](std::string_view name) -> Status {
    const auto known =
        std::find_if(keys.begin(), keys.end(), [&](const SessionKey<T>& key) { return key.name == name; });
    const std::string shown = path + (path.empty() ? "" : ".") + std::string(name.substr(0, 80));
    std::string_view json;
    if (known == keys.end()) {
      std::string kept(name);
      TRY(in.raw(json));
      into.kept.push_back({std::move(kept), std::string(json), next});
      return {};
    }
    const auto index = static_cast<std::size_t>(known - keys.begin());
    TRY(in.raw(json));
    if (seen[index]) {
      reading.problems.push_back(shown + ": stands there twice");
      return {};
    }
    seen[index] = true;
    JsonReader value(json);
    const bool null = value.peek() == JsonType::null;
    // One that stands behind later ones stays there when the file is written again.
    const bool late = index < next;
    const std::size_t before = late ? next : index;
    next = std::max(next, index + 1);
    const auto keep_place = [&] {
      if (late) into.kept.push_back({std::string(known->name), std::string(), before});
      return Status();
    };
    if (null && known->nullable) return keep_place();
    T read = into;
    reading.path = shown;
    const std::size_t problems = reading.problems.size();
    const Status status = null ? Status(value.error("a value")) : known->read(value, read, reading);
    reading.path = path;
    if (status) {
      into = std::move(read);
      return keep_place();
    }
    reading.problems.resize(problems);
    // Go leaves a pointer that is null away, and reads null as nothing.
    if (!null || known->required) {
      const std::string& said = status.error().message;
      reading.problems.push_back(shown + ": " + said.substr(0, said.rfind(" (byte")));
    }
    into.kept.push_back({std::string(known->name), std::string(json), before});
    return {};
  }));
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (keys[i].required && !seen[i])
      reading.problems.push_back(path + (path.empty() ? "" : ".") + std::string(keys[i].name) + ": missing");
  }
  return {};
}

template <class T>
void write_fields(GoJsonWriter& out, const T& from) {
  const auto keys = SessionKeys<T>::all();
  const auto write_key = [&](const SessionKey<T>& key) {
    if (!key.required && !key.is_set(from)) return;
    out.key(key.name);
    key.write(out, from);
  };
  std::vector<bool> elsewhere(keys.size());
  for (const KeptKey& kept : from.kept) {
    for (std::size_t i = 0; i < keys.size(); ++i) elsewhere[i] = elsewhere[i] || keys[i].name == kept.name;
  }
  out.begin('{');
  for (std::size_t i = 0; i <= keys.size(); ++i) {
    for (const KeptKey& kept : from.kept) {
      if (std::min(kept.before, keys.size()) != i) continue;
      if (!kept.json.empty()) {
        out.key(kept.name);
        out.raw(kept.json);
        continue;
      }
      for (const SessionKey<T>& key : keys) {
        if (key.name == kept.name) write_key(key);
      }
    }
    if (i < keys.size() && !elsewhere[i]) write_key(keys[i]);
  }
  out.end('}');
}

// Of brackets that are open at once, outside of strings. Nothing is said of the rest.
int depth_of(std::string_view text) {
  int depth = 0;
  int deepest = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string) {
      if (c == '\\') ++i;
      if (c == '"') in_string = false;
    } else if (c == '"') {
      in_string = true;
    } else if (c == '{' || c == '[') {
      deepest = std::max(deepest, ++depth);
    } else if (c == '}' || c == ']') {
      --depth;
    }
  }
  return deepest;
}

template <class T>
Result<Decoded<T>> decode(std::string_view text) {
  if (text.size() > kLargestSessionJson)
    return base::fail(ErrorKind::invalid_input, "larger than the limit for metadata (4 MiB)");
  if (depth_of(text) > kDeepestSessionJson)
    return base::fail(ErrorKind::invalid_input, "nested deeper than the limit (64 levels)");
  Decoded<T> decoded;
  SessionReading reading;
  JsonReader in(text);
  TRY(read_fields(in, decoded.value, reading));
  TRY(in.end());
  decoded.problems = std::move(reading.problems);
  return decoded;
}

template <class T>
std::string encode(const T& value) {
  GoJsonWriter out;
  write_fields(out, value);
  return out.finish();
}

}  // namespace

Result<Decoded<SessionRoot>> decode_session_root(std::string_view text) {
  return decode<SessionRoot>(text);
}
Result<Decoded<SessionMetadata>> decode_session(std::string_view text) {
  return decode<SessionMetadata>(text);
}
Result<Decoded<PlanLink>> decode_plan_link(std::string_view text) {
  return decode<PlanLink>(text);
}

std::string encode_session_root(const SessionRoot& root) {
  return encode(root);
}
std::string encode_session(const SessionMetadata& session) {
  return encode(session);
}
std::string encode_plan_link(const PlanLink& link) {
  return encode(link);
}

}  // namespace plankeep::core

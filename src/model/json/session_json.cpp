#include "model/json/session_json.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include "base/json_reader.hpp"
#include "model/json/session_fields.hpp"

namespace plankeep::core::session_fields {

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

}  // namespace plankeep::core::session_fields

namespace plankeep::core {

using base::ErrorKind;
using base::Result;

namespace {

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
  session_fields::SessionReading reading;
  base::JsonReader in(text);
  TRY(session_fields::read_fields(in, decoded.value, reading));
  TRY(in.end());
  decoded.problems = std::move(reading.problems);
  return decoded;
}

template <class T>
std::string encode(const T& value) {
  GoJsonWriter out;
  session_fields::write_fields(out, value);
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

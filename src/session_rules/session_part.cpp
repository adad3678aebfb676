#include "session_rules/session_part.hpp"

#include <algorithm>
#include <limits>
#include <vector>

#include "base/sha256.hpp"
#include "clients/agent_name.hpp"
#include "session_rules/session_activity.hpp"

namespace plankeep::core {
namespace {

using clients::TranscriptRecord;

// The text in front of this line, counted from 0.
std::string_view lines_before(std::string_view text, std::uint64_t line) {
  std::size_t at = 0;
  for (; line > 0; --line) {
    const std::size_t end = text.find('\n', at);
    if (end == std::string_view::npos) return text;
    at = end + 1;
  }
  return text.substr(0, at);
}

struct PartBounds {
  std::optional<std::uint64_t> first;  // line
  std::optional<std::uint64_t> end;    // the line behind the last one; nullopt: none is later
};

// Which records stand in the part. Where times go back (a subagent's lines), the first that is later counts.
class BoundsFinder {
 public:
  explicit BoundsFinder(const CommitSpan& span)
      : after_(last_before(span).value_or(base::Instant{std::numeric_limits<std::int64_t>::min()})),
        until_(end_of_commit(span.commit)) {}

  void see(const TranscriptRecord& record) {
    if (!record.time || bounds_.end) return;
    if (*record.time > until_) {
      bounds_.end = record.line;
    } else if (*record.time > after_ && !bounds_.first) {
      // What stands in front of the first record of all (the client's own lines) belongs to it.
      bounds_.first = seen_ ? record.line : 0;
    }
    seen_ = true;
  }

  const PartBounds& bounds() const { return bounds_; }

 private:
  base::Instant after_;
  base::Instant until_;
  PartBounds bounds_;
  bool seen_ = false;
};

struct PlacedPrompt {
  std::string text;
  std::string turn;
};

std::string turn_of(const TranscriptRecord& prompt) {
  return prompt.turn.empty() ? "line " + std::to_string(prompt.line) : prompt.turn;
}

// When the session last wrote a file that the commit changes, before it was made; nullopt: not told.
std::optional<base::Instant> last_write_of(std::string_view transcript, const CommitSpan& span) {
  std::optional<base::Instant> last;
  clients::TranscriptReader reader([&](const TranscriptRecord& record) {
    if (record.kind != TranscriptRecord::Kind::write || !record.time ||
        *record.time > end_of_commit(span.commit) || (last && *record.time <= *last))
      return;
    const auto path = path_in_repository(record.edit.path, span);
    if (path && span.changed.contains(*path)) last = record.time;
  });
  reader.add(transcript);
  reader.finish();
  return last;
}

// The newest that is certainly older; nullopt: none is.
std::optional<base::Instant> newest_before(const std::vector<base::Instant>& commits,
                                           std::optional<base::Instant> time) {
  std::optional<base::Instant> newest;
  for (const base::Instant commit : commits)
    if (time && end_of_commit(commit) < *time && (!newest || *newest < commit)) newest = commit;
  return newest;
}

TokenUsage stored_usage(const clients::TokenUse& use) {
  TokenUsage stored;
  stored.input = use.input;
  stored.cache_creation = use.cache_creation;
  stored.cache_read = use.cache_read;
  stored.output = use.output;
  stored.api_calls = use.calls;
  return stored;
}

}  // namespace

std::optional<std::string> path_in_repository(std::string_view path, std::string_view top) {
  if (path.starts_with('/')) {
    if (top.empty() || !path.starts_with(top)) return std::nullopt;
    path.remove_prefix(top.size());
    if (!top.ends_with('/')) {
      if (!path.starts_with('/')) return std::nullopt;
      path.remove_prefix(1);
    }
  }
  while (path.starts_with("./")) path.remove_prefix(2);
  return is_inner_path(path) ? std::optional(std::string(path)) : std::nullopt;
}

std::optional<std::string> path_in_repository(std::string_view path, const CommitSpan& span) {
  const std::size_t slash = path.rfind('/');
  if (span.real_folders == nullptr || slash == std::string_view::npos)
    return path_in_repository(path, span.top);
  const auto real = span.real_folders->find(path.substr(0, slash));
  if (real == span.real_folders->end()) return path_in_repository(path, span.top);
  return path_in_repository(real->second + std::string(path.substr(slash)), span.top);
}

base::Instant end_of_commit(base::Instant time) {
  return {time.milliseconds - time.milliseconds % base::kSecond + base::kSecond - 1};
}

std::optional<base::Instant> last_before(const CommitSpan& span) {
  if (!span.parent) return std::nullopt;
  const base::Instant second{end_of_commit(*span.parent).milliseconds - base::kSecond};
  return std::max(second, span.before_parent.value_or(second));
}

std::optional<SessionPart> part_for_commit(std::string_view transcript, const CommitSpan& span) {
  BoundsFinder finder(span);
  bool document = false;
  PlacedPrompt before;  // the last one in front of the part
  {
    clients::TranscriptReader reader([&](const TranscriptRecord& record) {
      finder.see(record);
      if (record.kind == TranscriptRecord::Kind::prompt && !record.subagent && !finder.bounds().first)
        before = {record.text, turn_of(record)};
    });
    reader.add(transcript);
    document = reader.finish().document;
  }
  const PartBounds& bounds = finder.bounds();
  if (!bounds.first) return std::nullopt;

  SessionPart part;
  part.transcript = bounds.end && !document ? lines_before(transcript, *bounds.end) : transcript;
  part.first_line = static_cast<std::int64_t>(*bounds.first);
  part.document = document;
  part.is_last = !bounds.end;
  clients::TranscriptReader reader(
      [&](const TranscriptRecord& record) {
        if (bounds.end && record.line >= *bounds.end) return;
        if (record.kind == TranscriptRecord::Kind::prompt && !record.subagent) {
          part.prompts.push_back(record.text);
          part.prompt_times.push_back(record.time);
          part.turn = turn_of(record);
        }
        if (record.kind != TranscriptRecord::Kind::write) return;
        auto path = path_in_repository(record.edit.path, span);
        if (!path) return;
        const bool touches = span.changed.contains(*path);
        if (touches && part.prompts.empty() && part.begun_by.empty()) {
          part.begun_by = before.text;
          part.turn = before.turn;
        }
        part.touches_commit = part.touches_commit || touches;
        part.edits[*path].push_back(record.edit.edit);
        part.files.insert(std::move(*path));
        if (record.time) part.writes.push_back(*record.time);
        if (!record.time) {
          part.writes_are_timed = false;
        } else if (!part.last_write || *part.last_write < *record.time) {
          part.last_write = record.time;
        }
      },
      *bounds.first);
  reader.add(part.transcript);
  clients::TranscriptFacts facts = reader.finish();
  // Of a document that goes on behind the commit nobody knows which tokens are the part's.
  if (!document || !bounds.end) part.use = facts.use;
  part.model = std::move(facts.model);
  part.broken_lines = facts.broken;
  return part;
}

SessionPart part_with_noted(std::optional<SessionPart> part, std::string_view transcript,
                            const CommitSpan& span, const std::set<std::string>& noted,
                            const std::vector<base::Instant>& earlier) {
  if (!part || !part->touches_commit) {
    CommitSpan longer = span;
    longer.parent = earlier.empty() ? std::nullopt : newest_before(earlier, last_write_of(transcript, span));
    longer.before_parent.reset();
    if (auto found = part_for_commit(transcript, longer)) part = std::move(found);
  }
  if (!part) {
    part.emplace();
    part->transcript = transcript;
  }
  part->files.insert(noted.begin(), noted.end());
  part->touches_commit = true;
  return std::move(*part);
}

void keep_changed_files(SessionPart& part, const std::set<std::string>& changed) {
  std::erase_if(part.files, [&](const std::string& file) { return !changed.contains(file); });
}

RedactedRecord redacted_record(const SessionPart& part, const SessionOrigin& origin,
                               const secrets::Redactor& redactor, TranscriptExtent extent,
                               std::size_t largest_part) {
  RedactedRecord made;
  SessionRecord& record = made.record;
  const auto keep = [&](std::string_view text) {
    secrets::Redacted redacted = redactor.plain(text);
    made.report.add(redacted.report());
    return redacted;
  };
  record.cli_version = origin.written_by;
  record.session_id = origin.session_id;
  record.created_at = origin.time;
  if (origin.branch) record.branch = keep(*origin.branch);
  for (const std::string& file : part.files) record.files_touched.push_back(keep(file));
  record.agent = clients::agent_name(origin.client);
  record.model = keep(part.model);
  constexpr std::size_t kTurnDigits = 12;
  if (!part.turn.empty())
    record.turn_id = base::sha256_hex(origin.session_id + "\n" + part.turn).substr(0, kTurnDigits);
  if (!part.begun_by.empty()) record.prompts.push_back(keep(part.begun_by));
  for (const std::string& prompt : part.prompts) record.prompts.push_back(keep(prompt));
  record.checkpoints_count = std::max<std::int64_t>(1, std::ssize(record.prompts));
  record.save_step_count = record.checkpoints_count;
  if (part.use) record.token_usage = stored_usage(*part.use);
  if (extent == TranscriptExtent::none) return made;

  std::string_view kept = part.transcript;
  if (extent == TranscriptExtent::slice && !part.document) {
    kept.remove_prefix(lines_before(kept, static_cast<std::uint64_t>(part.first_line)).size());
  } else {
    // Lines keep their ends, so the part begins at the same line as before.
    record.first_line = part.first_line;
  }
  secrets::Redacted transcript = redactor.json_lines(kept);
  made.report.add(transcript.report());
  if (clients::transcript_chunks(transcript.text(), largest_part)) {
    record.transcript = std::move(transcript);
  } else {
    made.transcript_left_out = "a line is longer than " + std::to_string(largest_part) + " bytes";
    record.first_line = 0;
  }
  return made;
}

}  // namespace plankeep::core

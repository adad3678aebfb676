#include "session_rules/written_checkpoint.hpp"

#include <algorithm>
#include <limits>
#include <set>

#include "model/json/session_json.hpp"
#include "session_rules/checkpoint_names.hpp"
#include "session_rules/checkpoint_totals.hpp"

namespace plankeep::core {
namespace {

using base::ErrorKind;
using base::Result;

constexpr std::string_view kStrategy = "manual-commit";

// The slots of a checkpoint with their metadata.
struct ReadSlots {
  std::map<std::size_t, SessionMetadata> readable;
  bool all = true;
  Strings problems;
};

ReadSlots read_slots(const CheckpointNow& now) {
  ReadSlots slots;
  for (const auto& [number, slot] : now.slots) {
    const std::string name = std::to_string(number) + "/" + std::string(kMetadataFile);
    if (!slot.metadata) {
      slots.all = false;
      slots.problems.push_back(name + ": missing or not to be read");
      continue;
    }
    auto read = decode_session(*slot.metadata);
    if (!read) {
      slots.all = false;
      slots.problems.push_back(name + ": " + read.error().message);
      continue;
    }
    slots.readable.emplace(number, std::move(read->value));
  }
  return slots;
}

std::optional<std::size_t> stored_slot_of(const ReadSlots& slots, std::string_view session_id) {
  for (const auto& [number, metadata] : slots.readable)
    if (metadata.session_id == session_id) return number;
  return std::nullopt;
}

bool has_file(const CheckpointNow& now, std::size_t number, std::string_view name) {
  const auto slot = now.slots.find(number);
  if (slot == now.slots.end()) return false;
  const Strings& names = slot->second.names;
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool has_control_characters(std::string_view text) {
  return std::any_of(text.begin(), text.end(),
                     [](char c) { return static_cast<unsigned char>(c) < ' ' || c == '\x7f'; });
}

Strings texts_of(const std::vector<secrets::Redacted>& redacted) {
  Strings texts;
  for (const secrets::Redacted& one : redacted) texts.push_back(one.text());
  return texts;
}

// --- one session -------------------------------------------------------------------------------------------

// Over what is stored of the session already: what the record does not speak of stays.
SessionMetadata metadata_of(SessionMetadata session, SessionLayout layout, const std::string& id,
                            const SessionRecord& record) {
  session.cli_version = record.cli_version;
  session.checkpoint_id = id;
  session.session_id = record.session_id;
  session.strategy = kStrategy;
  session.created_at = session_time(record.created_at);
  session.branch = record.branch ? std::optional(record.branch->text()) : std::nullopt;
  session.checkpoints_count = record.checkpoints_count;
  if (layout == SessionLayout::refs && record.save_step_count > 0)
    session.save_step_count = record.save_step_count;
  const Strings files = texts_of(record.files_touched);
  session.files_touched = sorted_list({files.begin(), files.end()});
  if (!record.agent.empty()) session.agent = record.agent;
  if (record.model) session.model = record.model->text();
  if (!record.turn_id.empty()) session.turn_id = record.turn_id;
  if (record.first_line > 0) {
    session.checkpoint_transcript_start = record.first_line;
  } else {
    session.checkpoint_transcript_start.reset();
  }
  session.transcript_lines_at_start = session.checkpoint_transcript_start;
  if (record.transcript) session.compact_transcript_start.reset();
  if (record.token_usage)
    session.token_usage = with_counts(session.token_usage.value_or(TokenUsage{}), *record.token_usage);
  if (record.attribution) {
    KeptKeys kept = session.initial_attribution ? session.initial_attribution->kept : KeptKeys{};
    session.initial_attribution = record.attribution;
    session.initial_attribution->kept = std::move(kept);
  }
  return session;
}

// --- the whole ---------------------------------------------------------------------------------------------

SessionRoot root_of(SessionRoot root, const std::string& id, const SessionRecord& record,
                    const SessionTotals& totals) {
  root.cli_version = record.cli_version;
  root.checkpoint_id = id;
  root.strategy = kStrategy;
  root.branch = record.branch ? std::optional(record.branch->text()) : std::nullopt;
  root.checkpoints_count = totals.checkpoints;
  root.files_touched = sorted_list(totals.files);
  if (totals.tokens) root.token_usage = with_counts(root.token_usage.value_or(TokenUsage{}), *totals.tokens);
  return root;
}

std::string commit_message(const std::string& id, const SessionRecord& record) {
  std::string message = "Checkpoint: " + id + "\n\nEntire-Session: " + record.session_id +
                        "\nEntire-Strategy: " + std::string(kStrategy) + "\n";
  if (!record.agent.empty()) message += "Entire-Agent: " + record.agent + "\n";
  if (!record.shadow_branch.empty()) message += "Ephemeral-branch: " + record.shadow_branch + "\n";
  return message;
}

base::Status check_names(const CheckpointNow& now, SessionLayout layout, const std::string& id,
                         const SessionRecord& record) {
  const auto kind = session_id_kind(id);
  if (!kind) return base::fail(ErrorKind::invalid_input, id + " is not the id of a session checkpoint");
  if (layout == SessionLayout::branch && *kind == SessionIdKind::ulid)
    return base::fail(ErrorKind::invalid_input,
                      id + " cannot stand on the branch: its readers do not know it");
  if (layout == SessionLayout::refs && *kind == SessionIdKind::hex && now.is_new())
    return base::fail(ErrorKind::invalid_input, id + " cannot be a new ref: those have ULIDs");
  if (!is_client_session(record.session_id))
    return base::fail(ErrorKind::invalid_input, "the client's session id cannot be a name");
  if (has_control_characters(record.agent) || has_control_characters(record.shadow_branch))
    return base::fail(ErrorKind::invalid_input, "the client's name or its branch is not one line");
  return {};
}

base::Status put_transcript(CheckpointFiles& out, const std::string& folder, const std::string& transcript,
                            std::size_t largest_part) {
  const auto parts = clients::transcript_chunks(transcript, largest_part);
  if (!parts)
    return base::fail(ErrorKind::invalid_input,
                      "a line of the transcript is longer than " + std::to_string(largest_part) + " bytes");
  for (std::size_t i = 0; i < parts->size(); ++i)
    out.transcript.emplace_back(folder + clients::chunk_name(i), (*parts)[i]);
  out.files[folder + std::string(kHashFile)] = content_hash_of(transcript);
  return {};
}

// Of the same commit, later, when a transcript or snapshot is gone, more lines are nobody's, or a person's
// are not known any more.
bool knows_less(const PlanLines& now, const PlanLines& before) {
  const bool same_commit =
      now.agent + now.person + now.unknown == before.agent + before.person + before.unknown;
  return same_commit && (now.unknown > before.unknown || now.person < before.person);
}

// What stands in the file already and the new text does not speak of, or knows less of.
std::string merged_plan_link(const std::optional<std::string>& stored, const std::string& text) {
  if (!stored) return text;
  auto before = decode_plan_link(*stored);
  auto now = decode_plan_link(text);
  if (!before || !now) return text;
  now->value.kept = std::move(before->value.kept);
  if (!now->value.lines || (before->value.lines && knows_less(*now->value.lines, *before->value.lines))) {
    now->value.lines = std::move(before->value.lines);
  } else if (before->value.lines) {
    now->value.lines->kept = std::move(before->value.lines->kept);
  }
  return encode_plan_link(now->value);
}

// Entire's writers put no plan link, and theirs are left as they are.
bool may_have_plan_link(const CheckpointNow& now, const SessionRoot& root) {
  return now.is_new() || now.plan_link || (root.cli_version && root.cli_version->starts_with("plankeep"));
}

}  // namespace

std::string joined_prompts(const std::vector<secrets::Redacted>& prompts) {
  std::string joined;
  for (const secrets::Redacted& prompt : prompts) {
    if (!joined.empty()) joined += kPromptSeparator;
    joined += prompt.text();
  }
  return joined;
}

Result<CheckpointFiles> put_session(const CheckpointNow& now, SessionLayout layout, const std::string& id,
                                    const SessionRecord& record, std::size_t largest_part) {
  TRY(check_names(now, layout, id, record));
  ReadSlots slots = read_slots(now);
  CheckpointFiles out;
  out.problems = slots.problems;

  SessionRoot root;
  if (now.root) {
    auto read = decode_session_root(*now.root);
    if (read) {
      root = std::move(read->value);
    } else {
      out.problems.push_back(std::string(kMetadataFile) + ": " + read.error().message);
    }
  }
  const bool with_plan_link = record.plan_link && may_have_plan_link(now, root);

  const auto same = stored_slot_of(slots, record.session_id);
  out.slot = same ? *same : now.slots.empty() ? 0 : now.slots.rbegin()->first + 1;
  if (out.slot >= kMostSessionSlots)
    return base::fail(ErrorKind::invalid_input,
                      "session checkpoint " + id + " has no number left for a session");
  const std::string folder = std::to_string(out.slot) + "/";
  const SessionTotals before = totals_of(slots.readable);

  SessionMetadata& session = slots.readable[out.slot];
  session = metadata_of(std::move(session), layout, id, record);
  out.files[folder + std::string(kMetadataFile)] = encode_session(session);
  if (record.transcript) {
    // Whatever described the old one is stale: its other pieces, a compact form, pictures beside it.
    if (same) {
      for (const std::string& name : now.slots.at(*same).names)
        if (name != kMetadataFile && name != kPromptFile) out.removed.push_back(folder + name);
    }
    TRY(put_transcript(out, folder, record.transcript->text(), largest_part));
  }
  if (!record.prompts.empty()) out.files[folder + std::string(kPromptFile)] = joined_prompts(record.prompts);

  SessionTotals totals = totals_of(slots.readable);
  if (!slots.all) add_unreadable(totals, root, before);
  root = root_of(std::move(root), id, record, totals);
  if (!root.sessions) root.sessions.emplace();
  const std::size_t stated = root.sessions->size();
  root.sessions->resize(std::max(stated, out.slot + 1));
  for (std::size_t i = 0; i < root.sessions->size(); ++i) {
    if (i < stated && i != out.slot) continue;  // as its own writer said
    SlotPaths& paths = (*root.sessions)[i];
    const bool ours = i == out.slot;
    paths = paths_of(std::move(paths), layout, slot_folder(layout, id, i),
                     has_file(now, i, clients::chunk_name(0)) || (ours && record.transcript),
                     has_file(now, i, kPromptFile) || (ours && !record.prompts.empty()));
    if (ours && record.transcript) {
      paths.compact_transcript.reset();
      paths.assets_manifest.reset();
    }
  }
  out.files[std::string(kMetadataFile)] = encode_session_root(root);
  if (with_plan_link)
    out.files[std::string(kPlanFile)] = merged_plan_link(now.plan_link, record.plan_link->text());
  out.message = commit_message(id, record);
  return out;
}

Result<CheckpointFiles> finalise_session(const CheckpointNow& now, const std::string& id,
                                         const std::string& session_id, const secrets::Redacted& transcript,
                                         const std::vector<secrets::Redacted>& prompts,
                                         std::size_t largest_part, std::optional<std::int64_t> first_line) {
  ReadSlots slots = read_slots(now);
  const auto number = stored_slot_of(slots, session_id);
  if (!number)
    return base::fail(ErrorKind::not_found, "session checkpoint " + id + " has no session " + session_id);
  CheckpointFiles out;
  out.slot = *number;
  out.problems = std::move(slots.problems);
  const std::string folder = std::to_string(*number) + "/";
  for (const std::string& name : now.slots.at(*number).names)
    if (transcript_part(name) || name == kCompactFile) out.removed.push_back(folder + name);
  TRY(put_transcript(out, folder, transcript.text(), largest_part));
  if (!prompts.empty()) out.files[folder + std::string(kPromptFile)] = joined_prompts(prompts);

  SessionMetadata& session = slots.readable.at(*number);
  if (session.compact_transcript_start || first_line) {
    session.compact_transcript_start.reset();
    if (first_line) session.checkpoint_transcript_start = first_line;
    if (first_line) session.transcript_lines_at_start = first_line;
    out.files[folder + std::string(kMetadataFile)] = encode_session(session);
  }
  if (now.root && has_file(now, *number, kCompactFile)) {
    auto root = decode_session_root(*now.root);
    if (root && root->value.sessions && *number < root->value.sessions->size()) {
      (*root->value.sessions)[*number].compact_transcript.reset();
      out.files[std::string(kMetadataFile)] = encode_session_root(root->value);
    }
  }
  out.message = "Finalize transcript for Checkpoint: " + id;
  return out;
}

LineAttribution stored_attribution(const CompatibleAttribution& lines, AttributionMetric metric,
                                   base::Instant calculated_at) {
  LineAttribution stored;
  stored.calculated_at = session_time(calculated_at);
  stored.agent_lines = lines.agent_lines;
  stored.human_added = lines.human_added;
  stored.human_modified = lines.human_modified;
  stored.human_removed = lines.human_removed;
  stored.total_committed = lines.total_committed;
  stored.agent_percentage = lines.agent_percentage;
  if (metric == AttributionMetric::changed_lines) {
    stored.agent_removed = lines.agent_removed;
    stored.total_changed = lines.total_changed;
    stored.metric = static_cast<std::int64_t>(metric);
  }
  return stored;
}

std::string session_time(base::Instant instant) {
  std::string text = base::to_iso8601(instant);
  text.pop_back();  // Z
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text + "Z";
}

}  // namespace plankeep::core

#pragma once
// Session checkpoints: what AI sessions did for one commit, as Entire's tools keep it in git. Here are the
// names (ids, refs, folders, branches) and what the metadata files say; model/json/session_json has their
// text, session_store/ reads them from a repository. Pure.
//
// A session checkpoint has an id, which a commit names in its trailer `Entire-Checkpoint: <id>`. It is a
// folder: metadata.json for the whole, and for each session a slot, numbered from 0, with a metadata.json of
// its own, the transcript and the prompts. The folder is found in one of two layouts:
//
//   refs    refs/entire/checkpoints/<last two of the id>/<id>: the commit's tree is the folder
//   branch  entire/checkpoints/v1: <first two of the id>/<rest of the id>/ in the tip's tree
//
// Source of names and keys: Entire 0.3.11 to 0.11.4. Everything here may come from a stranger's repository:
// texts are stored unchanged and have to pass base::printable() before they are shown.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/instant.hpp"

namespace plankeep::core {

/// hex: 12 digits in lower case. ulid: 26 characters, which begin with the time.
enum class SessionIdKind { hex, ulid };
/// nullopt: the text is not the id of a session checkpoint. A ULID begins with 0 to 7, and its letters are
/// upper case without I, L, O and U.
std::optional<SessionIdKind> session_id_kind(std::string_view text);
/// When a ULID was made; nullopt for an id in hex.
std::optional<base::Instant> time_in_id(std::string_view id);

/// Whether somebody who typed `text` means this id: the id itself; at least 4 first digits of one in hex; at
/// least 6 last characters of a ULID, in capitals or not.
bool means_session(std::string_view text, std::string_view id);
/// Whether `text` could be meant for any id at all.
bool may_mean_session(std::string_view text);

/// A client's own id of a conversation: 1 to 200 bytes of UTF-8 that can be a file's name: no "/", no "\",
/// no control characters, not "." or "..".
bool is_client_session(std::string_view text);

inline constexpr std::string_view kSessionRefs = "refs/entire/checkpoints/";
inline constexpr std::string_view kSessionBranch = "entire/checkpoints/v1";

/// "refs/entire/checkpoints/09/01HF7YAT00000G40R40M30E209".
std::string session_ref(std::string_view id);
/// The id in such a ref; nullopt: the shard is not the id's, there are more parts, or there is no id.
std::optional<std::string> id_in_session_ref(std::string_view ref);
/// "a1/b2c3d4e5f6", relative to the branch's tree.
std::string session_folder(std::string_view id);
/// The id of the folder `name` in the folder `shard` of the branch's tree; nullopt: the two do not make an
/// id.
std::optional<std::string> id_of_session_folder(std::string_view shard, std::string_view name);

/// A shadow branch holds what a running session changed since a commit: "entire/<commit>-<work tree>".
struct ShadowBranch {
  std::string commit;     // 7 to 40 first digits of the commit that it began at
  std::string work_tree;  // 6 digits (work_tree_digits); empty in branches of old versions
  bool operator==(const ShadowBranch&) const = default;
};
/// `branch`: without "refs/heads/". nullopt: it is not a shadow branch.
std::optional<ShadowBranch> shadow_branch(std::string_view branch);
std::string shadow_branch_name(std::string_view commit, std::string_view work_tree_name);
/// The first 6 digits of the SHA-256 of a linked work tree's name (of its folder in .git/worktrees), "" for
/// the main one.
std::string work_tree_digits(std::string_view work_tree_name);

/// The ids after "Entire-Checkpoint:" anywhere in a message, each once, in their order, as Entire itself
/// finds them. Only those in the final trailer block are the commit's own (git's `%(trailers)` has them).
std::vector<std::string> mentioned_checkpoints(std::string_view message);

// The contents of the files. Every struct keeps unknown keys and values of the wrong type, with their
// positions, in `kept`.

struct KeptKey {
  std::string name;
  std::string json;        // its text in the file; empty: only the position of a known key is kept
  std::size_t before = 0;  // it comes before this known key, counted from 0
  bool operator==(const KeptKey&) const = default;
};
using KeptKeys = std::vector<KeptKey>;

/// A value that is kept as its JSON text.
struct RawJson {
  std::string json;
  bool operator==(const RawJson&) const = default;
};

using Strings = std::vector<std::string>;

struct TokenUsage {
  std::optional<std::int64_t> input;
  std::optional<std::int64_t> cache_creation;
  std::optional<std::int64_t> cache_read;
  std::optional<std::int64_t> output;
  std::optional<std::int64_t> api_calls;
  std::optional<RawJson> subagents;
  KeptKeys kept;
  bool operator==(const TokenUsage&) const = default;
};
/// Input, cache and output together; below 0 counts as 0, and a sum that is too large as the largest.
std::int64_t total_of(const TokenUsage& usage);

/// How many lines of the commit the agent wrote. Metric 1 has no agent_removed, total_changed and metric.
struct LineAttribution {
  std::optional<std::string> calculated_at;
  std::optional<std::int64_t> agent_lines;
  std::optional<std::int64_t> agent_removed;
  std::optional<std::int64_t> human_added;
  std::optional<std::int64_t> human_modified;
  std::optional<std::int64_t> human_removed;
  std::optional<std::int64_t> total_committed;
  std::optional<std::int64_t> total_changed;
  std::optional<double> agent_percentage;
  std::optional<std::int64_t> metric;
  KeptKeys kept;
  bool operator==(const LineAttribution&) const = default;
};
/// nullopt: not said, or no number from 0 to 100.
std::optional<double> percentage_of(const LineAttribution& attribution);

struct CodeFinding {
  std::string path;
  std::optional<std::int64_t> line;
  std::optional<std::int64_t> end_line;
  std::string finding;
  KeptKeys kept;
  bool operator==(const CodeFinding&) const = default;
};
struct Learnings {
  std::optional<Strings> repository;
  std::optional<std::vector<CodeFinding>> code;
  std::optional<Strings> workflow;
  KeptKeys kept;
  bool operator==(const Learnings&) const = default;
};
struct SessionSummary {
  std::string intent;
  std::string outcome;
  Learnings learnings;
  std::optional<Strings> friction;
  std::optional<Strings> open_items;
  KeptKeys kept;
  bool operator==(const SessionSummary&) const = default;
};

struct SessionMetrics {
  std::optional<std::int64_t> duration_ms;
  std::optional<std::int64_t> turns;
  std::optional<std::int64_t> context_tokens;
  std::optional<std::int64_t> context_window;
  KeptKeys kept;
  bool operator==(const SessionMetrics&) const = default;
};

/// metadata.json of a slot.
struct SessionMetadata {
  std::optional<std::string> cli_version;
  std::string checkpoint_id;
  std::string session_id;  // the client's
  std::string strategy;
  std::string created_at;  // as it was written, with up to nine digits behind the point
  std::optional<std::string> branch;
  std::optional<std::string> commit_sha;
  std::optional<std::int64_t> checkpoints_count;  // versions before 0.4: steps_count, in `kept`
  std::optional<std::int64_t> save_step_count;
  std::optional<Strings> files_touched;  // nullopt: null
  std::optional<std::string> agent;
  std::optional<std::string> model;
  std::optional<std::string> turn_id;
  std::optional<bool> is_task;
  std::optional<std::string> tool_use_id;
  std::optional<std::string> transcript_identifier_at_start;
  std::optional<std::int64_t> checkpoint_transcript_start;
  std::optional<std::int64_t> transcript_lines_at_start;
  std::optional<std::int64_t> compact_transcript_start;
  std::optional<TokenUsage> token_usage;
  std::optional<RawJson> model_usage;
  std::optional<RawJson> skill_events_version;
  std::optional<RawJson> skill_events;
  std::optional<SessionMetrics> session_metrics;
  std::optional<SessionSummary> summary;
  std::optional<LineAttribution> initial_attribution;
  std::optional<RawJson> prompt_attributions;
  std::optional<std::string> kind;
  std::optional<Strings> review_skills;
  std::optional<std::string> review_prompt;
  std::optional<std::string> investigate_run_id;
  std::optional<std::string> investigate_topic;
  KeptKeys kept;
  bool operator==(const SessionMetadata&) const = default;
};
/// The first line of the transcript, from 0, that belongs to this checkpoint.
std::size_t first_line_of(const SessionMetadata& session);

/// Where the root file says that a slot's files are. Only shown to people, never used to find a file.
struct SlotPaths {
  std::string metadata;
  std::optional<std::string> transcript;
  std::optional<std::string> compact_transcript;
  std::optional<std::string> content_hash;
  std::string prompt;
  std::optional<std::string> assets_manifest;
  KeptKeys kept;
  bool operator==(const SlotPaths&) const = default;
};

/// metadata.json of the whole.
struct SessionRoot {
  std::optional<std::string> cli_version;
  std::string checkpoint_id;
  std::string strategy;
  std::optional<std::string> branch;
  std::optional<std::string> commit_sha;
  std::optional<RawJson> linked_commits;
  std::int64_t checkpoints_count = 0;
  std::optional<Strings> files_touched;            // nullopt: null
  std::optional<std::vector<SlotPaths>> sessions;  // nullopt: null
  std::optional<TokenUsage> token_usage;
  std::optional<RawJson> model_usage;
  std::optional<LineAttribution> combined_attribution;
  std::optional<bool> has_review;
  std::optional<bool> has_investigation;
  std::optional<bool> imported;
  KeptKeys kept;
  bool operator==(const SessionRoot&) const = default;
};

/// How much of a client's transcript is kept with a commit: the session up to the commit, only what belongs
/// to the commit, or nothing.
enum class TranscriptExtent { full, slice, none };
std::string_view name_of(TranscriptExtent extent);
std::optional<TranscriptExtent> transcript_extent(std::string_view name);

/// Whose lines a commit adds, as far as that is known (session_rules/kept_lines).
struct PlanLines {
  std::int64_t agent = 0;
  std::int64_t person = 0;
  std::int64_t unknown = 0;
  KeptKeys kept;
  bool operator==(const PlanLines&) const = default;
};

/// plankeep/plan.json: what the commit did for the plan (spec 18.7). Ours: Entire passes it on unread.
struct PlanLink {
  std::string schema_version;
  std::string plan_id;
  std::optional<std::string> phase_id;
  std::optional<std::string> phase_title;
  std::optional<Strings> tasks_done;
  std::optional<Strings> criteria_met;
  std::optional<std::string> tier;
  std::int64_t history_events = 0;
  std::string written_by;
  std::optional<std::string> transcript_left_out;  // why the record has no transcript
  std::optional<PlanLines> lines;                  // of the commit; absent: not counted
  KeptKeys kept;
  bool operator==(const PlanLink&) const = default;
};

inline constexpr std::string_view kPromptSeparator = "\n\n---\n\n";
/// The prompts in a prompt.txt.
Strings prompts_in(std::string_view text);

/// Sessions of one checkpoint (spec 25.2).
inline constexpr std::size_t kMostSessionSlots = 10'000;
/// The number of a slot by its folder's name: "12"; at most nine digits, no zero in front.
std::optional<std::size_t> session_slot(std::string_view name);

/// The number of a part of a transcript: 0 for "full.jsonl" (and "full.log", which versions before 0.4
/// wrote), n for "full.jsonl.001" and so on; nullopt: any other name. Parts are joined by line feeds.
std::optional<std::size_t> transcript_part(std::string_view name);
/// "sha256:" and 64 digits.
std::string content_hash_of(std::string_view transcript);

}  // namespace plankeep::core

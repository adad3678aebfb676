#pragma once
// Checkpoints as JSON (schemas/checkpoint.schema.json). The keys of work_state and metadata are those of
// spec 12 and never change; readers pass over keys that they do not know.
//
//   { "checkpoint_id", "instance_id", "checkpoint_type", "sequence_num", "context_window_percent",
//     "timestamp", "phase_id", "work_state": {...}, "metadata": {...}, "moment": {...} }
//
// What is not known is null where the key is fixed (context_window_percent, current_epic.duration_hours,
// git_status.branch, commit_count, lines_changed, last_modified, next_epic), and else left out.

#include <string>
#include <string_view>
#include <vector>

#include "base/json_writer.hpp"
#include "base/result.hpp"
#include "model/checkpoint.hpp"

namespace plankeep::core {

/// Compact, without a line feed. Readers: corrupt, naming the path, where a text is no such thing.
std::string encode_work_state(const WorkState& work_state);
[[nodiscard]] base::Result<WorkState> decode_work_state(std::string_view json);

std::string encode_metadata(const CheckpointMetadata& metadata);
[[nodiscard]] base::Result<CheckpointMetadata> decode_metadata(std::string_view json);

/// Without its tasks (`todoSnapshot`), which have a text of their own, but with how many there are ("tasks",
/// "tasksDone"), so that a list need not read that text.
std::string encode_moment(const Moment& moment);
[[nodiscard]] base::Result<Moment> decode_moment(std::string_view json);

/// What a list takes from encode_moment's text; `head` is the caller's.
[[nodiscard]] base::Result<ListedCheckpoint> decode_listed(std::string_view moment_json);

std::string encode_todo(const std::vector<TodoItem>& todo);
[[nodiscard]] base::Result<std::vector<TodoItem>> decode_todo(std::string_view json);

/// The whole of it, tasks included: one value.
void write_checkpoint(base::JsonWriter& out, const Checkpoint& checkpoint);
/// The same without work_state and moment, and with what people choose by: { ..., "turn", "message_id",
/// "prompt", "commit_sha", "snapshot" (whether there is one), "tasks", "tasks_done" }; null: none, not known.
void write_listed(base::JsonWriter& out, const ListedCheckpoint& listed);
[[nodiscard]] base::Result<Checkpoint> decode_checkpoint(std::string_view json);

}  // namespace plankeep::core

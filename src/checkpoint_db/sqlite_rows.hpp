#pragma once
// Checkpoints as rows of checkpoints.db, there and back: which column holds what, and the texts beside them
// that several rows share (sqlite_schema has the tables). Private to records/sqlite_*.
//
//   inside a Transaction: next_number for id and turn, keep_text for plan and tasks, then insert_checkpoint
//   "SELECT " + checkpoint_columns(version) + " FROM checkpoints ...", then read_checkpoint of each row
//
// What comes out of a row is checked: a row or text that says something else than it may is corrupt, told
// with the file's path and the checkpoint's id.

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "checkpoint_db/sqlite_chain.hpp"
#include "checkpoint_db/sqlite_handles.hpp"
#include "model/checkpoint.hpp"

namespace plankeep::records {

/// In the order that read_listed wants.
inline constexpr std::string_view kHeadColumns =
    "checkpoint_id, instance_id, checkpoint_type, sequence_num, context_window_percent, timestamp, phase_id, "
    "metadata, moment";
/// It stands at `least` at least.
[[nodiscard]] base::Status raise_counter(const Connection& connection, std::string_view counter,
                                         std::int64_t least);
/// In the order that read_checkpoint wants: those of a head first. `version`: of the tables.
std::string checkpoint_columns(std::int64_t version);

/// Of a row of kHeadColumns or checkpoint_columns.
[[nodiscard]] base::Status read_listed(const Connection& connection, const Use& use,
                                       core::ListedCheckpoint& listed);
/// Of a row of checkpoint_columns.
[[nodiscard]] base::Result<core::Checkpoint> read_checkpoint(const Connection& connection, const Use& use);

/// The work's state as a text that turns share which changed nothing: without the state's revision and time,
/// which change with every checkpoint and stand in columns.
std::string shared_work_state(core::WorkState work_state);

/// Adds a row to the chain. The digests are of texts that are kept: shared_work_state and the list of tasks.
[[nodiscard]] base::Status insert_checkpoint(const Connection& connection, const core::Checkpoint& checkpoint,
                                             std::string_view work_digest, std::string_view todo_digest);
/// A row as it is, with its link.
[[nodiscard]] base::Status insert_row(const Connection& connection, const ChainedRow& row,
                                      std::string_view link);

/// The next number of a counter, from 1.
[[nodiscard]] base::Result<std::int64_t> next_number(const Connection& connection, std::string_view counter);

/// Under its SHA-256; one that is there already stays.
[[nodiscard]] base::Status keep_text(const Connection& connection, std::string_view digest,
                                     std::string_view content);
/// not_found when there is none, corrupt when it is not what its digest says.
[[nodiscard]] base::Result<std::string> text_of(const Connection& connection, std::string_view digest);

}  // namespace plankeep::records

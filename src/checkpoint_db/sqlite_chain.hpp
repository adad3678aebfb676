#pragma once
// The chain of rows: each checkpoint carries SHA-256 over the link of the one before it and its own columns,
// so that a row that somebody changed, put in or took out by another way than ours is found. Private to
// records/sqlite_*.
//
// What a cleanup deletes leaves its link in the table `cleaned`. A store of version 1 had no chain: it gets
// one when it is upgraded, over the rows that are there then, and gaps before that moment are not judged.
// Whoever computes all links anew is not found by this: it is a check, not a signature.

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "checkpoint_db/sqlite_handles.hpp"

namespace plankeep::records {

/// What a link is made of, in this order.
inline constexpr std::string_view kChainedColumns =
    "checkpoint_id, added, instance_id, checkpoint_type, sequence_num, context_window_percent, timestamp, "
    "phase_id, turn, message_id, snapshot_ref, plan_digest, todo_digest, work_digest, prd_version, "
    "prd_updated, metadata, moment";
inline constexpr std::size_t kChainedCount = 18;
using ChainedRow = std::array<std::optional<std::string>, kChainedCount>;  // nullopt: NULL

/// In the table `counters`: the last row's number when the store was upgraded.
inline constexpr std::string_view kUpgradedAt = "upgraded";

/// 64 hexadecimal digits. `previous`: the link before it, empty for the first row.
std::string next_link(std::string_view previous, const ChainedRow& row);

/// The link of the row that was added last, deleted or not; empty when there was none yet.
[[nodiscard]] base::Result<std::string> last_link(const Connection& connection);

/// What does not hold, one sentence each, at most so many.
[[nodiscard]] base::Result<std::vector<std::string>> broken_links(const Connection& connection,
                                                                  std::size_t most);

}  // namespace plankeep::records

#pragma once
// A plan's table (rules/listing/task_table) as bytes, and with it the state without its phases, which tells
// whether claims still stand. For caches only, as tracking/cache/packed_records: the format may change with
// every version. Any bytes are safe to read; damage within the rows themselves ends them early
// (core::PackedRows), so the cache's checksum has to find it.
//
// Not packed: `plan_id`, `path`, `file`, `now` and the claims. The reader fills these in.

#include <string>

#include "base/result.hpp"
#include "model/state.hpp"
#include "rules/listing/task_table.hpp"

namespace plankeep::app {

struct TableRecords {
  core::TaskTable table;
  core::State state;  // without phases
};

/// `before`, and the bytes behind it, as pack() does it. `table.unreadable` must be empty.
std::string pack_table(const core::TaskTable& table, const core::State& state, std::string before = {});
/// The table's texts point into `bytes`, which it keeps.
[[nodiscard]] base::Result<TableRecords> unpack_table(std::string bytes);

}  // namespace plankeep::app

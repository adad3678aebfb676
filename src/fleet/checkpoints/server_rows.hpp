#pragma once
// Finds and reads one replica's rows of the table `checkpoint`. Used by server_store.cpp and
// server_clean_up.cpp.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "checkpoint_db/checkpoint_store.hpp"
#include "fleet/postgres.hpp"

namespace plankeep::fleet {

/// A condition on rows `c` of one replica, with its parameters; the replica is $1.
class RowCondition {
 public:
  explicit RowCondition(const std::string& replica) : values_{replica} {}
  RowCondition(const std::string& replica, const records::CheckpointQuery& query);

  /// "$N" for a value.
  std::string parameter(Value value) {
    values_.push_back(std::move(value));
    return "$" + std::to_string(values_.size());
  }
  void add(const std::string& condition) { sql_ += " AND " + condition; }

  const std::string& sql() const { return sql_; }
  const std::vector<Value>& values() const { return values_; }

 private:
  std::string sql_ = "c.replica = $1::uuid";
  std::vector<Value> values_;
};

/// The column `added` of the matching rows, in `order`, at most `limit` (0: no limit).
[[nodiscard]] base::Result<std::vector<std::int64_t>> row_numbers(Connection& connection,
                                                                  const RowCondition& condition,
                                                                  const std::string& order,
                                                                  std::size_t limit = 0);

struct ServerRow {
  std::int64_t added = 0;
  std::string id;
  std::string type;
  base::Instant time;
  std::int64_t bytes = 0;  // of its record
  base::Result<core::Checkpoint> checkpoint = base::fail(base::ErrorKind::corrupt, "not read");
};

/// Reads the rows with these numbers in this order, a few at a time, until `each` returns false. Skips rows
/// that were deleted in the meantime.
[[nodiscard]] base::Status read_rows(Connection& connection, const std::string& replica,
                                     const std::vector<std::int64_t>& numbers,
                                     const std::function<base::Result<bool>(ServerRow& row)>& each);

/// {1,2,3}
std::string array_of(const std::vector<std::int64_t>& numbers);

/// Runs `work` in a transaction that holds the lock of the replica's store. Rolls back if `work` fails or
/// returns Keep::no.
enum class Keep { yes, no };
[[nodiscard]] base::Status in_transaction(Connection& connection, const std::string& replica,
                                          const std::function<base::Result<Keep>()>& work);

}  // namespace plankeep::fleet

#pragma once
// The statements that make the tables of checkpoints.db, for each version. Private to records/sqlite_*.

#include <cstdint>
#include <span>
#include <string_view>

namespace plankeep::records {

inline constexpr std::int64_t kLatestVersion = 2;

/// One object each, in the order in which they are made. Never changed once released: a file is compared with
/// them word for word.
std::span<const std::string_view> definitions_of(std::int64_t version);

}  // namespace plankeep::records

#pragma once
// A plan and its state as bytes that are read many times faster than Markdown and JSON. For caches only
// (tracking/cache/shown_cache): the format may change with every version, and a reader discards other
// versions.
//
// Every field is included: a new field does not compile until it is listed. Numbers are written in groups of
// seven bits; texts and lists follow their length. Any bytes are safe to read: inconsistent ones are corrupt,
// and memory stays within a multiple of the input's size.

#include <string>
#include <string_view>

#include "base/result.hpp"
#include "model/plan.hpp"
#include "model/state.hpp"

namespace plankeep::app {

struct PackedRecords {
  core::Plan plan;
  core::State state;
  bool operator==(const PackedRecords&) const = default;
};

/// `before`, and the bytes behind it. Moved in, it is not copied.
std::string pack(const core::Plan& plan, const core::State& state, std::string before = {});
[[nodiscard]] base::Result<PackedRecords> unpack(std::string_view bytes);

}  // namespace plankeep::app

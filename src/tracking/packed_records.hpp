#pragma once
// A plan and its state as bytes that are read many times faster than Markdown and JSON: for caches only
// (tracking/shown_cache). No format to keep: whoever reads another version's bytes throws them away.
//
// Every field of every part is in it: a new one does not compile until it is. Numbers are written in groups
// of seven bits, texts and lists with their length before them. Reading is safe for any bytes: what does not
// hold together is corrupt, and memory stays within a multiple of the size of the input.

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

std::string pack(const core::Plan& plan, const core::State& state);
[[nodiscard]] base::Result<PackedRecords> unpack(std::string_view bytes);

}  // namespace plankeep::app

#pragma once
// A removed task as JSON: the same in state.json and in the history. Private to the codecs of core.

#include "base/json_reader.hpp"
#include "base/json_writer.hpp"
#include "base/result.hpp"
#include "model/removed_task.hpp"

namespace plankeep::core {

void write_removed(base::JsonWriter& out, const RemovedTask& removed);
[[nodiscard]] base::Status read_removed(base::JsonReader& in, RemovedTask& removed);

}  // namespace plankeep::core

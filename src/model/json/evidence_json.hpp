#pragma once
// Evidence as JSON: the value of "evidence" in state.json and in history lines.
//
//   { "command", "exitStatus", "timedOut"?, "durationMs", "outputSha256", "lastLines"?, "head"?, "dirty",
//     "tree"?, "changedFiles"?, "time" }
//
// A flag that is false and a text that is empty are left out, but for "dirty". Unknown fields survive.

#include "base/json_reader.hpp"
#include "base/json_writer.hpp"
#include "base/result.hpp"
#include "model/evidence.hpp"

namespace plankeep::core {

/// The value; the key was written before.
void write_evidence(base::JsonWriter& out, const Evidence& evidence);

[[nodiscard]] base::Status read_evidence(base::JsonReader& in, Evidence& evidence);

}  // namespace plankeep::core

#pragma once
// `plankeep parse`: the plan as read, nothing else known.

#include <string>
#include <string_view>

#include "base/json_writer.hpp"
#include "model/plan.hpp"
#include "render/style.hpp"

namespace plankeep::render {

struct ParsedPlan {
  const core::Plan& plan;
  std::string plan_id;
  std::string path;      // absolute
  std::string file;      // for people
  std::string checksum;  // base::short_checksum of the bytes
};

/// Every phase, task and criterion with its line, then the diagnostics.
std::string parse_text(const ParsedPlan& parsed, const Style& style);
/// The shape of spec 9.
std::string parse_json(const ParsedPlan& parsed);
/// The same, handed over in pieces: that of a large plan is several times as long as the plan.
void parse_json(const ParsedPlan& parsed, base::JsonWriter::Sink sink);

}  // namespace plankeep::render

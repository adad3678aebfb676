#pragma once
// A plan for other tools (`plankeep export`): JSON, CSV and the task lists of GitHub.
//
// What is done and what it is called comes from the plan; when and by whom from the state, where there is
// one.
//
// JSON (schemas/output-export): a shape that stays; `version` goes up when a field changes its meaning.
// CSV (RFC 4180): UTF-8, CRLF, a header line, a line for each task and criterion in the plan's order. A field
// that a spreadsheet would take for a formula (it begins with = + - @, their full-width forms, a tab or a
// carriage return) gets an apostrophe in front, unless `raw`.
// Task list: a heading for each phase, "- [x]" and "- [ ]" as GitHub knows them; what is being worked on or
// optional says so in words; steps stand below their tasks. Titles are escaped: they cannot be markup, nor
// mention anybody (@name), nor link an issue (#12).

#include <optional>
#include <string>

#include "model/plan.hpp"
#include "model/state.hpp"

namespace plankeep::render {

struct ExportedPlan {
  std::string plan_id;
  std::string file;  // its name
  core::Plan plan;
  std::optional<core::State> state;
};

std::string export_json(const ExportedPlan& exported);
std::string export_csv(const ExportedPlan& exported, bool raw);
std::string export_tasklist(const ExportedPlan& exported);

}  // namespace plankeep::render

#pragma once
// Short ways to say what a test of this folder needs.

#include <catch2/catch.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "markdown/parse_plan.hpp"
#include "model/plan.hpp"

namespace plankeep::markdown {

inline core::Plan parsed(std::string_view text) {
  auto plan = parse_plan(text);
  if (!plan) FAIL(plan.error().message);
  return std::move(*plan);
}

inline std::vector<std::string> task_ids(const core::Plan& plan) {
  std::vector<std::string> ids;
  for (const core::Phase& phase : plan.phases) {
    for (const core::Task& task : phase.tasks) ids.push_back(task.id.text);
  }
  return ids;
}

inline std::vector<std::string> codes(const core::Plan& plan) {
  std::vector<std::string> names;
  for (const core::Diagnostic& diagnostic : plan.diagnostics) {
    names.push_back(std::to_string(diagnostic.line) + ":" + std::to_string(diagnostic.column) + " " +
                    std::string(core::name_of(diagnostic.code)));
  }
  return names;
}

}  // namespace plankeep::markdown

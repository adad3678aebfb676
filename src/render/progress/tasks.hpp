#pragma once
// `plankeep list`, `plankeep show` and `plankeep search`. JSON: schemas/output-list, output-show,
// output-search. Titles alone are ever cut, and only on a terminal (style.columns).

#include <string>

#include "render/style.hpp"
#include "reports/search.hpp"
#include "reports/task_report.hpp"
#include "rules/listing/task_list.hpp"

namespace plankeep::render {

/// A heading a phase, then its tasks, steps below the task they belong to, and how many there are.
std::string list_text(const core::TaskTable& table, const core::TaskList& list, const Style& style);
std::string list_json(const core::TaskTable& table, const core::TaskList& list);

std::string task_text(const app::TaskReport& report, const Style& style);
std::string task_json(const app::TaskReport& report);

std::string search_text(const app::SearchResult& result, const Style& style);
std::string search_json(const app::SearchResult& result);

}  // namespace plankeep::render

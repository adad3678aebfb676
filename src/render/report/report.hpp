#pragma once
// `plankeep report`: one page of HTML that holds everything it needs, and the numbers behind it as JSON.
//
// The page loads nothing and sends nothing: a Content-Security-Policy in it forbids everything but its own
// style and script, named by their hashes. Without script all of it can be read; script adds a filter for the
// tasks and a time cursor. Texts of the plan are data: escaped, and what would change the direction of text
// is shown by its number (charts/markup). The same report gives the same bytes.
//
// Size: at most kMostTaskRows tasks have rows, and fewer where their texts are long (kMostRowBytes); the rest
// is counted by phase. Texts longer than kLongestText characters are cut.

#include <cstddef>
#include <string>
#include <vector>

#include "reports/plan_report.hpp"

namespace plankeep::render {

inline constexpr std::size_t kMostTaskRows = 5000;
inline constexpr std::size_t kMostRowBytes = std::size_t{1} << 20;
inline constexpr std::size_t kLongestText = 400;

/// `reports`: of one plan, or of all of a project, which get an overview and then a section each. They are
/// shown in the order given. `version`: ours.
std::string report_html(const std::vector<app::PlanReport>& reports, const std::string& version);

/// An object for one plan; {"plans": [...]} where there are several or `all` asks for it.
std::string report_json(const std::vector<app::PlanReport>& reports, bool all);

/// Those in trouble first: blocked, then by the share that is open; complete ones last.
void sort_worst_first(std::vector<app::PlanReport>& reports);

}  // namespace plankeep::render

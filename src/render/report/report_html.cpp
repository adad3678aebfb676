#include <algorithm>

#include "base/base64.hpp"
#include "base/hex.hpp"
#include "base/sha256.hpp"
#include "charts/markup.hpp"
#include "render/report/page_style.hpp"
#include "render/report/report.hpp"
#include "render/report/report_sections.hpp"
#include "rules/next.hpp"

namespace plankeep::render {
namespace {

// What a Content-Security-Policy names an inline element by: the hash of what stands between its tags.
std::string source_of(std::string_view content) {
  return "'sha256-" + base::base64(base::from_hex(base::sha256_hex(content)).value_or("")) + "'";
}

int rank_of(const app::PlanReport& report) {
  if (core::is_complete(report.view)) return 2;
  return report.view.blockers.empty() ? 1 : 0;
}

}  // namespace

void sort_worst_first(std::vector<app::PlanReport>& reports) {
  std::stable_sort(reports.begin(), reports.end(), [](const app::PlanReport& a, const app::PlanReport& b) {
    if (rank_of(a) != rank_of(b)) return rank_of(a) < rank_of(b);
    return a.view.progress.percent_tenths < b.view.progress.percent_tenths;
  });
}

std::string report_html(const std::vector<app::PlanReport>& reports, const std::string& version) {
  const bool one = reports.size() == 1;
  const core::StatusView* first = reports.empty() ? nullptr : &reports.front().view;
  const std::string title =
      one ? (first->title.empty() ? first->file : first->title) : std::to_string(reports.size()) + " plans";
  std::string page = "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n";
  page += "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src " +
          source_of(kPageStyle) + "; script-src " + source_of(kPageScript) +
          "; base-uri 'none'; form-action 'none'\">\n";
  page += "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n";
  page += "<meta name=\"generator\" content=\"plankeep " + charts::markup_text(version) + "\">\n";
  page += "<title>" + charts::markup_text(title, 200) + "</title>\n<style>" + std::string(kPageStyle) +
          "</style>\n</head>\n<body>\n<main>\n";
  if (!one) page += "<h1>Plans</h1>\n" + overview(reports);
  for (std::size_t i = 0; i < reports.size(); ++i) {
    page += one ? plan_section(reports[i], i + 1, 1)
                : "<article>\n" + plan_section(reports[i], i + 1, 2) + "</article>\n";
  }
  page += "</main>\n<script>" + std::string(kPageScript) + "</script>\n</body>\n</html>\n";
  return page;
}

}  // namespace plankeep::render

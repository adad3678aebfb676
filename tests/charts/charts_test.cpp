// The pictures, as they stand in tests/charts/golden (support/golden).

#include <catch2/catch.hpp>

#include "charts/burn_up.hpp"
#include "charts/layers.hpp"
#include "charts/spans.hpp"
#include "support/golden.hpp"

namespace plankeep::charts {
namespace {

constexpr std::int64_t kDay = std::int64_t{24} * 60 * 60 * 1000;
constexpr std::int64_t kFirst = 20'000 * kDay;

base::Instant day(std::int64_t number) {
  return {kFirst + number * kDay};
}

void check_golden(const std::string& name, const std::string& actual) {
  test::check_golden("charts", name, actual);
}

BurnUp sample() {
  BurnUp chart;
  chart.title = "Burn-up";
  chart.description = "6 of 13 tasks done.";
  chart.times = {day(0), day(1), day(2), day(4), day(5)};
  chart.total = {12, 12, 12, 13, 13};
  chart.done = {0, 2, 5, 4, 6};
  chart.bands = {{"Build", {0, 2, 4, 3, 4}}, {"<Web>", {0, 0, 1, 1, 2}}};
  chart.now = day(6);
  return chart;
}

}  // namespace

TEST_CASE("burn-up: steps, scope, bands and the cone of the forecast") {
  BurnUp chart = sample();
  chart.p50 = day(9);
  chart.p85 = day(12);
  chart.p95 = day(14);
  check_golden("burn-up.svg", burn_up_svg(chart));
}

TEST_CASE("burn-up: without a forecast nothing is drawn beyond now") {
  const std::string svg = burn_up_svg(sample());
  CHECK(svg.find("cone") == std::string::npos);
  CHECK(svg.find("data-to=\"" + std::to_string(day(6).milliseconds) + "\"") != std::string::npos);
}

TEST_CASE("burn-up: a forecast that is far away does not squeeze the past") {
  BurnUp chart = sample();
  chart.p50 = day(900);
  const std::string svg = burn_up_svg(chart);
  CHECK(svg.find("data-to=\"" + std::to_string(day(18).milliseconds) + "\"") != std::string::npos);
  CHECK(svg.find("50%") == std::string::npos);
}

TEST_CASE("burn-up: one sample and no tasks are drawn too") {
  BurnUp chart;
  chart.times = {day(0)};
  chart.total = {0};
  chart.done = {0};
  chart.now = day(0);
  CHECK(burn_up_svg(chart).ends_with("</svg>\n"));
}

TEST_CASE("spans: bars, what goes on, what has not begun, and moments") {
  SpanChart chart;
  chart.title = "Phases";
  chart.description = "Three phases.";
  chart.from = day(0);
  chart.now = day(10);
  chart.spans = {
      {"Build", day(0), day(6), "1 of 1 criteria proven", "span complete"},
      {"A phase with a very long title that has no room", day(6), std::nullopt, "0 of 2 criteria met"},
      {"Ship & \"tell\"", std::nullopt, std::nullopt, ""}};
  chart.rows = {{"Commits", {{day(2), "abc: <b>"}, {day(7), "def"}}, "moment commit"}};
  check_golden("spans.svg", spans_svg(chart));
}

TEST_CASE("layers: boxes in columns, joined by what waits for what") {
  LayerChart chart;
  chart.title = "Dependencies";
  chart.description = "From left to right.";
  chart.nodes = {{"Schema", "schema: Schema", "node is-done", {}},
                 {"Queue worker with a long name", "queue", "node is-active", {0}},
                 {"Templates", "templates", "node", {0}},
                 {"Bounces", "bounces", "node is-waiting", {1, 2}}};
  check_golden("layers.svg", layers_svg(chart));
}

}  // namespace plankeep::charts

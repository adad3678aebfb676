#include "model/diagnostics.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <set>

using namespace plankeep::core;

TEST_CASE("The rules are the codes of spec 7.10, each once, errors first") {
  const std::set<std::string_view> errors{"duplicate-id",       "marker-without-checkbox", "marker-malformed",
                                          "unknown-dependency", "dependency-cycle",        "conflict-marker"};
  const std::set<std::string_view> infos{"marker-in-code", "checkbox-in-code", "phase-empty",
                                         "unproven-criterion", "unmarked-checkbox"};
  const std::set<std::string_view> warnings{"marker-unknown-kind",
                                            "nested-comment",
                                            "empty-value",
                                            "unknown-attribute",
                                            "marker-repeated",
                                            "skip-without-target",
                                            "checkbox-missing-space",
                                            "checkbox-unknown-state",
                                            "unclosed-fence",
                                            "phase-repeated",
                                            "unclosed-comment",
                                            "done-parent-open-child",
                                            "no-tasks",
                                            "invalid-utf8",
                                            "checkbox-lookalike",
                                            "secret-in-plan"};
  std::set<std::string_view> seen;
  Severity last = Severity::error;
  for (const DiagnosticRule& rule : diagnostic_rules()) {
    CAPTURE(rule.name);
    CHECK(seen.insert(rule.name).second);
    CHECK(rule.severity >= last);
    last = rule.severity;
    CHECK(errors.count(rule.name) == (rule.severity == Severity::error ? 1 : 0));
    CHECK(warnings.count(rule.name) == (rule.severity == Severity::warning ? 1 : 0));
    CHECK(infos.count(rule.name) == (rule.severity == Severity::info ? 1 : 0));
    CHECK(name_of(rule.code) == rule.name);
    CHECK(severity_of(rule.code) == rule.severity);
    CHECK(rule.summary.ends_with("."));
  }
  CHECK(seen.size() == errors.size() + warnings.size() + infos.size());
}

TEST_CASE("Severities have names") {
  CHECK(name_of(Severity::error) == "error");
  CHECK(name_of(Severity::warning) == "warning");
  CHECK(name_of(Severity::info) == "info");
}

TEST_CASE("Diagnostics are shown by line, column and code, and equals keep their order") {
  using enum DiagnosticCode;
  std::vector<Diagnostic> found{{3, 1, no_tasks, "a", ""},       {1, 9, phase_empty, "b", ""},
                                {1, 2, phase_repeated, "c", ""}, {1, 2, duplicate_id, "d", ""},
                                {1, 2, phase_repeated, "e", ""}, {2, 1, invalid_utf8, "f", ""}};
  sort_diagnostics(found);
  std::string order;
  for (const Diagnostic& diagnostic : found) order += diagnostic.message;
  CHECK(order == "dcebfa");
}

TEST_CASE("Errors become lines that stay the same while the plan's other lines move") {
  using enum DiagnosticCode;
  const std::vector<Diagnostic> found{{30, 1, duplicate_id, "task \"b\" stands twice", "a hint"},
                                      {3, 1, duplicate_id, "task \"a\" stands twice", ""},
                                      {4, 1, marker_repeated, "a warning is no error", ""},
                                      {5, 1, phase_empty, "nor is what is only worth knowing", ""},
                                      {6, 1, dependency_cycle, "task \"c\" waits for itself", ""}};
  const std::vector<std::string> lines = error_lines(found);
  CHECK(lines == std::vector<std::string>{"dependency-cycle: task \"c\" waits for itself",
                                          "duplicate-id: task \"a\" stands twice",
                                          "duplicate-id: task \"b\" stands twice"});
  std::vector<Diagnostic> moved(found.rbegin(), found.rend());
  for (Diagnostic& diagnostic : moved) diagnostic.line += 100;
  CHECK(error_lines(moved) == lines);
  CHECK(error_lines({}).empty());
}

TEST_CASE("The same error twice is one line, and of many only so many are kept") {
  using enum DiagnosticCode;
  std::vector<Diagnostic> found{{1, 1, duplicate_id, "twice", ""}, {9, 3, duplicate_id, "twice", "a hint"}};
  CHECK(error_lines(found) == std::vector<std::string>{"duplicate-id: twice"});
  for (int i = 0; i < 100; ++i) found.push_back({i, 1, marker_malformed, "number " + std::to_string(i), ""});
  const std::vector<std::string> lines = error_lines(found);
  CHECK(lines.size() == kErrorLinesKept);
  CHECK(std::is_sorted(lines.begin(), lines.end()));
  CHECK(error_lines(found) == lines);
}

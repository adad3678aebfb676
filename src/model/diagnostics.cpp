#include "model/diagnostics.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <tuple>

#include "base/enum_names.hpp"

namespace plankeep::core {
namespace {

using enum DiagnosticCode;
using enum Severity;

// In the order of the enumeration: a code is its own index.
constexpr std::array kRules{
    DiagnosticRule{duplicate_id, "duplicate-id", error,
                   "The same task id appears at more than one box; within a phase these count as one task."},
    DiagnosticRule{marker_without_checkbox, "marker-without-checkbox", error,
                   "A TASK or ACCEPT marker is not in an item with a checkbox, so it does not count."},
    DiagnosticRule{marker_malformed, "marker-malformed", error,
                   "A marker cannot be read: no valid id, text after the id, or a comment that never ends."},
    DiagnosticRule{unknown_dependency, "unknown-dependency", error,
                   "An `after` id is not the id of a task in the plan."},
    DiagnosticRule{dependency_cycle, "dependency-cycle", error, "Tasks wait for each other in a cycle."},
    DiagnosticRule{conflict_marker, "conflict-marker", error,
                   "The plan contains a merge conflict; nothing is recorded until it is resolved."},
    DiagnosticRule{empty_value, "empty-value", warning, "A marker or an attribute has no value."},
    DiagnosticRule{marker_unknown_kind, "marker-unknown-kind", warning,
                   "A comment looks like a marker but is not one: misspelled, lower case, or no colon."},
    DiagnosticRule{
        marker_repeated, "marker-repeated", warning,
        "A box has several TASK markers or several ACCEPT markers; only the first of each counts."},
    DiagnosticRule{nested_comment, "nested-comment", warning,
                   "A comment contains another `<!--`; the first `-->` ends both."},
    DiagnosticRule{unknown_attribute, "unknown-attribute", warning,
                   "A marker has an attribute that its kind does not support."},
    DiagnosticRule{checkbox_missing_space, "checkbox-missing-space", warning,
                   "The text follows the checkbox without a space; it counts, but renders as plain text."},
    DiagnosticRule{checkbox_unknown_state, "checkbox-unknown-state", warning,
                   "The character between the brackets is not a known state; the box counts as open."},
    DiagnosticRule{done_parent_open_child, "done-parent-open-child", warning,
                   "An item is ticked while boxes below it are open."},
    DiagnosticRule{unclosed_fence, "unclosed-fence", warning,
                   "A code fence is never closed, so everything after it is code, including boxes."},
    DiagnosticRule{unclosed_comment, "unclosed-comment", warning,
                   "A comment is never closed, so everything after it is hidden, including boxes."},
    DiagnosticRule{phase_repeated, "phase-repeated", warning,
                   "A CHECKPOINT id appears again; its tasks are added to the phase with that id."},
    DiagnosticRule{skip_without_target, "skip-without-target", warning,
                   "A SKIP marker is neither in a list item nor at a heading, so it leaves nothing out."},
    DiagnosticRule{no_tasks, "no-tasks", warning, "The plan has no tasks."},
    DiagnosticRule{invalid_utf8, "invalid-utf8", warning,
                   "The file is not valid UTF-8; the bytes in question are shown as U+FFFD."},
    DiagnosticRule{checkbox_lookalike, "checkbox-lookalike", warning,
                   "Something looks like a checkbox and is none on the rendered page, so it does not count."},
    DiagnosticRule{secret_in_plan, "secret-in-plan", warning,
                   "The plan contains what looks like a password, token or key."},
    DiagnosticRule{marker_in_code, "marker-in-code", info,
                   "A marker is inside code, where it does not count."},
    DiagnosticRule{checkbox_in_code, "checkbox-in-code", info,
                   "A code block contains lines that look like checkboxes; they do not count."},
    DiagnosticRule{unmarked_checkbox, "unmarked-checkbox", info,
                   "A checkbox has no marker while others have one; it counts, with an id from its text."},
    DiagnosticRule{phase_empty, "phase-empty", info, "A phase has neither tasks nor criteria."},
    DiagnosticRule{unproven_criterion, "unproven-criterion", info,
                   "A criterion is ticked, but its command has not passed with the current files."},
};

constexpr bool rules_in_order() {
  for (std::size_t i = 0; i < kRules.size(); ++i) {
    if (static_cast<std::size_t>(kRules[i].code) != i) return false;
  }
  return kRules.size() == base::enumerator_count<DiagnosticCode>();
}
static_assert(rules_in_order());

const DiagnosticRule& rule_of(DiagnosticCode code) {
  const auto index = static_cast<std::size_t>(code);
  assert(index < kRules.size());
  return kRules[index];
}

// "first on line 12" says the same when the line has become the 13th.
std::string without_line_numbers(const std::string& message) {
  constexpr std::string_view kLine = "line ";
  std::string text;
  for (std::size_t at = 0; at < message.size();) {
    if (message.compare(at, kLine.size(), kLine) != 0) {
      text += message[at++];
      continue;
    }
    at += kLine.size();
    text += kLine;
    while (at < message.size() && message[at] >= '0' && message[at] <= '9') ++at;
  }
  return text;
}

}  // namespace

std::span<const DiagnosticRule> diagnostic_rules() {
  return kRules;
}

std::string_view name_of(DiagnosticCode code) {
  return rule_of(code).name;
}

std::string_view name_of(Severity severity) {
  switch (severity) {
    case error:
      return "error";
    case warning:
      return "warning";
    case info:
      return "info";
  }
  return "info";
}

Severity severity_of(DiagnosticCode code) {
  return rule_of(code).severity;
}

void sort_diagnostics(std::vector<Diagnostic>& diagnostics) {
  // Stable, so that several of one kind at one place stay in the order in which they were found.
  std::stable_sort(diagnostics.begin(), diagnostics.end(), [](const Diagnostic& a, const Diagnostic& b) {
    return std::tie(a.line, a.column, a.code) < std::tie(b.line, b.column, b.code);
  });
}

std::vector<std::string> error_lines(const std::vector<Diagnostic>& diagnostics) {
  std::vector<std::string> lines;
  for (const Diagnostic& diagnostic : diagnostics) {
    if (severity_of(diagnostic.code) != Severity::error) continue;
    lines.push_back(std::string(name_of(diagnostic.code)) + ": " + without_line_numbers(diagnostic.message));
  }
  std::sort(lines.begin(), lines.end());
  lines.erase(std::unique(lines.begin(), lines.end()), lines.end());
  if (lines.size() > kErrorLinesKept) lines.resize(kErrorLinesKept);
  return lines;
}

}  // namespace plankeep::core

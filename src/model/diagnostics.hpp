#pragma once
// What a plan's reader wants to tell its writer (spec 7.10). The severity belongs to the code.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace plankeep::core {

enum class Severity { error, warning, info };

enum class DiagnosticCode {
  duplicate_id,
  marker_without_checkbox,
  marker_malformed,
  unknown_dependency,
  dependency_cycle,
  conflict_marker,
  empty_value,
  marker_unknown_kind,
  marker_repeated,
  nested_comment,
  unknown_attribute,
  checkbox_missing_space,
  checkbox_unknown_state,
  done_parent_open_child,
  unclosed_fence,
  unclosed_comment,
  phase_repeated,
  skip_without_target,
  no_tasks,
  invalid_utf8,
  checkbox_lookalike,  // never among a plan's own: markdown/places has them
  secret_in_plan,      // never by the plan's reader: project/plan_secrets looks for it
  marker_in_code,
  checkbox_in_code,
  unmarked_checkbox,
  phase_empty,
  unproven_criterion,  // never from the text alone: what was recorded says it (tracking/project_tree)
};

struct Diagnostic {
  std::int64_t line = 1;    // from 1
  std::int64_t column = 1;  // from 1, in bytes
  DiagnosticCode code = DiagnosticCode::no_tasks;
  std::string message;  // one line; may quote the plan
  std::string hint;     // may be empty

  bool operator==(const Diagnostic&) const = default;
};

struct DiagnosticRule {
  DiagnosticCode code;
  std::string_view name;  // "duplicate-id"
  Severity severity;
  std::string_view summary;  // what the code means, one sentence, for documents and SARIF
};

/// Every code once, errors first.
std::span<const DiagnosticRule> diagnostic_rules();

std::string_view name_of(DiagnosticCode code);
std::string_view name_of(Severity severity);
Severity severity_of(DiagnosticCode code);

/// By line, then column, then code; the order in which they are shown.
void sort_diagnostics(std::vector<Diagnostic>& diagnostics);

/// The errors among them as lines that stay the same while other lines move: "duplicate-id: message". Sorted,
/// each once, at most kErrorLinesKept.
inline constexpr std::size_t kErrorLinesKept = 20;
std::vector<std::string> error_lines(const std::vector<Diagnostic>& diagnostics);

}  // namespace plankeep::core

#pragma once
// Diagnostics of a plan while it is typed: those of `lint`, and what only the records
// tell. Pure.
//
// Beside the codes of lint (model/diagnostics):
//   unproven-criterion      a criterion is ticked, and its command has not passed (as in lint)
//   stale-evidence          its command passed, but with other files
//   done-before-dependency  a task is done, and one that it comes after is not
//   claimed-task            claimed by another actor
//
// Linear in the plan. At most kMostFindings are returned, errors first.

#include <string>
#include <vector>

#include "lsp/desk.hpp"
#include "lsp/plan_view.hpp"
#include "lsp/shapes.hpp"

namespace plankeep::lsp {

inline constexpr std::size_t kMostFindings = 1000;

struct RelatedPlace {
  Bytes at;
  std::string message;
};

struct Finding {
  Bytes at;
  core::Severity severity = core::Severity::info;
  std::string code;
  std::string message;  // unsafe to be shown
  std::vector<RelatedPlace> related;
};

struct FindingsInput {
  const Text& text;
  const core::Plan& plan;   // as written
  const core::Plan* known;  // with the recorded ids; only needed if tasks are claimed
  const Records& records;
  const core::TreeNow& tree;
  const std::vector<core::Diagnostic>& secrets;
  const std::vector<core::Diagnostic>& lookalikes;
  const std::string& actor;  // our own claims are not reported
};

/// By place.
std::vector<Finding> findings_of(const FindingsInput& input);

/// Where a diagnostic of lint reaches to: a comment or a box whole, else the rest of the line.
Bytes extent_of(const Text& text, std::int64_t line, std::int64_t column);

/// What the JSON depends on besides the diagnostics.
struct DiagnosticsShape {
  Encoding encoding;
  const std::string& uri;   // the document's
  bool related;             // whether the client shows related places
  const std::string& page;  // the URI of docs/diagnostics.md; empty: no links
};

/// An array of Diagnostic.
OrderedJson diagnostics_json(const std::vector<Finding>& findings, const Text& text,
                             const DiagnosticsShape& shape);

}  // namespace plankeep::lsp

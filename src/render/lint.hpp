#pragma once
// `plankeep lint`: diagnostics as text (clickable "file:line:col: severity: message [code]"), JSON and
// SARIF 2.1.0.
//
// JSON: { files: [ { path, error?, diagnostics: [ {line, column, severity, code, message, hint?} ] } ],
// errors, warnings, infos, error? (as in render/error: of the first file that could not be read) }.
//
// LIMITATION: our columns count bytes (spec 7.10); SARIF counts UTF-16 units. On lines with letters outside
// ASCII a SARIF column points further right than the place; the line is always right.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "base/json_writer.hpp"
#include "model/diagnostics.hpp"
#include "render/style.hpp"

namespace plankeep::render {

struct LintedFile {
  std::string path;  // as the person named it
  std::vector<core::Diagnostic> diagnostics;
  std::optional<base::Error> error;  // the file could not be read; then there are no diagnostics
};

struct LintCounts {
  std::int64_t errors = 0;  // files that could not be read count as one each
  std::int64_t warnings = 0;
  std::int64_t infos = 0;
};
LintCounts count(const std::vector<LintedFile>& files);

/// One diagnostic a line, hints indented below, a summary at the end ("2 errors, 1 warning in 1 file"). Lines
/// are not cut: editors read them.
std::string lint_text(const std::vector<LintedFile>& files, const Style& style);
std::string lint_json(const std::vector<LintedFile>& files, int exit = 0);
/// `version` is that of plankeep.
std::string lint_sarif(const std::vector<LintedFile>& files, std::string_view version);

/// { line, column, severity, code, message, hint? }, as it also stands in parse --json.
void write_diagnostic(base::JsonWriter& out, const core::Diagnostic& diagnostic);
/// "line:col: severity: message [code]" with its hint line, safe to print; `file` stands in front when not
/// empty.
std::string diagnostic_lines(std::string_view file, const core::Diagnostic& diagnostic, const Style& style);

}  // namespace plankeep::render

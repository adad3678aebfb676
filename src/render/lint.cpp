#include "render/lint.hpp"

#include <algorithm>

#include "base/utf8.hpp"
#include "render/error.hpp"
#include "render/json_parts.hpp"

namespace plankeep::render {
namespace {

Paint paint_of(core::Severity severity) {
  switch (severity) {
    case core::Severity::error:
      return Paint::bad;
    case core::Severity::warning:
      return Paint::warning;
    case core::Severity::info:
      return Paint::dim;
  }
  return Paint::plain;
}

std::string unreadable(const base::Error& error) {
  return error.context.empty() ? error.message : error.context + ": " + error.message;
}

std::string_view sarif_level(core::Severity severity) {
  switch (severity) {
    case core::Severity::error:
      return "error";
    case core::Severity::warning:
      return "warning";
    case core::Severity::info:
      return "note";
  }
  return "note";
}

/// A file name as a URI reference (RFC 3986): bytes that are not unreserved become %XX, ":" too, since
/// "a:b.md" would read as a scheme.
std::string uri_of(std::string_view path) {
  static constexpr char kDigits[] = "0123456789ABCDEF";
  std::string uri = path.starts_with('/') ? "file://" : "";
  while (path.starts_with("./")) path.remove_prefix(2);
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
                       (byte >= '0' && byte <= '9') || byte == '-' || byte == '.' || byte == '_' ||
                       byte == '~' || byte == '/';
    if (plain) {
      uri += c;
    } else {
      uri += '%';
      uri += kDigits[byte >> 4];
      uri += kDigits[byte & 15];
    }
  }
  return uri;
}

void write_artifact(base::JsonWriter& out, std::string_view path) {
  out.key("artifactLocation").begin_object();
  out.key("uri").value(uri_of(path));
  out.end_object();
}

void write_rules(base::JsonWriter& out) {
  out.key("rules").begin_array();
  for (const core::DiagnosticRule& rule : core::diagnostic_rules()) {
    out.begin_object();
    out.key("id").value(rule.name);
    out.key("shortDescription").begin_object();
    out.key("text").value(rule.summary);
    out.end_object();
    out.key("defaultConfiguration").begin_object();
    out.key("level").value(sarif_level(rule.severity));
    out.end_object();
    out.end_object();
  }
  out.end_array();
}

void write_result(base::JsonWriter& out, std::string_view path, const core::Diagnostic& diagnostic) {
  out.begin_object();
  out.key("ruleId").value(core::name_of(diagnostic.code));
  out.key("level").value(sarif_level(core::severity_of(diagnostic.code)));
  out.key("message").begin_object();
  out.key("text").value(diagnostic.hint.empty() ? diagnostic.message
                                                : diagnostic.message + " (" + diagnostic.hint + ")");
  out.end_object();
  out.key("locations").begin_array();
  out.begin_object();
  out.key("physicalLocation").begin_object();
  write_artifact(out, path);
  out.key("region").begin_object();
  out.key("startLine").value(diagnostic.line);
  out.key("startColumn").value(diagnostic.column);
  out.end_object();
  out.end_object();
  out.end_object();
  out.end_array();
  out.end_object();
}

/// Files that could not be read are the run's own trouble, not findings.
void write_invocation(base::JsonWriter& out, const std::vector<LintedFile>& files) {
  const bool fine =
      std::none_of(files.begin(), files.end(), [](const LintedFile& file) { return file.error.has_value(); });
  out.key("invocations").begin_array();
  out.begin_object();
  out.key("executionSuccessful").value(fine);
  if (!fine) {
    out.key("toolExecutionNotifications").begin_array();
    for (const LintedFile& file : files) {
      if (!file.error) continue;
      out.begin_object();
      out.key("level").value("error");
      out.key("message").begin_object();
      out.key("text").value(unreadable(*file.error));
      out.end_object();
      out.key("locations").begin_array();
      out.begin_object();
      out.key("physicalLocation").begin_object();
      write_artifact(out, file.path);
      out.end_object();
      out.end_object();
      out.end_array();
      out.end_object();
    }
    out.end_array();
  }
  out.end_object();
  out.end_array();
}

}  // namespace

LintCounts count(const std::vector<LintedFile>& files) {
  LintCounts counts;
  for (const LintedFile& file : files) {
    if (file.error) ++counts.errors;
    for (const core::Diagnostic& diagnostic : file.diagnostics) {
      switch (core::severity_of(diagnostic.code)) {
        case core::Severity::error:
          ++counts.errors;
          break;
        case core::Severity::warning:
          ++counts.warnings;
          break;
        case core::Severity::info:
          ++counts.infos;
          break;
      }
    }
  }
  return counts;
}

std::string diagnostic_lines(std::string_view file, const core::Diagnostic& diagnostic, const Style& style) {
  const core::Severity severity = core::severity_of(diagnostic.code);
  std::string where;
  if (!file.empty()) where = safe_line(file) + ":";
  where += std::to_string(diagnostic.line) + ":" + std::to_string(diagnostic.column) + ":";
  std::string text = paint(style, Paint::strong, where);
  text += ' ';
  text += paint(style, paint_of(severity), std::string(core::name_of(severity)) + ":");
  text += ' ';
  text += safe_line(diagnostic.message);
  text += ' ';
  text += paint(style, Paint::dim, "[" + std::string(core::name_of(diagnostic.code)) + "]");
  text += '\n';
  if (!diagnostic.hint.empty()) text += "    hint: " + safe_line(diagnostic.hint) + "\n";
  return text;
}

std::string lint_text(const std::vector<LintedFile>& files, const Style& style) {
  std::string text;
  for (const LintedFile& file : files) {
    if (file.error) {
      text += paint(style, Paint::strong, safe_line(file.path) + ":");
      text += ' ';
      text += paint(style, Paint::bad, "error:");
      text += ' ' + safe_line(unreadable(*file.error)) + '\n';
      if (!file.error->hint.empty()) text += "    hint: " + safe_line(file.error->hint) + "\n";
    }
    for (const core::Diagnostic& diagnostic : file.diagnostics)
      text += diagnostic_lines(file.path, diagnostic, style);
  }
  const LintCounts counts = count(files);
  std::string found;
  const auto add = [&found](std::int64_t number, std::string_view one, std::string_view many) {
    if (number > 0) base::append_listed(found, counted(number, one, many));
  };
  add(counts.errors, "error", "errors");
  add(counts.warnings, "warning", "warnings");
  add(counts.infos, "info", "infos");
  if (found.empty()) found = "no problems found";
  const Paint colour = counts.errors > 0 ? Paint::bad : counts.warnings > 0 ? Paint::warning : Paint::good;
  text += paint(style, colour, found);
  text += " in " + counted(files.size(), "file", "files") + "\n";
  return text;
}

void write_diagnostic(base::JsonWriter& out, const core::Diagnostic& diagnostic) {
  out.begin_object();
  out.key("line").value(diagnostic.line);
  out.key("column").value(diagnostic.column);
  out.key("severity").value(core::name_of(core::severity_of(diagnostic.code)));
  out.key("code").value(core::name_of(diagnostic.code));
  out.key("message").value(diagnostic.message);
  write_optional(out, "hint", diagnostic.hint);
  out.end_object();
}

std::string lint_json(const std::vector<LintedFile>& files, int exit) {
  base::JsonWriter out(base::JsonWriter::Layout::indented);
  out.begin_object();
  out.key("files").begin_array();
  for (const LintedFile& file : files) {
    out.begin_object();
    out.key("path").value(file.path);
    if (file.error) out.key("error").value(unreadable(*file.error));
    out.key("diagnostics").begin_array();
    for (const core::Diagnostic& diagnostic : file.diagnostics) write_diagnostic(out, diagnostic);
    out.end_array();
    out.end_object();
  }
  out.end_array();
  const LintCounts counts = count(files);
  out.key("errors").value(counts.errors);
  out.key("warnings").value(counts.warnings);
  out.key("infos").value(counts.infos);
  const auto unread =
      std::find_if(files.begin(), files.end(), [](const LintedFile& file) { return file.error.has_value(); });
  if (exit != 0 && unread != files.end()) write_error(out, *unread->error, exit);
  out.end_object();
  return out.finish();
}

std::string lint_sarif(const std::vector<LintedFile>& files, std::string_view version) {
  base::JsonWriter out(base::JsonWriter::Layout::indented);
  out.begin_object();
  out.key("$schema").value("https://json.schemastore.org/sarif-2.1.0.json");
  out.key("version").value("2.1.0");
  out.key("runs").begin_array();
  out.begin_object();
  out.key("tool").begin_object();
  out.key("driver").begin_object();
  out.key("name").value("plankeep");
  out.key("version").value(version);
  write_rules(out);
  out.end_object();
  out.end_object();
  write_invocation(out, files);
  out.key("results").begin_array();
  for (const LintedFile& file : files) {
    for (const core::Diagnostic& diagnostic : file.diagnostics) write_result(out, file.path, diagnostic);
  }
  out.end_array();
  out.end_object();
  out.end_array();
  out.end_object();
  return out.finish();
}

}  // namespace plankeep::render

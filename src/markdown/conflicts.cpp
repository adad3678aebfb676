#include "markdown/conflicts.hpp"

#include <algorithm>

namespace plankeep::markdown {
namespace {

// 0: the line is no such marker.
std::size_t marker_length(const SourceText& source, std::int64_t line, char character) {
  const std::string_view text = source.line(line);
  const std::size_t length = std::min(text.find_first_not_of(character), text.size());
  const bool alone = length == text.size() || text[length] == ' ';
  return length >= kConflictOpening.size() && alone ? length : 0;
}

}  // namespace

bool opens_conflict(const SourceText& source, std::int64_t line) {
  return marker_length(source, line, '<') != 0;
}

std::optional<std::int64_t> conflict_end(const SourceText& source, std::int64_t line) {
  const std::size_t length = marker_length(source, line, '<');
  bool middle = false;
  for (std::int64_t below = line + 1; below <= source.line_count(); ++below) {
    if (opens_conflict(source, below)) return std::nullopt;
    if (marker_length(source, below, '=') == length) middle = true;
    if (middle && marker_length(source, below, '>') == length) return below;
  }
  return std::nullopt;
}

std::optional<std::int64_t> unresolved_conflict(const core::Plan& plan, std::string_view text) {
  const auto reported = [](const core::Diagnostic& one) {
    return one.code == core::DiagnosticCode::conflict_marker;
  };
  if (std::none_of(plan.diagnostics.begin(), plan.diagnostics.end(), reported)) return std::nullopt;
  const SourceText source(text);
  for (const core::Diagnostic& one : plan.diagnostics) {
    if (reported(one) && conflict_end(source, one.line)) return one.line;
  }
  return std::nullopt;
}

std::string unresolved_words(std::string_view file, std::int64_t line) {
  return std::string(file).append(kUnresolved) + std::to_string(line);
}

}  // namespace plankeep::markdown

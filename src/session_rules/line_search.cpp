#include "session_rules/line_search.hpp"

#include <span>
#include <utility>

#include "base/text.hpp"
#include "base/utf8.hpp"
#include "rules/attribution.hpp"

namespace plankeep::core {

using clients::TranscriptRecord;

bool can_be_searched(std::string_view line) {
  for (std::size_t at = 0; at < line.size();) {
    const base::CodePoint next = base::decode_at(line, at);
    if (next.valid && base::is_word_character(next.value)) return true;
    at += next.length;
  }
  return false;
}

namespace {

// An edit may begin and end in the middle of a line. So short a piece fits anywhere.
constexpr std::size_t kShortestPiece = 4;

bool says_enough(std::string_view piece) {
  return base::trimmed(piece).size() >= kShortestPiece && can_be_searched(piece);
}

// Whether the edit's first or last line is a piece of this one.
bool wrote_piece(const TextEdit& edit, std::string_view line) {
  const std::size_t first_end = edit.after.find('\n');
  if (first_end == std::string::npos)
    return says_enough(edit.after) && line.find(edit.after) != std::string_view::npos;
  const std::string_view first = std::string_view(edit.after).substr(0, first_end);
  const std::string_view last = std::string_view(edit.after).substr(edit.after.rfind('\n') + 1);
  return (says_enough(first) && line.ends_with(first)) || (says_enough(last) && line.starts_with(last));
}

bool wrote(const clients::FileEdit& written, std::string_view line) {
  const TextEdit& edit = written.edit;
  if (EditedLines(std::span(&edit, 1)).wrote_line(line)) return true;
  if (written.whole_file || edit.before.empty() || edit.before == edit.after) return false;
  // What stood there before wrote nothing.
  return wrote_piece(edit, line) && edit.before.find(line) == std::string::npos &&
         !wrote_piece({{}, edit.before}, line);
}

}  // namespace

LineSearch::LineSearch(WantedLine wanted)
    : wanted_(std::move(wanted)),
      searched_(can_be_searched(wanted_.text)),
      reader_([this](const TranscriptRecord& record) { see(record); }) {
  if (wanted_.text.ends_with('\r')) wanted_.text.pop_back();
}

LineSearch::Fit LineSearch::fit_of(std::string_view path) const {
  while (path.starts_with("./")) path.remove_prefix(2);
  if (path == wanted_.path) return Fit::exact;
  if (path.size() <= wanted_.path.size() || !path.ends_with(wanted_.path)) return Fit::none;
  path.remove_suffix(wanted_.path.size());
  if (!path.ends_with('/')) return Fit::none;
  path.remove_suffix(1);
  return path == wanted_.top ? Fit::exact : Fit::end_of_path;
}

void LineSearch::see(const TranscriptRecord& record) {
  if (record.kind == TranscriptRecord::Kind::prompt && !record.subagent) {
    prompt_ = record.text;
    prompt_time_ = record.time;
  }
  if (record.kind != TranscriptRecord::Kind::write || !searched_) return;
  if (wanted_.until && record.time && *record.time > *wanted_.until) return;
  const Fit fit = fit_of(record.edit.path);
  if (fit == Fit::none) return;
  if (!wrote(record.edit, wanted_.text)) return;
  (fit == Fit::exact ? exact_ : similar_) =
      WrittenLine{prompt_, prompt_time_, record.tool, record.time, record.line, record.subagent};
}

std::optional<WrittenLine> LineSearch::finish() {
  (void)reader_.finish();
  return exact_ ? std::move(exact_) : std::move(similar_);
}

}  // namespace plankeep::core

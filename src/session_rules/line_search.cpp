#include "session_rules/line_search.hpp"

#include <algorithm>
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

// What is kept to take edits back; more would take its time.
constexpr std::size_t kMostCalls = 500;
constexpr std::size_t kMostKept = std::size_t{16} << 20;

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

bool has_line(std::string_view text, std::string_view line) {
  while (true) {
    const std::size_t end = text.find('\n');
    std::string_view one = text.substr(0, end);
    if (one.ends_with('\r')) one.remove_suffix(1);
    if (one == line) return true;
    if (end == std::string_view::npos) return false;
    text.remove_prefix(end + 1);
  }
}

// Whether an edit whose `after` stands at `at` of the text made one of its lines what `line` is.
bool changed_line(std::string_view text, std::size_t at, const TextEdit& edit, std::string_view line) {
  const std::string_view before = edit.before;
  const std::string_view after = edit.after;
  const std::size_t end = at + after.size();
  const std::size_t from = at == 0 ? 0 : text.rfind('\n', at - 1) + 1;  // npos + 1 is 0
  const std::size_t to = std::min(text.find('\n', end), text.size());
  if (!has_line(text.substr(from, to - from), line)) return false;
  // What stood there before has it not: context of the edit, and lines beside what was taken out, stay.
  std::string earlier(text.substr(from, at - from));
  earlier.append(before).append(text.substr(end, to - end));
  return !has_line(earlier, line);
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
  keep(fit, record);
  if (!wrote(record.edit, wanted_.text)) return;
  (fit == Fit::exact ? exact_ : similar_) =
      WrittenLine{prompt_, prompt_time_, record.tool, record.time, record.line, record.subagent};
}

void LineSearch::keep(Fit fit, const TranscriptRecord& record) {
  if (wanted_.file.empty() || wanted_.file.size() > kLargestReplayed) return;
  calls_.push_back(
      {fit, record.edit, {prompt_, prompt_time_, record.tool, record.time, record.line, record.subagent}});
  kept_bytes_ += calls_.back().bytes();
  while (!calls_.empty() && (calls_.size() > kMostCalls || kept_bytes_ > kMostKept)) {
    kept_bytes_ -= calls_.front().bytes();
    calls_.pop_front();
  }
}

std::optional<WrittenLine> LineSearch::taken_back(Fit fit) const {
  std::string text = wanted_.file;
  for (auto call = calls_.rbegin(); call != calls_.rend(); ++call) {
    if (call->fit != fit) continue;
    const TextEdit& edit = call->edit.edit;
    const std::size_t at = text.find(edit.after);
    const bool once =
        !edit.after.empty() && at != std::string::npos && text.find(edit.after, at + 1) == std::string::npos;
    if (call->edit.whole_file || !once) return std::nullopt;
    if (changed_line(text, at, edit, wanted_.text)) return call->written;
    text.replace(at, edit.after.size(), edit.before);
  }
  return std::nullopt;
}

std::optional<WrittenLine> LineSearch::finish() {
  (void)reader_.finish();
  const bool exact =
      std::any_of(calls_.begin(), calls_.end(), [](const Call& call) { return call.fit == Fit::exact; });
  if (auto written = taken_back(exact ? Fit::exact : Fit::end_of_path)) return written;
  return exact_ ? std::move(exact_) : std::move(similar_);
}

}  // namespace plankeep::core

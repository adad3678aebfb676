#include "render/recorded/verify.hpp"

#include <algorithm>

#include "base/json_writer.hpp"
#include "base/utf8.hpp"
#include "model/json/evidence_json.hpp"
#include "render/json_parts.hpp"
#include "rules/view.hpp"

namespace plankeep::render {
namespace {

using Result = app::Verified::Result;

constexpr std::size_t kLinesOfFailure = 10;

std::string duration(std::int64_t milliseconds) {
  using base::kMinute;
  using base::kSecond;
  if (milliseconds < kSecond) return std::to_string(milliseconds) + " ms";
  if (milliseconds < kMinute) {
    const std::int64_t tenths = milliseconds / 100;
    return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " s";
  }
  return std::to_string(milliseconds / kMinute) + " min " + std::to_string(milliseconds % kMinute / kSecond) +
         " s";
}

Paint paint_of(const VerifyRow& row) {
  if (row.result == Result::passed)
    return row.evidence && row.evidence->changed_files ? Paint::warning : Paint::good;
  if (row.result == Result::failed || row.result == Result::timed_out) return Paint::bad;
  return Paint::warning;
}

std::string words_of(const VerifyRow& row) {
  const std::int64_t took = row.evidence ? row.evidence->duration_ms : 0;
  if (row.result == Result::passed) return "passed in " + duration(took);
  if (row.result == Result::timed_out) return "timed out after " + duration(took);
  if (row.result == Result::failed) {
    return "failed with status " + std::to_string(row.evidence ? row.evidence->status : 1) + " after " +
           duration(took);
  }
  if (row.result == Result::interrupted) return "interrupted: not recorded";
  if (row.result == Result::not_kept) return "not recorded: the criterion changed while its command ran";
  return "not run";
}

// The last of a text that is safe to print already.
std::string last_lines(const std::string& text, std::size_t count) {
  std::size_t start = text.size();
  for (std::size_t lines = 0; lines < count && start > 0; ++lines) {
    const std::size_t before = text.rfind('\n', start - 1);
    start = before == std::string::npos ? 0 : before;
  }
  return text.substr(start > 0 ? start + 1 : 0);
}

std::string indented(const std::string& text, const Style& style) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    out += "    " + paint(style, Paint::dim, base::printable(text.substr(at, end - at))) + "\n";
    at = end + 1;
  }
  return out;
}

}  // namespace

void VerifyRow::take(const app::Verified& verified) {
  result = verified.result;
  if (verified.result == Result::interrupted || verified.result == Result::not_kept) return;
  evidence = verified.evidence;
  why = verified.why;
  ticked = verified.ticked;
  unticked = verified.unticked;
  met = verified.evidence.passed();
}

std::int64_t VerifyView::proven() const {
  return std::count_if(rows.begin(), rows.end(),
                       [](const VerifyRow& row) { return row.proof == core::Proof::proven; });
}

bool VerifyView::unknown() const {
  return std::any_of(rows.begin(), rows.end(),
                     [](const VerifyRow& row) { return row.proof == core::Proof::unknown; });
}

std::string proof_text(core::Proof proof, bool failed_before, std::string_view why) {
  std::string text(core::name_of(proof));
  if (proof == core::Proof::stale && failed_before) text += ", failed before";
  // Why something is unknown is the same for all, and said once.
  if (proof == core::Proof::stale && !why.empty()) text += " (" + safe_line(why) + ")";
  return text;
}

std::string commands_text(const std::string& root, const std::vector<VerifyRow>& rows, const Style& style) {
  std::string text = "In " + safe_line(root) + " " + (rows.size() == 1 ? "this command" : "these commands") +
                     " from the plan would run:\n";
  for (const VerifyRow& row : rows) {
    // Never cut: what is not seen cannot be agreed to.
    text += "  " + paint(style, Paint::strong, base::printable(row.command)) + "\n";
    text += "    for " + safe_line(row.id.text);
    if (row.line > 0) text += ", line " + std::to_string(row.line);
    text += "\n";
  }
  return text;
}

std::string verified_text(const VerifyRow& row, bool with_output, const Style& style) {
  const bool changed_files = row.evidence && row.evidence->changed_files;
  const bool proves_nothing = row.result == Result::passed && changed_files;
  const std::string_view sign = proves_nothing ? "!" : row.result == Result::passed ? "✓" : "✗";
  const std::string files = row.why.empty() ? "" : " (" + safe_line(row.why) + ")";
  std::string text =
      paint(style, paint_of(row), sign) + " " + paint(style, Paint::strong, safe_line(row.id.text)) + "  ";
  text += words_of(row);
  if (row.ticked) text += ", ticked";
  if (row.unticked) text += ", unticked";
  if (proves_nothing) text += ", but not proven: files changed while it ran" + files;
  text += "\n";
  if (proves_nothing)
    text += "    to prove it, let git ignore the files that it writes (.gitignore), then run it again\n";
  const bool failed = row.result == Result::failed || row.result == Result::timed_out;
  if (failed && changed_files) {
    text += "    files changed while it ran" + files +
            ", so the result is not valid for them: run it again, or let git ignore the files it writes\n";
  }
  if (with_output && row.evidence && failed) {
    text += indented(last_lines(row.evidence->last_lines, kLinesOfFailure), style);
  }
  return text;
}

std::string progress_text(const VerifyRow& row, std::int64_t seconds, std::size_t columns) {
  const std::string time = "  " + std::to_string(seconds) + " s";
  const std::size_t room = columns > time.size() + 4 ? columns - time.size() - 4 : 4;
  return "… " + safe_line(row.id.text + "  " + row.command, room) + time;
}

std::string summary_text(const VerifyView& view, const Style& style) {
  const std::int64_t proven = view.proven();
  const auto all = static_cast<std::int64_t>(view.rows.size());
  const std::string text =
      std::to_string(proven) + " of " + counted(all, "criterion", "criteria") + " proven";
  return paint(style, proven == all ? Paint::good : Paint::warning, text) + "\n";
}

std::string check_text(const VerifyView& view, const Style& style) {
  std::string text;
  for (const VerifyRow& row : view.rows) {
    if (row.proof == core::Proof::proven) continue;
    const bool failed = row.proof == core::Proof::stale && row.evidence && !row.evidence->passed();
    text += paint(style, Paint::warning, "✗") + " " + safe_line(row.id.text) + "  " +
            proof_text(row.proof, failed, row.why) + (row.met ? ", but ticked" : "") + ": " +
            safe_line(row.command) + "\n";
  }
  return text + summary_text(view, style);
}

std::string verify_json(const VerifyView& view) {
  base::JsonWriter out(base::JsonWriter::Layout::indented);
  out.begin_object();
  write_plan_reference(out, view.plan);
  out.key("root").value(view.root);
  out.key("check").value(view.check);
  out.key("criteria").begin_array();
  for (const VerifyRow& row : view.rows) {
    out.begin_object();
    out.key("id").value(row.id.text);
    out.key("phaseId").value(row.phase.text);
    out.key("title").value(row.title);
    write_line(out, row.line);
    out.key("command").value(row.command);
    out.key("result").value(row.result ? app::name_of(*row.result) : "not_run");
    out.key("met").value(row.met);
    out.key("proof").value(core::name_of(row.proof));
    if (!row.why.empty()) out.key("why").value(row.why);
    if (row.evidence) {
      out.key("evidence");
      core::write_evidence(out, *row.evidence);
    }
    out.end_object();
  }
  out.end_array();
  out.key("proven").value(view.proven());
  write_strings(out, "warnings", view.warnings);
  out.end_object();
  return out.finish();
}

}  // namespace plankeep::render

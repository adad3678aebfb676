#include "markdown/edits/fix_plan.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <utility>

#include "base/text.hpp"
#include "markdown/marker.hpp"
#include "markdown/parse_plan.hpp"

namespace plankeep::markdown {
namespace {

using core::DiagnosticCode;

// `taken` bytes at `at` become `text`.
struct Replacement {
  std::size_t at = 0;
  std::size_t taken = 0;
  std::string text;
  Fix fix;
};

// Where each line begins; the first one behind a byte order mark, which no column counts.
std::vector<std::size_t> starts_of(std::string_view bytes) {
  constexpr std::string_view kMark = "\xef\xbb\xbf";
  std::vector<std::size_t> starts{bytes.starts_with(kMark) ? kMark.size() : 0};
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const bool lone_return = bytes[i] == '\r' && (i + 1 == bytes.size() || bytes[i + 1] != '\n');
    if (bytes[i] == '\n' || lone_return) starts.push_back(i + 1);
  }
  return starts;
}

using base::is_blank;
using base::is_letter;

std::optional<Replacement> space_behind_box(std::string_view bytes, std::size_t at) {
  constexpr std::size_t kLongestBox = 8;  // "[", one character of UTF-8, "]"
  if (at >= bytes.size() || bytes[at] != '[') return std::nullopt;
  const std::size_t end = bytes.substr(at, kLongestBox).find(']');
  if (end == std::string_view::npos) return std::nullopt;
  return Replacement{at + end + 1, 0, " ", {DiagnosticCode::checkbox_missing_space, 0}};
}

// "task" or "TASK" without its colon as "TASK:"; "skip" as "SKIP". SKIP before other words and without a
// colon may be the beginning of a sentence, and leaves boxes out: it stays.
std::optional<Replacement> kind_of_marker(std::string_view bytes, std::size_t at) {
  constexpr std::string_view kCommentStart = "<!--";
  if (!bytes.substr(std::min(at, bytes.size())).starts_with(kCommentStart)) return std::nullopt;
  const std::size_t end = bytes.find("-->", at);
  if (end == std::string_view::npos) return std::nullopt;
  std::size_t begin = at + kCommentStart.size();
  while (begin < end && is_blank(bytes[begin])) ++begin;
  std::size_t behind = begin;
  std::string kind;
  for (; behind < end && is_letter(bytes[behind]); ++behind) {
    const char c = bytes[behind];
    kind += c >= 'a' ? static_cast<char>(c - 'a' + 'A') : c;
  }
  constexpr std::array kFixedKinds{MarkerKind::checkpoint, MarkerKind::task,    MarkerKind::accept,
                                   MarkerKind::decision,   MarkerKind::blocker, MarkerKind::skip};
  const bool known = std::any_of(kFixedKinds.begin(), kFixedKinds.end(),
                                 [&kind](MarkerKind one) { return name_of(one) == kind; });
  if (!known) return std::nullopt;  // a misspelt word has more than one reading
  std::string text = kind;
  const bool colon = behind < end && bytes[behind] == ':';
  if (kind == name_of(MarkerKind::skip)) {
    const bool alone = base::trimmed(bytes.substr(behind, end - behind)).empty();
    if (!colon && !alone) return std::nullopt;
  } else if (behind < end && !colon) {
    text += ':';
  }
  const std::string inside = text + std::string(bytes.substr(behind, end - behind));
  const MarkerReading reading = read_marker(inside);
  if (reading.result != MarkerReading::Result::marker || name_of(reading.kind) != kind) return std::nullopt;
  return Replacement{begin, behind - begin, std::move(text), {DiagnosticCode::marker_unknown_kind, 0}};
}

std::vector<Replacement> replacements(std::string_view bytes, std::span<const core::Diagnostic> diagnostics,
                                      bool markers) {
  const std::vector<std::size_t> starts = starts_of(bytes);
  std::vector<Replacement> all;
  for (const core::Diagnostic& diagnostic : diagnostics) {
    const auto line = static_cast<std::size_t>(diagnostic.line - 1);
    if (line >= starts.size()) continue;
    const std::size_t at = starts[line] + static_cast<std::size_t>(diagnostic.column - 1);
    std::optional<Replacement> one;
    if (diagnostic.code == DiagnosticCode::checkbox_missing_space) one = space_behind_box(bytes, at);
    if (markers && diagnostic.code == DiagnosticCode::marker_unknown_kind) one = kind_of_marker(bytes, at);
    if (!one) continue;
    one->fix.line = diagnostic.line;
    all.push_back(std::move(*one));
  }
  std::sort(all.begin(), all.end(), [](const Replacement& a, const Replacement& b) { return a.at < b.at; });
  return all;
}

Fixed applied(std::string_view bytes, const std::vector<Replacement>& all) {
  Fixed fixed;
  std::size_t at = 0;
  for (const Replacement& one : all) {
    if (one.at < at) continue;
    fixed.text.append(bytes, at, one.at - at);
    fixed.text += one.text;
    at = one.at + one.taken;
    fixed.fixes.push_back(one.fix);
  }
  fixed.text.append(bytes, at);
  return fixed;
}

std::ptrdiff_t count(const core::Plan& plan, DiagnosticCode code) {
  return std::count_if(plan.diagnostics.begin(), plan.diagnostics.end(),
                       [code](const core::Diagnostic& one) { return one.code == code; });
}

std::ptrdiff_t fixes_of(const Fixed& fixed, DiagnosticCode code) {
  return std::count_if(fixed.fixes.begin(), fixed.fixes.end(),
                       [code](const Fix& one) { return one.code == code; });
}

// All but where on their lines the boxes stand.
bool same_tasks(const core::Plan& a, const core::Plan& b) {
  const auto task = [](const core::Task& one, const core::Task& other) {
    return one.id == other.id && one.title == other.title && one.state == other.state &&
           one.line == other.line && one.optional == other.optional && one.after == other.after;
  };
  const auto criterion = [](const core::Criterion& one, const core::Criterion& other) {
    return one.id == other.id && one.title == other.title && one.met == other.met && one.line == other.line &&
           one.verify == other.verify;
  };
  return std::equal(a.phases.begin(), a.phases.end(), b.phases.begin(), b.phases.end(),
                    [&](const core::Phase& one, const core::Phase& other) {
                      return one.id == other.id && one.title == other.title && one.line == other.line &&
                             std::equal(one.tasks.begin(), one.tasks.end(), other.tasks.begin(),
                                        other.tasks.end(), task) &&
                             std::equal(one.acceptance.begin(), one.acceptance.end(),
                                        other.acceptance.begin(), other.acceptance.end(), criterion);
                    });
}

// Each fix took away what it was for, and nothing went wrong instead. What a SKIP leaves out takes its own
// diagnostics with it.
bool holds(const core::Plan& before, const core::Plan& after, const Fixed& fixed) {
  for (const DiagnosticCode code :
       {DiagnosticCode::checkbox_missing_space, DiagnosticCode::marker_unknown_kind}) {
    const std::ptrdiff_t expected = count(before, code) - fixes_of(fixed, code);
    const bool fewer = after.skipped > before.skipped && count(after, code) < expected;
    if (count(after, code) != expected && !fewer) return false;
  }
  if (core::error_lines(after.diagnostics).size() > core::error_lines(before.diagnostics).size())
    return false;
  const bool markers = fixes_of(fixed, DiagnosticCode::marker_unknown_kind) > 0;
  return markers || same_tasks(before, after);
}

base::Result<Fixed> fixed_and_checked(std::string_view bytes, const core::Plan& plan,
                                      std::span<const core::Diagnostic> diagnostics) {
  for (const bool markers : {true, false}) {
    Fixed fixed = applied(bytes, replacements(bytes, diagnostics, markers));
    if (fixed.fixes.empty()) continue;
    TRY_ASSIGN(const core::Plan again, parse_plan(fixed.text));
    if (holds(plan, again, fixed)) return fixed;
  }
  return Fixed{std::string(bytes), {}};
}

}  // namespace

base::Result<Fixed> fix_plan(std::string_view bytes, const core::Plan& plan) {
  return fixed_and_checked(bytes, plan, plan.diagnostics);
}

base::Result<Fixed> fix_one(std::string_view bytes, const core::Plan& plan, const core::Diagnostic& only) {
  return fixed_and_checked(bytes, plan, {&only, 1});
}

}  // namespace plankeep::markdown

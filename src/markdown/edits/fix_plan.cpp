#include "markdown/edits/fix_plan.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <optional>
#include <span>
#include <utility>

#include "base/text.hpp"
#include "markdown/marker.hpp"
#include "markdown/outline/lookalikes.hpp"
#include "markdown/outline/outline.hpp"
#include "markdown/parse_plan.hpp"
#include "markdown/places.hpp"
#include "markdown/source_text.hpp"

namespace plankeep::markdown {
namespace {

using core::DiagnosticCode;

// What can be fixed, in the order in which it is.
constexpr std::array kFixed{DiagnosticCode::checkbox_missing_space, DiagnosticCode::checkbox_lookalike,
                            DiagnosticCode::marker_unknown_kind};

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

// A box that only looks like one as the box that is meant.
std::optional<Replacement> real_box(std::string_view bytes, std::size_t at) {
  if (at >= bytes.size()) return std::nullopt;
  std::string_view line = bytes.substr(at);
  line = line.substr(0, line.find_first_of("\r\n"));
  auto found = lookalike_in_item(line);
  if (!found) found = lookalike_at_line(line);
  if (!found || !found->certain) return std::nullopt;
  return Replacement{at, found->length, std::move(found->instead), {DiagnosticCode::checkbox_lookalike, 0}};
}

std::vector<Replacement> replacements(std::string_view bytes, std::span<const core::Diagnostic> diagnostics) {
  const std::vector<std::size_t> starts = starts_of(bytes);
  std::vector<Replacement> all;
  for (const core::Diagnostic& diagnostic : diagnostics) {
    const auto line = static_cast<std::size_t>(diagnostic.line - 1);
    if (line >= starts.size()) continue;
    const std::size_t at = starts[line] + static_cast<std::size_t>(diagnostic.column - 1);
    std::optional<Replacement> one;
    if (diagnostic.code == DiagnosticCode::checkbox_missing_space) one = space_behind_box(bytes, at);
    if (diagnostic.code == DiagnosticCode::checkbox_lookalike) one = real_box(bytes, at);
    if (diagnostic.code == DiagnosticCode::marker_unknown_kind) one = kind_of_marker(bytes, at);
    if (!one) continue;
    one->fix.line = diagnostic.line;
    all.push_back(std::move(*one));
  }
  return all;
}

Fixed applied(std::string_view bytes, std::vector<Replacement> all) {
  std::sort(all.begin(), all.end(), [](const Replacement& a, const Replacement& b) { return a.at < b.at; });
  Fixed fixed;
  std::size_t at = 0;
  for (Replacement& one : all) {
    if (one.at < at) continue;
    fixed.text.append(bytes, at, one.at - at);
    fixed.text += one.text;
    at = one.at + one.taken;
    fixed.fixes.push_back(one.fix);
  }
  fixed.text.append(bytes, at);
  return fixed;
}

// What a text says, as far as fixes may change it.
struct Reading {
  core::Plan plan;
  Outline outline;  // only where boxes are to be made
};

base::Result<Outline> outline_of(std::string_view bytes) {
  const SourceText source(bytes);
  return read_outline(source);
}

std::ptrdiff_t count(const Reading& reading, DiagnosticCode code) {
  const auto& all =
      code == DiagnosticCode::checkbox_lookalike ? reading.outline.lookalikes : reading.plan.diagnostics;
  return std::count_if(all.begin(), all.end(),
                       [code](const core::Diagnostic& one) { return one.code == code; });
}

std::ptrdiff_t errors(const Reading& reading) {
  const auto& all = reading.plan.diagnostics;
  return std::count_if(all.begin(), all.end(), [](const core::Diagnostic& one) {
    return core::severity_of(one.code) == core::Severity::error;
  });
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

// Every box that was there is there as it was, and each of the new ones, in the state that is written in it.
bool same_boxes_and_new(const Reading& before, const Reading& after, const std::vector<Replacement>& added) {
  std::map<std::int64_t, core::BoxState> wanted;
  for (const Replacement& one : added) {
    const char inside = one.text[one.text.size() - 2];
    wanted[one.fix.line] = inside == ' '   ? core::BoxState::open
                           : inside == '~' ? core::BoxState::active
                                           : core::BoxState::done;
  }
  auto old = before.outline.boxes.begin();
  const auto old_end = before.outline.boxes.end();
  for (const OutlineBox& box : after.outline.boxes) {
    if (old != old_end && old->line == box.line) {
      if (old->state != box.state || old->optional != box.optional || old->counts() != box.counts())
        return false;
      ++old;
      continue;
    }
    const auto found = wanted.find(box.line);
    if (found == wanted.end() || found->second != box.state || !box.counts()) return false;
    wanted.erase(found);
  }
  return old == old_end && wanted.empty();
}

// Each of these fixes took away what it was for, and nothing went wrong instead. What a SKIP leaves out takes
// its own diagnostics with it.
bool holds(const Reading& before, const Reading& after, const std::vector<Replacement>& made) {
  const auto made_of = [&made](DiagnosticCode code) {
    return std::count_if(made.begin(), made.end(),
                         [code](const Replacement& one) { return one.fix.code == code; });
  };
  for (const DiagnosticCode code : kFixed) {
    const std::ptrdiff_t expected = count(before, code) - made_of(code);
    const bool fewer = after.plan.skipped > before.plan.skipped && count(after, code) < expected;
    if (count(after, code) != expected && !fewer) return false;
  }
  if (errors(after) > errors(before)) return false;
  if (made_of(DiagnosticCode::marker_unknown_kind) > 0) return true;
  if (made_of(DiagnosticCode::checkbox_lookalike) > 0) return same_boxes_and_new(before, after, made);
  return same_tasks(before.plan, after.plan);
}

// In groups of one kind, since each is checked by its own rule: boxes first, since a marker needs one.
std::vector<std::vector<Replacement>> by_code(const std::vector<Replacement>& all) {
  std::vector<std::vector<Replacement>> groups;
  for (const DiagnosticCode code : kFixed) {
    std::copy_if(all.begin(), all.end(), std::back_inserter(groups.emplace_back()),
                 [code](const Replacement& one) { return one.fix.code == code; });
  }
  return groups;
}

// Makes those fixes that hold. A group is tried as a whole, then, if it does not hold, its halves: one that
// cannot be made costs a few more readings and keeps none of the others.
class Fixer {
 public:
  Fixer(std::string_view bytes, Reading reading, bool boxes)
      : bytes_(bytes), now_(std::move(reading)), boxes_(boxes) {}

  base::Status make(std::vector<Replacement> group) {
    if (group.empty()) return {};
    if (read_ > 0 && read_ + bytes_.size() > kMostRead) {
      left_.insert(left_.end(), group.begin(), group.end());
      return {};
    }
    read_ += bytes_.size();
    std::vector<Replacement> all = made_;
    all.insert(all.end(), group.begin(), group.end());
    const std::string text = applied(bytes_, all).text;
    Reading after;
    TRY_ASSIGN(after.plan, parse_plan(text));
    if (boxes_) {
      TRY_ASSIGN(after.outline, outline_of(text));
    }
    if (holds(now_, after, group)) {
      made_ = std::move(all);
      now_ = std::move(after);
      return {};
    }
    if (group.size() == 1) {
      left_.push_back(group.front());
      return {};
    }
    const auto middle = group.begin() + static_cast<std::ptrdiff_t>(group.size() / 2);
    TRY(make({group.begin(), middle}));
    return make({middle, group.end()});
  }

  // Once more those that did not hold: what they name may have its marker by now.
  base::Status make_left() {
    if (made_.empty()) return {};
    for (std::vector<Replacement>& group : by_code(std::exchange(left_, {}))) TRY(make(std::move(group)));
    return {};
  }

  Fixed take() {
    Fixed fixed = applied(bytes_, std::move(made_));
    for (const Replacement& one : left_) fixed.left.push_back(one.fix);
    std::sort(fixed.left.begin(), fixed.left.end(),
              [](const Fix& a, const Fix& b) { return a.line < b.line; });
    return fixed;
  }

 private:
  // Bytes in all; a text that is larger is read twice. Keeps the time in bounds where nothing holds.
  static constexpr std::size_t kMostRead = std::size_t{64} << 20;

  std::string_view bytes_;
  Reading now_;  // with what is made
  bool boxes_;
  std::vector<Replacement> made_;
  std::vector<Replacement> left_;
  std::size_t read_ = 0;
};

base::Result<Fixed> fixed_and_checked(std::string_view bytes, const core::Plan& plan,
                                      const std::vector<Replacement>& all) {
  if (all.empty()) return Fixed{std::string(bytes), {}, {}};
  const bool boxes = std::any_of(all.begin(), all.end(), [](const Replacement& one) {
    return one.fix.code == DiagnosticCode::checkbox_lookalike;
  });
  Reading reading{plan, {}};
  if (boxes) {
    TRY_ASSIGN(reading.outline, outline_of(bytes));
  }
  Fixer fixer(bytes, std::move(reading), boxes);
  for (std::vector<Replacement>& group : by_code(all)) TRY(fixer.make(std::move(group)));
  TRY(fixer.make_left());
  return fixer.take();
}

}  // namespace

base::Result<Fixed> fix_plan(std::string_view bytes, const core::Plan& plan) {
  std::vector<Replacement> all = replacements(bytes, plan.diagnostics);
  TRY_ASSIGN(const Places places, read_places(bytes));
  for (Replacement& one : replacements(bytes, places.lookalikes)) all.push_back(std::move(one));
  return fixed_and_checked(bytes, plan, all);
}

base::Result<Fixed> fix_one(std::string_view bytes, const core::Plan& plan, const core::Diagnostic& only) {
  return fixed_and_checked(bytes, plan, replacements(bytes, {&only, 1}));
}

}  // namespace plankeep::markdown

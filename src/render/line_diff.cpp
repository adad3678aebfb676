#include "render/line_diff.hpp"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "base/utf8.hpp"
#include "merge/line_merge.hpp"

namespace plankeep::render {
namespace {

constexpr std::size_t kAround = 3;

struct Line {
  std::string_view text;
  bool ended = true;
};

struct Step {
  char kind = ' ';  // ' ', '-', '+'
  Line line;
};

std::vector<Line> lines_of(std::string_view text) {
  std::vector<Line> lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const bool ended = end != std::string_view::npos;
    lines.push_back({text.substr(0, end), ended});
    text.remove_prefix(ended ? end + 1 : text.size());
  }
  return lines;
}

// Equal lines have equal symbols.
using KnownSymbols = std::map<std::pair<std::string_view, bool>, core::LineSymbol>;
std::vector<core::LineSymbol> symbols_of(const std::vector<Line>& lines, KnownSymbols& known) {
  std::vector<core::LineSymbol> symbols;
  symbols.reserve(lines.size());
  for (const Line& line : lines) {
    const auto next = static_cast<core::LineSymbol>(known.size());
    symbols.push_back(known.try_emplace({line.text, line.ended}, next).first->second);
  }
  return symbols;
}

// Of each piece what is taken out first, then what is put in.
std::vector<Step> steps_between(const std::vector<Line>& a, const std::vector<Line>& b) {
  KnownSymbols known;
  const std::vector<core::LineSymbol> before = symbols_of(a, known);
  const std::vector<core::LineSymbol> after = symbols_of(b, known);
  const std::vector<std::size_t> partner = core::match_lines(before, after);
  std::vector<Step> steps;
  std::size_t j = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (partner[i] == core::kNoLine) {
      steps.push_back({'-', a[i]});
      continue;
    }
    for (; j < partner[i]; ++j) steps.push_back({'+', b[j]});
    steps.push_back({' ', a[i]});
    ++j;
  }
  for (; j < b.size(); ++j) steps.push_back({'+', b[j]});
  return steps;
}

std::string shown(std::string_view text) {
  const bool carriage_return = !text.empty() && text.back() == '\r';
  if (carriage_return) text.remove_suffix(1);
  return base::printable(text) + (carriage_return ? "\\r" : "");
}

std::string range(std::size_t first, std::size_t count) {
  // A side without lines is named by the line before.
  return std::to_string(count == 0 ? first : first + 1) + (count == 1 ? "" : "," + std::to_string(count));
}

}  // namespace

std::string line_diff(std::string_view before, std::string_view after, const Style& style) {
  if (before == after) return {};
  const std::vector<Step> steps = steps_between(lines_of(before), lines_of(after));
  std::vector<bool> visible(steps.size(), false);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (steps[i].kind == ' ') continue;
    const std::size_t end = std::min(steps.size(), i + kAround + 1);
    for (std::size_t j = i < kAround ? 0 : i - kAround; j < end; ++j) visible[j] = true;
  }
  std::string text;
  std::size_t a_line = 0;
  std::size_t b_line = 0;
  for (std::size_t i = 0; i < steps.size();) {
    if (!visible[i]) {
      ++a_line;
      ++b_line;
      ++i;
      continue;
    }
    std::size_t end = i;
    std::size_t a_count = 0;
    std::size_t b_count = 0;
    for (; end < steps.size() && visible[end]; ++end) {
      if (steps[end].kind != '+') ++a_count;
      if (steps[end].kind != '-') ++b_count;
    }
    text +=
        paint(style, Paint::dim, "@@ -" + range(a_line, a_count) + " +" + range(b_line, b_count) + " @@") +
        "\n";
    for (; i < end; ++i) {
      const Step& step = steps[i];
      const Paint colour = step.kind == '+' ? Paint::good : step.kind == '-' ? Paint::bad : Paint::plain;
      text += paint(style, colour, step.kind + shown(step.line.text)) + "\n";
      if (!step.line.ended) text += "\\ No newline at end of file\n";
    }
    a_line += a_count;
    b_line += b_count;
  }
  return text;
}

}  // namespace plankeep::render

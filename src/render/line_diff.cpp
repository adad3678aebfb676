#include "render/line_diff.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/utf8.hpp"

namespace plankeep::render {
namespace {

constexpr std::size_t kMostCells = 4'000'000;
constexpr std::size_t kAround = 3;

struct Line {
  std::string_view text;
  bool ended = true;
  bool operator==(const Line&) const = default;
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

// Steps through the middles, in which neither the first nor the last lines are the same.
void middle(const std::vector<Line>& a, const std::vector<Line>& b, std::size_t from, std::size_t a_end,
            std::size_t b_end, std::vector<Step>& steps) {
  const std::size_t rows = a_end - from;
  const std::size_t columns = b_end - from;
  std::size_t i = 0;
  std::size_t j = 0;
  if ((rows + 1) * (columns + 1) <= kMostCells) {
    // common[i][j]: lines in common from there to the ends.
    std::vector<std::uint32_t> common((rows + 1) * (columns + 1), 0);
    const auto at = [&](std::size_t row, std::size_t column) -> std::uint32_t& {
      return common[row * (columns + 1) + column];
    };
    for (std::size_t row = rows; row-- > 0;) {
      for (std::size_t column = columns; column-- > 0;) {
        at(row, column) = a[from + row] == b[from + column]
                              ? at(row + 1, column + 1) + 1
                              : std::max(at(row + 1, column), at(row, column + 1));
      }
    }
    while (i < rows && j < columns) {
      if (a[from + i] == b[from + j]) {
        steps.push_back({' ', a[from + i]});
        ++i;
        ++j;
      } else if (at(i + 1, j) >= at(i, j + 1)) {
        steps.push_back({'-', a[from + i++]});
      } else {
        steps.push_back({'+', b[from + j++]});
      }
    }
  }
  for (; i < rows; ++i) steps.push_back({'-', a[from + i]});
  for (; j < columns; ++j) steps.push_back({'+', b[from + j]});
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
  const std::vector<Line> a = lines_of(before);
  const std::vector<Line> b = lines_of(after);
  std::size_t same = 0;
  while (same < a.size() && same < b.size() && a[same] == b[same]) ++same;
  std::size_t a_end = a.size();
  std::size_t b_end = b.size();
  while (a_end > same && b_end > same && a[a_end - 1] == b[b_end - 1]) {
    --a_end;
    --b_end;
  }
  std::vector<Step> steps;
  for (std::size_t i = 0; i < same; ++i) steps.push_back({' ', a[i]});
  middle(a, b, same, a_end, b_end, steps);
  for (std::size_t i = a_end; i < a.size(); ++i) steps.push_back({' ', a[i]});

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

#include "render/style.hpp"

#include <algorithm>
#include <array>

#include "base/utf8.hpp"
#include "clients/shell_words.hpp"

namespace plankeep::render {
namespace {

std::string_view code_of(Paint kind) {
  switch (kind) {
    case Paint::plain:
      return "";
    case Paint::strong:
      return "1";
    case Paint::dim:
      return "2";
    case Paint::good:
      return "32";
    case Paint::active:
      return "33";
    case Paint::bad:
      return "31";
    case Paint::warning:
      return "33";
  }
  return "";
}

struct Sign {
  char32_t sign;
  char ascii;
};

// A bar never looks empty when something is done: its eighths keep a sign of their own.
constexpr std::array kSigns{
    Sign{U'█', '#'}, Sign{U'▉', '='}, Sign{U'▊', '='}, Sign{U'▋', '='},  Sign{U'▌', '='},  Sign{U'▍', '-'},
    Sign{U'▎', '-'}, Sign{U'▏', '-'}, Sign{U'░', '.'}, Sign{U'✓', '+'},  Sign{U'✗', 'x'},  Sign{U'○', 'o'},
    Sign{U'◐', '*'}, Sign{U'◆', '#'}, Sign{U'◇', '-'}, Sign{U'▸', '>'},  Sign{U'→', '>'},  Sign{U'·', '-'},
    Sign{U'•', '*'}, Sign{U'…', '~'}, Sign{U'–', '-'}, Sign{U'—', '-'},  Sign{U'‹', '<'},  Sign{U'›', '>'},
    Sign{U'“', '"'}, Sign{U'”', '"'}, Sign{U'„', '"'}, Sign{U'‘', '\''}, Sign{U'’', '\''}, Sign{U'×', 'x'}};

char ascii_sign(char32_t value) {
  if (value < 0x80) return '\0';
  const auto found =
      std::find_if(kSigns.begin(), kSigns.end(), [value](const Sign& one) { return one.sign == value; });
  return found == kSigns.end() ? '\0' : found->ascii;
}

/// The bytes of `text`, wider than `columns`, that fit; at least one character so that wrapping always moves
/// on.
std::size_t bytes_that_fit(std::string_view text, std::size_t columns) {
  // One column more is what the "…" of the cut takes, and two characters more make sure that there is a cut.
  const std::string cut = base::fit_to_width(std::string(text) + "--", columns + 1);
  const std::size_t fits = cut.size() - std::min(cut.size(), std::string_view("…").size());
  return std::max(std::min(fits, text.size()), base::decode_at(text, 0).length);
}

}  // namespace

std::size_t layout_columns(const Style& style) {
  return style.columns == kUnlimited ? Style{}.columns : std::max(style.columns, kNarrowest);
}

std::string in_ascii(std::string_view text) {
  std::string ascii;
  ascii.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const base::CodePoint next = base::decode_at(text, at);
    const char sign = next.valid ? ascii_sign(next.value) : '\0';
    if (sign != '\0') {
      ascii += sign;
    } else {
      ascii.append(text, at, next.length);
    }
    at += next.length;
  }
  return ascii;
}

std::string paint(const Style& style, Paint kind, std::string_view text) {
  const std::string_view code = code_of(kind);
  if (!style.colour || code.empty() || text.empty()) return std::string(text);
  std::string painted = "\x1b[";
  painted += code;
  painted += 'm';
  painted += text;
  painted += "\x1b[0m";
  return painted;
}

void append_painted(std::string& out, const Style& style, Paint kind, std::string_view text) {
  if (style.colour) {
    out += paint(style, kind, text);
  } else {
    out += text;
  }
}

std::string safe_line(std::string_view text) {
  // Almost every title and id.
  if (base::is_single_spaced_ascii(text)) return std::string(text);
  const std::string clean = base::printable(text);
  std::string folded;
  folded.reserve(clean.size());
  bool space = false;
  for (std::size_t at = 0; at < clean.size();) {
    const base::CodePoint next = base::decode_at(clean, at);
    if (base::is_space(next.value)) {
      space = true;
    } else {
      if (space && !folded.empty()) folded += ' ';
      space = false;
      folded.append(clean, at, next.length);
    }
    at += next.length;
  }
  return folded;
}

void append_safe(std::string& out, std::string_view text) {
  if (base::is_single_spaced_ascii(text)) {
    out += text;
  } else {
    out += safe_line(text);
  }
}

std::string safe_line(std::string_view text, std::size_t columns) {
  // A megabyte on one line would be measured again and again: what lies far behind the cut cannot matter.
  const std::size_t enough = columns * 32 + 256;
  if (text.size() > enough) return base::fit_to_width(safe_line(base::fit_to_bytes(text, enough)), columns);
  return base::fit_to_width(safe_line(text), columns);
}

std::string shell_word(std::string_view text) {
  return safe_line(text) == text ? clients::shell_quoted(text) : std::string();
}

std::vector<std::string> wrap(std::string_view text, std::size_t columns, std::size_t lines) {
  std::vector<std::string> out;
  std::string_view rest = text;
  columns = std::max<std::size_t>(columns, 2);  // the widest single character
  while (out.size() + 1 < lines && base::display_width(rest) > columns) {
    const std::size_t fits = bytes_that_fit(rest, columns);
    if (fits == rest.size()) break;
    std::size_t cut = rest[fits] == ' ' ? fits : rest.rfind(' ', fits - 1);
    if (cut == std::string_view::npos || cut == 0) cut = fits;
    out.emplace_back(rest.substr(0, cut));
    rest.remove_prefix(cut);
    while (!rest.empty() && rest.front() == ' ') rest.remove_prefix(1);
  }
  out.push_back(base::fit_to_width(rest, columns));
  return out;
}

std::string pad_right(std::string text, std::size_t columns) {
  const std::size_t width = base::display_width(text);
  if (width < columns) text.append(columns - width, ' ');
  return text;
}

std::string pad_left(std::string text, std::size_t columns) {
  const std::size_t width = base::display_width(text);
  if (width < columns) text.insert(0, columns - width, ' ');
  return text;
}

std::string bar(std::int64_t tenths, std::size_t columns) {
  static constexpr std::array<std::string_view, 8> kEighths = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  const auto whole = static_cast<std::int64_t>(columns) * 8;
  std::int64_t eighths = std::clamp<std::int64_t>(tenths, 0, 1000) * whole / 1000;
  if (whole > 0 && tenths > 0) eighths = std::max<std::int64_t>(eighths, 1);
  if (whole > 0 && tenths < 1000) eighths = std::min(eighths, whole - 1);
  std::string text;
  std::size_t cells = 0;
  for (; static_cast<std::int64_t>(cells + 1) * 8 <= eighths; ++cells) text += "█";
  if (eighths % 8 != 0) {
    text += kEighths[static_cast<std::size_t>(eighths % 8)];
    ++cells;
  }
  for (; cells < columns; ++cells) text += "░";
  return text;
}

std::string percent(std::int64_t tenths) {
  std::string text = std::to_string(tenths / 10);
  if (tenths % 10 != 0) {
    text += '.';
    text += std::to_string(tenths % 10);
  }
  return text;
}

std::string place(std::string_view file, std::int64_t line) {
  std::string text(file);
  if (line > 0) {
    text += ':';
    text += std::to_string(line);
  }
  return text;
}

std::string beside_the_totals(const core::Progress& progress, std::int64_t skipped) {
  std::string text;
  const std::string optional = counted(progress.optional, "optional task", "optional tasks");
  if (progress.optional > 0 && progress.optional_open == 0) {
    text += ", " + optional + " done";
  } else if (progress.optional > 0) {
    text += ", " + std::to_string(progress.optional_open) + " of " + optional + " open";
  }
  if (skipped > 0) text += ", " + counted(skipped, "box", "boxes") + " skipped";
  return text;
}

}  // namespace plankeep::render

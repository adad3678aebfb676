#pragma once
// How text for people looks: colour or none, and how wide it may be.
//
// Without `colour` nothing here ever emits an escape sequence. Bars and glyphs are Unicode either way: pipes
// and NO_COLOR lose the colour, not the picture. Where the locale has no Unicode the finished text is put
// into ASCII (in_ascii). Widths are terminal columns (base::display_width).

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.hpp"
#include "model/progress.hpp"

namespace plankeep::render {

struct Style {
  bool colour = false;
  /// Columns of the terminal; kUnlimited for a pipe, where nothing is cut. Below kNarrowest the text is laid
  /// out for kNarrowest.
  std::size_t columns = 80;
  /// The reader has no Unicode: text for people goes through in_ascii() before it is written.
  bool ascii = false;

  bool operator==(const Style&) const = default;
};

inline constexpr std::size_t kNarrowest = 40;
/// For a pipe, where a cut line would be lost to the next program.
inline constexpr std::size_t kUnlimited = 1'000'000;

/// The columns to divide among bars and the like: 80 where there is no limit.
std::size_t layout_columns(const Style& style);

/// The signs that our pages are drawn with (bars, boxes, dots, arrows, quotes, the mark of a cut) as ASCII,
/// one column for one. Other characters, letters of plans above all, stay as they are.
std::string in_ascii(std::string_view text);

enum class Paint { plain, strong, dim, good, active, bad, warning };

/// `text` in that colour; unchanged without colour or when it is empty. `text` must be safe for a terminal
/// already.
std::string paint(const Style& style, Paint kind, std::string_view text);
/// Appends paint(style, kind, text) to `out`.
void append_painted(std::string& out, const Style& style, Paint kind, std::string_view text);

/// Text from strangers on one line: no control characters, no line feeds, runs of white space folded, and at
/// most `columns` wide (a cut ends in "…").
std::string safe_line(std::string_view text, std::size_t columns);
/// The same without a limit.
std::string safe_line(std::string_view text);
/// Appends safe_line(text) to `out`.
void append_safe(std::string& out, std::string_view text);

/// `text` as one word of a command that people copy, quoted where it has to be; empty where a terminal cannot
/// show it as it is: the command would mean something else.
std::string shell_word(std::string_view text);

/// `text` (safe already) broken at spaces, or inside a word that is wider than a line, into at most `lines`
/// lines of `columns`; the last ends in "…" when something is left. At least one line.
std::vector<std::string> wrap(std::string_view text, std::size_t columns, std::size_t lines);

/// `text` filled up with spaces to `columns`; longer text is returned as it is.
std::string pad_right(std::string text, std::size_t columns);
std::string pad_left(std::string text, std::size_t columns);

/// A bar `columns` wide, `tenths` of a per cent full (0..1000): eighth blocks on a light ground. Never looks
/// empty when something is done, never full when something is open.
std::string bar(std::int64_t tenths, std::size_t columns);

/// 333 tenths is "33.3", 500 is "50".
std::string percent(std::int64_t tenths);

using base::counted;

/// "T001, T002": the names of tasks, or any others, each safe.
template <class Names>
std::string safe_list(const Names& names) {
  return base::joined(names, ", ", [](const auto& name) {
    if constexpr (requires { name.text; }) {
      return safe_line(name.text);
    } else {
      return safe_line(name);
    }
  });
}

/// As much of a commit's id as people see; git's own abbreviations begin at 7 digits.
inline std::string short_commit(std::string_view id) {
  return std::string(id.substr(0, 10));
}

/// "file:line", or only the file where the line is not known. `line` from 1.
std::string place(std::string_view file, std::int64_t line);

/// ", 2 of 3 optional tasks open, 4 boxes skipped", ", 3 optional tasks done": what is said beside the
/// totals; empty: nothing to say.
std::string beside_the_totals(const core::Progress& progress, std::int64_t skipped);

}  // namespace plankeep::render

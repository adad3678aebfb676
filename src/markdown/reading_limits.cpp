#include "markdown/reading_limits.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "base/limits.hpp"
#include "base/text.hpp"
#include "base/utf8.hpp"
#include "markdown/cmark_document.hpp"

namespace plankeep::markdown {
namespace {

using base::is_digit;

constexpr std::size_t kBinaryProbe = 8000;  // as git: a NUL among the first bytes makes a file binary

// Specials of one paragraph that cmark gets to see. Its worst paragraphs cost the square of them.
constexpr std::size_t kSpecialsPerParagraph = 256;

// Steps of cmark's walk over open containers that a text may cost for each of its bytes, and what any text
// may.
constexpr std::int64_t kStepsPerByte = 8;
constexpr std::int64_t kStepsForAny = 50'000'000;

// Behind the "]:" of a footnote's beginning at `at`; `at` itself when there is none.
std::size_t footnote_end(std::string_view line, std::size_t at) {
  if (line.compare(at, 2, "[^") != 0) return at;
  const std::size_t close = line.find_first_of("] \t\r", at + 2);
  const bool whole = close != std::string_view::npos && close > at + 2 && line.compare(close, 2, "]:") == 0;
  return whole ? close + 2 : at;
}

struct Prefix {
  std::int64_t depth = 0;    // containers that this line can stand in
  std::int64_t markers = 0;  // that it opens or continues itself
  std::size_t length = 0;    // bytes before its text
};

Prefix prefix_of(std::string_view line) {
  Prefix prefix;
  std::int64_t columns = 0;
  std::size_t at = 0;
  for (; at < line.size(); ++at) {
    const char c = line[at];
    if (c == ' ') {
      ++columns;
    } else if (c == '\t') {
      columns += 4;
    } else if (c == '>') {
      ++prefix.markers;
    } else if ((c == '-' || c == '*' || c == '+') && at + 1 < line.size() &&
               (line[at + 1] == ' ' || line[at + 1] == '\t')) {
      ++prefix.markers;
    } else if (footnote_end(line, at) > at) {
      ++prefix.markers;
      at = footnote_end(line, at) - 1;
    } else if (is_digit(c)) {
      std::size_t end = at;
      while (end < line.size() && end - at < 10 && is_digit(line[end])) ++end;
      if (end >= line.size() || (line[end] != '.' && line[end] != ')')) break;
      ++prefix.markers;
      at = end;
    } else {
      break;
    }
  }
  prefix.length = at;
  prefix.depth = prefix.markers + columns / 2;
  return prefix;
}

enum class Special : unsigned char { none, always, open_angle };

constexpr std::array<Special, 256> special_table() {
  std::array<Special, 256> table{};
  for (const char c : {'[', ']', '*', '_', '`', '~', '!', '&', '\\', '^', '"', '\''}) {
    table[static_cast<unsigned char>(c)] = Special::always;
  }
  table[static_cast<unsigned char>('<')] = Special::open_angle;
  return table;
}
constexpr std::array<Special, 256> kSpecials = special_table();

// Of "<" only what cmark is slow with is taken: a tag or comment may be the end of an HTML block.
bool is_slow_angle(std::string_view body, std::size_t at) {
  const std::string_view next = body.substr(at + 1, 3);
  return next.starts_with("?") || (next.starts_with("!") && next != "!--");
}

// Masks what is too much in each run of lines that can be one paragraph. Fills `copy` only when it must. A
// run of fewer bytes than the allowance, which is nearly every one, is not looked at.
class DenseParagraphs {
 public:
  DenseParagraphs(std::string_view body, std::string& copy) : body_(body), copy_(copy) {}

  void mask() {
    std::size_t run = 0;  // where the run of lines begins
    for (std::size_t start = 0; start < body_.size();) {
      const char* const newline =
          static_cast<const char*>(std::memchr(body_.data() + start, '\n', body_.size() - start));
      const std::size_t end =
          newline == nullptr ? body_.size() : static_cast<std::size_t>(newline - body_.data());
      if (ends_paragraph(body_.substr(start, end - start))) {
        inspect(run, start);
        run = start;
      }
      start = end + 1;
    }
    inspect(run, body_.size());
  }

 private:
  static bool ends_paragraph(std::string_view line) {
    const std::size_t text = first_text(line);
    if (text == line.size()) return true;
    const char c = line[text];
    constexpr std::size_t kIndentOfCode = 4;
    if (c == '[' && text < kIndentOfCode && line.find_first_not_of(' ') == text)
      return footnote_end(line, text) > text;
    const bool may_begin_item = c == '-' || c == '*' || c == '+' || is_digit(c);
    return may_begin_item && prefix_of(line).markers > 0;
  }

  static std::size_t first_text(std::string_view line) {
    std::size_t at = 0;
    while (at < line.size() && (line[at] == ' ' || line[at] == '\t' || line[at] == '>' || line[at] == '\r'))
      ++at;
    return at;
  }

  void inspect(std::size_t begin, std::size_t end) {
    if (end - begin <= kSpecialsPerParagraph) return;
    std::size_t specials = 0;
    bool line_start = true;  // nothing but containers and special characters on this line so far
    std::size_t text = begin;
    for (std::size_t at = begin; at < end; ++at) {
      const char c = body_[at];
      if (c == '\n' || c == '\r') {
        line_start = true;
        text = at + 1;
        continue;
      }
      const Special special = kSpecials[static_cast<unsigned char>(c)];
      if (special == Special::none) {
        const bool container = c == ' ' || c == '\t' || c == '>';
        if (line_start && container && at == text) ++text;
        line_start = line_start && container;
        continue;
      }
      if (special == Special::open_angle && !is_slow_angle(body_, at)) continue;
      ++specials;
      // The beginning of a line decides about blocks (fences, rules, headings): it stays. A line of nothing
      // but special characters is text from the 8th on.
      if (specials <= kSpecialsPerParagraph || (line_start && at - text < 8)) continue;
      if (copy_.empty()) copy_.assign(body_);
      copy_[at] = 'x';
    }
  }

  std::string_view body_;
  std::string& copy_;
};

// Cells of one table row that cmark gets to see: its tables cost the square of their columns.
constexpr std::ptrdiff_t kColumns = 256;

// Masks the bars behind the first kColumns of each line: such a table is text to cmark. Fills `copy` only
// when it must.
void mask_wide_rows(std::string_view body, std::string& copy) {
  for (std::size_t start = 0; start < body.size();) {
    const std::size_t end = std::min(body.find('\n', start), body.size());
    const std::string_view line = body.substr(start, end - start);
    const bool wide = line.size() > static_cast<std::size_t>(kColumns) &&
                      std::count(line.begin(), line.end(), '|') > kColumns;
    if (wide) {
      if (copy.empty()) copy.assign(body);
      std::ptrdiff_t bars = 0;
      for (std::size_t at = start; at < end; ++at) {
        if (body[at] == '|' && ++bars > kColumns) copy[at] = 'x';
      }
    }
    start = end + 1;
  }
}

}  // namespace

base::Status check_text(std::string_view bytes) {
  if (bytes.size() > base::kLargestText) {
    return base::fail(
        base::ErrorKind::invalid_input,
        "the file has " + std::to_string(bytes.size() >> 20) + " MiB; the limit for a plan is 64 MiB",
        "is this a plan? split it");
  }
  if (bytes.starts_with("\xFF\xFE") || bytes.starts_with("\xFE\xFF")) {
    return base::fail(base::ErrorKind::invalid_input, "the file is UTF-16, not UTF-8",
                      "save it as UTF-8, then try again");
  }
  if (bytes.substr(0, kBinaryProbe).find('\0') != std::string_view::npos) {
    return base::fail(base::ErrorKind::invalid_input, "the file is binary, not text",
                      "a plan is a Markdown file in UTF-8");
  }
  return {};
}

base::Status check_nesting(const SourceText& source) {
  const auto size = static_cast<std::int64_t>(source.bytes().size());
  std::int64_t steps = 0;
  std::int64_t depth = 0;
  std::int64_t open = 0;  // the most containers that can be open: only markers open them, blanks do not
  const auto refuse = [&](std::int64_t line) -> base::Status {
    return base::fail(base::ErrorKind::invalid_input,
                      "line " + std::to_string(line) + ": block quotes and list items are nested too deeply",
                      "at most " + std::to_string(kDeepest) + " levels are allowed; move the inner ones out");
  };
  for (std::int64_t n = source.lines_before_body() + 1; n <= source.line_count(); ++n) {
    const std::string_view line = source.line(n);
    if (steps > kStepsForAny + kStepsPerByte * size) return refuse(n);
    if (line.empty()) {  // open containers stay open over a blank line
      steps += depth;
      continue;
    }
    const char first = line.front();
    if (first != ' ' && first != '\t' && first != '>' && first != '[' && first != '-' && first != '*' &&
        first != '+' && !is_digit(first)) {
      depth = 0;
      continue;
    }
    Prefix prefix = prefix_of(line);
    prefix.depth = std::min(prefix.depth, open + prefix.markers);
    if (prefix.length < line.size() && prefix.depth > kDeepest) return refuse(n);
    if (prefix.markers > kDeepest) return refuse(n);
    if (prefix.length < line.size()) depth = prefix.depth;
    open = std::max(open, prefix.depth);
    steps += depth + prefix.markers * static_cast<std::int64_t>(prefix.length);
  }
  return {};
}

std::string neutralised(std::string_view body) {
  std::string copy;
  DenseParagraphs(body, copy).mask();
  mask_wide_rows(body, copy);
  const bool nul = body.find('\0') != std::string_view::npos;
  if (!nul && base::find_invalid_utf8(body) == std::string_view::npos) return copy;
  if (copy.empty()) copy.assign(body);
  for (std::size_t at = 0; at < copy.size();) {
    if (copy[at] == '\0') {
      copy[at++] = kPlaceholder;
      continue;
    }
    const base::CodePoint next = base::decode_at(copy, at);
    if (!next.valid) copy[at] = kPlaceholder;
    at += next.length;
  }
  return copy;
}

}  // namespace plankeep::markdown

#include "audit/message_lines.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "audit/audit.hpp"
#include "audit/json_report.hpp"
#include "base/text.hpp"
#include "base/utf8.hpp"

namespace plankeep::core {
namespace {

using UnitKind = MessageUnit::Kind;
using Box = MessageUnit::Box;

constexpr std::size_t kWrappedAt = 60;       // a line this long may go on in the next one
constexpr std::size_t kLongestLabel = 100;   // bytes
constexpr std::size_t kLongestHead = 40;     // bytes of a line above a list that heads it without a colon
constexpr std::size_t kLongestUnit = 16384;  // bytes; a longer paragraph is cut at a line end

bool blank(std::string_view line) {
  return line.find_first_not_of(" \t") == std::string_view::npos;
}

bool lower(char c) {
  return c >= 'a' && c <= 'z';
}

std::size_t indent_of(std::string_view line) {
  std::size_t columns = 0;
  for (const char c : line) {
    if (c == ' ')
      ++columns;
    else if (c == '\t')
      columns += 4 - columns % 4;
    else
      break;
  }
  return columns;
}

std::vector<std::string_view> lines_of(std::string_view message) {
  std::vector<std::string_view> lines;
  std::size_t start = 0;
  for (std::size_t at = 0; at < message.size(); ++at) {
    if (message[at] != '\n' && message[at] != '\r') continue;
    lines.push_back(message.substr(start, at - start));
    if (message[at] == '\r' && at + 1 < message.size() && message[at + 1] == '\n') ++at;
    start = at + 1;
  }
  if (start < message.size()) lines.push_back(message.substr(start));
  return lines;
}

/// The backticks or tildes that open or close a fence; 0 when the line does neither.
std::size_t fence_length(std::string_view text) {
  if (text.empty() || (text[0] != '`' && text[0] != '~')) return 0;
  const std::size_t length = std::min(text.find_first_not_of(text[0]), text.size());
  if (length < 3) return 0;
  // A code span on a line of its own is no fence.
  return text[0] == '`' && text.find('`', length) != std::string_view::npos ? 0 : length;
}

struct ListMarker {
  std::size_t length = 0;  // with the white space behind it
  std::string_view number;
};

std::optional<ListMarker> list_marker(std::string_view text) {
  std::size_t end = 0;
  ListMarker marker;
  if (text.starts_with("- ") || text.starts_with("* ") || text.starts_with("+ ") || text.starts_with("-\t") ||
      text.starts_with("*\t")) {
    end = 1;
  } else if (text.starts_with("\u2022") || text.starts_with("\u2023") || text.starts_with("\u25e6") ||
             text.starts_with("\u25aa") || text.starts_with("\u2013 ") || text.starts_with("\u2014 ")) {
    end = 3;
  } else if (text.starts_with("\u00b7")) {
    end = 2;
  } else {
    while (end < text.size() && end < 9 && base::is_digit(text[end])) ++end;
    if (end == 0 || end + 1 >= text.size() || (text[end] != '.' && text[end] != ')') ||
        (text[end + 1] != ' ' && text[end + 1] != '\t'))
      return std::nullopt;
    marker.number = text.substr(0, end);
    ++end;
  }
  while (end < text.size() && (text[end] == ' ' || text[end] == '\t')) ++end;
  marker.length = end;
  return marker;
}

/// Takes a checkbox off the front of the text.
Box take_box(std::string_view& text) {
  if (text.size() < 3 || text[0] != '[') return Box::none;
  const std::size_t close = text.find(']');
  if (close == std::string_view::npos || close > 5) return Box::none;
  const std::string_view inside = text.substr(1, close - 1);
  if (close + 1 < text.size() && text[close + 1] != ' ' && text[close + 1] != '\t' && inside != "x" &&
      inside != "X" && inside != " ")
    return Box::none;
  if (close + 1 < text.size() && text[close + 1] == '(') return Box::none;
  const bool ticked =
      inside == "x" || inside == "X" || inside == "\u2713" || inside == "\u2714" || inside == "\u2714\ufe0f";
  const bool open = inside == " " || inside == "~" || inside == "/" || inside == "-" || inside.empty();
  if (!ticked && !open) return Box::none;
  text = base::trimmed(text.substr(close + 1));
  return ticked ? Box::ticked : Box::open;
}

bool delimiter_row(std::string_view line) {
  const std::string_view text = base::trimmed(line);
  return text.size() >= 3 && text.find_first_not_of("|-: \t") == std::string_view::npos &&
         text.find('-') != std::string_view::npos && text.find('|') != std::string_view::npos;
}

std::vector<std::string> cells_of(std::string_view line) {
  std::string_view text = base::trimmed(line);
  if (text.starts_with('|')) text.remove_prefix(1);
  if (text.ends_with('|') && !text.ends_with("\\|")) text.remove_suffix(1);
  std::vector<std::string> cells(1);
  bool code = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '\\' && at + 1 < text.size() && text[at + 1] == '|') {
      cells.back() += text[++at];
    } else if (text[at] == '|' && !code) {
      cells.emplace_back();
    } else {
      if (text[at] == '`') code = !code;
      cells.back() += text[at];
    }
  }
  for (std::string& cell : cells) cell = std::string(base::trimmed(cell));
  return cells;
}

/// "2026-01-12 10:00:01 ...": a line of a log, quoted without saying so.
bool is_logged(std::string_view text) {
  constexpr std::string_view kShape = "dddd-dd-dd dd:dd";
  if (text.starts_with('[')) text.remove_prefix(1);
  if (text.size() < kShape.size()) return false;
  for (std::size_t i = 0; i < kShape.size(); ++i) {
    const bool fits = kShape[i] == 'd'   ? base::is_digit(text[i])
                      : kShape[i] == ' ' ? text[i] == ' ' || text[i] == 'T'
                                         : text[i] == kShape[i];
    if (!fits) return false;
  }
  return true;
}

/// "$ npm test"
bool is_prompt(std::string_view text) {
  return text.size() > 2 && text.starts_with("$ ") && (lower(text[2]) || text[2] == '.' || text[2] == '/');
}

bool is_rule(std::string_view text) {
  if (text.empty() || (text[0] != '-' && text[0] != '*' && text[0] != '_' && text[0] != '=')) return false;
  return std::count(text.begin(), text.end(), text[0]) >= 3 &&
         text.find_first_not_of(std::string{text[0], ' '}) == std::string_view::npos;
}

bool is_label(std::string_view text) {
  if (text.size() > kLongestLabel || text.find('\n') != std::string_view::npos) return false;
  const bool bold = text.size() > 4 && (text.starts_with("**") || text.starts_with("__")) &&
                    text.ends_with(text.substr(0, 2));
  if (bold) return text.substr(2, text.size() - 4).find(text.substr(0, 2)) == std::string_view::npos;
  while (!text.empty() && (text.back() == '*' || text.back() == '_' || text.back() == ' '))
    text.remove_suffix(1);
  return text.ends_with(':') || text.ends_with("\uff1a");
}

bool is_short_line(std::string_view text) {
  return text.size() <= kLongestHead && text.find_first_of("\n.!?,;") == std::string_view::npos;
}

/// "Status: ...", "**Done** ...", "T002 ...", an emoji: such a line says something of its own.
bool starts_anew(std::string_view text) {
  if (text.empty() || text[0] == '*' || text[0] == '`' || text[0] == '|' || text[0] == '[') return true;
  if (static_cast<unsigned char>(text[0]) >= 0x80)
    return !base::is_word_character(base::decode_at(text, 0).value);
  const std::string_view head = text.substr(0, 40);
  const auto colon = head.find(':');
  if (colon != std::string_view::npos && head.find_first_of(".,;(") > colon) return true;
  // "error-states - done"
  const auto gap = head.find(' ');
  for (const std::string_view dash : {"- ", "-> ", "=> ", "\u2013 ", "\u2014 ", "\u2192 "})
    if (gap != std::string_view::npos && head.substr(gap + 1).starts_with(dash)) return true;
  const std::string_view word = head.substr(0, head.find_first_of(" ,:;"));
  return std::any_of(word.begin(), word.end(), base::is_digit);
}

bool ends_open(std::string_view text) {
  for (const std::string_view end : {",", " and", " &", " or", " und", " et", " y", " e", " i", " \u0438"})
    if (text.ends_with(end)) return true;
  return false;
}

/// Does the line go on with what the unit's last line began?
bool goes_on(const MessageUnit& unit, std::string_view text) {
  if (unit.text.empty() || unit.text.size() > kLongestUnit || unit.label) return false;
  const auto last_break = unit.text.rfind('\n');
  const std::string_view last =
      std::string_view(unit.text).substr(last_break == std::string::npos ? 0 : last_break + 1);
  if (ends_open(last)) return true;
  if (starts_anew(text) && !(last.size() >= kWrappedAt && last.back() != '.' && last.back() != ':'))
    return false;
  return lower(text[0]) || last.size() >= kWrappedAt;
}

class Splitter {
 public:
  Splitter(std::string_view message, Quotations quotations, JsonLines json)
      : lines_(lines_of(message)),
        only_quoted_(quotations == Quotations::only),
        json_(json == JsonLines::apart) {}

  std::vector<MessageUnit> run() {
    for (at_ = 0; at_ < lines_.size(); ++at_) {
      const std::string_view line = lines_[at_];
      if (blank(line)) {
        blank_ = true;
        in_quote_ = in_output_ = no_json_ = open_ = in_table_ = false;
      } else if (const std::size_t length = fence_length(base::trimmed(line)); length > 0) {
        read_fence(base::trimmed(line), length);
      } else if (!read_json_lines()) {
        read_line(line);
      }
    }
    return std::move(units_);
  }

 private:
  void read_fence(std::string_view opening, std::size_t length) {
    const std::size_t first = at_ + 1;
    std::size_t end = first;
    while (end < lines_.size()) {
      const std::string_view text = base::trimmed(lines_[end]);
      if (text.starts_with(opening.substr(0, length)) &&
          text.find_first_not_of(opening[0]) == std::string_view::npos)
        break;
      ++end;
    }
    const std::string_view info = base::trimmed(opening.substr(length));
    if (read_json_fence(info, first, end)) {
      at_ = end;
      return;
    }
    const bool prose = info.empty() || info == "text" || info == "txt" || info == "md" || info == "markdown";
    const bool report = prose && !has_plan_lines(first, end);
    open_ = in_table_ = in_quote_ = false;
    blank_ = true;
    if (only_quoted_ || report)
      for (at_ = first; at_ < end; ++at_) {
        fenced_ = true;
        if (blank(lines_[at_])) {
          blank_ = true;
          open_ = in_table_ = false;
        } else {
          read_unit(lines_[at_]);
        }
        fenced_ = false;
      }
    at_ = end;
    open_ = in_table_ = false;
    blank_ = true;
    // A fence in the way ends what a heading in prose governs as little as a blank line does.
  }

  /// The message from line `first` up to line `end`.
  std::string_view joined_lines(std::size_t first, std::size_t end) const {
    if (first >= end || end > lines_.size()) return {};
    const char* begin = lines_[first].data();
    return {begin, static_cast<std::size_t>(lines_[end - 1].data() + lines_[end - 1].size() - begin)};
  }

  void add_json(std::size_t first, std::string_view text) {
    MessageUnit unit;
    unit.kind = UnitKind::json;
    unit.line = first + 1;
    unit.text = std::string(text);
    units_.push_back(std::move(unit));
    open_ = in_table_ = in_list_ = in_quote_ = false;
    blank_ = true;
  }

  bool read_json_fence(std::string_view info, std::size_t first, std::size_t end) {
    // An open fence at the end may be cut off in the middle of anything.
    if (end >= lines_.size()) return false;
    if (!json_ || !(info.empty() || info == "json" || info == "jsonc" || info == "jsonl")) return false;
    const std::string_view text = base::trimmed(joined_lines(first, end));
    for (std::string_view rest = text; !rest.empty();) {
      const std::size_t value = json_end(rest);
      if (value == 0) return false;
      rest = base::trimmed(rest.substr(value));
    }
    if (text.empty()) return false;
    add_json(first, text);
    return true;
  }

  /// A value that begins with this line and ends with it or a later one of the paragraph.
  bool read_json_lines() {
    const std::string_view start = base::trimmed(lines_[at_]);
    if (!json_ || no_json_ || in_quote_ || in_output_ || !(start.starts_with('{') || start.starts_with('[')))
      return false;
    std::size_t end = at_ + 1;
    while (end < lines_.size() && !blank(lines_[end])) ++end;
    // What is no JSON here is looked at once in a paragraph.
    no_json_ = true;
    std::string_view text = base::trimmed(joined_lines(at_, end));
    const std::size_t length = json_end(text);
    if (length == 0) return false;
    text = text.substr(0, length);
    const char* const behind = text.data() + length;
    std::size_t last = at_;
    while (last + 1 < end && lines_[last + 1].data() < behind) ++last;
    const std::string_view line = lines_[last];
    if (!blank(line.substr(static_cast<std::size_t>(behind - line.data())))) return false;
    no_json_ = false;
    add_json(at_, text);
    at_ = last;
    return true;
  }

  bool has_plan_lines(std::size_t first, std::size_t end) const {
    for (std::size_t i = first; i < end; ++i) {
      std::string_view text = base::trimmed(lines_[i]);
      if (text.find("<!--") != std::string_view::npos || text.starts_with("$ ")) return true;
      if (const auto marker = list_marker(text)) text.remove_prefix(marker->length);
      if (take_box(text) != Box::none) return true;
    }
    return false;
  }

  void read_line(std::string_view line) {
    std::string_view text = base::trimmed(line);
    const bool quote = text.starts_with('>');
    // A line right behind a quote that starts nothing new still belongs to it.
    const bool lazy =
        in_quote_ && !quote && !list_marker(text) && !text.starts_with('#') && !text.starts_with('|');
    if (quote || lazy) {
      in_quote_ = true;
      open_ = in_table_ = false;
      if (!only_quoted_) return;
      while (text.starts_with('>') || text.starts_with(' ')) text.remove_prefix(1);
      if (!text.empty()) read_unit(text);
      return;
    }
    in_quote_ = false;
    // "$ plankeep status" and what it printed
    if (!only_quoted_ && (in_output_ || is_prompt(text))) {
      in_output_ = true;
      open_ = in_table_ = blank_ = false;
      return;
    }
    if (is_logged(text) && !only_quoted_) {
      open_ = in_table_ = false;
      return;
    }
    const bool code = blank_ && indent_of(line) >= 4 && !in_list_;
    if (code) code_ = true;
    if (indent_of(line) < 4) code_ = false;
    if (code_ == only_quoted_)
      read_unit(line);
    else
      blank_ = false;
  }

  void read_unit(std::string_view line) {
    std::string_view text = base::trimmed(line);
    MessageUnit unit;
    unit.line = at_ + 1;
    unit.indent = indent_of(line);
    unit.fenced = fenced_ && !only_quoted_;
    unit.after_blank = blank_;
    const bool was_blank = std::exchange(blank_, false);
    if (read_row(line, unit)) return;
    in_table_ = false;
    if (open_ && units_.back().kind == UnitKind::text && is_rule(text) &&
        (text[0] == '=' || text[0] == '-') && units_.back().text.find('\n') == std::string::npos) {
      units_.back().kind = UnitKind::heading;
      units_.back().level = text[0] == '=' ? 1 : 2;
      open_ = false;
      return;
    }
    if (is_rule(text)) {
      unit.kind = UnitKind::rule;
      open_ = in_list_ = false;
      units_.push_back(std::move(unit));
      return;
    }
    const std::size_t hashes = std::min(text.find_first_not_of('#'), text.size());
    if (hashes >= 1 && hashes <= 6 &&
        (hashes == text.size() || text[hashes] == ' ' || text[hashes] == '\t')) {
      unit.kind = UnitKind::heading;
      unit.level = static_cast<int>(hashes);
      text = base::trimmed(text.substr(hashes));
      while (text.ends_with('#')) text.remove_suffix(1);
      unit.text = std::string(base::trimmed(text));
      open_ = in_list_ = false;
      units_.push_back(std::move(unit));
      return;
    }
    if (const auto marker = list_marker(text)) {
      unit.kind = UnitKind::item;
      unit.number = std::string(marker->number);
      // "Completed tasks" right above a list heads it.
      if (open_ && !was_blank && units_.back().kind == UnitKind::text && is_short_line(units_.back().text))
        units_.back().label = true;
      text.remove_prefix(marker->length);
      in_list_ = true;
    }
    unit.box = take_box(text);
    if (unit.box != Box::none) unit.kind = UnitKind::item;
    if (unit.kind == UnitKind::text) {
      if (open_ && !was_blank && goes_on(units_.back(), text)) {
        units_.back().text += '\n';
        units_.back().text += text;
        units_.back().label = is_label(units_.back().text);
        return;
      }
      // The same of lines without markers that stand further in.
      const bool further = open_ && !was_blank && unit.indent >= units_.back().indent + 2;
      if (further && units_.back().kind == UnitKind::text && is_short_line(units_.back().text))
        units_.back().label = true;
      if (was_blank && unit.indent == 0) in_list_ = false;
    }
    unit.text = std::string(text);
    unit.label = is_label(text);
    open_ = true;
    units_.push_back(std::move(unit));
  }

  bool read_row(std::string_view line, MessageUnit& unit) {
    const std::string_view text = base::trimmed(line);
    const bool next_delimits = at_ + 1 < lines_.size() && delimiter_row(lines_[at_ + 1]);
    const bool bars = text.find('|') != std::string_view::npos;
    if (in_table_ && delimiter_row(line)) return true;
    const bool starts = text.size() > 1 && text[0] == '|' && text.find('|', 1) != std::string_view::npos;
    if (!bars || (!starts && !in_table_ && !next_delimits)) return false;
    unit.kind = UnitKind::row;
    unit.header = !in_table_ && next_delimits;
    unit.cells = cells_of(line);
    in_table_ = true;
    open_ = false;
    units_.push_back(std::move(unit));
    return true;
  }

  std::vector<std::string_view> lines_;
  bool only_quoted_;
  bool json_;
  bool no_json_ = false;  // in this paragraph
  std::size_t at_ = 0;
  std::vector<MessageUnit> units_;
  bool open_ = false;  // the last unit can take another line
  bool blank_ = true;
  bool fenced_ = false;
  bool in_quote_ = false;
  bool in_output_ = false;
  bool in_list_ = false;
  bool in_table_ = false;
  bool code_ = false;
};

}  // namespace

std::vector<MessagePart> audited_parts(std::string_view message) {
  if (message.size() <= kAuditedHead + kAuditedTail) return {{message, 0}};
  const std::size_t last_line = message.substr(0, kAuditedHead).rfind('\n');
  const std::size_t head = last_line == std::string_view::npos ? kAuditedHead : last_line + 1;
  std::size_t tail = message.size() - kAuditedTail;
  if (const auto line_end = message.find('\n', tail); line_end != std::string_view::npos) tail = line_end + 1;
  const std::string_view before = message.substr(0, tail);
  return {{message.substr(0, head), 0},
          {message.substr(tail), static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n'))}};
}

std::vector<MessageUnit> split_message(std::string_view message, Quotations quotations, JsonLines json) {
  return Splitter(message, quotations, json).run();
}

}  // namespace plankeep::core

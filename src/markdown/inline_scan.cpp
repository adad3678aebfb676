#include "markdown/inline_scan.hpp"

#include <algorithm>
#include <array>
#include <map>

#include "base/text.hpp"

namespace plankeep::markdown {
namespace {

using base::is_digit;

constexpr std::string_view kOpen = "<!--";
constexpr std::string_view kClose = "-->";

using base::is_letter;
bool is_inline_space(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v';
}
bool is_punctuation(char c) {
  return (c >= '!' && c <= '/') || (c >= ':' && c <= '@') || (c >= '[' && c <= '`') || (c >= '{' && c <= '~');
}
char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

std::size_t skip_blank(std::string_view text, std::size_t at) {
  while (at < text.size() && is_inline_space(text[at])) ++at;
  return at;
}

// Where scanning has something to decide.
constexpr std::array<bool, 256> stops() {
  std::array<bool, 256> table{};
  for (const char c : {'\\', '`', '<', '[', ']', '!'}) table[static_cast<unsigned char>(c)] = true;
  return table;
}
constexpr std::array<bool, 256> kStops = stops();

// End of the comment that begins at `at`; kNone when it never ends.
std::size_t comment_end(std::string_view text, std::size_t at) {
  const std::size_t inside = at + kOpen.size();
  if (text.substr(inside).starts_with(">")) return inside + 1;
  if (text.substr(inside).starts_with("->")) return inside + 2;
  const std::size_t end = text.find(kClose, inside);
  return end == kNone ? kNone : end + kClose.size();
}

// <scheme:...> or <name@host>; kNone when it is neither.
std::size_t autolink_end(std::string_view text, std::size_t at) {
  std::size_t i = at + 1;
  if (i >= text.size()) return kNone;
  if (is_letter(text[i])) {
    std::size_t scheme = i;
    while (scheme < text.size() && scheme - i < 33 &&
           (is_letter(text[scheme]) || is_digit(text[scheme]) || text[scheme] == '+' || text[scheme] == '.' ||
            text[scheme] == '-')) {
      ++scheme;
    }
    if (scheme < text.size() && text[scheme] == ':' && scheme - i >= 2 && scheme - i <= 32) {
      for (std::size_t j = scheme + 1; j < text.size(); ++j) {
        if (text[j] == '>') return j + 1;
        if (text[j] == '<' || static_cast<unsigned char>(text[j]) <= ' ') break;
      }
    }
  }
  bool at_sign = false;
  for (; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '>' && at_sign) return i + 1;
    if (c == '@' && !at_sign && i > at + 1) {
      at_sign = true;
    } else if (!(is_letter(c) || is_digit(c) || c == '.' || c == '-' ||
                 (!at_sign && std::string_view("!#$%&'*+/=?^_`{|}~").find(c) != kNone))) {
      return kNone;
    }
  }
  return kNone;
}

// The place of every run of backticks, found once, so that looking for the end of a code span never starts
// over.
class Backticks {
 public:
  // Start of the next run of exactly `length` at or behind `from`; kNone when there is none.
  std::size_t closing(std::string_view text, std::size_t from, std::size_t length) {
    if (!scanned_) scan(text);
    const auto found = runs_.find(length);
    if (found == runs_.end()) return kNone;
    const auto& places = found->second;
    const auto next = std::lower_bound(places.begin(), places.end(), from);
    return next == places.end() ? kNone : *next;
  }

 private:
  void scan(std::string_view text) {
    scanned_ = true;
    for (std::size_t at = text.find('`'); at != kNone; at = text.find('`', at)) {
      std::size_t end = at;
      while (end < text.size() && text[end] == '`') ++end;
      runs_[end - at].push_back(at);
      at = end;
    }
  }

  bool scanned_ = false;
  std::map<std::size_t, std::vector<std::size_t>> runs_;
};

// Behind "(" of an inline link: the offset behind its ")", kNone when it is no link (CommonMark 6.3).
std::size_t link_tail_end(std::string_view text, std::size_t at) {
  at = skip_blank(text, at);
  if (at < text.size() && text[at] == '<') {
    for (++at; at < text.size() && text[at] != '>'; ++at) {
      if (text[at] == '<' || text[at] == '\n') return kNone;
      if (text[at] == '\\' && at + 1 < text.size() && is_punctuation(text[at + 1])) ++at;
    }
    if (at >= text.size()) return kNone;
    ++at;
  } else {
    int depth = 0;
    for (; at < text.size(); ++at) {
      const char c = text[at];
      if (c == '\\' && at + 1 < text.size() && is_punctuation(text[at + 1])) {
        ++at;
      } else if (c == '(') {
        if (++depth > 32) return kNone;
      } else if (c == ')') {
        if (depth == 0) break;
        --depth;
      } else if (static_cast<unsigned char>(c) <= ' ') {
        break;
      }
    }
    if (depth != 0) return kNone;
  }
  const std::size_t before_title = at;
  at = skip_blank(text, at);
  if (at < text.size() && at > before_title && (text[at] == '"' || text[at] == '\'' || text[at] == '(')) {
    const char end = text[at] == '(' ? ')' : text[at];
    const bool parentheses = end == ')';
    for (++at; at < text.size() && text[at] != end; ++at) {
      if (parentheses && text[at] == '(') return kNone;
      if (text[at] == '\\' && at + 1 < text.size() && is_punctuation(text[at + 1])) ++at;
    }
    if (at >= text.size()) return kNone;
    at = skip_blank(text, at + 1);
  }
  return at < text.size() && text[at] == ')' ? at + 1 : kNone;
}

}  // namespace

std::size_t html_tag_end(std::string_view text, std::size_t at) {
  std::size_t i = at + 1;
  const bool closing = i < text.size() && text[i] == '/';
  if (closing) ++i;
  if (i >= text.size() || !is_letter(text[i])) return kNone;
  while (i < text.size() && (is_letter(text[i]) || is_digit(text[i]) || text[i] == '-')) ++i;
  if (closing) {
    i = skip_blank(text, i);
    return i < text.size() && text[i] == '>' ? i + 1 : kNone;
  }
  for (;;) {
    const std::size_t after_blank = skip_blank(text, i);
    const bool blank = after_blank > i;
    i = after_blank;
    if (i >= text.size()) return kNone;
    if (text[i] == '>') return i + 1;
    if (text[i] == '/') return i + 1 < text.size() && text[i + 1] == '>' ? i + 2 : kNone;
    if (!blank || !(is_letter(text[i]) || text[i] == '_' || text[i] == ':')) return kNone;
    while (i < text.size() && (is_letter(text[i]) || is_digit(text[i]) || text[i] == '_' || text[i] == ':' ||
                               text[i] == '.' || text[i] == '-')) {
      ++i;
    }
    const std::size_t equals = skip_blank(text, i);
    if (equals >= text.size() || text[equals] != '=') continue;
    i = skip_blank(text, equals + 1);
    if (i >= text.size()) return kNone;
    if (text[i] == '"' || text[i] == '\'') {
      const std::size_t end = text.find(text[i], i + 1);
      if (end == kNone) return kNone;
      i = end + 1;
    } else {
      const std::size_t start = i;
      while (i < text.size() && !is_inline_space(text[i]) &&
             std::string_view("\"'=<>`").find(text[i]) == kNone)
        ++i;
      if (i == start) return kNone;
    }
  }
}

void scan_inlines(std::string_view text, InlineScan& result) {
  result.clear();
  Backticks backticks;
  std::vector<bool> brackets;      // open ones; true: of an image
  std::size_t inactive_below = 0;  // brackets under a finished link can no longer open one
  bool no_instruction = false;     // no "?>" is left, likewise the others: looked for once
  bool no_cdata = false;
  bool no_declaration = false;
  bool no_comment = false;
  for (std::size_t at = 0;;) {
    while (at < text.size() && !kStops[static_cast<unsigned char>(text[at])]) ++at;
    if (at >= text.size()) return;
    switch (text[at]) {
      case '\\':
        at += at + 1 < text.size() && is_punctuation(text[at + 1]) ? 2 : 1;
        break;
      case '`': {
        std::size_t end = at;
        while (end < text.size() && text[end] == '`') ++end;
        const std::size_t length = end - at;
        const std::size_t closing = backticks.closing(text, end, length);
        if (closing == kNone) {
          at = end;
          break;
        }
        if (text.substr(end, closing - end).find(kOpen) != kNone)
          result.code.push_back({at, closing + length});
        at = closing + length;
        break;
      }
      case '<': {
        const std::string_view rest = text.substr(at);
        std::size_t end = kNone;
        if (rest.starts_with(kOpen)) {
          if (!no_comment) end = comment_end(text, at);
          if (end == kNone) {
            no_comment = true;
            result.open_comments.push_back({at, text.size()});
            at += kOpen.size();
            break;
          }
          result.comments.push_back({at, end});
        } else if (rest.starts_with("<?")) {
          if (!no_instruction) {
            end = text.find("?>", at + 2);
            no_instruction = end == kNone;
            if (end != kNone) end += 2;
          }
        } else if (rest.starts_with("<![CDATA[")) {
          if (!no_cdata) {
            end = text.find("]]>", at + 9);
            no_cdata = end == kNone;
            if (end != kNone) end += 3;
          }
        } else if (rest.size() > 2 && rest[1] == '!' && is_letter(rest[2])) {
          if (!no_declaration) {
            end = text.find('>', at + 2);
            no_declaration = end == kNone;
            if (end != kNone) ++end;
          }
        } else {
          end = autolink_end(text, at);
          if (end == kNone) end = html_tag_end(text, at);
        }
        at = end == kNone ? at + 1 : end;
        break;
      }
      case '!':
        if (at + 1 < text.size() && text[at + 1] == '[') {
          brackets.push_back(true);
          ++at;
        }
        ++at;
        break;
      case '[':
        brackets.push_back(false);
        ++at;
        break;
      default: {  // ']'
        ++at;
        if (brackets.empty()) break;
        const bool image = brackets.back();
        brackets.pop_back();
        const bool active = image || brackets.size() >= inactive_below;
        inactive_below = std::min(inactive_below, brackets.size());
        if (!active || at >= text.size() || text[at] != '(') break;
        const std::size_t end = link_tail_end(text, at + 1);
        if (end == kNone) break;
        at = end;
        if (!image) inactive_below = brackets.size();
        break;
      }
    }
  }
}

void scan_html(std::string_view html, InlineScan& result) {
  static constexpr std::array<std::string_view, 3> kRawText{"script", "style", "textarea"};
  result.clear();
  bool no_comment = false;
  bool no_instruction = false;
  bool no_cdata = false;
  // Moves `at` behind a part that is neither shown nor a comment, from `begins` to `ends`. False: none is
  // here.
  const auto pass = [&](std::size_t& at, std::string_view begins, std::string_view ends, bool& none_left) {
    if (none_left || !html.substr(at).starts_with(begins)) return false;
    const std::size_t end = html.find(ends, at + begins.size());
    none_left = end == kNone;
    if (!none_left) at = end + ends.size();
    return !none_left;
  };
  for (std::size_t at = html.find('<'); at != kNone; at = html.find('<', at)) {
    if (html.substr(at).starts_with(kOpen)) {
      const std::size_t end = no_comment ? kNone : comment_end(html, at);
      if (end == kNone) {
        no_comment = true;
        result.open_comments.push_back({at, html.size()});
        at += kOpen.size();
        continue;
      }
      result.comments.push_back({at, end});
      at = end;
      continue;
    }
    if (pass(at, "<![CDATA[", "]]>", no_cdata) || pass(at, "<?", "?>", no_instruction)) continue;
    const std::size_t tag = html_tag_end(html, at);
    if (tag == kNone) {
      ++at;
      continue;
    }
    std::size_t next = tag;
    for (const std::string_view name : kRawText) {
      const std::string_view rest = html.substr(at + 1);
      if (rest.size() <= name.size() || is_letter(rest[name.size()]) || rest[name.size()] == '-') continue;
      if (!std::equal(name.begin(), name.end(), rest.begin(), [](char a, char b) { return a == lower(b); }))
        continue;
      // Its text goes on to the closing tag, whatever it looks like.
      std::size_t end = tag;
      for (;; ++end) {
        end = html.find("</", end);
        if (end == kNone) {
          end = html.size();
          break;
        }
        const std::string_view closing = html.substr(end + 2);
        if (closing.size() >= name.size() && std::equal(name.begin(), name.end(), closing.begin(),
                                                        [](char a, char b) { return a == lower(b); })) {
          break;
        }
      }
      if (html.substr(tag, end - tag).find(kOpen) != kNone) result.code.push_back({tag, end});
      next = end;
      break;
    }
    at = next;
  }
}

bool has_visible_text(std::string_view text, const std::vector<Span>& comments, bool is_html) {
  std::size_t comment = 0;
  for (std::size_t at = 0; at < text.size();) {
    if (comment < comments.size() && comments[comment].begin == at) {
      at = comments[comment++].end;
      continue;
    }
    if (is_html && text[at] == '<') {
      const std::size_t end = html_tag_end(text, at);
      if (end != kNone) {
        at = end;
        continue;
      }
    }
    if (!is_inline_space(text[at])) return true;
    ++at;
  }
  return false;
}

}  // namespace plankeep::markdown

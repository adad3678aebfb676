// Words, ids, paths: the second half of message_scanner.

#include <algorithm>

#include "audit/message_scanner.hpp"
#include "base/text.hpp"

namespace plankeep::core {
namespace {

using base::all_digits;
using base::one_of;

bool capital(std::string_view run) {
  const char32_t first = base::decode_at(run, 0).value;
  return base::to_lower(first) != first;
}

/// "plan.md", "docs/plan.md": the name says what it is.
WordClass file_class(std::string_view lower) {
  const std::size_t slash = lower.rfind('/');
  if (slash != std::string_view::npos) lower.remove_prefix(slash + 1);
  return one_of(lower, {"plan.md", "tasks.md", "todo.md", "roadmap.md"}) ? word::kPlan : 0;
}

}  // namespace

bool Scanner::starts_path(char32_t value) const {
  if (value != '/' && value != '.' && value != '~' && value != '@' && value != '\\' && value != '$')
    return false;
  if (at_ > 0 && std::string_view(" \t\n([\"'").find(text_[at_ - 1]) == std::string_view::npos) return false;
  if (value == '.' || value == '~') return ahead(1) == '/' || (ahead(1) == '.' && ahead(2) == '/');
  return base::is_letter(ahead(1)) || base::is_digit(ahead(1));
}

bool Scanner::possessive_behind(std::size_t end) const {
  std::string_view behind = text_.substr(end);
  while (behind.starts_with('`') || behind.starts_with('*')) behind.remove_prefix(1);
  if (behind.starts_with('\''))
    behind.remove_prefix(1);
  else if (behind.starts_with("\u2019"))
    behind.remove_prefix(3);
  else
    return false;
  return behind.starts_with('s') && !(behind.size() > 1 && base::is_letter(behind[1]));
}

bool Scanner::strong_at(std::size_t from, std::size_t to) const {
  const std::string_view before = text_.substr(0, from), behind = text_.substr(to);
  return (before.ends_with("**") && (behind.starts_with("**") || behind.starts_with(":**"))) ||
         (before.ends_with("__") && (behind.starts_with("__") || behind.starts_with(":__")));
}

void Scanner::take_run(char32_t first) {
  if (at_ >= chunk_end_) {
    chunk_end_ = run_end(at_, [](char32_t value) {
      return (base::is_word_character(value) && !is_cjk(value)) ||
             (value < 0x80 &&
              std::string_view("_-./\\:#@~%+=?&$").find(static_cast<char>(value)) != std::string_view::npos);
    });
    if (chunk_end_ > at_ && take_chunk(text_.substr(at_, chunk_end_ - at_))) return;
  }
  const auto id_part = [](char32_t value) {
    return base::is_word_character(value) || value == '_' || value == '-' || value == '.';
  };
  // Only where the scripts meet can a run be more than its Latin part, and only an id's length of it.
  if (at_ >= run_end_) {
    run_end_ = run_end(at_, id_part);
    const std::string_view run = trim_run(text_.substr(at_, run_end_ - at_));
    if (take_percentage(run)) return;
    if (const auto* entry = names_.find(run)) return take_word(run, entry);
  }
  if (is_cjk(first)) return take_phrases();
  const std::size_t end = run_end(at_, [&](char32_t value) { return id_part(value) && !is_cjk(value); });
  if (end <= at_) {
    ++at_;
    return;
  }
  take_latin(trim_run(text_.substr(at_, end - at_)));
}

std::string_view Scanner::trim_run(std::string_view run) {
  const auto last = run.find_last_not_of("-._");
  return last == std::string_view::npos ? run.substr(0, 1) : run.substr(0, last + 1);
}

bool Scanner::take_chunk(std::string_view chunk) {
  const auto last = chunk.find_last_not_of(".:?#-_~=&");
  if (last == std::string_view::npos) return false;
  chunk = chunk.substr(0, last + 1);
  const std::size_t hash = chunk.find('#');
  const bool address = chunk.find("://") != std::string_view::npos ||
                       chunk.find('@') != std::string_view::npos ||
                       chunk.find('\\') != std::string_view::npos || chunk[0] == '$' ||
                       (hash != std::string_view::npos && hash > 0);
  if (!address && chunk.find('/') == std::string_view::npos) return false;
  at_ += chunk.size();
  if (address) {
    emit(Kind::opaque);
    return true;
  }
  const std::string lower = base::to_lower(chunk);
  if (const auto* entry = names_.find(chunk)) {
    Token& token = emit(Kind::word);
    token.entry = entry;
    token.text = std::string(chunk);
    token.possessive = possessive_behind(at_);
    return true;
  }
  if (const WordClass classes = word_class(lower); classes != 0) {
    emit(Kind::word).classes = classes;
    return true;
  }
  if (lower == "n/a") {
    emit(Kind::bad);
    return true;
  }
  if (take_fraction(chunk)) return true;
  UnitTokens list;
  std::size_t start = 0;
  bool ids = chunk.size() <= kIdListBytes;
  while (ids && start <= chunk.size()) {
    const std::size_t end = std::min(chunk.find('/', start), chunk.size());
    const std::string_view piece = chunk.substr(start, end - start);
    const auto* entry = names_.find(piece);
    ids = entry != nullptr && (entry->kind == IdKind::code || entry->kind == IdKind::number);
    if (start > 0) list.tokens.emplace_back().classes = word::kJoin;
    Token& token = list.tokens.emplace_back();
    token.kind = Kind::word;
    token.entry = entry;
    token.text = std::string(piece);
    start = end + 1;
  }
  if (ids) {
    for (Token& token : list.tokens) {
      token.line = line_;
      if (token.is(word::kJoin)) token.kind = Kind::word;
      out_.tokens.push_back(std::move(token));
    }
  } else {
    emit(Kind::opaque).classes = file_class(lower);
  }
  return true;
}

bool Scanner::take_fraction(std::string_view chunk) {
  const std::size_t slash = chunk.find('/');
  const std::string_view part = chunk.substr(0, slash), whole = chunk.substr(slash + 1);
  if (!all_digits(part) || !all_digits(whole) || part.size() > 6 || whole.size() > 6) return false;
  if (names_.find(part) != nullptr && names_.find(whole) != nullptr) return false;
  Token& token = emit(Kind::word);
  token.text = std::string(chunk);
  set_share(token, static_cast<std::uint32_t>(std::stoul(std::string(part))),
            static_cast<std::uint32_t>(std::stoul(std::string(whole))));
  return true;
}

void Scanner::take_word(std::string_view run, const TaskNames::Entry* entry) {
  Token& token = emit(Kind::word);
  token.text = std::string(run);
  token.entry = entry;
  token.classes = word_class(base::to_lower(run));
  token.capital = capital(run);
  token.strong = strong_at(at_, at_ + run.size());
  at_ += run.size();
  token.possessive = possessive_behind(at_);
  if (token.possessive) at_ += text_[at_] == '\'' ? 2 : 4;
}

void Scanner::take_phrases() {
  const std::size_t end = run_end(at_, [](char32_t value) { return is_cjk(value); });
  const std::string_view run = text_.substr(at_, end - at_);
  const Phrase whole = phrase_at(run);
  if (whole.length < run.size() && run.size() < 600 && names_.next_node(0, run) != TaskNames::kNoNode) {
    emit(Kind::word).text = std::string(run);
    at_ = end;
    return;
  }
  std::uint32_t before = TaskNames::kNoNode;
  if (!out_.tokens.empty() && out_.tokens.back().kind == Kind::word) {
    before = names_.next_node(0, out_.tokens.back().text);
  }
  while (at_ < end) {
    const std::string_view behind = text_.substr(at_, end - at_);
    const Phrase phrase = phrase_at(behind);
    if (const std::size_t id = names_.unspaced_at(behind); id > phrase.length) {
      take_word(behind.substr(0, id), names_.find(behind.substr(0, id)));
      continue;
    }
    // "\u767b\u5f55\u9875\u9762\u5df2\u5b8c\u6210": a title and what is said of it
    if (const std::size_t word = names_.title_word_at(behind, before);
        word > phrase.length && (word == behind.size() || phrase_at(behind.substr(word)).length > 0)) {
      emit(Kind::word).text = std::string(behind.substr(0, word));
      at_ += word;
      continue;
    }
    const std::size_t length = phrase.length > 0 ? phrase.length : base::decode_at(text_, at_).length;
    Token& token = emit(Kind::word);
    token.classes = phrase.classes;
    token.text = std::string(text_.substr(at_, length));
    at_ += length;
  }
}

void Scanner::take_latin(std::string_view run) {
  const auto* entry = names_.find(run);
  if (entry != nullptr) return take_word(run, entry);
  if (names_.looks_like_id(run)) {
    take_word(run, nullptr);
    out_.tokens.back().unknown = true;
    return;
  }
  if (take_range(run)) return;
  const std::string lower = base::to_lower(run);
  if (take_label(run, lower)) return;
  // A file, a version, a name of code. ("e.g", too, which is what it should be.)
  const bool name = run.find_first_of("._") != std::string_view::npos;
  if (name || word_class(lower) != 0 || run.find('-') == std::string_view::npos) {
    const bool strong = strong_at(at_, at_ + run.size());
    at_ += run.size();
    take_plain(lower, name);
    // "(GET, POST)"
    if (run == "GET") out_.tokens.back().classes = 0;
    out_.tokens.back().capital = capital(run);
    out_.tokens.back().strong = strong;
    return;
  }
  at_ += run.size();
  for (std::size_t start = 0; start < lower.size();) {
    const std::size_t end = std::min(lower.find('-', start), lower.size());
    if (end > start) take_plain(lower.substr(start, end - start), false);
    start = end + 1;
  }
}

bool Scanner::take_label(std::string_view run, std::string_view lower) {
  const std::size_t behind = std::min(text_.find_first_not_of(" *", at_ + run.size()), text_.size());
  if (run.find('_') == std::string_view::npos || behind == text_.size() ||
      std::string_view(":=]-").find(text_[behind]) == std::string_view::npos ||
      !std::all_of(run.begin(), run.end(), [](char c) { return c == '_' || (c >= 'A' && c <= 'Z'); })) {
    return false;
  }
  // Another word makes it the name of something else: "BUILD_DONE".
  constexpr WordClass kSaid = word::kTask | word::kAspect | word::kWork | word::kPlainDone | word::kNot |
                              word::kOpen | word::kAll | word::kMine;
  std::vector<std::string_view> parts;
  for (std::size_t start = 0; start <= lower.size();) {
    const std::size_t end = std::min(lower.find('_', start), lower.size());
    if (end > start) parts.push_back(lower.substr(start, end - start));
    start = end + 1;
  }
  if (!std::all_of(parts.begin(), parts.end(),
                   [](std::string_view part) { return part == "to" || (word_class(part) & kSaid) != 0; })) {
    return false;
  }
  for (const std::string_view part : parts) {
    Token& token = emit(Kind::word);
    token.text = std::string(part);
    token.classes = word_class(part);
  }
  at_ += run.size();
  return true;
}

void Scanner::take_plain(std::string lower, bool name) {
  Token& token = emit(name ? Kind::opaque : Kind::word);
  token.text = std::move(lower);
  if (name) token.classes = file_class(token.text);
  if (name) return;
  const std::string_view behind = rest();
  const std::size_t mark = behind.starts_with('\'') ? 1 : behind.starts_with("\u2019") ? 3 : 0;
  if (mark > 0) {
    const std::size_t end = run_end(at_ + mark, [](char32_t c) { return base::is_word_character(c); });
    if (end > at_ + mark && end - at_ <= 20) {
      const std::string tail = base::to_lower(text_.substr(at_ + mark, end - at_ - mark));
      const std::string joined = token.text + "'" + tail;
      if (tail == "t" || tail == "ll" || tail == "d" || token.text == "n") {
        token.classes = word::kNot | (tail == "t" || token.text == "n" ? word::kTail : 0);
        token.text = joined;
        at_ = end;
        return;
      }
      if (one_of(tail, {"s", "ve", "re", "m", "ai"})) {
        token.text = joined;
        token.classes =
            word_class(joined) | (tail == "s" ? word_class(joined.substr(0, joined.size() - 2)) : 0);
        at_ = end;
        return;
      }
    }
  }
  token.classes = word_class(token.text);
  if (all_digits(token.text)) take_percent(token);
}

std::size_t Scanner::percent_end(std::size_t end) const {
  std::string_view behind = text_.substr(end);
  for (const std::string_view gap : {" ", "\u00a0", "\u202f"})
    if (behind.starts_with(gap)) behind.remove_prefix(gap.size());
  if (!behind.starts_with('%') && !behind.starts_with("\uff05")) return 0;
  return static_cast<std::size_t>(behind.data() - text_.data()) + (behind[0] == '%' ? 1 : 3);
}

void Scanner::take_percent(Token& token) {
  const std::size_t end = percent_end(at_);
  if (end == 0) return;
  set_share(token, token.text.size() > 3 ? 100 : static_cast<std::uint32_t>(std::stoul(token.text)), 100);
  at_ = end;
}

bool Scanner::take_percentage(std::string_view run) {
  const std::size_t point = std::min(run.find('.'), run.size());
  const std::string_view whole = run.substr(0, point);
  if (!all_digits(whole) || (point < run.size() && !all_digits(run.substr(point + 1)))) return false;
  const std::size_t end = percent_end(at_ + run.size());
  if (end == 0) return false;
  Token& token = emit(Kind::word);
  token.text = std::string(run);
  set_share(token, whole.size() > 3 ? 100 : static_cast<std::uint32_t>(std::stoul(std::string(whole))), 100);
  at_ = end;
  return true;
}

bool Scanner::take_range(std::string_view run) {
  std::size_t tries = 0;
  for (std::size_t i = 1; i + 1 < run.size() && tries < 8; ++i) {
    const bool dots = run[i] == '.' && run[i + 1] == '.';
    if (run[i] != '-' && !dots) continue;
    ++tries;
    const std::string_view from = run.substr(0, i);
    std::string_view to = run.substr(i + 1);
    while (to.starts_with('.')) to.remove_prefix(1);
    const auto* first = names_.find(from);
    if (first == nullptr || (first->kind != IdKind::code && first->kind != IdKind::number)) continue;
    if (!all_digits(to) && names_.find(to) == nullptr && !names_.looks_like_id(to)) continue;
    const TaskSet tasks = names_.range(from, to);
    if (tasks.empty()) continue;
    Token& token = emit(first->kind == IdKind::code ? Kind::id : Kind::word);
    token.entry = first;
    token.tasks = tasks;
    token.text = std::string(run);
    at_ += run.size();
    return true;
  }
  return false;
}

}  // namespace plankeep::core

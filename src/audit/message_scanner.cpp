#include "audit/message_scanner.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/text.hpp"
#include "base/unicode/composed.hpp"

namespace plankeep::core {
namespace {

constexpr std::size_t kLongestTag = 120;
constexpr std::size_t kLongestDone = 40;  // bytes of "done" behind what is struck out
constexpr std::size_t kLongestDestination = 500;

}  // namespace

UnitTokens Scanner::run() {
  while (at_ < text_.size()) step();
  return std::move(out_);
}

Token& Scanner::emit(Kind kind) {
  Token& token = out_.tokens.emplace_back();
  token.kind = kind;
  token.line = line_;
  token.code = code_;
  return token;
}

void Scanner::step() {
  const base::CodePoint point = base::decode_at(text_, at_);
  // U+FE0F makes an emoji of the sign before it, U+FE0E a letter; by itself it says nothing.
  const bool selector = point.value == 0xFE0E || point.value == 0xFE0F;
  if (point.valid && !selector && (base::is_word_character(point.value) || starts_path(point.value)))
    return take_run(point.value);
  switch (point.value) {
    case '\n':
      emit(Kind::line_break);
      ++at_;
      ++line_;
      return;
    case '`':
      return take_code();
    case '<':
      return take_tag();
    case '~':
      return take_tilde();
    case '[':
    case ']':
      return take_bracket();
    case ':':
      return take_colon();
    case '.':
      return take_stop();
    case '-':
    case '=':
      emit(Kind::dash);
      at_ = std::min(text_.find_first_not_of("-=>", at_), text_.size());
      return;
    case '#':
      emit(Kind::other).text = "#";
      break;
    default:
      take_symbol(point.value);
  }
  at_ += point.length;
}

void Scanner::take_symbol(char32_t value) {
  switch (value) {
    case '(':
    case '{':
    case 0xFF08:
    case 0x3010:
      emit(Kind::open);
      return;
    case ')':
    case '}':
    case 0xFF09:
    case 0x3011:
      emit(Kind::close);
      return;
    case '"':
    case 0x201C:
    case 0x201D:
    case 0x201E:
    case 0xAB:
    case 0xBB:
    case 0x300C:
    case 0x300D:
    case 0x300E:
    case 0x300F:
      emit(Kind::quote);
      return;
    case ',':
    case 0xFF0C:
    case 0x3001:
      emit(Kind::comma);
      return;
    case ';':
    case 0xFF1B:
      emit(Kind::semicolon);
      return;
    case 0xFF1A:
      emit(Kind::colon);
      return;
    case '!':
    case 0xFF01:
    case 0x3002:
    case 0xFF0E:
      emit(Kind::stop);
      return;
    case '?':
    case 0xFF1F:
      emit(Kind::question);
      return;
    case 0x2013:
    case 0x2014:
    case 0x2192:
    case 0x2026:
      emit(Kind::dash);
      return;
    case 0x301C:
    case 0xFF5E:
      emit(Kind::other).classes = word::kRange;
      return;
    case '&':
    case '+':
      emit(Kind::word).classes = word::kJoin | word::kLeft;
      return;
    case '|':
    case '/':
      emit(Kind::other);
      return;
    default:
      if (const Sign sign = sign_of(value); sign != Sign::none)
        emit(sign == Sign::good ? Kind::good : Kind::bad);
  }
}

void Scanner::take_stop() {
  const std::size_t end = std::min(text_.find_first_not_of('.', at_), text_.size());
  const std::string_view behind = text_.substr(end, 1);
  const bool ends = behind.empty() ||
                    std::string_view(" \t\n)\"'*_]`<").find(behind) != std::string_view::npos ||
                    static_cast<unsigned char>(behind[0]) >= 0x80;
  if (end - at_ > 1)
    emit(Kind::dash);
  else
    emit(ends ? Kind::stop : Kind::other);
  at_ = end;
}

void Scanner::take_colon() {
  static constexpr std::array<std::string_view, 4> kTicks = {
      ":white_check_mark:", ":heavy_check_mark:", ":ballot_box_with_check:", ":tada:"};
  static constexpr std::array<std::string_view, 5> kCrosses = {
      ":x:", ":construction:", ":warning:", ":hourglass:", ":hourglass_flowing_sand:"};
  for (const std::string_view name : kTicks)
    if (rest().starts_with(name)) {
      emit(Kind::good);
      at_ += name.size();
      return;
    }
  for (const std::string_view name : kCrosses)
    if (rest().starts_with(name)) {
      emit(Kind::bad);
      at_ += name.size();
      return;
    }
  emit(Kind::colon);
  ++at_;
}

bool Scanner::struck_as_done(std::size_t behind) const {
  std::string_view said = text_.substr(behind, kLongestDone + 1);
  said = base::trimmed(said.substr(0, said.find('\n')));
  while (!said.empty() && (said.ends_with('.') || said.ends_with(')'))) said.remove_suffix(1);
  while (!said.empty() && (said.starts_with('(') || said.starts_with('-')))
    said = base::trimmed(said.substr(1));
  if (said.empty() || said.size() > kLongestDone) return false;
  const base::CodePoint first = base::decode_at(said, 0);
  const std::string_view rest = said.substr(first.length);
  if (sign_of(first.value) == Sign::good) return rest.empty() || rest == "\ufe0f";
  return (word_class(base::to_lower(said)) & word::kPlainDone) != 0;
}

void Scanner::take_tilde() {
  if (ahead(1) == '~') {
    // Struck out is taken back.
    const auto close = no_strike_ ? std::string_view::npos : text_.find("~~", at_ + 2);
    no_strike_ = no_strike_ || close == std::string_view::npos;
    if (at_ == strike_end_ || (close != std::string_view::npos && struck_as_done(close + 2))) {
      strike_end_ = at_ == strike_end_ ? std::string_view::npos : close;
      at_ += 2;
      return;
    }
    if (close != std::string_view::npos) {
      line_ += static_cast<std::size_t>(std::count(text_.begin() + static_cast<std::ptrdiff_t>(at_),
                                                   text_.begin() + static_cast<std::ptrdiff_t>(close), '\n'));
      at_ = close + 2;
      return;
    }
    at_ += 2;
    return;
  }
  emit(Kind::other).classes = word::kRange;
  ++at_;
}

void Scanner::take_bracket() {
  if (text_[at_] == ']') {
    if (ahead(1) != '(') {
      emit(Kind::close).text = "]";
      ++at_;
      return;
    }
    // A link: its text counts, its brackets and destination do not.
    const auto close = text_.substr(0, std::min(text_.size(), at_ + kLongestDestination)).find(')', at_);
    if (link_open_ < out_.tokens.size()) out_.tokens[link_open_].erased = true;
    at_ = close == std::string_view::npos ? at_ + 1 : close + 1;
    return;
  }
  for (const std::string_view box : {"[x]", "[X]", "[\u2713]", "[\u2714]", "[\u2714\ufe0f]", "[\u2705]"})
    if (rest().starts_with(box) && ahead(box.size()) != '(') {
      emit(Kind::good);
      at_ += box.size();
      return;
    }
  for (const std::string_view box : {"[ ]", "[~]", "[/]", "[-]", "[]"})
    if (rest().starts_with(box)) {
      emit(Kind::bad);
      at_ += box.size();
      return;
    }
  link_open_ = out_.tokens.size();
  emit(Kind::open).text = "[";
  ++at_;
}

void Scanner::take_tag() {
  if (rest().starts_with("<!--")) {
    const auto close = no_comment_ ? std::string_view::npos : text_.find("-->", at_ + 4);
    no_comment_ = no_comment_ || close == std::string_view::npos;
    if (close != std::string_view::npos) {
      take_marker(text_.substr(at_ + 4, close - at_ - 4));
      line_ += static_cast<std::size_t>(std::count(text_.begin() + static_cast<std::ptrdiff_t>(at_),
                                                   text_.begin() + static_cast<std::ptrdiff_t>(close), '\n'));
      at_ = close + 3;
      return;
    }
  } else if (base::is_letter(ahead(1)) || ahead(1) == '/') {
    const auto close = text_.substr(0, std::min(text_.size(), at_ + kLongestTag)).find_first_of(">\n", at_);
    if (close != std::string_view::npos && text_[close] == '>') {
      at_ = close + 1;
      return;
    }
  }
  emit(Kind::other);
  ++at_;
}

void Scanner::take_marker(std::string_view inside) {
  constexpr std::string_view kKind = "TASK";
  inside = base::trimmed(inside);
  if (!inside.starts_with(kKind)) return;
  inside = base::trimmed(inside.substr(kKind.size()));
  if (!inside.starts_with(':')) return;
  inside = base::trimmed(inside.substr(1));
  const auto* entry = names_.find(base::trimmed(inside.substr(0, inside.find('|'))));
  if (entry != nullptr) out_.markers.push_back(entry->one());
}

void Scanner::take_code() {
  const std::size_t ticks = std::min(text_.find_first_not_of('`', at_), text_.size()) - at_;
  const std::size_t start = at_ + ticks;
  std::size_t close = std::string_view::npos;
  if (ticks < kTickLengths && !no_code_[ticks]) {
    for (std::size_t i = start; i < text_.size();) {
      if (text_[i] != '`') {
        ++i;
        continue;
      }
      const std::size_t end = std::min(text_.find_first_not_of('`', i), text_.size());
      if (end - i == ticks) {
        close = i;
        break;
      }
      i = end;
    }
    no_code_[ticks] = close == std::string_view::npos;
  }
  if (close == std::string_view::npos) {
    at_ = start;
    return;
  }
  take_code_text(text_.substr(start, close - start));
  at_ = close + ticks;
}

void Scanner::take_code_text(std::string_view inside) {
  const auto first = inside.find_first_not_of(" \n");
  if (first == std::string_view::npos) return;
  inside = inside.substr(first, inside.find_last_not_of(" \n") - first + 1);
  if (const auto* entry = names_.find(inside)) {
    Token& token = emit(Kind::id);
    token.code = true;
    token.tasks = entry->one();
    token.entry = entry;
    token.text = std::string(inside);
    token.possessive =
        possessive_behind(static_cast<std::size_t>(inside.data() - text_.data()) + inside.size());
    return;
  }
  constexpr std::string_view kCommand = "plankeep done ";
  if (inside.starts_with(kCommand)) {
    const std::string_view id =
        inside.substr(kCommand.size(), inside.find(' ', kCommand.size()) - kCommand.size());
    if (const auto* entry = names_.find(id)) {
      emit(Kind::command).tasks = entry->one();
      return;
    }
  }
  if (inside.size() <= kIdListBytes) {
    UnitTokens list = Scanner(inside, line_, names_, true).run();
    const bool said = list.tokens.size() == 1 && (list.tokens[0].is(word::kPlainDone | word::kPlan) ||
                                                  list.tokens[0].kind == Kind::good);
    const auto fits = [](const Token& token) {
      return token.kind == Kind::comma || token.kind == Kind::dash || token.unknown ||
             token.is(word::kRange | word::kJoin) ||
             (token.entry != nullptr && token.entry->kind == IdKind::code) || token.kind == Kind::id;
    };
    if (said || std::all_of(list.tokens.begin(), list.tokens.end(), fits)) {
      std::move(list.tokens.begin(), list.tokens.end(), std::back_inserter(out_.tokens));
      return;
    }
  }
  for (std::string& piece : words_of(inside)) {
    Token& token = emit(Kind::opaque);
    token.text = std::move(piece);
    token.code = true;
  }
  if (inside.find('\n') != std::string_view::npos)
    line_ += static_cast<std::size_t>(std::count(inside.begin(), inside.end(), '\n'));
}

UnitTokens tokens_of(std::string_view text, std::size_t line, const TaskNames& names) {
  const std::string one_form = base::composed(text);
  UnitTokens out = Scanner(one_form, line, names).run();
  name_tokens(out.tokens, names);
  return out;
}

}  // namespace plankeep::core

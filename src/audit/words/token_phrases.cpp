// What a row of tokens means beyond its single words: words that belong together, shares of a whole,
// exceptions. Steps of name_tokens.

#include <algorithm>
#include <charconv>

#include "audit/message_tokens.hpp"
#include "base/text.hpp"
#include "base/utf8.hpp"

namespace plankeep::core {
namespace {

using Kind = Token::Kind;

constexpr std::size_t kAllBefore = 12;        // tokens from "everything" to "but"
constexpr std::size_t kAllBehind = 4;         // tokens from exceptions to "everything"
constexpr std::size_t kExceptionsReach = 60;  // tokens of one list of exceptions

/// "12", and in a percentage "1.5", of which the 1 is read.
bool number(const Token& token, std::uint32_t& value, bool decimal = false) {
  std::string text = token.text;
  if (decimal) text.resize(std::min(text.find('.'), text.size()));
  if (token.kind != Kind::word || text.empty() || text.size() > 6) return false;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} && end == text.data() + text.size();
}

void join_words(std::vector<Token>& tokens) {
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    if (tokens[i].kind != Kind::word || tokens[i].erased || !starts_words(tokens[i].text)) continue;
    std::string joined = tokens[i].text;
    std::size_t best = i;
    WordClass classes = 0;
    for (std::size_t k = i + 1; k < tokens.size() && k < i + kMostWords; ++k) {
      if (tokens[k].kind != Kind::word || tokens[k].text.empty()) break;
      joined += '_';
      joined += base::to_lower(tokens[k].text);
      if (const WordClass found = word_class(joined); found != 0) {
        best = k;
        classes = found;
      }
    }
    if (best == i) continue;
    tokens[i].classes = classes;
    tokens[i].entry = nullptr;
    for (std::size_t k = i + 1; k <= best; ++k) {
      tokens[i].text += '_' + base::to_lower(tokens[k].text);
      tokens[k].erased = true;
    }
    i = best;
  }
}

/// "2 of 3", "2/3" (one word), "40 percent".
void read_shares(std::vector<Token>& tokens) {
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    Token& token = tokens[i];
    std::uint32_t part = 0, whole = 0;
    const bool percent = i + 1 < tokens.size() && tokens[i + 1].is(word::kPercent);
    if (token.share || token.erased || !number(token, part, percent)) continue;
    if (percent) {
      token.entry = nullptr;
      set_share(token, part, 100);
      tokens[i + 1].erased = true;
    } else if (i + 2 < tokens.size() && tokens[i + 1].is(word::kOf) && number(tokens[i + 2], whole) &&
               !(i > 0 && tokens[i - 1].is(word::kTask)) && !tokens[i + 2].share) {
      set_share(token, part, whole);
      tokens[i + 1].erased = tokens[i + 2].erased = true;
    }
  }
}

/// "is everything", "sind alle Aufgaben", "the plan": what a list of exceptions at the front is left out of.
bool says_of_what(const std::vector<Token>& tokens, std::size_t i) {
  const std::size_t limit = i + kAllBehind;
  while (i < limit && is(tokens, i, word::kIs | word::kLeft | word::kArticle) && !is(tokens, i, word::kAll))
    ++i;
  return is(tokens, i, word::kAll) || (is(tokens, i, Kind::id) && tokens[i].phase);
}

/// The end of the list of ids that starts here; `leads`: its sentence does.
std::size_t list_end(const std::vector<Token>& tokens, std::size_t first, bool leads) {
  std::size_t end = first + 1, clause = 0;
  const std::size_t limit = std::min(tokens.size(), first + kExceptionsReach);
  for (std::size_t i = end; i < limit; ++i) {
    if (tokens[i].kind == Kind::id && tokens[i].phase != tokens[first].phase) break;
    if (tokens[i].kind == Kind::id) {
      end = i + 1;
    } else if (!(tokens[i].kind == Kind::comma || tokens[i].kind == Kind::dash ||
                 tokens[i].kind == Kind::quote ||
                 tokens[i].is(word::kJoin | word::kRange | word::kTask | word::kFrom))) {
      break;
    }
    if (leads && tokens[i].kind == Kind::comma && is(tokens, i + 1, Kind::id)) clause = i;
  }
  // "Apart from T1, T2 is done": what is behind the comma has a verb of its own.
  const bool own = !is(tokens, end, Kind::comma) && !says_of_what(tokens, end);
  return leads && clause > 0 && own ? clause : end;
}

/// "T3 to T5": makes the first id mean the tasks between the two as well.
void take_ranges(std::vector<Token>& tokens, const TaskNames& names, std::size_t first, std::size_t end) {
  std::size_t from = end;
  bool range = false;
  for (std::size_t i = first; i < end; ++i) {
    const Token& token = tokens[i];
    if (token.kind != Kind::id) {
      range = range || token.kind == Kind::dash || token.is(word::kRange);
      continue;
    }
    const bool plain = from < end && !token.title && !token.phase && !tokens[from].title;
    if (range && plain) {
      const TaskSet tasks = names.range(tokens[from].text, token.text);
      if (!tasks.empty()) tokens[from].tasks = tasks;
    }
    from = i;
    range = false;
  }
}

/// "Everything is done but T3."
bool but_excepts_behind(const std::vector<Token>& tokens, std::size_t i) {
  if (i == 0 || tokens[i].text != "but" || !tokens[i - 1].is(word::kPlainDone)) return false;
  bool all = false;
  for (std::size_t k = i; k > 0 && i - k < kAllBefore && tokens[k - 1].kind != Kind::stop; --k) {
    all = all || tokens[k - 1].is(word::kAll);
  }
  std::size_t first = i + 1;
  while (is(tokens, first, word::kTask | word::kArticle) || is(tokens, first, Kind::quote)) ++first;
  if (!all || !is(tokens, first, Kind::id)) return false;
  const std::size_t end = list_end(tokens, first, false);
  return end >= tokens.size() || tokens[end].kind != Kind::word;
}

/// "everything but T3", "all tasks but T3"
bool but_excepts(const std::vector<Token>& tokens, std::size_t i) {
  if (but_excepts_behind(tokens, i)) return true;
  return i > 0 && tokens[i].text == "but" &&
         (is(tokens, i - 1, word::kAll | word::kTask) ||
          (is(tokens, i - 1, Kind::id) && tokens[i - 1].phase));
}

bool says_optional(const std::vector<Token>& tokens, std::size_t i) {
  return is(tokens, i, Kind::word) && base::one_of(tokens[i].text, {"optional", "optionale", "optionalen"});
}

bool is_one_or_ones(const std::vector<Token>& tokens, std::size_t i) {
  return is(tokens, i, Kind::word) && base::one_of(tokens[i].text, {"one", "ones"});
}

}  // namespace

void set_share(Token& token, std::uint32_t part, std::uint32_t whole) {
  token.share = true;
  token.part = part;
  token.whole = whole;
  token.classes = part < whole ? word::kNot | word::kTail | word::kOpen : word::kLeft | word::kRight;
  if (whole == 100 && part == 100) token.classes |= word::kYes;
}

void join_tokens(std::vector<Token>& tokens) {
  join_words(tokens);
  std::erase_if(tokens, [](const Token& token) { return token.erased; });
  read_shares(tokens);
  std::erase_if(tokens, [](const Token& token) { return token.erased; });
}

void take_exceptions(std::vector<Token>& tokens, const TaskNames& names) {
  std::size_t from = 0;  // behind what was taken
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    std::size_t first = i, end = i;
    if (tokens[i].kind != Kind::word) continue;
    if (tokens[i].is(word::kExcept) || but_excepts(tokens, i)) {
      first = i + 1;
      bool optional = false;
      while (is(tokens, first, word::kTask | word::kArticle | word::kOf) || is(tokens, first, Kind::quote) ||
             says_optional(tokens, first)) {
        optional = optional || says_optional(tokens, first);
        ++first;
      }
      if (optional && is_one_or_ones(tokens, first)) ++first;
      // "All tasks except the optional ones": these are not meant anyway.
      if (optional && !is(tokens, first, Kind::id)) {
        for (std::size_t k = i; k < first; ++k) tokens[k].erased = true;
        continue;
      }
      if (!is(tokens, first, Kind::id)) continue;
      end = list_end(tokens, first, i == 0 || tokens[i - 1].kind == Kind::stop);
    } else if (tokens[i].is(word::kExceptAfter)) {
      std::size_t last = i;
      while (last > from && i - last < 3 && is(tokens, last - 1, word::kLeft | word::kTask)) --last;
      if (last <= from || !is(tokens, last - 1, Kind::id)) continue;
      first = last - 1;
      for (std::size_t k = first; k > from && i - k < kExceptionsReach; --k) {
        const Token& token = tokens[k - 1];
        if (token.kind == Kind::id && token.phase == tokens[last - 1].phase)
          first = k - 1;
        else if (token.kind != Kind::comma && !token.is(word::kJoin | word::kRange))
          break;
      }
      end = i;
    } else {
      continue;
    }
    tokens[i].erased = true;
    take_ranges(tokens, names, first, end);
    for (std::size_t k = std::min(first, i); k < end; ++k) {
      if (tokens[k].kind == Kind::id)
        tokens[k].kind = Kind::exception;
      else
        tokens[k].erased = true;
    }
    from = std::max(end, i + 1);
    i = from - 1;
  }
  std::erase_if(tokens, [](const Token& token) { return token.erased; });
}

}  // namespace plankeep::core

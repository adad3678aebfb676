// Titles of tasks as parts of a sentence: where one starts, what a sentence leaves out by title, what remains
// of a phase. Steps of name_tokens.

#include <algorithm>

#include "audit/message_tokens.hpp"

namespace plankeep::core {
namespace {

using Kind = Token::Kind;

constexpr std::size_t kArticles = 4;      // tokens between "except" and a title
constexpr std::size_t kRestReach = 8;     // tokens of "only ... remains", the tasks aside
constexpr std::size_t kMostLeftOut = 40;  // tasks of one list
constexpr std::size_t kTitleReach = 8;    // tokens of a title before "except" (Japanese, Korean)

void make_id(std::vector<Token>& tokens, std::size_t first, const TitleMatch& title) {
  Token& token = tokens[first];
  token.kind = Kind::id;
  token.classes = 0;
  token.title = true;
  token.tasks = title.entry->one();
  for (std::size_t i = first + 1; i < title.end; ++i) tokens[i].erased = true;
}

/// Nothing goes on from the title: "the checkout page", not "the checkout page tests".
bool ends_title(const std::vector<Token>& tokens, std::size_t end) {
  return !is(tokens, end, Kind::word) ||
         is(tokens, end, word::kIs | word::kJoin | word::kLeft | word::kDoneAfter);
}

TitleMatch title_or_tail(const std::vector<Token>& tokens, const TaskNames& names, std::size_t from) {
  const TitleMatch title = longest_title(tokens, names, from);
  return title.entry != nullptr ? title : longest_title_tail(tokens, names, from);
}

/// Makes ids of the titles in a list that starts at `from`. False: no title starts there.
bool name_titles(std::vector<Token>& tokens, const TaskNames& names, std::size_t from) {
  bool named = false;
  for (std::size_t titles = 0; titles < kMostLeftOut; ++titles) {
    std::size_t first = from;
    TitleMatch title;
    while (first < tokens.size() && first <= from + kArticles) {
      if (is(tokens, first, Kind::id)) return named;
      title = title_or_tail(tokens, names, first);
      if (title.entry != nullptr ||
          !is(tokens, first, word::kArticle | word::kRight | word::kLeft | word::kOf | word::kTask)) {
        break;
      }
      ++first;
    }
    if (title.entry == nullptr || !ends_title(tokens, title.end)) return named;
    make_id(tokens, first, title);
    for (std::size_t i = from; i < first; ++i) tokens[i].erased = true;
    named = true;
    from = title.end;
    while (from < title.end + 2 && (is(tokens, from, Kind::comma) || is(tokens, from, word::kJoin))) ++from;
    if (from == title.end) return true;
  }
  return named;
}

/// "決済連携以外": the title ends before the word.
void name_titles_before(std::vector<Token>& tokens, const TaskNames& names, std::size_t except) {
  std::size_t end = except;
  for (std::size_t titles = 0; titles < kMostLeftOut; ++titles) {
    while (end > 0 && except - end < kArticles && is(tokens, end - 1, word::kLeft | word::kTask)) --end;
    std::size_t first = end;
    while (first > 0 && end - first < kTitleReach && tokens[first - 1].kind == Kind::word) --first;
    while (first < end && longest_title(tokens, names, first).end != end) ++first;
    if (first == end) return;
    make_id(tokens, first, longest_title(tokens, names, first));
    if (first < 2 || !(is(tokens, first - 1, Kind::comma) || is(tokens, first - 1, word::kJoin))) return;
    except = end = first - 1;
  }
}

void drop_erased(std::vector<Token>& tokens) {
  std::erase_if(tokens, [](const Token& token) { return token.erased; });
}

bool ends_clause(const std::vector<Token>& tokens, std::size_t i) {
  return i >= tokens.size() || is(tokens, i, Kind::stop) || is(tokens, i, Kind::semicolon) ||
         is(tokens, i, Kind::open) || is(tokens, i, Kind::line_break);
}

bool between_rest(const Token& token) {
  constexpr WordClass kGlue =
      word::kOnly | word::kRemains | word::kIs | word::kLeft | word::kArticle | word::kRight | word::kAmong;
  return token.kind == Kind::word && (token.is(kGlue) || token.text == "noch" || token.text == "still" ||
                                      token.text == "ne" || token.text == "il" || token.text == "que");
}

/// Where the phrase that leads to this phase begins, if it begins a clause: "Of phase 2", "De la fase 2".
std::size_t clause_head(const std::vector<Token>& tokens, std::size_t phase) {
  std::size_t first = phase;
  while (first > 0 && phase - first < kArticles &&
         is(tokens, first - 1, word::kOf | word::kArticle | word::kRight | word::kFrom | word::kAmong)) {
    --first;
  }
  const bool starts =
      first == 0 || tokens[first - 1].kind != Kind::word || is(tokens, first - 1, word::kJoin | word::kBut);
  return starts ? first : phase + 1;
}

/// A task that is left: its tokens, and what they name.
struct LeftTask {
  std::size_t first = 0;
  std::size_t end = 0;
  TaskSet tasks;
};

std::vector<LeftTask> left_tasks(const std::vector<Token>& tokens, const TaskNames& names, std::size_t from) {
  std::vector<LeftTask> left;
  for (std::size_t i = from; i < tokens.size() && left.size() < kMostLeftOut;) {
    const Token& token = tokens[i];
    const bool id = token.kind == Kind::id && !token.phase && !token.every && !token.unknown;
    const bool number =
        token.kind == Kind::word && token.entry != nullptr && token.entry->kind == IdKind::number;
    if (id || number) {
      left.push_back({i, i + 1, number ? token.entry->one() : token.tasks});
    } else {
      const TitleMatch title = title_or_tail(tokens, names, i);
      if (title.entry == nullptr) break;
      left.push_back({i, title.end, title.entry->one()});
    }
    const std::size_t end = left.back().end;
    i = end;
    while (i < end + 2 && (is(tokens, i, Kind::comma) || is(tokens, i, word::kJoin))) ++i;
    if (i == end) break;
    while (is(tokens, i, word::kArticle)) ++i;
  }
  return left;
}

void name_rest_of(std::vector<Token>& tokens, const TaskNames& names, std::size_t phase) {
  const std::size_t head = clause_head(tokens, phase);
  if (head > phase) return;
  bool only = false, remains = false;
  std::size_t said = 0;  // a word of "only ... remains"
  const auto glue = [&](std::size_t i) {
    const std::size_t from = i;
    while (i < tokens.size() && i < from + kRestReach && between_rest(tokens[i])) {
      only = only || tokens[i].is(word::kOnly);
      remains = remains || tokens[i].is(word::kRemains);
      if (tokens[i].is(word::kOnly | word::kRemains)) said = i;
      ++i;
    }
    return i;
  };
  const std::size_t first = glue(is(tokens, phase + 1, Kind::comma) ? phase + 2 : phase + 1);
  const std::vector<LeftTask> left = left_tasks(tokens, names, first);
  if (left.empty()) return;
  const std::size_t behind = glue(left.back().end);
  if (!only || !remains || !ends_clause(tokens, behind)) return;
  for (std::size_t i = head; i < behind; ++i) tokens[i].erased = i != phase;
  for (const LeftTask& task : left) {
    Token& token = tokens[task.first];
    token.kind = Kind::exception;
    token.classes = 0;
    token.tasks = task.tasks;
    token.erased = false;
  }
  tokens[said].classes = word::kDoneAfter | word::kPlainDone;
  tokens[said].erased = false;
}

}  // namespace

TitleMatch longest_title(const std::vector<Token>& tokens, const TaskNames& names, std::size_t from) {
  TitleMatch best;
  std::uint32_t node = 0;
  std::size_t words = 0, bytes = 0, between = 0;
  for (std::size_t k = from; k < tokens.size() && words < TaskNames::kTitleWords; ++k) {
    const Token& token = tokens[k];
    if (token.erased) break;
    if (token.text.empty() || token.text == "#" || token.text == "[" || token.text == "]") {
      const bool mark = token.kind == Kind::stop || token.kind == Kind::good || token.kind == Kind::bad;
      if (k == from || mark || ++between > 3) break;
      continue;
    }
    between = 0;
    for (const std::string& word : words_of(token.text)) {
      node = names.next_node(node, word);
      if (node == TaskNames::kNoNode || ++words > TaskNames::kTitleWords) return best;
      bytes += word.size();
    }
    if (const auto* entry = names.title_at(node)) best = {k + 1, words, bytes, entry};
  }
  return best;
}

TitleMatch longest_title_tail(const std::vector<Token>& tokens, const TaskNames& names, std::size_t from) {
  TitleMatch best;
  std::uint32_t node = 0;
  std::size_t words = 0, bytes = 0;
  for (std::size_t k = from; k < tokens.size() && words < TaskNames::kTitleWords; ++k) {
    const Token& token = tokens[k];
    if (token.erased || token.kind != Kind::word || token.text.empty()) break;
    for (const std::string& word : words_of(token.text)) {
      node = names.next_node(node, word);
      if (node == TaskNames::kNoNode || ++words > TaskNames::kTitleWords) return best;
      bytes += word.size();
    }
    const auto* entry = names.title_tail_at(node);
    if (entry != nullptr && words > 1) best = {k + 1, words, bytes, entry};
  }
  return best;
}

void name_exceptions(std::vector<Token>& tokens, const TaskNames& names) {
  bool named = false;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i].kind != Kind::word || tokens[i].erased) continue;
    if (tokens[i].is(word::kExcept)) named = name_titles(tokens, names, i + 1) || named;
    if (tokens[i].is(word::kExceptAfter)) name_titles_before(tokens, names, i);
  }
  drop_erased(tokens);
}

void name_rest(std::vector<Token>& tokens, const TaskNames& names) {
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i].kind == Kind::id && tokens[i].phase && !tokens[i].every) name_rest_of(tokens, names, i);
  }
  drop_erased(tokens);
}

}  // namespace plankeep::core

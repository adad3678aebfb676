#include "audit/said_open.hpp"

#include "audit/words/retraction_words.hpp"
#include "base/text.hpp"

namespace plankeep::core {
namespace {

using base::one_of;
using Kind = Token::Kind;

constexpr std::size_t kOpenBehind = 7;    // tokens from an id to "remain"
constexpr std::size_t kOpenBefore = 7;    // tokens from "only" to an id
constexpr std::size_t kOpenArticles = 3;  // tokens from "completed" to "open"

bool ends_clause_of_open(const Token& token) {
  return token.kind == Kind::stop || token.kind == Kind::question || token.kind == Kind::semicolon;
}

bool opens(const std::vector<Token>& tokens, std::size_t i) {
  const Token& token = tokens[i];
  if (token.kind == Kind::bad) return true;
  if (token.kind != Kind::word || token.share) return false;
  // "no longer blocked", "still done"
  if (token.text == "no" && i + 1 < tokens.size() && tokens[i + 1].text == "longer") return false;
  if (token.text == "still" && is(tokens, i + 1, word::kPlainDone) && !is(tokens, i + 1, word::kOpen))
    return false;
  return token.is(word::kOpen | word::kRemains) || is_negation(token.text);
}

/// "T3 and T4 are still open", "T3 (not started)", "T3: missing"
bool open_behind(const std::vector<Token>& tokens, std::size_t end) {
  for (std::size_t i = end; i < tokens.size() && i < end + kOpenBehind; ++i) {
    const Token& token = tokens[i];
    // "T3 failing loader tests": a commit, say, and not how T3 stands
    if (opens(tokens, i)) return i > end || !is(tokens, i + 1, Kind::word) || tokens[i + 1].classes != 0;
    const bool mark = token.kind == Kind::open || token.kind == Kind::colon || token.kind == Kind::dash ||
                      token.kind == Kind::quote;
    const bool glue = token.kind == Kind::word && !token.is(word::kDoneAfter | word::kDoneBefore) &&
                      (token.is(word::kIs | word::kLeft | word::kOnly | word::kTask | word::kAll) ||
                       token.is(word::kArticle));
    if (!mark && !glue) return false;
  }
  return false;
}

/// "completed the last open item of phase 1"
bool made_before(const std::vector<Token>& tokens, std::size_t open) {
  std::size_t i = open;
  while (i > 0 && open - i < kOpenArticles && is(tokens, i - 1, Kind::word) &&
         !tokens[i - 1].is(word::kDoneBefore | word::kDid))
    --i;
  return i > 0 && is(tokens, i - 1, word::kDoneBefore | word::kDid) && !is_negation(tokens[open].text);
}

/// "Remaining: T3", "only T3 is left", "I did not do T3"; not "nothing remains of T3".
bool open_before(const std::vector<Token>& tokens, std::size_t first) {
  for (std::size_t i = first; i > 0 && first - i < kOpenBefore; --i) {
    const Token& token = tokens[i - 1];
    if (ends_clause_of_open(token) || token.kind == Kind::comma || token.kind == Kind::close) return false;
    if (token.kind == Kind::line_break || token.kind == Kind::good || token.is(word::kBut)) return false;
    if (token.kind == Kind::id || token.kind == Kind::exception) return false;
    if (opens(tokens, i - 1)) return !made_before(tokens, i - 1);
    // "remaining work: T3", but not "fixed the failing build; T3"
    if (token.kind == Kind::word && token.is(word::kIf)) return false;
  }
  return false;
}

}  // namespace

std::vector<IdList> ids_said_open(const std::vector<Token>& tokens, const TaskNames& names) {
  std::vector<IdList> lists;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i].kind != Kind::id || tokens[i].unknown || tokens[i].every) continue;
    IdList list = ids_from(tokens, i, tokens.size(), names);
    if (list.empty()) {
      list.first = i;
      list.end = i + 1;
    }
    if (open_before(tokens, list.first) || open_behind(tokens, list.end)) lists.push_back(list);
    i = list.end - 1;
  }
  return lists;
}

}  // namespace plankeep::core

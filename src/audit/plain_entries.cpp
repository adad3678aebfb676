// Which lines of a list of completed tasks are its entries, and which only say something about a task.

#include <algorithm>
#include <string>
#include <vector>

#include "audit/assertion_clauses.hpp"
#include "audit/words/retraction_words.hpp"
#include "base/text.hpp"

namespace plankeep::core {
namespace {

using base::one_of;
using Kind = Token::Kind;

constexpr std::size_t kStem = 4;          // bytes that "migrated" and "migration" share
constexpr std::size_t kEntryWords = 24;   // of what stands behind an id
constexpr std::size_t kTitleBytes = 300;  // of a title
constexpr std::size_t kEntryTasks = 20;   // of one entry, whose titles are looked at

bool is_mark(const Token& token) {
  return token.kind == Kind::colon || token.kind == Kind::dash || token.kind == Kind::open ||
         token.kind == Kind::comma || token.kind == Kind::close || token.kind == Kind::quote ||
         token.kind == Kind::stop || token.kind == Kind::line_break || token.kind == Kind::good;
}

/// Words that hold others together.
bool is_glue(const Token& token) {
  return token.is(word::kArticle | word::kOf | word::kJoin | word::kTask) && !token.is(word::kDid);
}

bool same_stem(std::string_view a, std::string_view b) {
  if (a == b) return true;
  const std::size_t length = std::min(a.size(), b.size());
  if (length < kStem) return false;
  const auto differs = static_cast<std::size_t>(
      std::mismatch(a.begin(), a.begin() + static_cast<std::ptrdiff_t>(length), b.begin()).first - a.begin());
  return differs >= std::max(kStem, length - 3);
}

std::vector<std::string> title_words(const std::vector<Token>& tokens, const IdList& list,
                                     const TaskNames& names) {
  std::vector<std::string> words;
  std::size_t tasks = 0;
  const auto add = [&](const TaskSet& set) {
    for (std::uint32_t at = set.first; !set.empty() && at < set.end && tasks < kEntryTasks; ++at, ++tasks) {
      const std::string_view title = names.title((*set.list)[at]).substr(0, kTitleBytes);
      for (std::string& word : words_of(title)) words.push_back(std::move(word));
    }
  };
  for (std::size_t i = list.first; i < list.end; ++i) {
    if (tokens[i].kind == Kind::id) add(tokens[i].tasks);
  }
  for (const TaskSet& range : list.ranges) add(range);
  return words;
}

/// "design", "question"; not "did not need a migration".
bool comes_before_done(const std::vector<Token>& tokens, std::size_t i) {
  const Token& token = tokens[i];
  return token.kind == Kind::word && token.is(word::kStage) &&
         !(i > 0 && (tokens[i - 1].text == "not" || tokens[i - 1].text.ends_with("n't")));
}

/// "question", "design only", "waits for Ann", "I looked at it": a remark about the task, not what was made.
bool remarks(const std::vector<Token>& tokens, std::size_t from, std::size_t end) {
  for (std::size_t i = from; i < std::min(end, from + kEntryWords); ++i) {
    const Token& token = tokens[i];
    if (token.kind != Kind::word) continue;
    if (token.is(word::kFirst) || comes_before_done(tokens, i)) return true;
    if (i == from && is_negation(token.text)) return true;
    const bool edge = i == from || i + 1 == end;
    const WordClass open = word::kOnly | word::kRemains | word::kOpen | (i == from ? word::kNot : 0);
    if (edge && token.is(open) && !token.share && !token.is(word::kDid | word::kLeft)) return true;
  }
  return false;
}

/// "same as before": what is said of the task, up to a mark, and nothing behind it says that it was made.
bool left_as_it_was(const std::vector<Token>& tokens, std::size_t from, std::size_t end) {
  constexpr std::size_t kWords = 6;
  std::string words;
  std::size_t count = 0;
  for (std::size_t i = from; i < end; ++i) {
    if (tokens[i].text.empty()) continue;
    if (++count > kWords) return false;
    words += (words.empty() ? "" : " ") + tokens[i].text;
  }
  std::replace(words.begin(), words.end(), '_', ' ');
  return says_unchanged(words) &&
         std::none_of(
             tokens.begin() + static_cast<std::ptrdiff_t>(end), tokens.end(),
             [](const Token& token) { return token.is(word::kDoneAfter | word::kDoneBefore | word::kDid); });
}

/// The title is in Latin letters and these words are not, or the other way round: they may be a translation.
bool in_other_letters(const std::vector<Token>& tokens, std::size_t from, std::size_t end,
                      const std::vector<std::string>& title) {
  const auto foreign = [](std::string_view word) {
    return !word.empty() && static_cast<unsigned char>(word[0]) >= 0xCE;
  };
  const bool own = std::any_of(title.begin(), title.end(), foreign);
  return !title.empty() &&
         std::all_of(tokens.begin() + static_cast<std::ptrdiff_t>(from),
                     tokens.begin() + static_cast<std::ptrdiff_t>(end), [&](const Token& token) {
                       return token.kind != Kind::word || token.text.empty() ||
                              base::all_digits(token.text) || foreign(token.text) != own;
                     });
}

}  // namespace

bool reads_like_title(const std::vector<Token>& tokens, std::size_t from, std::size_t end,
                      const std::vector<std::string>& title) {
  std::size_t said = 0, known = 0;
  for (std::size_t i = from; i < std::min(end, from + kEntryWords); ++i) {
    const Token& token = tokens[i];
    if (token.kind == Kind::id && token.title) return true;
    if (token.kind != Kind::word || is_glue(token)) continue;
    if (token.is(word::kFirst)) return false;
    const bool unspaced = !token.text.empty() && static_cast<unsigned char>(token.text[0]) >= 0xE3;
    for (const std::string& word : words_of(token.text)) {
      ++said;
      known += std::any_of(title.begin(), title.end(), [&](const std::string& other) {
        return unspaced ? other.find(word) != std::string::npos : same_stem(word, other);
      });
    }
  }
  return said > 0 && known * 2 > said;
}

bool names_part(const std::vector<Token>& tokens, const IdList& list, const TaskNames& names) {
  if (list.end >= tokens.size() || !tokens[list.end].is(word::kPart)) return false;
  const std::vector<std::string> title = title_words(tokens, list, names);
  return std::none_of(title.begin(), title.end(),
                      [&](const std::string& word) { return same_stem(tokens[list.end].text, word); });
}

namespace {

/// Where the words from `first` on come to a mark.
std::size_t end_of_segment(const std::vector<Token>& tokens, std::size_t first) {
  std::size_t end = first;
  while (end < tokens.size() && tokens[end].kind != Kind::id &&
         (tokens[end].kind == Kind::quote || !is_mark(tokens[end])))
    ++end;
  return end;
}

}  // namespace

bool says_made(const std::vector<Token>& tokens) {
  return std::any_of(tokens.begin(), tokens.end(), [](const Token& token) {
    return token.kind == Kind::word && token.is(word::kDoneAfter | word::kDoneBefore | word::kDid);
  });
}

bool denies_made(const std::vector<Token>& tokens) {
  return std::any_of(tokens.begin(), tokens.end(), [](const Token& token) {
    // "I wrote a question for you"
    const bool asks = base::one_of(token.text, {"question", "questions", "frage", "fragen", "pregunta"});
    return token.kind == Kind::bad || asks ||
           (token.kind == Kind::word && (token.is(word::kOpen) || is_negation(token.text)));
  });
}

bool heads_description(const std::vector<Token>& tokens) {
  return std::any_of(tokens.begin(), tokens.end(), [](const Token& token) {
    return one_of(token.text, {"what", "title", "name", "description", "summary", "notes", "note", "details",
                               "change", "changes", "changed", "comment", "comments", "result", "files"}) ||
           one_of(token.text, {"titel", "beschreibung", "was", "notiz", "notizen", "änderung", "änderungen",
                               "bemerkung", "ergebnis", "dateien"}) ||
           one_of(token.text, {"titre", "quoi", "détails", "remarque", "résultat", "título", "descripción",
                               "qué", "notas", "cambios", "descrição", "titolo", "descrizione", "note"}) ||
           one_of(token.text,
                  {"название", "описание", "что", "内容", "说明", "标题", "備考", "설명", "내용"});
  });
}

bool cell_of_entry(const std::vector<Token>& cell, const std::vector<Token>& tokens, const IdList& ids,
                   const TaskNames& names, bool described) {
  if (left_as_it_was(cell, 0, cell.size())) return false;
  const std::vector<std::string> title = title_words(tokens, ids, names);
  if (reads_like_title(cell, 0, cell.size(), title) || says_made(cell)) return true;
  if (remarks(cell, 0, cell.size())) return false;
  return described || in_other_letters(cell, 0, cell.size(), title) ||
         std::all_of(cell.begin(), cell.end(), [](const Token& token) { return token.kind != Kind::word; });
}

bool plain_entry(const std::vector<Token>& tokens, const IdList& lead, const TaskNames& names, bool item) {
  std::size_t first = lead.end;
  bool apart = false;
  for (; first < tokens.size() && is_mark(tokens[first]); ++first) {
    apart = apart || tokens[first].kind != Kind::quote;
  }
  if (first >= tokens.size()) return true;
  std::size_t end = first;
  while (end < tokens.size() && (tokens[end].kind == Kind::quote || !is_mark(tokens[end]))) ++end;
  if (left_as_it_was(tokens, first, end)) return false;
  const Token& last = tokens[lead.end - 1];
  if ((last.titled || last.title) && (apart || !remarks(tokens, first, end))) return true;
  const std::vector<std::string> title = title_words(tokens, lead, names);
  if (reads_like_title(tokens, first, end, title)) return true;
  // "T2: the form and its tests are written", not "T2: estimate added", but "T2: design system added"
  bool stage = false, verb = false;
  for (std::size_t i = first; i < end; ++i) {
    stage = stage || (comes_before_done(tokens, i) && is(tokens, i + 1, word::kDid | word::kIs));
    verb = verb || is(tokens, i, word::kIs | word::kFirst);
    if (tokens[i].kind != Kind::word) continue;
    if (apart && tokens[i].is(word::kDoneAfter | word::kDoneBefore)) return true;
    if (stage || !tokens[i].is(word::kDid)) continue;
    // "T2 form added", where no mark stands before it
    if (apart || (item && !verb && i > first && i + 1 == end)) return true;
  }
  if (!item || remarks(tokens, first, end)) return false;
  return apart || in_other_letters(tokens, first, end, title);
}

bool remarks_on_tasks(const std::vector<Token>& tokens, const IdList& list, const TaskNames& names) {
  std::size_t first = list.end;
  while (first < tokens.size() && is_mark(tokens[first]) && tokens[first].kind != Kind::stop) ++first;
  const std::size_t end = end_of_segment(tokens, first);
  bool stage = false;
  for (std::size_t i = first; i < end; ++i) stage = stage || comes_before_done(tokens, i);
  return stage && !plain_entry(tokens, list, names, true);
}

}  // namespace plankeep::core

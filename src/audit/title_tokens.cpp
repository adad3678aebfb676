// Which words of a unit are the title of a task.

#include <algorithm>

#include "audit/token_namer.hpp"
#include "base/text.hpp"

namespace plankeep::core {
namespace {

using base::one_of;

constexpr std::size_t kTitleAnywhere = 4;      // words: a title this long is no turn of speech
constexpr std::size_t kTitleAnywhereCjk = 18;  // bytes: the same where words are not set apart
constexpr std::size_t kSubjectTitles = 6;      // of one sentence
constexpr std::size_t kTitleAloneCjk = 9;      // the same as a subject: three characters
constexpr std::size_t kSubjectAlone = 6;       // bytes of a title that is one word and a subject

}  // namespace

std::size_t TokenNamer::name_title(std::size_t i) {
  if (is(i, Kind::exception)) return 0;
  Match match = longest_title(i);
  if (match.entry == nullptr) {
    if (const std::size_t taken = name_title_tail(i); taken > 0) return taken;
    // "The config loader is done", of the task "Add config loader"
    match = longest_title_tail(tokens_, names_, i);
    // "T002: config loader"
    if (match.entry != nullptr && absorb_into_id(i, match)) return match.end - i - 1;
    const bool meant = match.entry != nullptr && i > 0 && is(i - 1, word::kArticle | word::kRight) &&
                       (title_object(i, match.end) || title_subject(i, match.end));
    if (!meant) return 0;
    take_title(i, match, true);
    return match.end - i - 1;
  }
  // "T3 (Add the endpoints)" where the title itself leads with T3
  if (is(i, Kind::id) && is(match.end, Kind::close))
    for (std::size_t k = i + 1; k < match.end; ++k)
      if (is(k, Kind::open)) {
        ++match.end;
        break;
      }
  if (absorb_into_id(i, match)) return match.end - i - 1;
  const bool sure = quoted_or_long(i, match);
  if (!sure && !title_subject(i, match.end) && !title_object(i, match.end) && !status_set(i, match.end))
    return 0;
  take_title(i, match, !sure);
  return match.end - i - 1;
}

void TokenNamer::take_title(std::size_t i, const Match& match, bool loose) {
  Token& token = tokens_[i];
  token.kind = Kind::id;
  token.classes = 0;
  token.loose = loose;
  token.title = true;
  title_end_ = match.end;
  token.tasks = match.entry->one();
  for (std::size_t k = i + 1; k < match.end; ++k) tokens_[k].erased = true;
}

std::size_t TokenNamer::name_done_title(std::size_t i) {
  if (!leads(i) || !is(i, word::kDid | word::kDoneBefore) || is(i, word::kPlainDone)) return 0;
  std::size_t first = i + 1;
  while (is(first, word::kArticle)) ++first;
  std::uint32_t node = 0;
  std::size_t end = 0, words = 0;
  const TaskNames::Entry* entry = nullptr;
  for (std::size_t k = first; k < tokens_.size() && k < first + TaskNames::kTitleWords; ++k) {
    if (!is(k, Kind::word) || tokens_[k].text.empty() || tokens_[k].erased) break;
    for (const std::string& word : words_of(tokens_[k].text)) {
      node = names_.next_node(node, word);
      if (node == TaskNames::kNoNode) break;
      ++words;
    }
    if (node == TaskNames::kNoNode) break;
    if (names_.title_tail_at(node) == nullptr) continue;
    entry = names_.title_tail_at(node);
    end = k + 1;
  }
  if (entry == nullptr || words < 2 || is(end, Kind::word) || is(end, Kind::open)) return 0;
  name_set(i, end, entry->one(), false);
  tokens_[i].title = tokens_[i].loose = true;
  return end - i - 1;
}

std::size_t TokenNamer::name_title_tail(std::size_t i) {
  if (const std::size_t taken = name_done_title(i); taken > 0) return taken;
  if (i == 0 || !is(i, Kind::word) || !is(i - 1, word::kArticle | word::kRight)) return 0;
  std::uint32_t node = 0;
  const TaskNames::Entry* entry = nullptr;
  std::size_t end = i;
  for (; end < tokens_.size() && end < i + TaskNames::kTitleWords && is(end, Kind::word); ++end) {
    if (entry != nullptr && is(end, word::kTask) && !is(end, word::kAll)) break;
    for (const std::string& word : words_of(tokens_[end].text)) {
      node = names_.next_node(node, word);
      if (node == TaskNames::kNoNode) return 0;
    }
    entry = names_.title_tail_at(node);
  }
  if (entry == nullptr || !is(end, word::kTask)) return 0;
  Token& token = tokens_[i];
  token.kind = Kind::id;
  token.classes = 0;
  token.title = true;
  token.tasks = entry->one();
  for (std::size_t k = i + 1; k <= end; ++k) tokens_[k].erased = true;
  return end - i;
}

bool TokenNamer::absorb_into_id(std::size_t i, const Match& match) {
  std::size_t k = i;
  for (std::size_t steps = 0; k > 0 && steps < 3; ++steps, --k) {
    const Kind kind = tokens_[k - 1].kind;
    if (kind != Kind::colon && kind != Kind::dash && kind != Kind::open && kind != Kind::quote &&
        kind != Kind::stop)
      break;
  }
  if (k == 0 || tokens_[k - 1].erased) return false;
  Token& before = tokens_[k - 1];
  const std::uint32_t task = match.entry->tasks.front();
  const bool number = before.kind == Kind::word && before.entry != nullptr && leads(k - 1);
  if (before.kind != Kind::id && !number) return false;
  const auto has_task = [&](const std::vector<std::uint32_t>& tasks) {
    return std::binary_search(tasks.begin(), tasks.end(), task);
  };
  if (before.entry == nullptr || !has_task(before.entry->tasks)) return false;
  if (number) {
    before.kind = Kind::id;
    before.classes = 0;
  }
  before.tasks = match.entry->one();
  before.titled = true;
  std::size_t end = match.end;
  // As many marks close as opened: ("Add login")
  for (std::size_t opened = k; opened < i; ++opened) {
    const bool bracket = is(opened, Kind::open) || is(opened, Kind::quote);
    if (bracket && (is(end, Kind::close) || is(end, Kind::quote))) ++end;
  }
  for (std::size_t e = k; e < end; ++e) tokens_[e].erased = true;
  return true;
}

bool TokenNamer::quoted_or_long(std::size_t i, const Match& match) const {
  const bool quoted = i > 0 && is(i - 1, Kind::quote) && is(match.end, Kind::quote);
  if (quoted && (match.words >= 2 || match.bytes >= kTitleAlone)) return true;
  // "Mail" is done
  if (quoted && tokens_[i].capital && is(match.end + 1, word::kIs | word::kPlainDone)) return true;
  if (leads(i) && ends(match.end)) return true;
  // "Task: Handle missing config ✅"
  const bool label = i > 1 && is(i - 1, Kind::colon) && is(i - 2, word::kTask) && leads(i - 2);
  if (label && (ends(match.end) || is(match.end, Kind::good) || is(match.end, Kind::bad))) return true;
  if (match.words >= 2 && listed_title(i, match.end)) return true;
  // Not when a longer phrase goes on from it.
  const bool stands_alone = match.end >= tokens_.size() || tokens_[match.end].kind != Kind::word ||
                            tokens_[match.end].is(word::kIs | word::kLeft | word::kDoneAfter | word::kNot |
                                                  word::kOpen | word::kJoin);
  // "the CI pipeline task"
  if (match.words >= 2 && is(match.end, word::kTask)) return true;
  if (!stands_alone) return false;
  if (match.words >= kTitleAnywhere || (match.words == 1 && match.bytes >= kTitleAnywhereCjk)) return true;
  return (match.words >= 2 || match.bytes >= kTitleAlone) && leads(i) &&
         (tokens_[match.end].kind != Kind::word || tokens_[match.end].is(word::kIs | word::kDoneAfter));
}

std::size_t TokenNamer::title_head(std::size_t i) const {
  if (i == 0) return i;
  // An article in German, "of the" in Portuguese
  const bool das = tokens_[i - 1].text == "das" && tokens_[i].capital;
  const bool article = is(i - 1, word::kArticle | word::kRight) && !is(i - 1, word::kOf | word::kJoin);
  return das || article ? i - 1 : i;
}

bool TokenNamer::title_object(std::size_t i, std::size_t end) const {
  if (end < i + 2) return false;
  if (is(end, Kind::word) && !is(end, word::kJoin | word::kBut | word::kLeft)) return false;
  std::size_t verb = i;
  while (verb > 0 && i - verb < kAllWords &&
         (is(verb - 1, word::kArticle | word::kRight) || is(verb - 1, Kind::line_break)) &&
         !is(verb - 1, word::kDoneBefore)) {
    --verb;
  }
  return verb > 0 && is(verb - 1, word::kDoneBefore) && is(verb - 1, word::kPlainDone);
}

bool TokenNamer::status_set(std::size_t i, std::size_t end) const {
  std::size_t first = i;
  while (first > 0 && i - first < kListWords && !is(first - 1, word::kDid) &&
         (is(first - 1, word::kArticle | word::kJoin) || is(first - 1, Kind::comma) ||
          is(first - 1, Kind::id) || is(first - 1, Kind::quote) || tokens_[first - 1].entry != nullptr))
    --first;
  if (first == 0 || !is(first - 1, Kind::word) || !is(end, Kind::word)) return false;
  const std::string& verb = tokens_[first - 1].text;
  if (!one_of(verb, {"marked", "set", "moved", "changed", "switched", "flipped", "marqué", "marquée"}) &&
      !one_of(verb, {"marcado", "marcada", "marqué", "marquei", "segnato", "segnata", "отметил", "отметила"}))
    return false;
  if (!one_of(tokens_[end].text, {"as", "to", "comme", "como", "come", "как"})) return false;
  const bool done =
      (is(end + 1, word::kPlainDone) && is(end + 1, word::kDoneAfter)) || is(end + 1, Kind::good);
  // "marked orders as complete in the shop"
  return done && (!is(end + 2, Kind::word) || is(end + 2, word::kJoin | word::kBut));
}

bool TokenNamer::title_subject(std::size_t i, std::size_t end) const {
  const bool cjk = static_cast<unsigned char>(tokens_[i].text.c_str()[0]) >= 0xE3;
  const std::size_t first = title_head(i);
  const bool alone = end < i + 2;
  if (alone && tokens_[i].text.size() < (cjk ? kTitleAloneCjk : kSubjectAlone) && !in_titles(end)) {
    return false;
  }
  const bool echo = first > 0 && tokens_[first - 1].text.starts_with("so_");
  if (echo) return end >= tokens_.size() || !is(end, Kind::word);
  const bool behind_title = first > 0 && title_end_ > 0 && title_end_ + 1 >= first &&
                            (is(first - 1, Kind::comma) || is(first - 1, word::kJoin));
  const bool starts = leads(first) || is(first - 1, Kind::stop) || is(first - 1, Kind::line_break) ||
                      (cjk && is(first - 1, Kind::id) && tokens_[first - 1].phase) || behind_clause(first);
  if (starts && (status_behind(i, end) || (is(end, word::kToo) && !is(end + 1, Kind::word)))) return true;
  // "The last open item, the content security policy, is done."
  if (first > 0 && is(first - 1, Kind::comma) && is(end, Kind::comma) && is(end + 1, word::kIs)) {
    return said_done(end + 1);
  }
  if (alone && first == i && !cjk && !behind_title && !in_titles(end)) return false;
  if (!starts && !behind_title) {
    // "Ich habe das Mahnwesen fertiggestellt", "In Phase 2 ist der PDF-Export erledigt"
    return first > 0 && is(first - 1, word::kIs | word::kFirst | word::kLeft) &&
           !is(first - 1, word::kJoin) && is(end, word::kPlainDone) && is(end, word::kDoneAfter) &&
           !is(end + 1, Kind::word);
  }
  return said_done(end);
}

bool TokenNamer::behind_clause(std::size_t first) const {
  if (first < 3 || !(is(first - 1, word::kJoin | word::kBut) || is(first - 1, Kind::comma) ||
                     is(first - 1, Kind::semicolon))) {
    return false;
  }
  if (is(first - 1, Kind::semicolon)) return true;
  for (std::size_t k = first - 1; k > 0 && first - k < kListWords; --k) {
    const Kind kind = tokens_[k - 1].kind;
    if (kind == Kind::stop || kind == Kind::semicolon || kind == Kind::comma || kind == Kind::colon)
      return false;
    if (is(k - 1, word::kIf)) return false;
    if (kind == Kind::word && is(k - 1, word::kIs | word::kDid | word::kPlainDone)) return true;
  }
  return false;
}

bool TokenNamer::status_behind(std::size_t i, std::size_t end) const {
  if (!tokens_[i].capital) return false;
  const std::size_t done = is(end, Kind::colon) || is(end, Kind::dash) ? end + 1 : end;
  return is(done, word::kPlainDone) && is(done, word::kDoneAfter) && !is(done + 1, Kind::word) &&
         !is(done + 1, Kind::id);
}

bool TokenNamer::in_titles(std::size_t end) const {
  std::size_t next = end;
  while (next < end + 2 && (is(next, Kind::comma) || is(next, word::kJoin))) ++next;
  if (next == end) return false;
  while (is(next, word::kArticle)) ++next;
  return longest_title(next).entry != nullptr;
}

bool TokenNamer::said_done(std::size_t at) const {
  for (std::size_t titles = 0; titles < kSubjectTitles; ++titles) {
    std::size_t next = at;
    while (next < at + 2 && (is(next, Kind::comma) || is(next, word::kJoin))) ++next;
    if (next == at) break;
    while (is(next, word::kArticle)) ++next;
    const Match match = longest_title(next);
    if (match.entry == nullptr) return false;
    at = match.end;
  }
  const bool particle =
      is(at, word::kLeft) && static_cast<unsigned char>(tokens_[at].text.c_str()[0]) >= 0xE3;
  if (!is(at, word::kIs) && !particle) return false;
  while (is(at, word::kIs | word::kLeft) && !is(at, word::kPlainDone)) ++at;
  return is(at, word::kPlainDone) && is(at, word::kDoneAfter);
}

bool TokenNamer::listed_title(std::size_t i, std::size_t end) const {
  if (end < tokens_.size() && !is(end, Kind::comma) && !is(end, Kind::stop) && !is(end, word::kJoin)) {
    return false;
  }
  if (i > 1 && is(i - 1, Kind::colon)) return is(i - 2, word::kDoneAfter | word::kDoneBefore);
  return i > 1 && title_end_ == i - 1 && (is(i - 1, Kind::comma) || is(i - 1, word::kJoin));
}

}  // namespace plankeep::core

// Lists of ids, and what short texts around them say: the plain half of assertion_clauses.

#include <algorithm>

#include "audit/assertion_clauses.hpp"
#include "audit/words/retraction_words.hpp"
#include "base/text.hpp"

namespace plankeep::core {
namespace {

using base::one_of;
using Kind = Token::Kind;

constexpr std::size_t kListReach = 400;  // tokens
/// Words that may stand in the heading of a list of tasks.
constexpr WordClass kOfHeadings =
    word::kDoneAfter | word::kDoneBefore | word::kIs | word::kLeft | word::kRight | word::kNot | word::kJoin |
    word::kTask | word::kFirst | word::kWork | word::kArticle | word::kAll | word::kPlan | word::kPhase |
    word::kMine | word::kTicked | word::kBox | word::kHeading | word::kOf | word::kAspect;
constexpr std::size_t kRemarkHead = 5;       // tokens of a remark in which it says how the task stands
constexpr std::size_t kPartWords = 3;        // "integration tests"
constexpr std::size_t kDenialReach = 4;      // words from "not" to "finished"
constexpr std::size_t kPartReach = 24;       // tokens in which a count says what is left
constexpr std::size_t kWholeReach = 8;       // tokens from "of them" back to how many they are
constexpr std::size_t kPartNoun = 4;         // tokens from "3 files" to "of 5"
constexpr std::size_t kLongestNumber = 7;    // digits
constexpr std::size_t kLongestHeading = 16;  // tokens; what is longer is no heading of a list

bool is_number(std::string_view text) {
  return !text.empty() && text[0] >= '0' && text[0] <= '9';
}

/// A word that means "not done" when "not" stands before it: "could not finish", "not possible".
bool is_unmade(std::string_view word) {
  return one_of(word, {"finish", "complete", "do", "get", "able", "touch", "touched", "possible", "there"}) ||
         one_of(word, {"abschließen", "beenden", "fertigstellen", "schaffen", "geschafft", "möglich"}) ||
         one_of(word, {"terminer", "finir", "réussi", "terminar", "completar", "acabar", "finire"});
}

bool says_zero(std::string_view word) {
  return one_of(word, {"0", "zero", "null", "zéro", "cero", "nul", "ноль", "零"});
}

/// "no", "none": counts things ("no open issues"), and seldom gives the state of a task.
bool names_nothing(std::string_view word) {
  return one_of(word, {"no", "none", "nothing", "kein", "keine", "nichts", "rien", "nada", "geen"});
}

}  // namespace

bool may_head_list(const Token& token) {
  return token.own && token.text.ends_with('s');
}

Section section_of(const std::vector<Token>& tokens) {
  bool done = false, open = false, about = false, good = false, foreign = false;
  std::size_t words = 0;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const Token& token = tokens[i];
    if (token.kind == Kind::id && !token.every && !may_head_list(token)) return Section::neutral;
    // "the tasks of the plan": a thing. "Both remaining tasks": which of them.
    const bool thing = token.is(word::kPlan) && i > 0 && tokens[i - 1].is(word::kArticle);
    const bool which = token.is(word::kOpen) && i > 0 && is(tokens, i - 1, word::kBoth | word::kAll) &&
                       (is(tokens, i + 1, word::kTask) || is(tokens, i + 2, word::kTask));
    if (thing || which) {
      ++words;
      continue;
    }
    if (token.kind == Kind::question) about = true;
    good = good || token.kind == Kind::good;
    open = open || token.kind == Kind::bad;
    if (token.kind != Kind::word) continue;
    ++words;
    // "Review finished:" heads a list of what was reviewed.
    foreign = foreign || !(token.is(kOfHeadings) ||
                           (!token.text.empty() && (static_cast<unsigned char>(token.text[0]) >= 0xE3 ||
                                                    is_number(number_word(token.text)))));
    const bool first = token.is(word::kFirst);
    // "Completed 3 of 10 tasks:"
    if (token.share && token.part > 0 && words > 1 && tokens[0].is(word::kDoneBefore) &&
        is(tokens, i + 1, word::kTask | word::kCounted))
      continue;
    // "Tasks done: 0", "0 done"; not "done with 0 errors"
    if (says_zero(token.text) && !(is(tokens, i + 1, Kind::word) &&
                                   !is(tokens, i + 1, word::kTask | word::kCounted | word::kDoneAfter)))
      open = true;
    // "Tasks (2/10 done)" heads what is done and what is open.
    const std::size_t counted = is(tokens, i + 1, word::kTask | word::kCounted) ? i + 2 : i + 1;
    if (token.share && token.part > 0 && is(tokens, counted, word::kPlainDone)) {
      about = true;
      continue;
    }
    // "Completed (3/4)"
    if (token.share && token.part > 0 && done && is(tokens, i - 1, Kind::open) &&
        is(tokens, i + 1, Kind::close))
      continue;
    // "Progress: 3/8 tasks" heads what is done and what is open.
    if (token.share &&
        std::any_of(tokens.begin(), tokens.end(), [](const Token& other) { return other.is(word::kAspect); }))
      continue;
    if (token.is(word::kOpen) ||
        (token.is(word::kNot) &&
         !token.is(word::kOther | word::kIf | word::kIs | word::kPlan | word::kDoneAfter) && !first &&
         token.text != "did" && token.text != "have"))
      open = true;
    if (token.is(word::kAbout | word::kIf | word::kOther)) about = true;
    // "Tasks to complete", "Complete task T1": what is to be done
    if (token.is(word::kCommand) && i > 0 && tokens[i - 1].text == "to") open = true;
    if (token.is(word::kCommand) && i == 0 && is(tokens, 1, word::kTask) && !tokens[1].text.ends_with('s')) {
      about = true;
    }
    if (token.is(word::kDoneAfter | word::kDoneBefore) || (token.text == "did" && words > 1 && i > 0))
      done = true;
    if (token.is(word::kTicked) && is(tokens, i + 1, word::kRight)) done = true;
  }
  if (words > kLongestHeading) return Section::neutral;
  if (words == 0) return open ? Section::open : good ? Section::done : Section::neutral;
  if (done && open) {
    // "Not done", "Still to be completed"; but "Completed / Remaining" heads both.
    const bool both = std::any_of(tokens.begin(), tokens.end(), [](const Token& token) {
      return token.kind == Kind::other || token.is(word::kJoin);
    });
    return both ? Section::about : Section::open;
  }
  if (open) return Section::open;
  if (about) return Section::about;
  return done && !foreign ? Section::done : Section::neutral;
}

IdList ids_from(const std::vector<Token>& tokens, std::size_t at, std::size_t end, const TaskNames& names) {
  IdList list;
  list.first = at;
  list.end = at + 1;
  end = std::min({end, tokens.size(), at + kListReach});
  std::size_t from = at;  // the last id
  while (true) {
    if (tokens[from].possessive && from + 1 < end) break;
    std::size_t k = from + 1;
    // "T1 (the form), T2": a remark in brackets belongs to the id before it.
    bool no = false;
    if (is(tokens, k, Kind::open) && k < end) {
      std::size_t close = k;
      while (close < end && close < k + 12 && !is(tokens, close, Kind::close)) {
        // "T1 (not done)", but "T1 (the skeleton, which is mostly generated)"
        no = no || is(tokens, close, Kind::bad) || tokens[close].text == "not" ||
             (close < k + kRemarkHead && is(tokens, close, word::kNot | word::kOpen));
        ++close;
      }
      if (close >= end || !is(tokens, close, Kind::close)) break;
      k = close + 1;
    }
    if (no) {
      // It is not done, and what comes behind it is another matter.
      if (from == at) {
        list.end = at;
        return list;
      }
      break;
    }
    bool joined = false, range = false;
    std::size_t steps = 0;
    while (k < end && ++steps < 6) {
      const Token& token = tokens[k];
      if (token.kind == Kind::dash || token.is(word::kRange)) {
        if (token.is(word::kJoin)) joined = true;
        range = true;
      } else if (token.kind == Kind::comma || token.is(word::kJoin)) {
        joined = true;
      } else if (!(token.kind == Kind::quote || token.kind == Kind::line_break || token.is(word::kTask) ||
                   token.is(word::kAll) ||
                   (token.is(word::kArticle) && is(tokens, k + 1, Kind::id) && tokens[k + 1].title))) {
        break;
      }
      ++k;
    }
    if (k >= end || !is(tokens, k, Kind::id) || !(joined || range)) break;
    if (range) {
      const Token& first = tokens[from];
      const Token& last = tokens[k];
      const TaskSet tasks = first.title || last.title || first.phase || last.phase
                                ? TaskSet{}
                                : names.range(first.text, last.text);
      if (tasks.empty() && !joined) break;
      if (!tasks.empty()) list.ranges.push_back(tasks);
    }
    from = k;
    list.end = k + 1;
  }
  return list;
}

IdList leading_ids(const std::vector<Token>& tokens, const TaskNames& names) {
  std::size_t i = 0;
  while (i < tokens.size() && i < 6 &&
         (tokens[i].kind == Kind::good || tokens[i].kind == Kind::quote || tokens[i].kind == Kind::open ||
          tokens[i].kind == Kind::dash || tokens[i].is(word::kTask) || tokens[i].text == "#"))
    ++i;
  if (!is(tokens, i, Kind::id)) return {};
  return ids_from(tokens, i, tokens.size(), names);
}

IdList trailing_ids(const std::vector<Token>& tokens, const TaskNames& names) {
  std::size_t end = tokens.size();
  while (end > 0 && is(tokens, end - 1, Kind::stop)) --end;
  if (end < 3 || !is(tokens, end - 1, Kind::close)) return {};
  std::size_t open = end - 1;
  while (open > 0 && open + 40 > end && !is(tokens, open, Kind::open)) --open;
  if (!is(tokens, open, Kind::open)) return {};
  std::size_t i = open + 1;
  while (is(tokens, i, word::kTask)) ++i;
  if (!is(tokens, i, Kind::id)) return {};
  IdList list = ids_from(tokens, i, end - 1, names);
  return list.end == end - 1 ? list : IdList{};
}

bool says_open(const std::vector<Token>& tokens) {
  return std::any_of(tokens.begin(), tokens.end(), [](const Token& token) {
    return token.kind == Kind::bad || token.kind == Kind::question ||
           (token.kind == Kind::word && token.is(word::kOpen | word::kNot) &&
            !token.is(word::kIs | word::kDoneAfter));
  });
}

bool says_done(const std::vector<Token>& tokens) {
  bool done = false;
  for (const Token& token : tokens) {
    const bool says = token.kind == Kind::good ||
                      (token.kind == Kind::word && token.is(word::kDoneAfter | word::kDoneBefore));
    done = done || says;
    const bool silent = token.kind == Kind::stop || token.kind == Kind::quote || token.kind == Kind::close ||
                        token.kind == Kind::open || token.kind == Kind::dash || token.kind == Kind::comma ||
                        token.is(word::kLeft | word::kIs | word::kJoin);
    if (!says && !silent) return false;
  }
  return done && !says_open(tokens);
}

bool lacks_part(const std::vector<Token>& tokens, std::size_t from) {
  const auto word_at = [&](std::size_t i) {
    return is(tokens, i, Kind::word) ? std::string_view(tokens[i].text) : std::string_view();
  };
  const bool no = word_at(from) == "no";
  if (!no &&
      (is(tokens, from, word::kArticle) || one_of(word_at(from), {"nothing", "none", "without", "zero"})))
    return false;
  std::size_t i = no ? from + 1 : from;
  const std::size_t first = i;
  while (i < first + kPartWords && is(tokens, i, Kind::word) &&
         !is(tokens, i, word::kIs | word::kLeft | word::kOpen | word::kDid | word::kDoneBefore))
    ++i;
  if (i == first) return false;
  if (no) return word_at(i) == "yet" && !is(tokens, i + 1, Kind::word);
  while (i < from + 2 * kPartWords &&
         (is(tokens, i, word::kIs) || one_of(word_at(i), {"still", "yet", "also"})))
    ++i;
  if (word_at(i) == "to" && word_at(i + 1) == "be")
    return one_of(word_at(i + 2),
                  {"written", "added", "done", "finished", "updated", "created", "implemented"});
  return one_of(word_at(i), {"missing", "outstanding", "todo", "tbd"}) && !is(tokens, i + 1, Kind::word);
}

namespace {

/// The number that this word says; 0 when it says none.
std::size_t number_at(const std::vector<Token>& tokens, std::size_t i) {
  if (!is(tokens, i, Kind::word) || tokens[i].share || tokens[i].entry != nullptr) return 0;
  const std::string_view word = number_word(tokens[i].text);
  return base::all_digits(word) && word.size() < kLongestNumber ? std::stoul(std::string(word)) : 0;
}

/// "5 \u30d5\u30a1\u30a4\u30eb\u4e2d 2", "5\uac1c \uc911 2\uac1c": the whole stands before its part.
bool part_behind_whole(const std::vector<Token>& tokens, std::size_t among, std::size_t from) {
  const std::size_t behind = is(tokens, among + 1, Kind::word) && tokens[among + 1].text == "的" ? 2 : 1;
  const std::size_t part = number_at(tokens, among + behind);
  for (std::size_t i = among; part > 0 && i > from && among - i < kWholeReach; --i)
    if (const std::size_t whole = number_at(tokens, i - 1); whole > 0) return part < whole;
  return false;
}

/// "3 of 5", "3 files out of 5", "3 fichiers sur 5": the part stands before its whole.
bool part_before_whole(const std::vector<Token>& tokens, std::size_t part) {
  const std::size_t value = number_at(tokens, part);
  for (std::size_t i = part + 1; value > 0 && i < part + kPartNoun && is(tokens, i, Kind::word); ++i) {
    if (!is(tokens, i, word::kOf) && !one_of(tokens[i].text, {"sur", "out"})) continue;
    const std::size_t whole = tokens[i].text == "out" ? i + 2 : i + 1;
    return number_at(tokens, whole) > value && !is(tokens, whole + 1, word::kTask | word::kCounted);
  }
  return false;
}

/// "left: 2", "2 left", "missing: cancel"; not "left: 0", "missing: T2".
bool says_left_of(const std::vector<Token>& tokens, std::size_t i, std::size_t from) {
  const Token& token = tokens[i];
  if (!token.is(word::kOpen | word::kRemains) || token.share || is_negation(token.text)) return false;
  const bool counted =
      token.is(word::kRemains) || one_of(token.text, {"open", "pending", "missing", "todo", "outstanding",
                                                      "ausstehend", "pendientes", "pendentes"});
  if (counted && i > from && number_at(tokens, i - 1) > 0 && !is(tokens, i + 1, Kind::word)) return true;
  if (!is(tokens, i + 1, Kind::colon)) return counted && number_at(tokens, i + 1) > 0;
  const std::size_t value = i + 2;
  return is(tokens, value, Kind::word) && tokens[value].text != "0" && !names_nothing(tokens[value].text);
}

}  // namespace

bool counts_part(const std::vector<Token>& tokens, std::size_t at, std::size_t end) {
  const bool colon = is(tokens, at, Kind::colon);
  const bool bracket = is(tokens, at, Kind::open);
  const bool mark = colon || bracket || is(tokens, at, Kind::comma) || is(tokens, at, Kind::dash);
  const std::size_t first = mark ? at + 1 : at;
  const bool share = is(tokens, first, word::kOpen) && tokens[first].share;
  if (share && (colon || (bracket && tokens[first].whole != 100 &&
                          !is(tokens, first + 1, word::kOf | word::kTask | word::kCounted))))
    return true;
  if (!colon && !share && number_at(tokens, first) == 0) return false;
  if ((colon || bracket) && part_before_whole(tokens, first)) return true;
  end = std::min({end, tokens.size(), at + kPartReach});
  std::size_t opened = 0;
  for (std::size_t i = first; i < end; ++i) {
    const Token& token = tokens[i];
    if (token.kind == Kind::open) ++opened;
    if (token.kind == Kind::close && opened-- == 0) return false;
    if (token.kind == Kind::id || token.kind == Kind::stop || token.kind == Kind::line_break) return false;
    if (token.kind != Kind::word) continue;
    // "done, 2 of 5 files left"
    if (share && token.is(word::kRemains) && !is(tokens, i + 1, Kind::word)) return true;
    if (says_left_of(tokens, i, first)) return true;
    if (token.is(word::kAmong) && part_behind_whole(tokens, i, first)) return true;
  }
  return false;
}

bool denies_done(const std::vector<Token>& tokens, std::size_t i) {
  if (!is(tokens, i, Kind::word) || !is_negation(tokens[i].text)) return false;
  const auto word_at = [&](std::size_t k) {
    return is(tokens, k, Kind::word) ? std::string_view(tokens[k].text) : std::string_view();
  };
  // "no, this is not finished", "T1: no"
  if (!is(tokens, i + 1, Kind::word)) return !is(tokens, i + 1, Kind::id);
  if (one_of(word_at(i + 1), {"yet", "start", "started", "begin", "begun", "ready"})) return true;
  // "no longer", "nothing left to do", "not only the form"
  if (one_of(word_at(i + 1), {"longer", "only", "just", "more", "further", "doubt", "nur", "mehr", "solo",
                              "sólo", "seulement", "só", "meer"}))
    return false;
  if (is(tokens, i + 1, word::kOpen)) return false;
  for (std::size_t k = i + 1; k <= i + kDenialReach && is(tokens, k, Kind::word); ++k) {
    if (is(tokens, k, word::kDoneAfter | word::kDoneBefore | word::kPlainDone)) {
      // "Not done: T2"
      return !(is(tokens, k + 1, Kind::colon) && (k + 2 >= tokens.size() || is(tokens, k + 2, Kind::id)));
    }
    if (is_unmade(word_at(k))) return true;
  }
  return false;
}

bool taken_back(const std::vector<Token>& tokens, const IdList& lead) {
  for (std::size_t i = lead.end; i < tokens.size(); ++i) {
    const Token& token = tokens[i];
    const bool parts = token.kind == Kind::comma || token.kind == Kind::semicolon ||
                       token.kind == Kind::stop || token.kind == Kind::dash || token.kind == Kind::open;
    if (parts && i > lead.end && lacks_part(tokens, i + 1)) return true;
    if (token.kind == Kind::bad || token.kind == Kind::question) return true;
    if (token.kind != Kind::word) continue;
    // "T1 (done: 2 of 5 files)"
    if (token.is(word::kPlainDone) && counts_part(tokens, i + 1, tokens.size())) return true;
    // "T1: 40 %"; not "T1: 12 tests, coverage at 94 %".
    if (token.share) {
      if (token.is(word::kOpen) &&
          (i == lead.end + 1 || is(tokens, i + 1, word::kDoneAfter) || is(tokens, i - 1, word::kDoneAfter)))
        return true;
      continue;
    }
    // "in progress -> done"
    if (is(tokens, i + 1, Kind::dash) &&
        (is(tokens, i + 2, word::kDoneAfter) || is(tokens, i + 2, Kind::good)))
      continue;
    const bool firm = token.text == "not" || token.text == "could" || token.text == "couldn't" ||
                      token.text == "cannot" || token.text == "unable" || token.text == "can't" ||
                      token.text == "haven't" || token.text == "wasn't" || token.text == "isn't" ||
                      token.text == "will" || token.text == "todo";
    // What the words say of the task, not of what was made: "no longer fails", "handles missing files".
    const bool behind_is = is(tokens, i - 1, word::kIs);
    const bool apart = i == lead.end || is(tokens, i - 1, Kind::colon) || is(tokens, i - 1, Kind::dash) ||
                       is(tokens, i - 1, Kind::open) || is(tokens, i - 1, Kind::comma) ||
                       is(tokens, i - 1, word::kBut) || is(tokens, i - 1, Kind::semicolon) ||
                       is(tokens, i - 1, Kind::stop);
    if (firm) {
      for (std::size_t k = i + 1; k < tokens.size() && k < i + 4; ++k)
        if (is(tokens, k, word::kDoneAfter | word::kDoneBefore | word::kOpen) ||
            (apart && is(tokens, k, Kind::word)) || tokens[k].text == "be" || tokens[k].text == "finish" ||
            tokens[k].text == "complete")
          return true;
      if (apart) return true;
      continue;
    }
    if ((apart || behind_is || !names_nothing(token.text)) && denies_done(tokens, i)) return true;
    const bool always = token.is(word::kOpen) && token.is(word::kTail) && token.text != "failing" &&
                        token.text != "fails" && token.text != "failed";
    if (always) return true;
    if ((apart || behind_is) && (token.is(word::kOpen) || (token.is(word::kNot) && token.is(word::kTail))))
      return true;
    if (i == lead.end && token.is(word::kOther)) return true;
  }
  return false;
}

}  // namespace plankeep::core

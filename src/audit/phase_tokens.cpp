// Which words of a unit name a phase, and what of its tasks is meant.

#include <algorithm>

#include "audit/token_namer.hpp"
#include "base/text.hpp"
#include "base/utf8.hpp"

namespace plankeep::core {
namespace {

using base::one_of;

constexpr std::size_t kPhaseTitle = 12;  // tokens of a phase's title

}  // namespace

TaskSet TokenNamer::phase_at(std::size_t i, std::size_t& first, std::size_t& last) const {
  first = last = i;
  std::size_t at = i + 1;
  while (is(at, Kind::quote)) ++at;
  if (at < tokens_.size() && !tokens_[at].text.empty()) {
    last = at;
    const std::string section = tokens_[i].is(word::kSection) ? "section " : "";
    const TaskSet tasks = names_.phase(section + std::string(number_word(tokens_[at].text)));
    if (!tasks.empty()) return tasks;
  }
  last = i;
  if (tokens_[i].is(word::kSection)) {
    if (i > 0) first = i - 1;
    TaskSet tasks =
        i > 0 ? names_.phase("section " + std::string(ordinal_word(tokens_[first].text))) : TaskSet{};
    if (tasks.empty()) tasks = section_titled(i, first);
    return tasks;
  }
  // "the release phase", "2단계", "第二阶段"
  std::string name;
  for (first = i; first > 0 && i - first < kPhaseWords; --first) {
    const Token& before = tokens_[first - 1];
    if (before.kind != Kind::word || before.text.empty() || before.erased) break;
    if (first == i && counts_phases(i)) break;
    name = std::string(ordinal_word(before.text)) + (name.empty() ? "" : " ") + name;
    if (const TaskSet tasks = names_.phase(name); !tasks.empty()) {
      --first;
      if (first > 0 && tokens_[first - 1].text == "\u7b2c") --first;
      return tasks;
    }
  }
  return {};
}

TaskSet TokenNamer::section_titled(std::size_t i, std::size_t& first) const {
  // A part of something else may be called like a phase: "the Backend part", "the Setup section of the
  // README".
  const bool status = is(i + 1, word::kIs | word::kPlainDone);
  if (tokens_[i].text.starts_with("part") || (!status && !ends_clause(i + 1))) return {};
  std::string name;
  for (std::size_t k = i; k > 0 && i - k < kPhaseWords && tokens_[k - 1].kind == Kind::word; --k) {
    name = base::to_lower(tokens_[k - 1].text) + (name.empty() ? "" : " ") + name;
    const TaskSet tasks = names_.titled_phase(name);
    if (tasks.empty() || !tokens_[k - 1].capital) continue;
    const std::size_t head = k > 1 && is(k - 2, word::kArticle) ? k - 2 : k - 1;
    const bool object = head > 0 && is(head - 1, word::kDoneBefore) && is(head - 1, word::kPlainDone);
    if (!status && !object) return {};
    first = k - 1;
    return tasks;
  }
  return {};
}

bool TokenNamer::counts_phases(std::size_t i) const {
  const bool cjk = static_cast<unsigned char>(tokens_[i].text[0]) >= 0xE3;
  return !cjk && is_number(number_word(tokens_[i - 1].text));
}

void TokenNamer::open_clause(std::size_t i) {
  // "T4, c'est fait"
  if (is(i, Kind::comma) && i > 0 && is(i - 1, Kind::id) && is(i + 1, word::kIs) &&
      tokens_[i + 1].text == "c_est") {
    tokens_[i].erased = true;
  }
  if (!is(i, word::kAll) || !is(i + 1, Kind::comma) || !is(i + 2, Kind::word)) return;
  if (!one_of(tokens_[i + 2].text, {"was", "wat", "что", "co"})) return;
  for (std::size_t k = i + 3; k < tokens_.size() && k < i + 3 + 2 * kAllWords; ++k) {
    if (is(k, Kind::comma) && is(k + 1, word::kIs | word::kDoneAfter | word::kNot)) {
      tokens_[k].erased = tokens_[i + 1].erased = true;
      for (std::size_t w = i + 2; w < i + 4; ++w) {
        if (w == i + 2 || is(w, word::kIs)) tokens_[w].classes = word::kArticle;
      }
      return;
    }
    if (!is(k, Kind::word) && !is(k, Kind::quote)) return;
  }
}

TaskSet TokenNamer::phase_named(std::size_t i, std::size_t& end) const {
  std::string name;
  const bool noun = is(i, word::kPhase);
  for (std::size_t k = noun ? i + 1 : i; k < tokens_.size() && k < i + kPhaseWords; ++k) {
    if (!is(k, Kind::word) || tokens_[k].text.empty() || tokens_[k].erased) break;
    name += (name.empty() ? "" : " ") + base::to_lower(tokens_[k].text);
    const bool numbered = noun || is(k + 1, word::kPhase);
    TaskSet tasks = numbered ? names_.phase(name) : names_.titled_phase(name);
    if (tasks.empty()) continue;
    end = k + 1 + (!noun && is(k + 1, word::kPhase) ? 1 : 0);
    return tasks;
  }
  return {};
}

bool TokenNamer::ambiguous(std::size_t i) const {
  return is(i, Kind::id) && tokens_[i].entry != nullptr && tokens_[i].entry->tasks.size() > 1 &&
         tokens_[i].tasks.size() == 1;
}

void TokenNamer::choose_phase(std::size_t i) {
  if (!ambiguous(i) || tokens_[i].erased) return;
  std::size_t last = i;
  while (last < i + kListWords && (is(last + 1, Kind::comma) || is(last + 1, word::kJoin)) &&
         ambiguous(last + 2)) {
    last += 2;
  }
  std::size_t from = last + 1, end = 0;
  while (from < last + kAllWords && is(from, word::kOf | word::kArticle | word::kRight)) ++from;
  const bool bracket = is(from, Kind::open);
  TaskSet phase;
  if (bracket || from > last + 1) phase = phase_named(from + (bracket ? 1 : 0), end);
  if (bracket && !is(end, Kind::close)) phase = {};
  if (!phase.empty()) {
    from = last + 1;
    end += bracket ? 1 : 0;
  } else {
    const std::size_t mark = i > 0 && (is(i - 1, Kind::colon) || is(i - 1, Kind::comma)) ? i - 1 : i;
    for (from = mark; from > 0 && mark - from < kPhaseWords && phase.empty(); --from) {
      phase = phase_named(from - 1, end);
      if (end != mark) phase = {};
    }
    end = i;
    if (from > 0 && is(from - 1, word::kPhase)) --from;
    // "In the frontend T001 is done" says so too, "not the frontend, T001" hardly.
    if (phase.empty() || (mark < i && !leads(from) && !is(from - 1, Kind::stop))) return;
  }
  for (std::size_t k = i; k <= last; ++k) {
    if (ambiguous(k)) choose(tokens_[k], phase);
  }
  for (std::size_t k = from; k < end; ++k) tokens_[k].erased = true;
}

void TokenNamer::choose(Token& token, const TaskSet& phase) {
  const TaskSet task = token.entry->of(phase);
  token.chosen = !task.empty();
  if (token.chosen) token.tasks = task;
}

void TokenNamer::join_apposition(std::size_t i) {
  // "T3 of the plan is done"
  if (is(i, Kind::id) && is(i + 1, word::kOf)) {
    std::size_t plan = i + 2;
    while (is(plan, word::kArticle | word::kRight)) ++plan;
    if (is(plan, word::kPlan) && !is(plan + 1, Kind::colon)) {
      for (std::size_t k = i + 1; k <= plan; ++k) tokens_[k].erased = true;
      return;
    }
  }
  if (!is(i, word::kTask | word::kCounted | word::kPhase | word::kPlan) || !is(i, Kind::word) ||
      !is(i + 1, Kind::comma) || !is(i + 2, Kind::id) || tokens_[i + 2].phase) {
    return;
  }
  std::size_t end = i + 3;
  while (end < i + kListWords) {
    std::size_t k = end;
    while (is(k, Kind::comma) || is(k, word::kJoin)) ++k;
    if (k == end || !is(k, Kind::id)) break;
    end = k + 1;
  }
  const bool closed = is(end, Kind::comma) && is(end + 1, word::kIs | word::kLeft | word::kDoneAfter);
  if (!closed && is(end, Kind::comma)) return;
  if (!closed && (is(end, Kind::word) || is(end, Kind::id) || !is(i, word::kTask | word::kCounted))) return;
  tokens_[i + 1].erased = true;
  if (closed) tokens_[end].erased = true;
}

void TokenNamer::name_phase(std::size_t i) {
  if (tokens_[i].erased) return;
  const bool joined = i > 1 && is(i - 1, word::kJoin) && tokens_[i - 2].phase && is_number(tokens_[i].text);
  std::size_t first = i, last = i;
  TaskSet tasks;
  std::string name;
  if (joined) {
    tasks = names_.phase(tokens_[i].text);
  } else if (tokens_[i].is(word::kPhase | word::kSection) && tokens_[i].kind == Kind::word) {
    tasks = phase_at(i, first, last);
    if (tokens_[i].is(word::kSection)) {
      name = "section " + std::string(ordinal_word(tokens_[first < i ? first : last].text));
    }
  } else if (const std::size_t end = titled_phase(i, tasks); end > i) {
    last = end - 1;
    name = "-";
  } else if (i + 1 < tokens_.size() && is_number(tokens_[i + 1].text) && tokens_[i].kind == Kind::word) {
    // "Milestone 2" of a plan whose phases are called so
    last = i + 1;
    name = (story(last) ? "user story" : tokens_[i].text) + " " + tokens_[last].text;
    tasks = names_.phase(name);
  }
  if (tasks.empty()) return;
  if (name.empty()) name = tokens_[last].text;
  Token& token = tokens_[last];
  // "Both remaining Auth tasks are done": not those of the whole phase
  if (first > 0 && is(last + 1, word::kTask) && is(first - 1, word::kOpen)) {
    token.entry = nullptr;
    token.classes = word::kHeading;
    return;
  }
  token.kind = Kind::id;
  token.phase = true;
  const std::size_t size = names_.required(tasks).size();
  token.loose = name == "-" && !is(i - 1, word::kSection | word::kPhase) && !quantified(i, size) &&
                !is(last + 1, word::kTask);
  token.classes = 0;
  token.entry = nullptr;
  token.tasks = names_.required(tasks);
  for (std::size_t k = first; k < last; ++k) tokens_[k].erased = true;
  if (const std::size_t all = all_behind(first, last + 1); all < tokens_.size()) {
    tokens_[first - 1].erased = tokens_[all].erased = true;
  }
  absorb_words(last + 1, names_.phase_title(name));
  absorb_among(last + 1);
  absorb_count(last + 1, size);
  absorb_number(first, size);
  absorb_all(first);
}

std::size_t TokenNamer::titled_phase(std::size_t i, TaskSet& tasks) const {
  if (tokens_[i].kind != Kind::word || !names_.starts_phase(base::to_lower(tokens_[i].text))) return 0;
  std::string name;
  std::size_t end = 0;
  for (std::size_t k = i; k < tokens_.size() && k < i + kPhaseTitle; ++k) {
    const Token& token = tokens_[k];
    // "1. Basics"
    if (is_number(name) && (token.kind == Kind::stop || token.kind == Kind::colon)) continue;
    if (token.kind != Kind::word || token.text.empty() || token.erased || token.code || token.possessive) {
      break;
    }
    const bool apart = !name.empty() && static_cast<unsigned char>(token.text[0]) < 0xE3;
    name += (apart ? " " : "") + base::to_lower(token.text);
    if (const TaskSet found = names_.titled_phase(name); !found.empty()) {
      tasks = found;
      end = k + 1;
    }
  }
  if (end == 0 || is(end, word::kPhase) || (names_.find(name) != nullptr) || longest_title(i).end >= end ||
      !phase_meant(i, end, tasks)) {
    tasks = {};
    return 0;
  }
  return end;
}

bool TokenNamer::phase_meant(std::size_t i, std::size_t end, const TaskSet& tasks) const {
  const bool quoted = i > 0 && is(i - 1, Kind::quote) && is(end, Kind::quote);
  const bool cjk = static_cast<unsigned char>(tokens_[i].text[0]) >= 0xE3;
  const bool named = tokens_[i].capital || tokens_[i].strong || quoted || cjk || is_number(tokens_[i].text);
  std::size_t first = i - (quoted ? 1 : 0), behind = end + (quoted ? 1 : 0);
  while (is(behind, Kind::close)) ++behind;
  const bool all = quantified(first, names_.required(tasks).size());
  // "both backend tasks", "the Groundwork tasks"
  if (is(behind, word::kTask) && (all || (named && tokens_[behind].text.ends_with("s")))) return true;
  if (!named) return false;
  if (all) return true;
  if (all_behind(first, behind) < tokens_.size()) return true;
  // "Setup is done" may be about any setup.
  for (std::size_t k = i; k < end; ++k) {
    if (tokens_[k].classes != 0 || tokens_[k].entry != nullptr) return false;
  }
  if (first > 0 && is(first - 1, word::kDoneBefore) && !is(behind, Kind::word)) return true;
  if (first > 0 && is(first - 1, word::kSection | word::kPhase)) return true;
  if (first > 0 && is(first - 1, word::kArticle) && tokens_[i].capital) --first;
  const bool starts = leads(first) || is(first - 1, Kind::stop) || is(first - 1, Kind::line_break) ||
                      is(first - 1, Kind::comma) || is(first - 1, word::kJoin);
  return starts && has_status(behind);
}

std::size_t TokenNamer::all_behind(std::size_t first, std::size_t behind) const {
  while (is(behind, word::kIs) && !is(behind, word::kAll)) ++behind;
  const bool in = first > 0 && (is(first - 1, word::kOf) || is(first - 1, word::kHeading));
  const bool all = is(behind, word::kAll) && !is(behind + 1, Kind::id) && !is(behind + 1, word::kTask) &&
                   is(behind + 1, word::kIs | word::kLeft | word::kPlainDone);
  return in && all ? behind : tokens_.size();
}

bool TokenNamer::has_status(std::size_t at) const {
  if (is(at, word::kIs | word::kDoneAfter) || is(at, Kind::good)) return true;
  if (at < tokens_.size() && static_cast<unsigned char>(tokens_[at].text.c_str()[0]) >= 0xE3) {
    return is(at, word::kLeft | word::kRight | word::kTask | word::kAll | word::kAmong | word::kExcept);
  }
  if (!is(at, Kind::colon) && !is(at, Kind::dash) && !is(at, Kind::open)) return false;
  // "Groundwork (6/6) ✅"
  if (is(at, Kind::open) && at + 2 < tokens_.size() && tokens_[at + 1].share && is(at + 2, Kind::close)) {
    return is(at + 3, Kind::good) || is(at + 3, word::kIs | word::kPlainDone);
  }
  const std::size_t limit = at + kAllWords;
  while (at < limit && (is(at + 1, word::kLeft | word::kAll | word::kTask) ||
                        (at + 1 < tokens_.size() && is_number(number_word(tokens_[at + 1].text))))) {
    ++at;
  }
  return is(at + 1, Kind::good) || is(at + 1, word::kPlainDone);
}

bool TokenNamer::quantified(std::size_t first, std::size_t size) const {
  std::size_t i = first;
  for (; i > 0 && first - i < kAllWords; --i) {
    const Token& token = tokens_[i - 1];
    if (token.is(word::kAll | word::kBoth) && !token.is(word::kJoin)) {
      return !token.is(word::kBoth) || token.is(word::kAll) || size == 2;
    }
    const std::string_view count = number_word(token.text);
    const bool counts = is_number(count) && count.size() < 7;
    if (counts && std::stoul(std::string(count)) != size) return false;
    if (!counts && token.kind != Kind::quote &&
        !token.is(word::kOf | word::kArticle | word::kRight | word::kTask | word::kWork | word::kCounted)) {
      return false;
    }
  }
  return false;
}

void TokenNamer::absorb_count(std::size_t at, std::size_t size) {
  std::size_t count = at, end = 0;
  const auto counts = [&](std::size_t k) {
    return k < tokens_.size() && number_word(tokens_[k].text) == std::to_string(size);
  };
  while (count < at + 2 && !counts(count) &&
         (is(count, word::kLeft | word::kRight | word::kTask) ||
          (count < tokens_.size() && one_of(tokens_[count].text, {"\u7684", "\u306e", "\uc758"})))) {
    ++count;
  }
  if (!counts(count)) return;
  end = count + 1;
  if (is(end, word::kCounter)) ++end;
  if (end == count + 1 && is_number(tokens_[count].text)) return;
  for (std::size_t k = at; k < end; ++k) tokens_[k].erased = true;
  if (is(end, word::kRight) && is(end + 1, word::kTask)) tokens_[end].erased = true;
}

void TokenNamer::absorb_among(std::size_t at) {
  std::size_t among = at;
  while (among < at + 2 && is(among, word::kTask | word::kLeft | word::kRight) && !is(among, word::kAll)) {
    ++among;
  }
  if (!is(among, word::kAmong)) return;
  for (std::size_t k = at; k <= among; ++k) tokens_[k].erased = true;
}

void TokenNamer::absorb_number(std::size_t first, std::size_t size) {
  bool tasks = false;
  for (std::size_t i = first; i > 0 && first - i < kAllWords; --i) {
    const Token& token = tokens_[i - 1];
    const std::string_view count = number_word(token.text);
    if (is_number(count)) {
      if (!tasks || count != std::to_string(size)) return;
      // "2 of 3 tasks in ..."
      if (i > 2 && is(i - 2, word::kOf | word::kRight) && is_number(number_word(tokens_[i - 3].text))) {
        return;
      }
      for (std::size_t k = i - 1; k < first; ++k) tokens_[k].erased = true;
      return;
    }
    tasks = tasks || token.is(word::kTask);
    if (token.kind != Kind::quote && !token.is(word::kOf | word::kArticle | word::kRight | word::kTask)) {
      return;
    }
  }
}

void TokenNamer::absorb_all(std::size_t first) {
  std::size_t i = first;
  while (i > 0 && first - i < kAllWords && !tokens_[i - 1].is(word::kAll) &&
         (tokens_[i - 1].is(word::kOf | word::kArticle | word::kRight | word::kTask | word::kWork |
                            word::kHeading) ||
          tokens_[i - 1].kind == Kind::quote || is_number(number_word(tokens_[i - 1].text))) &&
         !tokens_[i - 1].is(word::kBoth))
    --i;
  if (i == 0 || !is(i - 1, word::kAll | word::kBoth) || tokens_[i - 1].kind != Kind::word) return;
  for (std::size_t k = i - 1; k < first; ++k) tokens_[k].erased = true;
}

void TokenNamer::absorb_words(std::size_t from, std::string_view title) {
  if (title.empty()) return;
  std::size_t k = from;
  while (k < tokens_.size() && k < from + 2 &&
         (is(k, Kind::colon) || is(k, Kind::dash) || is(k, Kind::open) || is(k, Kind::quote)))
    ++k;
  const bool bracket = k > from && (is(k - 1, Kind::open) || is(k - 1, Kind::quote));
  for (std::size_t start = 0; start <= title.size(); ++k) {
    const std::size_t end = std::min(title.find(' ', start), title.size());
    if (k >= tokens_.size() || tokens_[k].text != title.substr(start, end - start)) return;
    start = end + 1;
  }
  if (bracket && (is(k, Kind::close) || is(k, Kind::quote))) ++k;
  for (std::size_t i = from; i < k; ++i) tokens_[i].erased = true;
}

}  // namespace plankeep::core

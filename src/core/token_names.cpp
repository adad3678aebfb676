// Which words of a unit are ids, titles, phases, "all tasks": the second half of message_tokens.

#include <algorithm>

#include "core/message_tokens.hpp"

namespace plankeep::core {
namespace {

using Kind = Token::Kind;

constexpr std::size_t kNone = static_cast<std::size_t>(-1);
constexpr std::size_t kTitleAnywhere = 4;      // words: a title this long is no turn of speech
constexpr std::size_t kTitleAnywhereCjk = 18;  // bytes: the same where words are not set apart
constexpr std::size_t kTitleAlone = 12;        // bytes of a title that is one word, to count at the front

bool one_of(std::string_view text, std::initializer_list<std::string_view> those) {
  return std::find(those.begin(), those.end(), text) != those.end();
}

bool is_number(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

/// What may follow "all tasks" without saying which.
constexpr WordClass kBehindAll = word::kIs | word::kLeft | word::kDoneAfter | word::kDoneBefore | word::kBut |
                                 word::kJoin | word::kOf | word::kTail | word::kIf;

class Namer {
 public:
  Namer(std::vector<Token>& tokens, const TaskNames& names) : tokens_(tokens), names_(names) {}

  void run() {
    std::erase_if(tokens_, [](const Token& token) { return token.erased; });
    for (std::size_t i = 1; i < tokens_.size(); ++i) read_pair(i);
    for (std::size_t i = 0; i < tokens_.size(); ++i) resolve(i);
    std::erase_if(tokens_, [](const Token& token) { return token.erased; });
    for (std::size_t i = 0; i < tokens_.size(); ++i) name_phase(i);
    for (std::size_t i = 0; i < tokens_.size(); ++i) name_all(i);
    for (std::size_t i = 0; i < tokens_.size(); ++i)
      if (!tokens_[i].erased) i += name_title(i);
    std::erase_if(tokens_, [](const Token& token) { return token.erased; });
  }

 private:
  bool is(std::size_t i, Kind kind) const { return i < tokens_.size() && tokens_[i].kind == kind; }
  bool is(std::size_t i, WordClass classes) const { return i < tokens_.size() && tokens_[i].is(classes); }

  /// Nothing but ticks, quotes and opening brackets before it.
  bool leads(std::size_t i) const {
    for (std::size_t k = i, steps = 0; k > 0; --k) {
      const Kind kind = tokens_[k - 1].kind;
      if (kind != Kind::good && kind != Kind::bad && kind != Kind::quote && kind != Kind::open) return false;
      if (++steps > 4) return false;
    }
    return true;
  }

  bool ends(std::size_t i) const {
    while (is(i, Kind::close) || is(i, Kind::quote) || is(i, Kind::stop)) ++i;
    return i >= tokens_.size();
  }

  /// Two words that say something else than each alone.
  void read_pair(std::size_t i) {
    Token& before = tokens_[i - 1];
    Token& token = tokens_[i];
    if (token.text == "progress" && before.text == "in")
      token.classes |= word::kNot | word::kTail | word::kOpen;
    if (token.text == "care" && before.text == "taken") {
      token.classes = word::kDoneAfter | word::kPlainDone;
      before.classes = word::kLeft;
    }
    // "After that I finished T1": no condition.
    if ((token.text == "that" || token.text == "this" || token.text == "which") &&
        (before.text == "after" || before.text == "before"))
      before.classes = token.classes = 0;
  }

  void resolve(std::size_t i) {
    Token& token = tokens_[i];
    if (token.kind == Kind::id) return;
    if (token.unknown) {
      token.kind = Kind::id;
      token.classes = 0;
      return;
    }
    if (token.entry == nullptr || token.kind != Kind::word || !meant(i)) return;
    token.kind = Kind::id;
    token.classes = 0;
    if (token.tasks.empty()) token.tasks = token.entry->one();
    if (i > 0 && tokens_[i - 1].text == "#") tokens_[i - 1].erased = true;
  }

  bool meant(std::size_t i) const {
    const Token& token = tokens_[i];
    const bool behind_task =
        i > 0 && (is(i - 1, word::kTask) ||
                  (i > 1 && (is(i - 1, Kind::colon) || is(i - 1, Kind::quote)) && is(i - 2, word::kTask)));
    const bool before_task = is(i + 1, word::kTask) && !is(i + 1, word::kAll);
    const bool whole = leads(i) && ends(i + 1);
    // "tasks setup, docs and 1.2"
    const bool joined = i > 1 && (is(i - 1, Kind::comma) || is(i - 1, word::kJoin | word::kRange)) &&
                        is(i - 2, Kind::id) && tokens_[i - 2].entry != nullptr &&
                        tokens_[i - 2].entry->kind == token.entry->kind && !tokens_[i - 2].code;
    // "task is", "the next task": words that make sentences.
    const bool function_word =
        (token.classes & ~(word::kPart | word::kDid | word::kBox | word::kWork | word::kPlan)) != 0;
    switch (token.entry->kind) {
      case IdKind::code:
        return true;
      case IdKind::number: {
        if (joined || behind_task || whole) return true;
        if (i > 0 && tokens_[i - 1].text == "#")
          return i < 2 || !one_of(tokens_[i - 2].text, {"issue", "issues", "pr", "prs", "pull", "request",
                                                        "bug", "ticket", "mr", "discussion"});
        return leads(i) && token.text.find('.') != std::string::npos && !is(i + 1, word::kOf);
      }
      case IdKind::compound:
        if (i > 0 && is(i - 1, word::kArticle)) return before_task;
        return true;
      case IdKind::word:
        if (function_word) return whole && !token.is(word::kDoneAfter | word::kOpen | word::kNot);
        return behind_task || (before_task && i > 0) || whole || joined;
    }
    return false;
  }

  void name_phase(std::size_t i) {
    const bool joined = i > 1 && is(i - 1, word::kJoin) && tokens_[i - 2].phase && is_number(tokens_[i].text);
    std::size_t at = i;
    if (!joined) {
      if (!tokens_[i].is(word::kPhase) || tokens_[i].erased) return;
      at = i + 1;
      while (is(at, Kind::quote)) ++at;
    }
    if (at >= tokens_.size() || tokens_[at].text.empty()) return;
    const std::string name = tokens_[at].text;
    const TaskSet tasks = names_.phase(name);
    if (tasks.empty()) return;
    Token& token = tokens_[at];
    token.kind = Kind::id;
    token.phase = true;
    token.classes = 0;
    token.entry = nullptr;
    token.tasks = tasks;
    if (!joined) tokens_[i].erased = true;
    absorb_words(at + 1, names_.phase_title(name));
  }

  /// "Phase 1: Setup": the title behind the number belongs to it.
  void absorb_words(std::size_t from, std::string_view title) {
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

  /// "all (of) (the) (6) tasks (in phase 1 | of the plan)", "the whole plan".
  void name_all(std::size_t i) {
    if (!tokens_[i].is(word::kAll) || tokens_[i].erased || tokens_[i].kind != Kind::word) return;
    std::size_t number = kNone;
    bool mine = false;
    std::size_t k = i + 1;
    const std::size_t limit = std::min(tokens_.size(), i + 7);
    while (k < limit && !tokens_[k].is(word::kTask | word::kPlan)) {
      const Token& token = tokens_[k];
      if (token.is(word::kOpen)) return;
      if (is_number(token.text) && token.text.size() < 7)
        number = std::stoul(token.text);
      else if (token.is(word::kMine))
        mine = true;
      else if (token.text != "of" && !token.is(word::kArticle | word::kRight | word::kAll | word::kOf))
        return;
      ++k;
    }
    if (k >= limit) return;
    TaskSet tasks;
    bool bare = tokens_[k].is(word::kTask);
    std::size_t end = k + 1;
    if (!bare) tasks = names_.every();
    if (bare && is(k + 1, Kind::word) && !is(k + 1, kBehindAll)) {
      // "all tasks listed above", "all tasks you gave me"
      mine = true;
      if (is(k + 1, word::kMine)) ++end;
    }
    // In what?
    std::size_t in = k + 1;
    if (bare && is(in, word::kOf)) {
      ++in;
      while (is(in, word::kArticle | word::kAll)) ++in;
      if (is(in, Kind::id) && tokens_[in].phase) {
        tasks = tokens_[in].tasks;
        bare = false;
        end = in + 1;
      } else if (in < tokens_.size() && tokens_[in].erased && is(in + 1, Kind::id) && tokens_[in + 1].phase) {
        tasks = tokens_[in + 1].tasks;
        bare = false;
        end = in + 2;
      } else if (is(in, word::kPlan)) {
        tasks = names_.every();
        bare = false;
        end = in + 1;
      } else {
        return;
      }
    }
    if (bare) {
      tasks = mine ? names_.assigned() : names_.every();
      if (number != kNone && number != tasks.size()) tasks = names_.assigned();
      if (tasks.empty() || (number != kNone && number != tasks.size())) return;
    }
    Token& token = tokens_[i];
    token.kind = Kind::id;
    token.classes = 0;
    token.tasks = tasks;
    token.every = bare && !mine && number == kNone;
    for (std::size_t e = i + 1; e < end; ++e) tokens_[e].erased = true;
  }

  struct Match {
    std::size_t end = 0;
    std::size_t words = 0;
    std::size_t bytes = 0;
    const TaskNames::Entry* entry = nullptr;
  };

  Match longest_title(std::size_t from) const {
    Match best;
    std::uint32_t node = 0;
    std::size_t words = 0, bytes = 0, between = 0;
    for (std::size_t k = from; k < tokens_.size() && words < TaskNames::kTitleWords; ++k) {
      const Token& token = tokens_[k];
      if (token.erased) break;
      if (token.text.empty() || token.text == "#" || token.text == "[" || token.text == "]") {
        if (k == from || token.kind == Kind::stop || token.kind == Kind::good || token.kind == Kind::bad ||
            ++between > 3)
          break;
        continue;
      }
      between = 0;
      for (const std::string& word : words_of(token.text)) {
        node = names_.next_node(node, word);
        if (node == TaskNames::kNoNode || ++words > TaskNames::kTitleWords) return best;
        bytes += word.size();
      }
      if (const auto* entry = names_.title_at(node)) best = {k + 1, words, bytes, entry};
    }
    return best;
  }

  /// How many tokens beyond this one it took.
  std::size_t name_title(std::size_t i) {
    const Match match = longest_title(i);
    if (match.entry == nullptr) return 0;
    if (absorb_into_id(i, match)) return match.end - i - 1;
    if (!quoted_or_long(i, match)) return 0;
    Token& token = tokens_[i];
    token.kind = Kind::id;
    token.classes = 0;
    token.title = true;
    token.tasks = match.entry->one();
    for (std::size_t k = i + 1; k < match.end; ++k) tokens_[k].erased = true;
    return match.end - i - 1;
  }

  /// "T001 Add login", "T001: Add login", "T001 (Add login)": the title says nothing new.
  bool absorb_into_id(std::size_t i, const Match& match) {
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
    std::size_t end = match.end;
    const bool bracket = k < i && (is(i - 1, Kind::open) || is(i - 1, Kind::quote));
    if (bracket && (is(end, Kind::close) || is(end, Kind::quote))) ++end;
    for (std::size_t e = k; e < end; ++e) tokens_[e].erased = true;
    return true;
  }

  bool quoted_or_long(std::size_t i, const Match& match) const {
    const bool quoted = i > 0 && is(i - 1, Kind::quote) && is(match.end, Kind::quote);
    if (quoted && (match.words >= 2 || match.bytes >= kTitleAlone)) return true;
    if (leads(i) && ends(match.end)) return true;
    // Not when a longer phrase goes on from it.
    const bool stands_alone = match.end >= tokens_.size() || tokens_[match.end].kind != Kind::word ||
                              tokens_[match.end].is(word::kIs | word::kLeft | word::kDoneAfter | word::kNot |
                                                    word::kOpen | word::kJoin);
    if (!stands_alone) return false;
    if (match.words >= kTitleAnywhere || (match.words == 1 && match.bytes >= kTitleAnywhereCjk)) return true;
    return (match.words >= 2 || match.bytes >= kTitleAlone) && leads(i) &&
           (tokens_[match.end].kind != Kind::word || tokens_[match.end].is(word::kIs | word::kDoneAfter));
  }

  std::vector<Token>& tokens_;
  const TaskNames& names_;
};

}  // namespace

void name_tokens(std::vector<Token>& tokens, const TaskNames& names) {
  Namer(tokens, names).run();
}

}  // namespace plankeep::core

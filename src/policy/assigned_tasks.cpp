#include "policy/assigned_tasks.hpp"

#include <algorithm>
#include <cctype>
#include <set>
#include <string>

#include "audit/message_lines.hpp"
#include "audit/task_names.hpp"
#include "audit/words/order_words.hpp"
#include "base/text.hpp"
#include "base/unicode/composed.hpp"
#include "base/utf8.hpp"

namespace plankeep::core {
namespace {

enum class Gap { none, joined, dash, stop };  // what stands before a word

struct Word {
  std::string text;
  std::string lower;
  Gap gap = Gap::none;
};

bool among(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

bool assigns(const Word& word) {
  return among(
      word.lower,
      {"do",       "implement",   "complete", "finish",   "execute",  "build",     "handle",     "take",
       "tackle",   "work",        "start",    "continue", "own",      "carry",     "deliver",    "perform",
       "resume",   "close",       "solve",    "task",     "tasks",    "assigned",  "assignment", "job",
       "scope",    "responsible", "mache",    "mach",     "erledige", "bearbeite", "umsetze",    "aufgabe",
       "aufgaben", "fais",        "termine",  "tâche",    "tâches",   "haz",       "completa",   "tarea",
       "tareas",   "fai",         "faça",     "выполни",  "сделай"});
}

bool is_task_word(const Word& word) {
  return among(word.lower, {"task", "tasks", "aufgabe", "aufgaben", "tâche", "tâches", "tarea", "tareas",
                            "tarefa", "tarefas", "задача", "задачу", "задачи"});
}

// Of numbers only: "do steps 1 to 3".
bool is_step_word(const Word& word) {
  return among(word.lower, {"step", "steps", "schritt", "schritte", "paso", "pasos", "passo", "passos"});
}

bool rules_out(const Word& word) {
  return among(word.lower,
               {"not",    "don't",     "dont",    "never", "except",    "without",  "skip",    "ignore",
                "leave",  "excluding", "depends", "after", "until",     "before",   "already", "besides",
                "unlike", "once",      "when",    "nicht", "ohne",      "pas",      "sans",    "no",
                "sin",    "cannot",    "did",     "done",  "completed", "finished", "avoid",   "than"});
}

bool excepts(const Word& word) {
  return among(word.lower, {"except", "excluding", "without", "besides", "not", "außer", "ohne", "sauf",
                            "excepto", "salvo"});
}

// "test" in "do task login and test": more likely what else is to be done.
bool imperative(const Word& word) {
  return among(word.lower,
               {"test",    "tests",  "build",  "deploy",  "document", "review",  "fix",    "commit",
                "push",    "report", "verify", "check",   "stop",     "finish",  "lint",   "format",
                "release", "ship",   "plan",   "cleanup", "merge",    "publish", "update", "return",
                "then",    "all",    "only",   "it",      "them",     "others",  "more"});
}

bool joins(const Word& word) {
  return among(word.lower, {"and", "or", "plus", "und", "et", "y", "e", "и"});
}

bool spans(const Word& word) {
  return among(word.lower, {"to", "through", "thru", "bis"});
}

// Words that mean much else, but between two numbers only this.
bool spans_numbers(const Word& word) {
  return spans(word) ||
         among(word.lower, {"until", "à", "au", "jusqu'à", "a", "al", "hasta", "até", "до", "по"});
}

bool word_byte(std::string_view text, std::size_t at) {
  const auto c = static_cast<unsigned char>(text[at]);
  return std::isalnum(c) != 0 || c >= 0x80 || text[at] == '_' || text[at] == '-' || text[at] == '.' ||
         text[at] == '/' || text[at] == '\'';
}

// Dashes and quotes of three bytes: U+2010..U+201F, U+2026 and the minus sign.
bool punctuation_at(std::string_view text, std::size_t at, bool& dash) {
  const std::string_view three = text.substr(at, 3);
  dash = among(three, {"\u2013", "\u2014", "\u2012", "\u2212", "\u2026"});
  return dash || among(three, {"\u2018", "\u201C", "\u201D", "\u201E"});
}

std::vector<Word> words_in(std::string_view text) {
  std::vector<Word> words;
  Gap gap = Gap::stop;
  for (std::size_t at = 0; at < text.size();) {
    bool dash = false;
    if (punctuation_at(text, at, dash)) {
      if (dash && gap == Gap::none) gap = Gap::dash;
      at += 3;
      continue;
    }
    if (!word_byte(text, at)) {
      const char c = text[at++];
      if (c == ';' || c == '!' || c == '?' || c == '\n') gap = Gap::stop;
      if (gap == Gap::none && (c == ',' || c == '&' || c == '+')) gap = Gap::joined;
      continue;
    }
    std::size_t end = at;
    while (end < text.size() && word_byte(text, end) && !punctuation_at(text, end, dash)) ++end;
    std::string_view word = text.substr(at, end - at);
    at = end;
    const bool range = word == "-" || word == "--" || word == ".." || word == "...";
    const std::size_t first = word.find_first_not_of("-.'/");
    const bool stops = word.back() == '.';
    if (first == std::string_view::npos) {
      if (gap != Gap::stop) gap = range ? Gap::dash : gap;
      continue;
    }
    word = word.substr(first, word.find_last_not_of("-.'/") + 1 - first);
    words.push_back({std::string(word), base::to_lower(word), gap});
    gap = stops ? Gap::stop : Gap::none;
  }
  return words;
}

class Prompt {
 public:
  Prompt(std::span<const AuditTask> tasks, const TaskNames& names)
      : tasks_(tasks), names_(names), given_(tasks.size(), 0), excepted_(tasks.size(), 0) {}

  void read(std::string_view text) {
    words_ = words_in(text);
    clause_ = 0;
    for (std::size_t i = 0; i < words_.size();) {
      if (words_[i].gap == Gap::stop || words_[i].lower == "but") clause_ = i;
      i = std::max({i + 1, phase_at(i), title_at(i), list_at(i)});
    }
    find_exceptions();
  }

  bool gives(std::size_t task) const { return given_[task] != 0; }
  bool leaves_out(std::size_t task) const { return excepted_[task] != 0; }

 private:
  static constexpr std::size_t kReach = 8;  // words before what they assign or rule out

  bool ends(std::size_t i) const { return i >= words_.size() || words_[i].gap == Gap::stop; }

  template <class Is>
  bool before(std::size_t i, const Is& is) const {
    const std::size_t from = i > clause_ + kReach ? i - kReach : clause_;
    return std::any_of(words_.begin() + static_cast<std::ptrdiff_t>(from),
                       words_.begin() + static_cast<std::ptrdiff_t>(i), is);
  }

  // "... is already done", "(done)"
  bool done_behind(std::size_t i) const {
    for (std::size_t k = i; k < words_.size() && k < i + 4 && !ends(k); ++k) {
      if (among(words_[k].lower, {"done", "complete", "completed", "finished", "ready"})) return true;
    }
    return false;
  }

  bool assigned(std::size_t i, std::size_t end) const {
    return before(i, assigns) && !before(i, rules_out) && !done_behind(end) && !only_looked_at(i, end);
  }

  // "Review task 2", with nothing to be made in what follows (audit/named_tasks has the same of ids).
  bool only_looked_at(std::size_t first, std::size_t end) const {
    const auto next = [this](std::size_t i) {
      return ends(i + 1) ? std::string_view() : std::string_view(words_[i + 1].lower);
    };
    const auto order = [this](std::size_t i) {
      return i == clause_ || words_[i].gap != Gap::none || joins(words_[i - 1]) ||
             among(words_[i - 1].lower,
                   {"please", "then", "to", "just", "only", "first", "bitte", "can", "could", "you"});
    };
    bool looked = false;
    for (std::size_t i = first > clause_ + kReach ? first - kReach : clause_; i < first; ++i) {
      if (orders_work(words_[i].lower)) looked = false;
      if (orders_look(words_[i].lower, next(i)) && order(i)) looked = true;
    }
    for (std::size_t i = end; looked && !ends(i); ++i) {
      if (orders_work(words_[i].lower) && !rules_out(words_[i - 1])) looked = false;
    }
    return looked;
  }

  void add(const TaskSet& set, bool open_only) {
    for (std::uint32_t i = set.first; !set.empty() && i < set.end; ++i) {
      const std::uint32_t task = (*set.list)[i];
      if (!open_only || !tasks_[task].done) given_[task] = 1;
    }
  }

  // A name that the sentence goes on behind is part of something else: "phase 2 tests", "login form styles".
  bool stands_alone(std::size_t end) const {
    if (ends(end) || words_[end].gap != Gap::none) return true;
    return joins(words_[end]) || spans(words_[end]) || excepts(words_[end]) || is_task_word(words_[end]) ||
           among(words_[end].lower, {"of",        "in",   "from",       "as",       "now",   "next",  "then",
                                     "but",       "only", "completely", "entirely", "first", "per",   "using",
                                     "according", "with", "by",         "so",       "for",   "please"});
  }

  // "Do Phase 2", "everything in phase 2", "finish the Setup phase", "phases 2 and 3".
  std::size_t phase_at(std::size_t i) {
    if (!among(words_[i].lower, {"phase", "phases", "milestone", "section", "fase", "étape"})) return 0;
    std::size_t end = i + 1;
    std::vector<TaskSet> sets;
    while (end < words_.size() && (sets.empty() || words_[end].gap == Gap::joined || joins(words_[end]))) {
      const std::size_t name = joins(words_[end]) && !sets.empty() ? end + 1 : end;
      if (name >= words_.size() || words_[name].gap == Gap::stop) break;
      TaskSet set = names_.phase(words_[name].lower);
      if (set.empty()) set = names_.phase(words_[i].lower + " " + words_[name].lower);
      if (set.empty()) break;
      sets.push_back(set);
      end = name + 1;
      if (end + 1 >= words_.size() || words_[end + 1].gap != Gap::none || !spans_numbers(words_[end]))
        continue;
      const std::vector<TaskSet> more = phases_to(words_[name].lower, words_[end + 1].lower);
      if (more.empty()) continue;
      sets.insert(sets.end(), more.begin(), more.end());
      end += 2;
    }
    std::size_t from = i;
    if (sets.empty()) {
      for (std::size_t length = 1; length <= 4 && length <= i - clause_; ++length) {
        std::string title;
        for (std::size_t k = i - length; k < i; ++k) title += (title.empty() ? "" : " ") + words_[k].lower;
        const TaskSet set = names_.titled_phase(title);
        if (set.empty()) continue;
        sets.assign(1, set);
        from = i - length;
      }
    }
    if (sets.empty() || !whole_phase(from) || !assigned(from, end) || !stands_alone(end)) return 0;
    for (const TaskSet& set : sets) add(set, true);
    return end;
  }

  // "2" to "4": 3 and 4, where the plan has all of them.
  std::vector<TaskSet> phases_to(std::string_view from, std::string_view to) const {
    constexpr std::size_t kDigits = 2;
    const auto is_number = [](std::string_view text) {
      return !text.empty() && text.size() <= kDigits && std::all_of(text.begin(), text.end(), base::is_digit);
    };
    std::vector<TaskSet> sets;
    if (!is_number(from) || !is_number(to)) return sets;
    const int last = std::stoi(std::string(to));
    for (int number = std::stoi(std::string(from)) + 1; number <= last; ++number) {
      sets.push_back(names_.phase(std::to_string(number)));
      if (sets.back().empty()) return {};
    }
    return sets;
  }

  // "T003 of phase 2" names a part of it, "all of phase 2" does not.
  bool whole_phase(std::size_t from) const {
    std::size_t k = from;
    if (k > clause_ && among(words_[k - 1].lower, {"the", "this", "that", "die", "la"})) --k;
    const bool part =
        k > clause_ && among(words_[k - 1].lower, {"of", "in", "from", "for", "to", "at", "about", "under",
                                                   "with", "see", "read", "von", "de"});
    if (!part) return true;
    return before(k, [](const Word& word) {
      return among(word.lower, {"everything", "all", "whole", "rest", "every", "entire", "remaining", "each",
                                "alles", "alle", "tout", "todo", "todas"});
    });
  }

  // "implement the login form", or a title that is an order itself at the beginning of a clause.
  std::size_t title_at(std::size_t i) {
    std::uint32_t node = 0;
    std::size_t found = 0;
    const TaskNames::Entry* entry = nullptr;
    std::size_t count = 0;
    for (std::size_t k = i; k < words_.size() && (k == i || !ends(k)); ++k) {
      for (const std::string& part : words_of(words_[k].text)) {
        node = names_.next_node(node, part);
        ++count;
        if (node == TaskNames::kNoNode) break;
      }
      if (node == TaskNames::kNoNode) break;
      const TaskNames::Entry* here = count >= 2 ? names_.title_at(node) : nullptr;
      if (here == nullptr) here = count >= 2 ? names_.title_tail_at(node) : nullptr;
      if (here == nullptr) continue;
      entry = here;
      found = k + 1;
    }
    if (entry == nullptr || found < i + 2 || !stands_alone(found)) return 0;
    const bool order = i == clause_ && found >= i + 3 && !done_behind(found);
    if (!order && !assigned(i, found)) return 0;
    add(entry->all(), false);
    return found;
  }

  struct Mention {
    const TaskNames::Entry* entry = nullptr;
    TaskSet range{};
    std::size_t end = 0;
    bool valid() const { return end > 0; }
  };

  const TaskNames::Entry* id_at(std::size_t i, bool beside_task) const {
    const TaskNames::Entry* entry = names_.find(words_[i].text);
    if (entry == nullptr && beside_task) entry = names_.numbered(words_[i].text);
    return entry;
  }

  // "T001" and "T004"; beside "tasks" also "3" and "5".
  TaskSet range(std::string_view from, std::string_view to, bool beside_task) const {
    TaskSet found = names_.range(from, to);
    return found.empty() && beside_task ? names_.numbered_range(from, to) : found;
  }

  // One id, or a range of them.
  Mention mention_at(std::size_t i, bool beside_task) const {
    if (i >= words_.size()) return {};
    const Word& word = words_[i];
    Mention mention;
    mention.entry = id_at(i, beside_task);
    if (mention.entry == nullptr) {
      // "T001-T004"
      const std::size_t dash = word.text.find('-');
      if (dash == std::string::npos || dash == 0 || dash + 1 >= word.text.size()) return {};
      const std::string from = word.text.substr(0, dash);
      mention.entry = names_.find(from);
      if (mention.entry == nullptr && beside_task) mention.entry = names_.numbered(from);
      if (mention.entry != nullptr) mention.range = range(from, word.text.substr(dash + 1), beside_task);
      if (mention.range.empty()) return {};
      mention.end = i + 1;
      return mention;
    }
    mention.end = i + 1;
    std::size_t to = i + 1;
    if (to < words_.size() && spans_numbers(words_[to]) && words_[to].gap == Gap::none) ++to;
    const bool spanned =
        to < words_.size() && (to > i + 1 ? words_[to].gap == Gap::none : words_[to].gap == Gap::dash);
    if (!spanned) return mention;
    mention.range = range(word.text, words_[to].text, beside_task);
    if (!mention.range.empty()) mention.end = to + 1;
    return mention;
  }

  bool counts(const Mention& mention, std::size_t i, bool beside_task, bool listed) const {
    const bool dotted = words_[i].text.find('.') != std::string::npos;
    switch (mention.entry->kind) {
      case IdKind::code:
        return true;
      case IdKind::compound:
        return beside_task || listed || before(i, assigns);
      case IdKind::number:
        return beside_task || (dotted && (listed || before(i, assigns)));
      case IdKind::word:
        break;
    }
    const bool followed = mention.end < words_.size() && words_[mention.end].gap == Gap::none &&
                          is_task_word(words_[mention.end]) && before(i, assigns);
    if (followed) return true;
    if (!beside_task) return false;
    return !listed || (!imperative(words_[i]) && stands_alone(mention.end));
  }

  // "tasks 3", "tasks from 3"; a plan whose phases are steps means these by "step 3".
  bool behind_task_word(std::size_t i) const {
    std::size_t word = i;
    if (word > clause_ + 1 && among(words_[word - 1].lower, {"from", "von", "de", "desde"}) &&
        words_[word].gap == Gap::none)
      --word;
    if (word == clause_ || words_[word].gap != Gap::none) return false;
    const Word& kind = words_[word - 1];
    if (is_task_word(kind)) return true;
    if (!is_step_word(kind) || !before(word, assigns)) return false;
    return base::is_digit(words_[i].text.front()) && names_.phase("step " + words_[i].lower).empty() &&
           names_.phase(kind.lower + " " + words_[i].lower).empty();
  }

  // "task auth-middleware and endpoints", "T001 to T004", "1.1 to 1.4".
  std::size_t list_at(std::size_t i) {
    const bool beside = behind_task_word(i);
    std::size_t at = i;
    std::size_t end = 0;
    for (bool listed = false;; listed = true) {
      const Mention mention = mention_at(at, beside);
      if (!mention.valid() || !counts(mention, at, beside, listed)) break;
      // One that is named alone is found by audit/named_tasks if nothing but its look makes it an id.
      const bool bare = mention.entry->kind == IdKind::code && mention.range.empty() &&
                        mention.entry == names_.find(words_[at].text);
      if (!bare && !before(i, rules_out) && !done_behind(mention.end) && !only_looked_at(i, mention.end)) {
        add(mention.entry->all(), false);
        add(mention.range, false);
      }
      end = mention.end;
      if (end >= words_.size() || words_[end].gap == Gap::stop) break;
      const bool comma = words_[end].gap == Gap::joined;
      if (!comma && !joins(words_[end])) break;
      at = joins(words_[end]) ? end + 1 : end;
      if (at >= words_.size() || words_[at].gap == Gap::stop) break;
    }
    return end;
  }

  void find_exceptions() {
    bool excepted = false;
    for (std::size_t i = 0; i < words_.size(); ++i) {
      if (words_[i].gap == Gap::stop) excepted = false;
      if (words_[i].lower == "but" && i > 0 && words_[i - 1].lower == "all") excepted = true;
      if (excepts(words_[i])) excepted = true;
      if (!excepted) continue;
      const Mention mention = mention_at(i, i > 0 && is_task_word(words_[i - 1]));
      if (!mention.valid()) continue;
      for (const TaskSet& set : {mention.entry->all(), mention.range}) {
        for (std::uint32_t k = set.first; !set.empty() && k < set.end; ++k) excepted_[(*set.list)[k]] = 1;
      }
    }
  }

  std::span<const AuditTask> tasks_;
  const TaskNames& names_;
  std::vector<char> given_;
  std::vector<char> excepted_;
  std::vector<Word> words_;
  std::size_t clause_ = 0;  // where it begins
};

}  // namespace

std::vector<TaskId> assigned_tasks(std::string_view prompt, std::span<const AuditTask> tasks) {
  if (prompt.size() > kAuditedBytes) prompt = prompt.substr(0, kAuditedBytes);
  const TaskNames names(tasks, prompt);
  Prompt given(tasks, names);
  for (const MessageUnit& unit : split_message(prompt, Quotations::leave_out)) {
    const bool says = unit.box != MessageUnit::Box::ticked && unit.kind != MessageUnit::Kind::row;
    if (says && !unit.fenced) given.read(base::composed(unit.text));
  }
  const std::vector<TaskId> named = named_tasks(prompt, tasks);
  std::vector<TaskId> ids;
  std::set<TaskId> seen(named.begin(), named.end());
  std::set<TaskId> told;
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    const bool counts = given.gives(i) || seen.contains(tasks[i].id);
    if (counts && !given.leaves_out(i) && told.insert(tasks[i].id).second) ids.push_back(tasks[i].id);
  }
  return ids;
}

}  // namespace plankeep::core

#include "audit/task_names.hpp"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <numeric>

#include "audit/words/assertion_words.hpp"
#include "base/text.hpp"
#include "base/unicode/composed.hpp"
#include "base/utf8.hpp"

namespace plankeep::core {
namespace {

using base::all_digits;

constexpr std::size_t kUnspaced = 9;          // bytes: shorter ids may be parts of other words
constexpr std::size_t kLongestUnspaced = 90;  // bytes
constexpr std::size_t kPhasesSought = 2000;   // in the text: each costs a search through all of it
constexpr std::string_view kSubtasksCjk = "子任务";
constexpr std::size_t kDeepestFamily = 8;  // of tasks nested below one another
constexpr std::ptrdiff_t kMostTried = 8;   // tasks of one name, for the one of a phase

std::uint64_t number_of(std::string_view digits) {
  std::uint64_t value = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), value);
  return value;
}

/// "phase", "Fase", "\u9636\u6bb5": the word for it, as a whole.
bool says_phase(std::string_view lower) {
  if ((word_class(lower) & word::kPhase) != 0) return true;
  const Phrase phrase = phrase_at(lower);
  return (phrase.classes & word::kPhase) != 0 && phrase.length == lower.size();
}

/// "1" of "\u9636\u6bb5\u4e00" and "1\ub2e8\uacc4", where words are not set apart; empty when it is no such
/// name.
std::string_view counted_phase(std::string_view name) {
  if (name.starts_with("\u7b2c")) name.remove_prefix(3);
  const Phrase phrase = phrase_at(name);
  std::string_view count;
  if ((phrase.classes & word::kPhase) != 0) {
    count = name.substr(phrase.length);
  } else {
    const std::size_t digits = std::min(name.find_first_not_of("0123456789"), name.size());
    const std::size_t length = digits > 0 ? digits : base::decode_at(name, 0).length;
    if (length >= name.size() || !says_phase(name.substr(length))) return {};
    count = name.substr(0, length);
  }
  const std::string_view number = number_word(count);
  return all_digits(number) ? number : std::string_view{};
}

IdKind kind_of(std::string_view id) {
  const bool digits = std::any_of(id.begin(), id.end(), base::is_digit);
  if (digits && id.find_first_not_of("0123456789.") == std::string_view::npos) return IdKind::number;
  const bool letters = std::any_of(id.begin(), id.end(), base::is_letter);
  // "T001", "US-12", "F2.1", "TASK_3": a few letters, then digits. "login-2" is a slug made unique.
  const std::size_t first_digit = id.find_first_of("0123456789");
  if (digits && letters && first_digit >= 1 &&
      id.find_first_not_of("0123456789.", first_digit) == std::string_view::npos) {
    const std::string_view stem = id.substr(0, id.find_last_not_of("-_.", first_digit - 1) + 1);
    const bool plain = std::all_of(stem.begin(), stem.end(), base::is_letter);
    const bool capital = std::none_of(stem.begin(), stem.end(), [](char c) { return c >= 'a' && c <= 'z'; });
    if (plain && (stem.size() <= 2 || capital || stem == "task" || stem == "Task")) return IdKind::code;
  }
  return id.find_first_of("-_.") != std::string_view::npos ? IdKind::compound : IdKind::word;
}

/// Reads the next word from `at` on, as base::search_text has it, and moves `at` past it. False at the end of
/// the text.
bool next_word(std::string_view text, std::size_t& at, std::string& word) {
  word.clear();
  while (at < text.size()) {
    const base::CodePoint point = base::decode_at(text, at);
    const bool part = point.valid && base::is_word_character(point.value);
    if (!part && !word.empty()) break;
    at += point.length;
    if (part) base::append_utf8(word, base::to_lower(point.value));
  }
  if (word.find_first_of("\xCC\xCD\xE1\xE3") != std::string::npos) word = base::composed(word);
  return !word.empty();
}

/// Has characters of three or more bytes, as all scripts without spaces between words do.
bool may_be_unspaced(std::string_view text) {
  return std::any_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) >= 0xE0; });
}

}  // namespace

bool says_subtasks(std::string_view lower_word) {
  return base::one_of(lower_word, {"subtasks", "subitems", "unteraufgaben", "teilaufgaben", "subtareas",
                                   "subtarefas", "sottoattività", "sottotask", "подзадачи", "подзадач",
                                   "subtaken", "deeltaken", "podzadania"});
}

bool begins_subtasks(std::string_view lower_word) {
  return base::one_of(lower_word, {"sub", "child", "nested", "sous", "子"});
}

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  std::string word;
  for (std::size_t at = 0; next_word(text, at, word);) words.push_back(word);
  return words;
}

TaskSet TaskNames::Entry::of(const TaskSet& phase) const {
  if (phase.empty()) return {};
  const auto begin = phase.list->begin() + phase.first, end = phase.list->begin() + phase.end;
  const auto from = std::lower_bound(tasks.begin(), tasks.end(), *begin);
  // The tasks of a phase follow one another, so the first one fits or few do.
  for (auto task = from; task != tasks.end() && task - from < kMostTried; ++task) {
    if (!std::binary_search(begin, end, *task)) continue;
    const auto at = static_cast<std::uint32_t>(task - tasks.begin());
    return {&tasks, at, at + 1};
  }
  return {};
}

TaskNames::Split TaskNames::split(std::string_view id) {
  std::size_t end = id.size();
  while (end > 0 && base::is_digit(id[end - 1])) --end;
  return {base::to_lower(id.substr(0, end)), id.substr(end)};
}

TaskNames::TaskNames(std::span<const AuditTask> tasks, std::string_view text) : asked_(tasks) {
  std::string word;
  for (std::size_t at = 0; next_word(text, at, word);) text_words_.insert(word);
  const std::string lower_text = base::search_text(text);
  std::string phase, in_phase;  // the previous task's phase, and "phase/" in lower case
  bool phase_named = false;
  exact_.reserve(tasks.size());
  lower_.reserve(tasks.size());
  listed_.resize(tasks.size());
  std::iota(listed_.begin(), listed_.end(), 0U);
  for (const std::uint32_t i : listed_) {
    const AuditTask& task = tasks[i];
    if (!task.optional) every_.push_back(i);
    if (task.assigned) assigned_.push_back(i);
    add_phase(task, i);
    if (task.id.empty()) continue;
    const std::string lower = base::search_text(task.id.text);
    const IdKind kind = kind_of(task.id.text);
    add_name(exact_, base::composed(task.id.text), i, kind, task.done);
    add_name(lower_, lower, i, kind, task.done);
    if (task.phase.text != phase) {
      phase = task.phase.text;
      in_phase = base::search_text(phase) + "/";
      phase_named = !phase.empty() &&
                    (phases_.size() > kPhasesSought || lower_text.find(in_phase) != std::string::npos);
    }
    if (phase_named) add_name(lower_, in_phase + lower, i, IdKind::code, task.done);
    add_number(lower, i);
    add_title(i, task.title, lower);
    const base::CodePoint first = base::decode_at(lower, 0);
    if (is_cjk(first.value) && lower.size() >= kUnspaced && lower.size() <= kLongestUnspaced) {
      unspaced_[lower.substr(0, first.length)].insert(lower.size());
    }
  }
  add_leads(tasks);
  add_families(tasks, lower_text);
  if (every_.size() < tasks.size()) {
    for (const auto& [id, names] : phases_) {
      std::vector<std::uint32_t>& required = required_[&names.tasks];
      std::copy_if(names.tasks.begin(), names.tasks.end(), std::back_inserter(required),
                   [&](std::uint32_t task) { return !tasks[task].optional; });
    }
  }
  for (auto& [name, stem] : stems_) std::stable_sort(stem.members.begin(), stem.members.end());
  for (auto& [name, stem] : stems_)
    for (const auto& [number, task] : stem.members) {
      stem.number.push_back(number);
      stem.tasks.push_back(task);
    }
}

void TaskNames::add_families(std::span<const AuditTask> tasks, std::string_view lower_text) {
  const bool meant = std::any_of(text_words_.begin(), text_words_.end(), [](const std::string& word) {
    return says_subtasks(word) || begins_subtasks(word) || word == "subtask";
  });
  if (!meant && lower_text.find(kSubtasksCjk) == std::string_view::npos) return;
  constexpr std::uint32_t kNobody = 0xFFFFFFFF;
  std::vector<std::uint32_t> parents(tasks.size(), kNobody);
  for (std::uint32_t i = 0; i < tasks.size(); ++i) {
    if (tasks[i].parent.empty()) continue;
    const auto found = exact_.find(base::composed(tasks[i].parent.text));
    if (found == exact_.end()) continue;
    const std::vector<std::uint32_t>& same = found->second.tasks;
    const auto behind = std::lower_bound(same.begin(), same.end(), i);
    if (behind == same.begin() || tasks[*(behind - 1)].phase != tasks[i].phase) continue;
    parents[i] = *(behind - 1);
    if (tasks[i].optional) continue;
    std::uint32_t around = parents[i];
    for (std::size_t depth = 0; around != kNobody && depth < kDeepestFamily; ++depth) {
      std::vector<std::uint32_t>& family = families_[around];
      if (family.empty()) family.push_back(around);
      family.push_back(i);
      around = parents[around];
    }
  }
}

TaskSet TaskNames::family(std::uint32_t task) const {
  const auto found = families_.find(task);
  return found == families_.end() ? TaskSet{} : whole(found->second);
}

void TaskNames::add_name(std::unordered_map<std::string, Entry>& table, std::string key, std::uint32_t task,
                         IdKind kind, bool done) {
  Entry& entry = table[std::move(key)];
  if (entry.tasks.empty()) entry.kind = kind;
  entry.tasks.push_back(task);
  if (done && !entry.best_done) {
    entry.best = static_cast<std::uint32_t>(entry.tasks.size() - 1);
    entry.best_done = true;
  }
}

void TaskNames::add_number(std::string_view name, std::uint32_t task) {
  const Split parts = split(name);
  if (parts.digits.empty() || parts.digits.size() > 9) return;
  Stem& stem = stems_[parts.stem];
  stem.members.emplace_back(number_of(parts.digits), task);
  stem.shortest = std::min(stem.shortest, parts.digits.size());
  stem.longest = std::max(stem.longest, parts.digits.size());
  stem.padded = stem.padded || parts.digits.starts_with('0');
}

void TaskNames::add_leads(std::span<const AuditTask> tasks) {
  std::unordered_map<std::string, std::size_t> names, stems;
  std::vector<Lead> leads;
  for (const AuditTask& task : tasks) {
    Lead& lead = leads.emplace_back(lead_of(task.title));
    if (lead.name.empty()) continue;
    ++names[base::to_lower(lead.name)];
    ++stems[split(lead.name).stem];
  }
  for (std::uint32_t i = 0; i < leads.size(); ++i) {
    const std::string lower = base::to_lower(leads[i].name);
    // "S3 upload" is no name of its own, "T1 ..." beside "T2 ..." is.
    if (lower.empty() || names[lower] > 1 || lower_.contains(lower)) continue;
    // Of a plan with one task, "T1 Cart" leads with its id all the same.
    const bool alone = leads.size() == 1 && split(lower).stem == "t";
    if (!leads[i].apart && !alone && stems[split(lower).stem] < 2) continue;
    add_name(lower_, lower, i, kind_of(leads[i].name), tasks[i].done);
    add_number(lower, i);
    add_title(i, std::string_view(tasks[i].title).substr(leads[i].end), lower);
  }
}

TaskNames::Lead TaskNames::lead_of(std::string_view title) {
  const std::size_t start = std::min(title.find_first_not_of("*_`~[( "), title.size());
  std::size_t end = start;
  while (end < title.size() && (base::is_letter(title[end]) || base::is_digit(title[end]) ||
                                title[end] == '-' || title[end] == '.' || title[end] == '_'))
    ++end;
  while (end > start && (title[end - 1] == '.' || title[end - 1] == '-' || title[end - 1] == '_')) --end;
  const std::string_view name = title.substr(start, end - start);
  const IdKind kind = kind_of(name);
  const bool dotted = kind == IdKind::number && name.find('.') != std::string_view::npos;
  if (name.empty() || (kind != IdKind::code && !dotted)) return {};
  const std::size_t behind = std::min(title.find_first_not_of("*_`~ ", end), title.size());
  const std::string_view rest = title.substr(behind);
  const bool apart = dotted || start > 0 || rest.empty() || rest[0] == ':' || rest[0] == '.' ||
                     rest[0] == ')' || rest[0] == ']' || rest[0] == '-' || rest.starts_with("\u2013") ||
                     rest.starts_with("\u2014");
  return {std::string(name), end, apart};
}

bool TaskNames::may_have(std::string_view title, std::size_t before) const {
  // Without spaces, the words of titles decide where the words of the text end, so none may be missing.
  if (may_be_unspaced(title)) return true;
  const std::size_t first = before + 2;
  std::string word;
  std::size_t words = 0;
  for (std::size_t at = 0; words < kTitleWords && next_word(title, at, word); ++words) {
    if (words >= first && !text_words_.contains(word)) return false;
  }
  return true;
}

void TaskNames::add_title(std::uint32_t task, std::string_view title, std::string_view id) {
  // Unmarked plans: the title may begin with the id, which is found by itself. "ci" of "CI pipeline" is a
  // word of the title.
  const std::vector<std::string> id_words = words_of(id);
  const IdKind kind = kind_of(id);
  const bool apart = kind == IdKind::code || kind == IdKind::number;
  if (!may_have(title, apart ? id_words.size() : 0)) return;
  std::vector<std::string> words = words_of(title);
  if (apart && words.size() > id_words.size() && std::equal(id_words.begin(), id_words.end(), words.begin()))
    words.erase(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(id_words.size()));
  if (words.empty()) return;
  if (words.size() > kTitleWords) words.resize(kTitleWords);
  titles_[add_words(words)].tasks.push_back(task);
  // "Build the checkout page"
  const std::size_t tail = words.size() > 1 && (word_class(words[1]) & word::kArticle) != 0 ? 2 : 1;
  if (words.size() > tail + 1) title_tails_[add_words(std::span(words).subspan(tail))].tasks.push_back(task);
}

std::uint32_t TaskNames::add_words(std::span<const std::string> words) {
  std::uint32_t node = 0;
  for (const std::string& word : words) {
    const std::uint32_t number =
        words_.try_emplace(word, static_cast<std::uint32_t>(words_.size())).first->second;
    const std::uint64_t edge = (std::uint64_t{node} << 32) | number;
    const auto [found, fresh] = edges_.try_emplace(edge, nodes_);
    if (fresh) ++nodes_;
    node = found->second;
  }
  return node;
}

void TaskNames::add_phase(const AuditTask& task, std::uint32_t index) {
  if (task.phase.empty()) return;
  const std::string id = base::search_text(task.phase.text);
  PhaseNames& names = phases_[id];
  names.tasks.push_back(index);
  if (names.tasks.size() > 1) return;
  phase_aliases_.try_emplace(id, id);
  // "Phase 1: Setup", "phase-1-setup", "p1": the number tells the phase too.
  const std::vector<std::string> title = words_of(task.phase_title);
  std::size_t rest = 0;
  if (title.size() >= 2 && says_phase(title[0])) {
    phase_aliases_.try_emplace(title[1], id);
    rest = 2;
  } else if (title.size() >= 2 && all_digits(title[1])) {
    phase_aliases_.try_emplace(title[0] + " " + title[1], id);  // "Milestone 2: Release"
  } else if (title.size() >= 2 && all_digits(title[0])) {
    phase_aliases_.try_emplace("section " + title[0], id);  // "1. Basics"
    rest = 1;
  } else if (!title.empty() && !counted_phase(title[0]).empty()) {
    phase_aliases_.try_emplace(std::string(counted_phase(title[0])), id);
    rest = title.size() > 1 ? 1 : 0;
  }
  const std::vector<std::string> parts = words_of(id);
  if (parts.size() >= 2 && says_phase(parts[0])) phase_aliases_.try_emplace(parts[1], id);
  for (const std::string_view prefix : {"phase", "p"})
    if (id.size() > prefix.size() && id.starts_with(prefix) &&
        std::all_of(id.begin() + static_cast<std::ptrdiff_t>(prefix.size()), id.end(), base::is_digit))
      phase_aliases_.try_emplace(std::to_string(number_of(std::string_view(id).substr(prefix.size()))), id);
  for (std::size_t i = rest; i < title.size(); ++i) names.title += (i > rest ? " " : "") + title[i];
  if (names.title.empty()) return;
  phase_aliases_.try_emplace(names.title, id);
  // "User Story 1" of "Phase 2: User Story 1 - Sign in", where no other phase is about it.
  if (rest + 2 < title.size() && title[rest] == "user" && title[rest + 1] == "story") {
    const std::string story = "user story " + title[rest + 2];
    if (!phase_aliases_.try_emplace(story, id).second) phase_aliases_.erase(story);
  }
  add_phase_title(names.title, id);
  if (rest == 1) add_phase_title(title[0] + " " + names.title, id);
}

void TaskNames::add_phase_title(const std::string& title, const std::string& id) {
  if (phase_titles_.try_emplace(title, id).second) {
    phase_starts_.insert(title.substr(0, base::decode_at(title, 0).length));
  }
}

const TaskNames::Entry* TaskNames::find(std::string_view id) const {
  if (const auto found = exact_.find(base::composed(id)); found != exact_.end()) return &found->second;
  const auto found = lower_.find(base::search_text(id));
  return found == lower_.end() ? nullptr : &found->second;
}

std::size_t TaskNames::title_word_at(std::string_view text, std::uint32_t from) const {
  std::size_t longest = 0;
  const std::size_t end = std::min(text.size(), kLongestUnspaced);
  for (std::size_t at = 0; at < end;) {
    at += base::decode_at(text, at).length;
    if (at > text.size()) break;
    const auto word = words_.find(std::string(text.substr(0, at)));
    if (word == words_.end()) continue;
    if (at >= kUnspaced || edges_.contains((std::uint64_t{from} << 32) | word->second)) longest = at;
  }
  return longest;
}

std::size_t TaskNames::unspaced_at(std::string_view text) const {
  const auto lengths = unspaced_.find(std::string(text.substr(0, base::decode_at(text, 0).length)));
  if (lengths == unspaced_.end()) return 0;
  for (auto length = lengths->second.rbegin(); length != lengths->second.rend(); ++length) {
    if (*length <= text.size() && find(text.substr(0, *length)) != nullptr) return *length;
  }
  return 0;
}

bool TaskNames::looks_like_id(std::string_view text) const {
  if (kind_of(text) != IdKind::code || find(text) != nullptr) return false;
  const Split parts = split(text);
  const auto found = stems_.find(parts.stem);
  if (found == stems_.end() || found->second.tasks.size() < 2) return false;
  const Stem& stem = found->second;
  // Only as many digits as the plan's ids have, or one more where they are not padded ("T10" after T9).
  return parts.digits.size() >= stem.shortest && parts.digits.size() <= stem.longest + (stem.padded ? 0 : 1);
}

TaskSet TaskNames::range(std::string_view from, std::string_view to) const {
  const Split first = split(from);
  const Split last = split(to);
  if (first.digits.empty() || last.digits.empty() || last.digits.size() > 9 || first.digits.size() > 9)
    return {};
  if (!last.stem.empty() && last.stem != first.stem) return dotted_range(from, to);
  const auto found = stems_.find(first.stem);
  if (found == stems_.end() || number_of(first.digits) > number_of(last.digits)) return {};
  const Stem& stem = found->second;
  const auto low = std::lower_bound(stem.number.begin(), stem.number.end(), number_of(first.digits));
  const auto high = std::upper_bound(low, stem.number.end(), number_of(last.digits));
  return {&stem.tasks, static_cast<std::uint32_t>(low - stem.number.begin()),
          static_cast<std::uint32_t>(high - stem.number.begin())};
}

TaskSet TaskNames::numbered_range(std::string_view from, std::string_view to) const {
  if (numbered(from) == nullptr || numbered(to) == nullptr) return {};
  return range(stems_.begin()->first + std::string(from), to);
}

TaskSet TaskNames::dotted_range(std::string_view from, std::string_view to) const {
  const Entry* first = find(from);
  const Entry* last = find(to);
  if (first == nullptr || last == nullptr) return {};
  const auto dotted = [](const Entry& entry) {
    return entry.kind == IdKind::number && entry.tasks.size() == 1;
  };
  if (!dotted(*first) || !dotted(*last)) return {};
  if (std::count(from.begin(), from.end(), '.') != std::count(to.begin(), to.end(), '.')) return {};
  if (first->tasks[0] > last->tasks[0]) return {};
  return {&listed_, first->tasks[0], last->tasks[0] + 1};
}

TaskSet TaskNames::before(std::uint32_t task, bool with) const {
  const auto end = with ? std::upper_bound(every_.begin(), every_.end(), task)
                        : std::lower_bound(every_.begin(), every_.end(), task);
  return {&every_, 0, static_cast<std::uint32_t>(end - every_.begin())};
}

TaskSet TaskNames::required(const TaskSet& phase) const {
  const auto found = required_.find(phase.list);
  return found == required_.end() ? phase : whole(found->second);
}

const TaskNames::Entry* TaskNames::numbered(std::string_view digits) const {
  if (digits.empty() || digits.size() > 9 || !std::all_of(digits.begin(), digits.end(), base::is_digit))
    return nullptr;
  if (stems_.size() != 1) return nullptr;
  const std::string& stem = stems_.begin()->first;
  for (std::string padding; padding.size() < 4; padding += '0')
    if (const Entry* entry = find(stem + padding + std::string(digits))) return entry;
  return nullptr;
}

TaskSet TaskNames::phase(std::string_view name) const {
  const auto alias = phase_aliases_.find(base::search_text(name));
  return alias == phase_aliases_.end() ? TaskSet{} : whole(phases_.at(alias->second).tasks);
}

TaskSet TaskNames::titled_phase(std::string_view words) const {
  const auto title = phase_titles_.find(std::string(words));
  return title == phase_titles_.end() ? TaskSet{} : whole(phases_.at(title->second).tasks);
}

bool TaskNames::starts_phase(std::string_view word) const {
  return !word.empty() &&
         phase_starts_.contains(std::string(word.substr(0, base::decode_at(word, 0).length)));
}

std::string_view TaskNames::phase_title(std::string_view name) const {
  const auto alias = phase_aliases_.find(base::search_text(name));
  return alias == phase_aliases_.end() ? std::string_view{} : phases_.at(alias->second).title;
}

std::uint32_t TaskNames::next_node(std::uint32_t node, std::string_view lower_word) const {
  const auto number = words_.find(std::string(lower_word));
  if (number == words_.end()) return kNoNode;
  const auto edge = edges_.find((std::uint64_t{node} << 32) | number->second);
  return edge == edges_.end() ? kNoNode : edge->second;
}

const TaskNames::Entry* TaskNames::title_at(std::uint32_t node) const {
  const auto found = titles_.find(node);
  return found == titles_.end() || found->second.tasks.size() != 1 ? nullptr : &found->second;
}

const TaskNames::Entry* TaskNames::title_tail_at(std::uint32_t node) const {
  const auto found = title_tails_.find(node);
  return found == title_tails_.end() || found->second.tasks.size() != 1 ? nullptr : &found->second;
}

}  // namespace plankeep::core

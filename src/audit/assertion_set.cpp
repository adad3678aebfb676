#include "audit/assertion_set.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <optional>
#include <utility>

#include "base/utf8.hpp"

namespace plankeep::core {
namespace {

constexpr std::size_t kExceptionReach = 40;  // tokens from an id to what its sentence leaves out
constexpr std::size_t kMostListed = 100;     // tasks that a number of them may stand for
constexpr std::size_t kMostWalked = std::size_t{1} << 20;  // tasks in sets that were walked for exceptions

/// Not a whole phase or the whole plan.
bool names_one(const Token& token) {
  return token.entry != nullptr || token.title || token.own;
}

}  // namespace

void TaskMarks::add(const TaskSet& tasks, std::size_t line) {
  if (tasks.empty()) return;
  any_ = true;
  const auto mark = [&](std::uint32_t task) {
    if (lines_[task] == 0) lines_[task] = line;
  };
  if (tasks.size() == 1) return mark((*tasks.list)[tasks.first]);
  // next[i]: the first position from i on that was not walked over yet (or a step on the way to it).
  auto [found, fresh] = next_.try_emplace(tasks.list);
  std::vector<std::uint32_t>& next = found->second;
  if (fresh) {
    next.resize(tasks.list->size() + 1);
    std::iota(next.begin(), next.end(), 0U);
  }
  const auto unwalked = [&](std::uint32_t at) {
    while (next[at] != at) at = next[at] = next[next[at]];
    return at;
  };
  for (std::uint32_t at = unwalked(tasks.first); at < tasks.end; at = unwalked(at)) {
    mark((*tasks.list)[at]);
    next[at] = at + 1;
  }
}

void TaskMarks::add(const TaskSet& tasks, std::size_t line, const std::vector<std::uint32_t>& without) {
  if (without.empty() || tasks.empty()) return add(tasks, line);
  walked_ += tasks.size();
  if (walked_ > kMostWalked) return;
  TaskSet part = tasks;
  for (std::uint32_t at = tasks.first; at <= tasks.end; ++at) {
    if (at < tasks.end && !std::binary_search(without.begin(), without.end(), (*tasks.list)[at])) continue;
    part.end = at;
    add(part, line);
    part.first = at + 1;
  }
}

std::vector<std::uint32_t> AssertionSet::exceptions(const std::vector<Token>& tokens, const IdList& list) {
  const auto ends = [&](std::size_t i) {
    return tokens[i].kind == Token::Kind::stop || tokens[i].kind == Token::Kind::semicolon ||
           tokens[i].kind == Token::Kind::question;
  };
  std::size_t first = list.first, end = list.end;
  while (first > 0 && list.first - first < kExceptionReach && !ends(first - 1)) --first;
  while (end < tokens.size() && end - list.end < kExceptionReach && !ends(end)) ++end;
  std::vector<std::uint32_t> tasks;
  for (std::size_t i = first; i < end; ++i) {
    const TaskSet& set = tokens[i].tasks;
    if (tokens[i].kind == Token::Kind::exception && !set.empty())
      tasks.insert(tasks.end(), set.list->begin() + set.first, set.list->begin() + set.end);
  }
  std::sort(tasks.begin(), tasks.end());
  return tasks;
}

void AssertionSet::add(const std::vector<Token>& tokens, const IdList& list) {
  if (excepted_ > kMostWalked) return;
  const std::vector<std::uint32_t> without = exceptions(tokens, list);
  excepted_ += without.size();
  for (std::size_t i = list.first; i < list.end; ++i) {
    const Token& token = tokens[i];
    if (token.kind == Token::Kind::command) marks_.add(token.tasks, token.line);
    if (token.kind != Token::Kind::id) continue;
    if (token.unknown) {
      if (unknown_seen_.insert(base::to_lower(token.text)).second)
        unknown_.push_back({token.text, std::nullopt, token.line});
    } else if (token.every && token.part > 0) {
      if (number_ == 0) number_line_ = token.line;
      number_ = token.part;
    } else if (token.every) {
      if (every_line_ == 0) every_without_ = without;
      every_line_ = every_line_ == 0 ? token.line : every_line_;
    } else {
      const bool several = token.entry != nullptr && token.entry->tasks.size() > 1 && !token.chosen;
      const TaskSet here = several && token.tasks.size() == 1 ? token.entry->of(phase_) : TaskSet{};
      (names_one(token) ? marks_ : wholes_).add(here.empty() ? token.tasks : here, token.line, without);
    }
  }
  for (const TaskSet& range : list.ranges) marks_.add(range, tokens[list.first].line, without);
}

void AssertionSet::leave_open(const std::vector<Token>& tokens, const IdList& list) {
  for (std::size_t i = list.first; i < list.end; ++i) {
    const Token& token = tokens[i];
    if (token.kind != Token::Kind::id || token.unknown || token.every) continue;
    const bool several = token.entry != nullptr && token.tasks.size() == 1 && !token.chosen;
    open_.add(several ? token.entry->all() : token.tasks, token.line);
  }
  for (const TaskSet& range : list.ranges) open_.add(range, tokens[list.first].line);
}

void AssertionSet::list(const std::vector<Token>& tokens, const IdList& list) {
  std::set<std::uint32_t>& listed = number_ == 0 ? listed_before_ : listed_behind_;
  const auto add = [&](const TaskSet& tasks) {
    for (std::uint32_t at = tasks.first; at < tasks.end && listed.size() <= kMostListed; ++at) {
      listed.insert((*tasks.list)[at]);
    }
  };
  for (std::size_t i = list.first; i < list.end; ++i) {
    if (tokens[i].kind == Token::Kind::id && !tokens[i].every && !tokens[i].unknown) add(tokens[i].tasks);
  }
  for (const TaskSet& range : list.ranges) add(range);
}

std::vector<Assertion> AssertionSet::take(std::span<const AuditTask> tasks, const TaskNames& names) {
  if (number_ > 0) {
    const std::set<std::uint32_t>& listed =
        listed_before_.size() == number_ ? listed_before_ : listed_behind_;
    if (listed.size() == number_) {
      for (const std::uint32_t task : listed) marks_.add_one(task, number_line_);
    }
  }
  // What is left out by name tells that the rest of the plan is meant.
  const bool named = marks_.any() || wholes_.any();
  if (every_line_ > 0 && !names.assigned().empty())
    wholes_.add(names.assigned(), every_line_, every_without_);
  else if (every_line_ > 0 && (!named || !every_without_.empty()))
    wholes_.add(names.every(), every_line_, every_without_);
  std::vector<Assertion> assertions;
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    std::size_t line = marks_.line_of(i);
    const std::size_t whole = open_.line_of(i) > 0 ? 0 : wholes_.line_of(i);
    if (whole > 0 && (line == 0 || whole < line)) line = whole;
    if (line > 0) assertions.push_back({tasks[i].id.text, i, line});
  }
  std::move(unknown_.begin(), unknown_.end(), std::back_inserter(assertions));
  unknown_.clear();
  return assertions;
}

}  // namespace plankeep::core

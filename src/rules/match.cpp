#include "rules/match.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/utf8.hpp"

namespace plankeep::core {
namespace {

constexpr std::size_t kCandidates = 64;  // compared with a box beyond kAllPairs
constexpr std::size_t kAllPairs = std::size_t{1}
                                  << 20;  // comparisons made without looking for candidates first

using Pair = std::uint64_t;  // two neighbouring characters

std::vector<Pair> pairs_of(std::string_view title) {
  std::vector<Pair> pairs;
  char32_t before = 0;
  for (std::size_t at = 0; at < title.size();) {
    const base::CodePoint next = base::decode_at(title, at);
    at += next.length;
    const char32_t c = base::to_lower(next.value);
    if (before != 0) pairs.push_back((static_cast<Pair>(before) << 32U) | c);
    before = c;
  }
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

double dice(const std::vector<Pair>& a, const std::vector<Pair>& b) {
  if (a.empty() || b.empty()) return 0;
  std::size_t common = 0;
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    if (a[i] == b[j]) {
      ++common;
      ++i;
      ++j;
    } else if (a[i] < b[j]) {
      ++i;
    } else {
      ++j;
    }
  }
  return 2.0 * static_cast<double>(common) / static_cast<double>(a.size() + b.size());
}

struct Known {
  const PhaseState* phase = nullptr;
  const TaskState* task = nullptr;
  bool written = false;  // its id stands in its title
  bool taken = false;
  std::vector<Pair> pairs;
};

struct Fresh {
  const Phase* phase = nullptr;
  Task* task = nullptr;
  bool matched = false;
  std::vector<Pair> pairs;
};

// The shorter first: "a", "a-2", ... "a-10", the order in which ids of one title are given.
bool given_before(const TaskId& a, const TaskId& b) {
  return a.text.size() != b.text.size() ? a.text.size() < b.text.size() : a.text < b.text;
}

class Matcher {
 public:
  Matcher(const State& previous, Plan& plan) {
    for (const PhaseState& phase : previous.phases) {
      for (const TaskState& task : phase.tasks) {
        known_.push_back({&phase, &task, task.title.starts_with(task.id.text), false, {}});
      }
    }
    // A state that was rebuilt from the history has its tasks in another order than one that was kept, and
    // must match alike.
    std::sort(known_.begin(), known_.end(), [](const Known& a, const Known& b) {
      if (a.task->id != b.task->id) return given_before(a.task->id, b.task->id);
      return a.phase->id < b.phase->id;
    });
    for (Phase& phase : plan.phases) {
      for (Task& task : phase.tasks) fresh_.push_back({&phase, &task, false, {}});
    }
  }

  void run() {
    if (known_.empty()) return;
    by_written_id();
    by_id_without_title();
    by_title(true);
    by_title(false);
    by_similarity(true, kSameTask);
    by_similarity(false, kSameTaskElsewhere);
    name_the_rest();
    order_twins();
  }

 private:
  void match(Fresh& fresh, Known& known) {
    fresh.matched = true;
    known.taken = true;
    fresh.task->id = known.task->id;
  }

  void by_written_id() {
    std::unordered_map<std::string_view, std::size_t> ids;
    for (std::size_t i = 0; i < known_.size(); ++i) ids.emplace(known_[i].task->id.text, i);
    for (Fresh& fresh : fresh_) {
      if (!fresh.task->id_in_text) continue;
      const auto found = ids.find(fresh.task->id.text);
      if (found != ids.end() && !known_[found->second].taken) match(fresh, known_[found->second]);
    }
  }

  // Other tools keep no titles: then the id that the text gives is all there is to go by.
  void by_id_without_title() {
    std::unordered_map<std::string_view, std::size_t> ids;
    for (std::size_t i = 0; i < known_.size(); ++i) {
      if (known_[i].task->title.empty() && !known_[i].taken) ids.emplace(known_[i].task->id.text, i);
    }
    if (ids.empty()) return;
    for (Fresh& fresh : fresh_) {
      if (fresh.matched) continue;
      const auto found = ids.find(fresh.task->id.text);
      if (found != ids.end() && !known_[found->second].taken) match(fresh, known_[found->second]);
    }
  }

  // The n-th box of a title to the n-th task of it.
  void by_title(bool same_phase) {
    std::unordered_map<std::string, std::vector<std::size_t>> titles;
    const auto key = [&](std::string_view phase, std::string_view title) {
      std::string text;
      if (same_phase) {
        text.append(phase);
        text.push_back('\0');
      }
      text.append(title);
      return text;
    };
    bool any = false;
    for (std::size_t i = known_.size(); i-- > 0;) {
      if (known_[i].taken) continue;
      titles[key(known_[i].phase->id.text, known_[i].task->title)].push_back(i);
      any = true;
    }
    if (!any) return;
    for (Fresh& fresh : fresh_) {
      if (fresh.matched) continue;
      const auto found = titles.find(key(fresh.phase->id.text, fresh.task->title));
      if (found == titles.end() || found->second.empty()) continue;
      match(fresh, known_[found->second.back()]);
      found->second.pop_back();
    }
  }

  bool may_be(const Fresh& fresh, const Known& known, bool same_phase) const {
    if (same_phase && known.phase->id != fresh.phase->id) return false;
    return !(fresh.task->id_in_text && known.written);  // two written ids, not the same: two tasks
  }

  void by_similarity(bool same_phase, double threshold) {
    std::vector<std::size_t> olds;
    std::vector<std::size_t> news;
    for (std::size_t i = 0; i < known_.size(); ++i) {
      if (known_[i].taken) continue;
      if (known_[i].pairs.empty()) known_[i].pairs = pairs_of(known_[i].task->title);
      olds.push_back(i);
    }
    for (std::size_t i = 0; i < fresh_.size(); ++i) {
      if (fresh_[i].matched) continue;
      if (fresh_[i].pairs.empty()) fresh_[i].pairs = pairs_of(fresh_[i].task->title);
      news.push_back(i);
    }
    if (olds.empty() || news.empty()) return;

    struct Candidate {
      double score = 0;
      std::size_t known = 0;
      std::size_t fresh = 0;
    };
    std::vector<Candidate> candidates;
    const auto consider = [&](std::size_t known, std::size_t fresh) {
      if (!may_be(fresh_[fresh], known_[known], same_phase)) return;
      const double score = dice(known_[known].pairs, fresh_[fresh].pairs);
      if (score >= threshold) candidates.push_back({score, known, fresh});
    };
    if (olds.size() <= kAllPairs / news.size()) {
      for (const std::size_t fresh : news) {
        for (const std::size_t known : olds) consider(known, fresh);
      }
    } else {
      consider_sharers(olds, news, consider);
    }
    std::sort(candidates.begin(), candidates.end(), [](const Candidate& a, const Candidate& b) {
      if (a.score != b.score) return a.score > b.score;
      return a.known != b.known ? a.known < b.known : a.fresh < b.fresh;
    });
    for (const Candidate& candidate : candidates) {
      if (known_[candidate.known].taken || fresh_[candidate.fresh].matched) continue;
      match(fresh_[candidate.fresh], known_[candidate.known]);
    }
  }

  // Too many for all pairs: each box is compared with the tasks that share its rarest pairs of characters.
  template <class Consider>
  void consider_sharers(const std::vector<std::size_t>& olds, const std::vector<std::size_t>& news,
                        const Consider& consider) {
    std::unordered_map<Pair, std::vector<std::size_t>> sharers;
    for (const std::size_t known : olds) {
      Pair before = 0;
      for (const Pair pair : known_[known].pairs) {
        if (pair == before) continue;
        before = pair;
        auto& list = sharers[pair];
        if (list.size() < kCandidates * 4) list.push_back(known);
      }
    }
    for (const std::size_t fresh : news) {
      std::vector<const std::vector<std::size_t>*> lists;
      for (const Pair pair : fresh_[fresh].pairs) {
        const auto found = sharers.find(pair);
        if (found != sharers.end()) lists.push_back(&found->second);
      }
      std::sort(lists.begin(), lists.end(),
                [](const auto* a, const auto* b) { return a->size() < b->size(); });
      std::vector<std::size_t> seen;
      for (const auto* list : lists) {
        for (const std::size_t known : *list) {
          if (seen.size() >= kCandidates) break;
          if (std::find(seen.begin(), seen.end(), known) != seen.end()) continue;
          seen.push_back(known);
          consider(known, fresh);
        }
      }
    }
  }

  // A box that is new gets a name that no task has or had a moment ago: a vanished task's name would make it
  // that task.
  void name_the_rest() {
    std::unordered_set<std::string> used;
    for (const Known& known : known_) used.insert(known.task->id.text);
    std::unordered_map<std::string, int> next;
    for (Fresh& fresh : fresh_) {
      if (fresh.matched) continue;
      const std::string wanted = fresh.task->id.text;
      std::string name = wanted;
      int& number = next.try_emplace(wanted, 2).first->second;
      while (!used.insert(name).second) name = wanted + "-" + std::to_string(number++);
      fresh.task->id = TaskId(name);
    }
  }

  // Boxes of one title in one phase cannot be told apart the next time but by their order: they get their ids
  // in it, so that reading the same plan again, whatever the order of the state, gives each the same one.
  void order_twins() {
    std::unordered_map<std::string, std::vector<Task*>> twins;
    for (Fresh& fresh : fresh_) twins[fresh.phase->id.text + '\0' + fresh.task->title].push_back(fresh.task);
    for (auto& [key, tasks] : twins) {
      if (tasks.size() < 2) continue;
      std::vector<TaskId> ids;
      for (const Task* task : tasks) ids.push_back(task->id);
      std::sort(ids.begin(), ids.end(), given_before);
      for (std::size_t i = 0; i < ids.size(); ++i) tasks[i]->id = ids[i];
    }
  }

  std::vector<Known> known_;
  std::vector<Fresh> fresh_;
};

}  // namespace

double similarity(std::string_view a, std::string_view b) {
  if (a == b) return 1;
  return dice(pairs_of(a), pairs_of(b));
}

void keep_ids(const State& previous, Plan& plan) {
  if (plan.mode == PlanMode::marked) return;
  Matcher(previous, plan).run();
}

}  // namespace plankeep::core

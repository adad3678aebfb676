#include "rules/match.hpp"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "rules/matching/alignment.hpp"
#include "rules/matching/title_likeness.hpp"

namespace plankeep::core {
namespace {

constexpr std::size_t kCandidates = 64;  // compared with a box beyond kAllPairs
constexpr std::size_t kAllPairs = std::size_t{1}
                                  << 20;  // comparisons made without looking for candidates first
constexpr std::size_t kNoPartner = static_cast<std::size_t>(-1);

struct Known {
  const PhaseState* phase = nullptr;
  const TaskState* task = nullptr;
  bool written = false;  // its id stands in its title
  bool taken = false;
  std::size_t group = 0;  // into known_groups_
  std::size_t place = 0;  // in its group
  CharacterPairs pairs;
};

struct Fresh {
  const Phase* phase = nullptr;
  Task* task = nullptr;
  TaskId as_written;
  bool matched = false;             // or named by a marker
  std::size_t group = 0;            // into fresh_groups_
  std::size_t place = 0;            // in its group
  std::size_t before = kNoPartner;  // which known task it is
  CharacterPairs pairs;
};

// The boxes right below one task, or those of a phase that are below none, in document order.
struct Group {
  std::vector<std::size_t> members;
  std::size_t parent = kNoPartner;  // a box, else `phase` counts
  std::size_t phase = 0;
};

// The shorter first: "a", "a-2", ... "a-10", the order in which ids of one title are given.
bool given_before(const TaskId& a, const TaskId& b) {
  return a.text.size() != b.text.size() ? a.text.size() < b.text.size() : a.text < b.text;
}

// A tick is seldom taken back: a done task is rather one that is still ticked.
bool keeps_tick(const TaskState& known, const Task& fresh) {
  return !known.done || fresh.done();
}

class Matcher {
 public:
  Matcher(const State& previous, Plan& plan) : plan_(plan) {
    for (const PhaseState& phase : previous.phases) {
      for (const TaskState& task : phase.tasks)
        known_.push_back({&phase, &task, task.title.starts_with(task.id.text), false, 0, 0, {}});
    }
    if (known_.empty()) return;
    // An earlier version gave boxes of one title their ids in the order of the plan, and a state rebuilt from
    // its history has them in another.
    const bool by_ids = !previous.every_box;
    const auto by_phase = [by_ids](const Known& a, const Known& b) {
      if (a.phase->id != b.phase->id) return a.phase->id < b.phase->id;
      return by_ids && given_before(a.task->id, b.task->id);
    };
    std::stable_sort(known_.begin(), known_.end(), by_phase);
    for (Phase& phase : plan.phases) {
      for (Task& task : phase.tasks) fresh_.push_back({&phase, &task, task.id, false, 0, 0, kNoPartner, {}});
    }
  }

  void run() {
    if (known_.empty()) return;
    by_marker();
    group_known();
    group_fresh();
    by_written_id();
    by_id_without_title();
    find_renamed_phases();
    in_groups(false);
    by_unique_title();
    in_groups(true);
    by_title(true);
    by_title(false);
    by_similarity(true, kSameTask);
    by_similarity(false, kSameTaskElsewhere);
    name_the_rest();
    rename_parents();
  }

 private:
  void match(std::size_t fresh, std::size_t known) {
    fresh_[fresh].matched = true;
    fresh_[fresh].before = known;
    known_[known].taken = true;
    fresh_[fresh].task->id = known_[known].task->id;
  }

  bool free_pair(std::size_t fresh, std::size_t known) const {
    return !fresh_[fresh].matched && !known_[known].taken;
  }

  // Ids from markers stay as they are.
  void by_marker() {
    const bool any = std::any_of(fresh_.begin(), fresh_.end(), [](const Fresh& f) { return f.task->marked; });
    if (!any) return;
    std::unordered_map<std::string_view, std::vector<std::size_t>> ids;
    for (std::size_t i = known_.size(); i-- > 0;) ids[known_[i].task->id.text].push_back(i);
    for (const bool same_phase : {true, false}) {
      for (std::size_t f = 0; f < fresh_.size(); ++f) {
        if (!fresh_[f].task->marked || fresh_[f].before != kNoPartner) continue;
        fresh_[f].matched = true;
        const auto found = ids.find(fresh_[f].task->id.text);
        if (found == ids.end()) continue;
        const auto is = [&](std::size_t known) {
          return !known_[known].taken && (!same_phase || known_[known].phase->id == fresh_[f].phase->id);
        };
        const auto one = std::find_if(found->second.rbegin(), found->second.rend(), is);
        if (one != found->second.rend()) match(f, *one);
      }
    }
  }

  void group_known() {
    std::unordered_map<std::size_t, std::size_t> below;  // task -> group
    for (std::size_t i = 0; i < known_.size();) {
      const PhaseState* phase = known_[i].phase;
      std::size_t end = i;
      while (end < known_.size() && known_[end].phase == phase) ++end;
      const std::size_t top = known_groups_.size();
      known_groups_.emplace_back();
      top_known_.emplace(phase->id.text, top);
      std::unordered_map<std::string_view, std::size_t> at;
      const bool nested = std::any_of(phase->tasks.begin(), phase->tasks.end(),
                                      [](const TaskState& task) { return !task.parent.empty(); });
      for (std::size_t k = i; nested && k < end; ++k) at.emplace(known_[k].task->id.text, k);
      for (std::size_t k = i; k < end; ++k) {
        std::size_t group = top;
        const TaskId& parent = known_[k].task->parent;
        const auto found = parent.empty() ? at.end() : at.find(parent.text);
        if (found != at.end()) {
          const auto [place, is_new] = below.try_emplace(found->second, known_groups_.size());
          if (is_new) known_groups_.push_back({{}, found->second, 0});
          group = place->second;
        }
        known_[k].group = group;
        known_[k].place = known_groups_[group].members.size();
        known_groups_[group].members.push_back(k);
      }
      i = end;
    }
    for (const auto& [parent, group] : below) below_known_.emplace(parent, group);
  }

  // Top groups first, then by the place of the parent: a parent is matched before what is below it.
  void group_fresh() {
    std::size_t f = 0;
    for (std::size_t p = 0; p < plan_.phases.size(); ++p) fresh_groups_.push_back({{}, kNoPartner, p});
    std::vector<std::pair<std::size_t, std::size_t>> nested;  // parent, child
    for (std::size_t p = 0; p < plan_.phases.size(); ++p) {
      std::unordered_map<std::string_view, std::size_t> at;
      const std::size_t end = f + plan_.phases[p].tasks.size();
      for (; f < end; ++f) {
        const TaskId& parent = fresh_[f].task->parent;
        const auto found = parent.empty() ? at.end() : at.find(parent.text);
        at.emplace(fresh_[f].as_written.text, f);
        if (found == at.end()) {
          join(p, f);
        } else {
          nested.emplace_back(found->second, f);
        }
      }
    }
    std::stable_sort(nested.begin(), nested.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    for (const auto& [parent, child] : nested) {
      if (fresh_groups_.back().parent != parent) fresh_groups_.push_back({{}, parent, 0});
      join(fresh_groups_.size() - 1, child);
    }
  }

  void join(std::size_t group, std::size_t fresh) {
    fresh_[fresh].group = group;
    fresh_[fresh].place = fresh_groups_[group].members.size();
    fresh_groups_[group].members.push_back(fresh);
  }

  // The known boxes below the task that the box around these was; nullptr: there are none.
  const Group* before(const Group& group) const {
    if (group.parent != kNoPartner) {
      const std::size_t parent = fresh_[group.parent].before;
      const auto found = parent == kNoPartner ? below_known_.end() : below_known_.find(parent);
      return found == below_known_.end() ? nullptr : &known_groups_[found->second];
    }
    const auto found = top_known_.find(plan_.phases[group.phase].id.text);
    if (found != top_known_.end()) return &known_groups_[found->second];
    const auto renamed = renamed_.find(group.phase);
    return renamed == renamed_.end() ? nullptr : &known_groups_[renamed->second];
  }

  // A phase whose heading was reworded was the vanished one with which it shares most titles.
  void find_renamed_phases() {
    std::unordered_set<std::string_view> now;
    for (const Phase& phase : plan_.phases) now.insert(phase.id.text);
    std::unordered_map<std::string_view, std::vector<std::size_t>> holders;  // title -> top groups
    for (const Known& known : known_) {
      if (now.contains(known.phase->id.text)) continue;
      std::vector<std::size_t>& list = holders[known.task->title];
      const std::size_t top = top_known_.at(known.phase->id.text);
      if (list.size() < kCandidates && (list.empty() || list.back() != top)) list.push_back(top);
    }
    if (holders.empty()) return;
    std::unordered_set<std::size_t> given;
    for (std::size_t p = 0; p < plan_.phases.size(); ++p) {
      if (top_known_.contains(plan_.phases[p].id.text)) continue;
      std::map<std::size_t, std::size_t> shared;
      for (const Task& task : plan_.phases[p].tasks) {
        const auto found = holders.find(task.title);
        if (found == holders.end()) continue;
        for (const std::size_t top : found->second) shared[top] += given.contains(top) ? 0 : 1;
      }
      const auto most = std::max_element(shared.begin(), shared.end(),
                                         [](const auto& a, const auto& b) { return a.second < b.second; });
      if (most != shared.end() && most->second > 0 && given.insert(most->first).second)
        renamed_.emplace(p, most->first);
    }
  }

  void by_written_id() {
    std::unordered_map<std::string_view, std::size_t> ids;
    const bool any =
        std::any_of(fresh_.begin(), fresh_.end(), [](const Fresh& f) { return f.task->id_in_text; });
    if (!any) return;
    for (std::size_t i = 0; i < known_.size(); ++i) ids.emplace(known_[i].task->id.text, i);
    for (std::size_t f = 0; f < fresh_.size(); ++f) {
      if (!fresh_[f].task->id_in_text) continue;
      const auto found = ids.find(fresh_[f].task->id.text);
      if (found != ids.end() && free_pair(f, found->second)) match(f, found->second);
    }
  }

  // Other tools keep no titles: then the id that the text gives is all there is to go by.
  void by_id_without_title() {
    std::unordered_map<std::string_view, std::size_t> ids;
    for (std::size_t i = 0; i < known_.size(); ++i) {
      if (known_[i].task->title.empty() && !known_[i].taken) ids.emplace(known_[i].task->id.text, i);
    }
    if (ids.empty()) return;
    for (std::size_t f = 0; f < fresh_.size(); ++f) {
      const auto found = ids.find(fresh_[f].task->id.text);
      if (found != ids.end() && free_pair(f, found->second)) match(f, found->second);
    }
  }

  void in_groups(bool alike_too) {
    for (const Group& group : fresh_groups_) {
      const Group* known = before(group);
      if (known == nullptr) continue;
      if (!alike_too && same_again(*known, group)) continue;
      std::vector<std::size_t> olds;
      std::vector<std::size_t> news;
      std::copy_if(known->members.begin(), known->members.end(), std::back_inserter(olds),
                   [this](std::size_t k) { return !known_[k].taken; });
      std::copy_if(group.members.begin(), group.members.end(), std::back_inserter(news),
                   [this](std::size_t f) { return !fresh_[f].matched; });
      if (olds.empty() || news.empty()) continue;
      twins(olds, news);
      if (!alike_too) continue;
      std::erase_if(olds, [this](std::size_t k) { return known_[k].taken; });
      std::erase_if(news, [this](std::size_t f) { return fresh_[f].matched; });
      alike(olds, news, false, kSameTask);
    }
  }

  // Mostly nothing but ticks has changed.
  bool same_again(const Group& known, const Group& group) {
    if (known.members.size() != group.members.size()) return false;
    for (std::size_t i = 0; i < group.members.size(); ++i) {
      const TaskState& old = *known_[known.members[i]].task;
      const Fresh& fresh = fresh_[group.members[i]];
      const bool same = fresh.matched ? fresh.before == known.members[i]
                                      : !known_[known.members[i]].taken && old.title == fresh.task->title &&
                                            keeps_tick(old, *fresh.task);
      if (!same) return false;
    }
    for (std::size_t i = 0; i < group.members.size(); ++i) {
      if (!fresh_[group.members[i]].matched) match(group.members[i], known.members[i]);
    }
    return true;
  }

  // Boxes with the same title in the same place of the plan.
  void twins(const std::vector<std::size_t>& olds, const std::vector<std::size_t>& news) {
    struct Both {
      std::vector<std::size_t> olds;
      std::vector<std::size_t> news;
    };
    std::unordered_map<std::string_view, Both> titles;
    for (const std::size_t known : olds) titles[known_[known].task->title].olds.push_back(known);
    for (const std::size_t fresh : news) {
      const auto found = titles.find(fresh_[fresh].task->title);
      if (found != titles.end()) found->second.news.push_back(fresh);
    }
    for (auto& [title, both] : titles) {
      if (!both.news.empty()) pair_twins(both.olds, both.news);
    }
  }

  // The tick and the neighbours decide which is which.
  void pair_twins(std::vector<std::size_t> olds, std::vector<std::size_t> news) {
    const auto keeps = [this](std::size_t known, std::size_t fresh) {
      return keeps_tick(*known_[known].task, *fresh_[fresh].task);
    };
    const auto take = [this](const auto& pairs) {
      for (const auto& [known, fresh] : pairs) match(fresh, known);
    };
    if (olds.size() == news.size()) {
      std::vector<std::pair<std::size_t, std::size_t>> in_order;
      for (std::size_t i = 0; i < olds.size(); ++i) in_order.emplace_back(olds[i], news[i]);
      const bool none_unticked = std::all_of(
          in_order.begin(), in_order.end(), [&](const auto& pair) { return keeps(pair.first, pair.second); });
      if (none_unticked) return take(in_order);
    }
    const bool several = then_count(known_[olds.front()].task->title) > 1;
    const auto score = [this, several](std::size_t known, std::size_t fresh) {
      return twin_score(known, fresh, several);
    };
    auto pairs = align(olds, news, score);
    const bool none_unticked = std::all_of(pairs.begin(), pairs.end(),
                                           [&](const auto& pair) { return keeps(pair.first, pair.second); });
    if (none_unticked) return take(pairs);
    // They changed places, or one was unticked: what is done goes to what is done.
    std::vector<std::size_t> done_olds;
    std::vector<std::size_t> done_news;
    std::copy_if(olds.begin(), olds.end(), std::back_inserter(done_olds),
                 [this](std::size_t known) { return known_[known].task->done; });
    std::copy_if(news.begin(), news.end(), std::back_inserter(done_news),
                 [this](std::size_t fresh) { return fresh_[fresh].task->done(); });
    take(align(done_olds, done_news, score));
    std::erase_if(olds, [this](std::size_t known) { return known_[known].taken; });
    std::erase_if(news, [this](std::size_t fresh) { return fresh_[fresh].matched; });
    take(align(olds, news, score));
  }

  // Of a title that stood more than once, those that stand beside the same boxes; of another the history does
  // not tell beside what it stood.
  int twin_score(std::size_t known, std::size_t fresh, bool several) const {
    const TaskState& old = *known_[known].task;
    const Task& box = *fresh_[fresh].task;
    int score = 4;
    if (several && same_beside(known, fresh, -1)) score += 2;
    if (several && same_beside(known, fresh, 1)) score += 2;
    if (old.done == box.done()) score += 3;
    if (!old.done && box.done()) score += 1;
    return score;
  }

  bool same_beside(std::size_t known, std::size_t fresh, int step) const {
    const std::size_t then = beside(known_groups_[known_[known].group], known_[known].place, step);
    const std::size_t now = beside(fresh_groups_[fresh_[fresh].group], fresh_[fresh].place, step);
    if (then == kNoPartner || now == kNoPartner) return then == now;
    if (known_[then].taken || fresh_[now].matched) return fresh_[now].before == then;
    return known_[then].task->title == fresh_[now].task->title;
  }

  static std::size_t beside(const Group& group, std::size_t place, int step) {
    if (step < 0) return place == 0 ? kNoPartner : group.members[place - 1];
    return place + 1 < group.members.size() ? group.members[place + 1] : kNoPartner;
  }

  // A title that stands once, then as now, wherever it went.
  void by_unique_title() {
    if (!any_left()) return;
    count_then();
    std::unordered_map<std::string_view, std::size_t> now;
    for (const Fresh& fresh : fresh_) ++now[fresh.task->title];
    for (std::size_t f = 0; f < fresh_.size(); ++f) {
      if (fresh_[f].matched || fresh_[f].task->title.empty() || now[fresh_[f].task->title] != 1) continue;
      const auto found = then_.find(fresh_[f].task->title);
      if (found == then_.end() || found->second.first != 1) continue;
      if (!known_[found->second.second].taken) match(f, found->second.second);
    }
  }

  void count_then() {
    if (!then_.empty()) return;
    for (std::size_t i = 0; i < known_.size(); ++i) {
      const auto [place, is_new] = then_.try_emplace(known_[i].task->title, 0, i);
      ++place->second.first;
    }
  }

  std::size_t then_count(std::string_view title) {
    count_then();
    return then_.at(title).first;
  }

  bool any_left() const {
    return std::any_of(known_.begin(), known_.end(), [](const Known& known) { return !known.taken; }) &&
           std::any_of(fresh_.begin(), fresh_.end(), [](const Fresh& fresh) { return !fresh.matched; });
  }

  // One that left another place of the phase, or of the plan, where the title stands more than once: only
  // with its tick as it was, and only if it is one that is missing and one that is new. Else each is taken
  // for what it is where it stands.
  void by_title(bool same_phase) {
    if (!any_left()) return;
    const auto key = [&](std::string_view phase, std::string_view title, bool done) {
      std::string text(done ? "x" : " ");
      if (same_phase) text.append(phase);
      text.push_back('\0');
      text.append(title);
      return text;
    };
    std::unordered_map<std::string, std::vector<std::size_t>> left;
    for (std::size_t i = 0; i < known_.size(); ++i) {
      if (known_[i].taken) continue;
      left[key(known_[i].phase->id.text, known_[i].task->title, known_[i].task->done)].push_back(i);
    }
    std::unordered_map<std::string, std::vector<std::size_t>> seen;
    for (std::size_t f = 0; f < fresh_.size(); ++f) {
      if (fresh_[f].matched) continue;
      seen[key(fresh_[f].phase->id.text, fresh_[f].task->title, fresh_[f].task->done())].push_back(f);
    }
    for (const auto& [title, boxes] : seen) {
      const auto found = left.find(title);
      if (found == left.end() || found->second.size() != 1 || boxes.size() != 1) continue;
      match(boxes.front(), found->second.front());
    }
  }

  bool may_be(const Fresh& fresh, const Known& known, bool same_phase) const {
    if (same_phase && known.phase->id != fresh.phase->id) return false;
    // What stands elsewhere with the same words was looked at (by_title).
    if (known.task->title == fresh.task->title) return false;
    return !(fresh.task->id_in_text && known.written);  // two written ids, not the same: two tasks
  }

  double likeness(std::size_t known, std::size_t fresh) {
    Known& old = known_[known];
    Fresh& box = fresh_[fresh];
    if (continues(old.task->title, box.task->title)) return 1;
    if (old.pairs.empty()) old.pairs = pairs_of(old.task->title);
    if (box.pairs.empty()) box.pairs = pairs_of(box.task->title);
    return dice(old.pairs, box.pairs);
  }

  void by_similarity(bool same_phase, double threshold) {
    std::vector<std::size_t> olds;
    std::vector<std::size_t> news;
    for (std::size_t i = 0; i < known_.size(); ++i) {
      if (!known_[i].taken) olds.push_back(i);
    }
    for (std::size_t i = 0; i < fresh_.size(); ++i) {
      if (!fresh_[i].matched) news.push_back(i);
    }
    alike(olds, news, same_phase, threshold);
  }

  void alike(const std::vector<std::size_t>& olds, const std::vector<std::size_t>& news, bool same_phase,
             double threshold) {
    if (olds.empty() || news.empty()) return;
    struct Candidate {
      double score = 0;
      std::size_t known = 0;
      std::size_t fresh = 0;
    };
    std::vector<Candidate> candidates;
    const auto consider = [&](std::size_t known, std::size_t fresh) {
      if (!may_be(fresh_[fresh], known_[known], same_phase)) return;
      const double score = likeness(known, fresh);
      const bool unticked = !keeps_tick(*known_[known].task, *fresh_[fresh].task);
      if (score >= (unticked ? kSameTaskElsewhere : threshold)) candidates.push_back({score, known, fresh});
    };
    if (olds.size() <= kAllPairs / news.size()) {
      for (const std::size_t fresh : news) {
        for (const std::size_t known : olds) consider(known, fresh);
      }
    } else {
      consider_sharers(olds, news, consider);
    }
    // Of equals the order of the ids decides: that of a state that was rebuilt is another.
    std::sort(candidates.begin(), candidates.end(), [this](const Candidate& a, const Candidate& b) {
      if (a.score != b.score) return a.score > b.score;
      if (a.known == b.known) return a.fresh < b.fresh;
      const TaskId& first = known_[a.known].task->id;
      const TaskId& second = known_[b.known].task->id;
      return first != second ? given_before(first, second) : a.known < b.known;
    });
    for (const Candidate& candidate : candidates) {
      if (free_pair(candidate.fresh, candidate.known)) match(candidate.fresh, candidate.known);
    }
  }

  // Too many for all pairs: each box is compared with the tasks that share its rarest pairs of characters.
  template <class Consider>
  void consider_sharers(const std::vector<std::size_t>& olds, const std::vector<std::size_t>& news,
                        const Consider& consider) {
    std::unordered_map<std::uint64_t, std::vector<std::size_t>> sharers;
    for (const std::size_t known : olds) {
      if (known_[known].pairs.empty()) known_[known].pairs = pairs_of(known_[known].task->title);
      std::uint64_t before = 0;
      for (const std::uint64_t pair : known_[known].pairs) {
        if (pair == before) continue;
        before = pair;
        auto& list = sharers[pair];
        if (list.size() < kCandidates * 4) list.push_back(known);
      }
    }
    for (const std::size_t fresh : news) {
      if (fresh_[fresh].pairs.empty()) fresh_[fresh].pairs = pairs_of(fresh_[fresh].task->title);
      std::vector<const std::vector<std::size_t>*> lists;
      for (const std::uint64_t pair : fresh_[fresh].pairs) {
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
    for (const Fresh& fresh : fresh_) {
      if (fresh.task->marked) used.insert(fresh.task->id.text);
    }
    for (const Phase& phase : plan_.phases) {
      for (const Criterion& criterion : phase.acceptance) used.insert(criterion.id.text);
    }
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

  // What is below a box that is called otherwise now.
  void rename_parents() {
    std::size_t f = 0;
    for (Phase& phase : plan_.phases) {
      std::unordered_map<std::string_view, const TaskId*> names;
      const std::size_t end = f + phase.tasks.size();
      for (; f < end; ++f) {
        if (fresh_[f].as_written != fresh_[f].task->id)
          names.emplace(fresh_[f].as_written.text, &fresh_[f].task->id);
      }
      if (names.empty()) continue;
      const auto rename = [&names](TaskId& parent) {
        const auto found = parent.empty() ? names.end() : names.find(parent.text);
        if (found != names.end()) parent = *found->second;
      };
      for (Task& task : phase.tasks) rename(task.parent);
      for (Criterion& criterion : phase.acceptance) rename(criterion.parent);
    }
  }

  Plan& plan_;
  std::vector<Known> known_;  // by phase, in each in the order of the state
  std::vector<Fresh> fresh_;  // document order
  std::vector<Group> known_groups_;
  std::vector<Group> fresh_groups_;
  std::unordered_map<std::string_view, std::size_t> top_known_;  // phase -> group
  std::unordered_map<std::size_t, std::size_t> below_known_;     // known task -> group
  std::unordered_map<std::string_view, std::pair<std::size_t, std::size_t>>
      then_;                                              // title -> how often, which
  std::unordered_map<std::size_t, std::size_t> renamed_;  // phase of the plan -> group
};

}  // namespace

double similarity(std::string_view a, std::string_view b) {
  if (a == b) return 1;
  return dice(pairs_of(a), pairs_of(b));
}

void keep_ids(const State& previous, Plan& plan) {
  Matcher(previous, plan).run();
}

}  // namespace plankeep::core

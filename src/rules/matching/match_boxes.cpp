#include "rules/matching/match_boxes.hpp"

#include <algorithm>
#include <string>
#include <unordered_set>
#include <utility>

namespace plankeep::core {

bool given_before(const TaskId& a, const TaskId& b) {
  return a.text.size() != b.text.size() ? a.text.size() < b.text.size() : a.text < b.text;
}

bool keeps_tick(const TaskState& known, const Task& fresh) {
  return !known.done || fresh.done();
}

MatchBoxes::MatchBoxes(const State& previous, Plan& plan, Numbers numbers)
    : plan_(plan), previous_(previous), numbers_(numbers) {
  for (const PhaseState& phase : previous.phases) {
    for (const TaskState& task : phase.tasks) {
      KnownBox& box = known_.emplace_back();
      box.phase = &phase;
      box.task = &task;
      box.number = written_number(task.title, task.id.text);
      box.written = !box.number.number.empty() || task.title.starts_with(task.id.text);
    }
  }
  if (known_.empty()) return;
  // An earlier version gave boxes of one title their ids in the order of the plan, and a state rebuilt from
  // its history has them in another.
  const bool by_ids = !previous.every_box;
  const auto by_phase = [by_ids](const KnownBox& a, const KnownBox& b) {
    if (a.phase->id != b.phase->id) return a.phase->id < b.phase->id;
    return by_ids && given_before(a.task->id, b.task->id);
  };
  std::stable_sort(known_.begin(), known_.end(), by_phase);
  for (Phase& phase : plan.phases) {
    for (Task& task : phase.tasks) {
      FreshBox& box = fresh_.emplace_back();
      box.phase = &phase;
      box.task = &task;
      box.as_written = task.id;
    }
  }
  for (FreshBox& box : fresh_) {
    const std::string_view id = box.task->id_in_text ? std::string_view(box.as_written.text) : "";
    box.number = written_number(box.task->title, id);
  }
}

bool MatchBoxes::any_left() const {
  return std::any_of(known_.begin(), known_.end(), [](const KnownBox& known) { return !known.taken; }) &&
         std::any_of(fresh_.begin(), fresh_.end(), [](const FreshBox& fresh) { return !fresh.matched; });
}

void MatchBoxes::match(std::size_t fresh, std::size_t known) {
  FreshBox& box = fresh_[fresh];
  KnownBox& old = known_[known];
  box.matched = true;
  box.before = known;
  old.taken = true;
  const bool two_numbers =
      !box.number.number.empty() && !old.number.number.empty() && box.number.number != old.number.number;
  const bool other_number = two_numbers && !box.task->marked;
  if (other_number) {
    fresh_shifted_[box.group] = 1;
    known_shifted_[old.group] = 1;
  }
  const bool other_marker = box.task->marked && box.task->id != old.task->id;
  if (other_number || other_marker || old.id_went) {
    box.renumbered = numbers_ == Numbers::as_written;
    old.lost_number = box.renumbered;
  }
  if (!box.renumbered) box.task->id = old.task->id;
}

void MatchBoxes::group() {
  group_known();
  group_fresh();
  fresh_shifted_.assign(fresh_groups_.size(), 0);
  known_shifted_.assign(known_groups_.size(), 0);
}

void MatchBoxes::group_known() {
  std::unordered_map<std::size_t, std::size_t> below;  // task -> group
  for (std::size_t i = 0; i < known_.size();) {
    const PhaseState* phase = known_[i].phase;
    std::size_t end = i;
    while (end < known_.size() && known_[end].phase == phase) ++end;
    const std::size_t top = known_groups_.size();
    known_groups_.emplace_back().known = phase;
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
void MatchBoxes::group_fresh() {
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

void MatchBoxes::join(std::size_t group, std::size_t fresh) {
  fresh_[fresh].group = group;
  fresh_[fresh].place = fresh_groups_[group].members.size();
  fresh_groups_[group].members.push_back(fresh);
}

// The known boxes below the task that the box around these was; nullptr: there are none.
const BoxGroup* MatchBoxes::before(const BoxGroup& group) const {
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

std::size_t MatchBoxes::beside(const BoxGroup& group, std::size_t place, int step) {
  if (step < 0) return place == 0 ? kNoPartner : group.members[place - 1];
  return place + 1 < group.members.size() ? group.members[place + 1] : kNoPartner;
}

// A box that is new gets a name that no task has or had a moment ago: a vanished task's name would make it
// that task. A number that stands at another box now is that one's name.
void MatchBoxes::name_the_rest() {
  std::unordered_set<std::string_view> numbers;
  std::unordered_set<std::string_view> new_numbers;
  for (const FreshBox& fresh : fresh_) {
    if (fresh.before == kNoPartner && !fresh.number.number.empty()) new_numbers.insert(fresh.number.number);
    if (fresh.renumbered)
      numbers.insert(fresh.task->marked ? std::string_view(fresh.task->id.text) : fresh.number.number);
  }
  std::unordered_set<std::string> used;
  for (KnownBox& known : known_) {
    const std::string_view id = known.task->id.text;
    const bool gone = !known.taken || known.skipped;
    if (gone && numbers.contains(id)) known.lost_number = true;
    if (known.skipped && new_numbers.contains(id)) known.lost_number = numbers_ == Numbers::as_written;
    if (!known.lost_number) used.insert(known.task->id.text);
  }
  for (const FreshBox& fresh : fresh_) {
    const bool kept = fresh.before != kNoPartner && !fresh.renumbered;
    if (kept || fresh.task->marked) used.insert(fresh.task->id.text);
  }
  for (const Phase& phase : plan_.phases) {
    for (const Criterion& criterion : phase.acceptance) used.insert(criterion.id.text);
  }
  std::unordered_map<std::string, int> next;
  for (FreshBox& fresh : fresh_) {
    if (fresh.task->marked || (fresh.matched && !fresh.is_new && !fresh.renumbered)) continue;
    const bool numbered = !fresh.number.number.empty();
    const std::string wanted(numbered ? fresh.number.number : std::string_view(fresh.task->id.text));
    std::string name = wanted;
    int& number = next.try_emplace(wanted, 2).first->second;
    while (!used.insert(name).second) name = wanted + "-" + std::to_string(number++);
    fresh.task->id = TaskId(name);
  }
  list_renumbered();
}

// Reconciling goes by ids, and these do not tell which task is which.
void MatchBoxes::list_renumbered() {
  std::unordered_map<std::string_view, std::size_t> given;
  for (std::size_t k = 0; k < known_.size(); ++k) {
    if (known_[k].lost_number) given.emplace(known_[k].task->id.text, k);
  }
  if (given.empty()) return;
  for (const FreshBox& fresh : fresh_) {
    const bool is_one_of_before = fresh.before != kNoPartner;
    if (is_one_of_before && !fresh.renumbered) continue;
    const auto namesake = given.find(fresh.task->id.text);
    if (!is_one_of_before && namesake == given.end()) continue;
    const KnownBox& known = known_[is_one_of_before ? fresh.before : namesake->second];
    plan_.renumbered.push_back({fresh.phase->id, fresh.task->id, known.phase->id, known.task->id,
                                known.task->title, known.task->done, is_one_of_before});
  }
}

// What is below a box that is called otherwise now.
void MatchBoxes::rename_parents() {
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

}  // namespace plankeep::core

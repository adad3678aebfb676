// Boxes with a number in front ("2.", "1.3", "T003"). Owners number anew after they insert, delete or swap
// one: then the words tell which box is which, and the number is only what it is called (rules/match).

#include <algorithm>
#include <iterator>
#include <map>

#include "rules/match.hpp"
#include "rules/matching/match_boxes.hpp"
#include "rules/matching/title_likeness.hpp"

namespace plankeep::core {

void MatchBoxes::by_number() {
  const bool any =
      std::any_of(fresh_.begin(), fresh_.end(), [](const FreshBox& f) { return f.task->id_in_text; });
  if (!any) return;
  for (std::size_t i = 0; i < known_.size(); ++i) known_ids_.emplace(known_[i].task->id.text, i);
  words_that_stand_once();
  // Those around come before those below them.
  for (std::size_t g = 0; g < fresh_groups_.size(); ++g) {
    if (const BoxGroup* known = before(fresh_groups_[g]); known != nullptr) {
      same_number_and_words(*known, fresh_groups_[g]);
      same_words(*known, fresh_groups_[g]);
      note_shift(g);
      note_reworded_shift(g);
      alike_in_shifted(*known, g);
    }
    note_shift(g);
    number_in_place(g);
  }
  number_anywhere();
}

// Then as now, wherever it went. A tick is seldom lost on the way to another phase: an open box there is
// rather another one with these words.
void MatchBoxes::words_that_stand_once() {
  struct Once {
    std::size_t count = 0;
    std::size_t known = 0;
  };
  std::unordered_map<std::string_view, Once> then;
  for (std::size_t k = 0; k < known_.size(); ++k) {
    Once& words = then[known_[k].number.words];
    ++words.count;
    words.known = k;
  }
  std::unordered_map<std::string_view, std::size_t> now;
  for (const FreshBox& fresh : fresh_) ++now[fresh.number.words];
  for (std::size_t f = 0; f < fresh_.size(); ++f) {
    const FreshBox& fresh = fresh_[f];
    if (fresh.number.number.empty() || fresh.number.words.empty() || now[fresh.number.words] != 1) continue;
    const auto found = then.find(fresh.number.words);
    if (found == then.end() || found->second.count != 1) continue;
    const KnownBox& known = known_[found->second.known];
    if (known.number.number.empty() || !free_pair(f, found->second.known)) continue;
    const bool same_place = known.number.number == fresh.number.number || known.phase->id == fresh.phase->id;
    if (same_place || keeps_tick(*known.task, *fresh.task)) match(f, found->second.known);
  }
}

// What stands as it stood. A tick that is gone may have gone along with its words.
void MatchBoxes::same_number_and_words(const BoxGroup& known, const BoxGroup& group) {
  using Title = std::pair<std::string_view, std::string_view>;
  using Boxes = std::pair<std::vector<std::size_t>, std::vector<std::size_t>>;
  std::map<Title, Boxes> titles;
  std::unordered_map<std::string_view, Title> written;
  for (const std::size_t f : group.members) {
    const WrittenNumber& number = fresh_[f].number;
    if (fresh_[f].matched || number.number.empty()) continue;
    const Title title{number.number, number.words};
    titles[title].second.push_back(f);
    written.emplace(fresh_[f].task->title, title);
  }
  if (titles.empty()) return;
  for (const std::size_t k : known.members) {
    const WrittenNumber& number = known_[k].number;
    if (known_[k].taken) continue;
    Title title{number.number, number.words};
    if (number.number.empty()) {
      // Its number came later than its id.
      const auto same = written.find(known_[k].task->title);
      if (same == written.end()) continue;
      title = same->second;
    }
    if (const auto found = titles.find(title); found != titles.end()) found->second.first.push_back(k);
  }
  for (const auto& [title, boxes] : titles) {
    const auto& [olds, news] = boxes;
    if (olds.empty()) continue;
    if (olds.size() > 1 || news.size() > 1) {
      pair_twins(olds, news);
    } else if (keeps_tick(*known_[olds.front()].task, *fresh_[news.front()].task)) {
      match(news.front(), olds.front());
    }
  }
}

// Under any number, in the order of the numbers.
void MatchBoxes::same_words(const BoxGroup& known, const BoxGroup& group) {
  using Boxes = std::pair<std::vector<std::size_t>, std::vector<std::size_t>>;
  std::map<std::string_view, Boxes> titles;
  for (const std::size_t k : known.members) {
    const KnownBox& box = known_[k];
    if (!box.taken && !box.number.number.empty() && !box.number.words.empty())
      titles[box.number.words].first.push_back(k);
  }
  for (const std::size_t f : group.members) {
    if (fresh_[f].matched || fresh_[f].number.number.empty()) continue;
    const auto found = titles.find(fresh_[f].number.words);
    if (found != titles.end()) found->second.second.push_back(f);
  }
  for (auto& [title, boxes] : titles) {
    if (boxes.second.empty()) continue;
    // A state that was rebuilt from the history may have another order.
    std::stable_sort(boxes.first.begin(), boxes.first.end(), [this](std::size_t a, std::size_t b) {
      const std::string_view one = known_[a].number.number;
      const std::string_view other = known_[b].number.number;
      return one.size() != other.size() ? one.size() < other.size() : one < other;
    });
    pair_twins(boxes.first, boxes.second);
  }
}

// A box of it has another number than before, or the box around it has, or that one is new where others have.
void MatchBoxes::note_shift(std::size_t group) {
  char& shift = fresh_shifted_[group];
  if (const BoxGroup* known = before(fresh_groups_[group]); known != nullptr)
    shift |= known_shifted_[static_cast<std::size_t>(known - known_groups_.data())];
  const std::size_t parent = fresh_groups_[group].parent;
  if (parent == kNoPartner || fresh_[parent].number.number.empty()) return;
  const FreshBox& around = fresh_[parent];
  if (around.before == kNoPartner) {
    shift |= fresh_shifted_[around.group];
  } else if (around.number.number != known_[around.before].number.number) {
    shift = 1;
  }
}

// No words stand as they were, but those of a task are much like these behind another number, and unlike
// those behind its own.
void MatchBoxes::note_reworded_shift(std::size_t group) {
  if (shifted(group)) return;
  const BoxGroup& known = *before(fresh_groups_[group]);
  const auto place = static_cast<std::size_t>(&known - known_groups_.data());
  const auto& members = fresh_groups_[group].members;
  for (const std::size_t f : members) {
    if (fresh_[f].matched || fresh_[f].number.number.empty()) continue;
    const auto named = known_ids_.find(fresh_[f].task->id.text);
    if (named == known_ids_.end()) continue;
    const std::size_t k = named->second;
    const bool here = known_[k].group == place && !known_[k].taken && !known_[k].number.number.empty();
    if (!here || likeness(k, f) >= kSameTask) continue;
    if (members.size() > pairs_left_) return;
    pairs_left_ -= members.size();
    const auto is_it = [&](std::size_t other) {
      return other != f && !fresh_[other].matched && !fresh_[other].number.number.empty() &&
             keeps_tick(*known_[k].task, *fresh_[other].task) && likeness(k, other) >= kSameTaskElsewhere;
    };
    if (std::none_of(members.begin(), members.end(), is_it)) continue;
    fresh_shifted_[group] = 1;
    known_shifted_[place] = 1;
    return;
  }
}

// Where numbers were shifted, a box may have been reworded as well.
void MatchBoxes::alike_in_shifted(const BoxGroup& known, std::size_t group) {
  if (!shifted(group)) return;
  std::vector<std::size_t> olds;
  std::vector<std::size_t> news;
  std::copy_if(known.members.begin(), known.members.end(), std::back_inserter(olds),
               [this](std::size_t k) { return !known_[k].taken && !known_[k].number.number.empty(); });
  const auto& members = fresh_groups_[group].members;
  std::copy_if(members.begin(), members.end(), std::back_inserter(news),
               [this](std::size_t f) { return !fresh_[f].matched && !fresh_[f].number.number.empty(); });
  alike(olds, news, false, kSameTaskElsewhere, true);
}

// The number alone tells, unless numbers were shifted there and the words are clearly others.
void MatchBoxes::by_id(std::size_t fresh, std::size_t known) {
  if (!free_pair(fresh, known)) return;
  const FreshBox& box = fresh_[fresh];
  KnownBox& old = known_[known];
  const bool numbered = !box.number.number.empty() && !old.number.number.empty();
  if (numbered && (known_shifted_[old.group] != 0 || shifted(box.group))) {
    const double enough = keeps_tick(*old.task, *box.task) ? kSameTask : kSameTaskElsewhere;
    if (box.number.words != old.number.words && likeness(known, fresh) < enough) {
      old.lost_number = numbers_ == Numbers::as_written;
      return;
    }
  }
  match(fresh, known);
}

// Before what is below, which goes with it.
void MatchBoxes::number_in_place(std::size_t group) {
  const BoxGroup* known = before(fresh_groups_[group]);
  if (known == nullptr) return;
  const auto place = static_cast<std::size_t>(known - known_groups_.data());
  for (const std::size_t f : fresh_groups_[group].members) {
    if (fresh_[f].matched || !fresh_[f].task->id_in_text) continue;
    const auto found = known_ids_.find(fresh_[f].task->id.text);
    if (found != known_ids_.end() && known_[found->second].group == place) by_id(f, found->second);
  }
}

void MatchBoxes::number_anywhere() {
  // Below a box that has no number it is not known yet what that one was.
  std::unordered_map<std::string_view, std::pair<BoxGroup, BoxGroup>> phases;
  for (std::size_t k = 0; k < known_.size(); ++k) {
    if (!known_[k].taken) phases[known_[k].phase->id.text].first.members.push_back(k);
  }
  for (std::size_t f = 0; f < fresh_.size(); ++f) {
    if (!fresh_[f].matched) phases[fresh_[f].phase->id.text].second.members.push_back(f);
  }
  for (const auto& [phase, boxes] : phases) same_number_and_words(boxes.first, boxes.second);
  for (std::size_t f = 0; f < fresh_.size(); ++f) {
    if (fresh_[f].matched || !fresh_[f].task->id_in_text) continue;
    const auto found = known_ids_.find(fresh_[f].task->id.text);
    if (found != known_ids_.end()) by_id(f, found->second);
  }
}

}  // namespace plankeep::core

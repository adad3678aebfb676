#include "merge/merge_boxes.hpp"

#include <algorithm>
#include <functional>
#include <unordered_map>
#include <unordered_set>

#include "base/heading_number.hpp"
#include "markdown/generated_ids.hpp"
#include "markdown/parse_plan.hpp"
#include "merge/remembered.hpp"
#include "model/item_key.hpp"
#include "model/state.hpp"
#include "rules/match.hpp"

namespace plankeep::markdown {
namespace {

// Boxes below one task are compared with each other pair by pair up to this many pairs.
constexpr std::size_t kMostPairs = 4096;

using Boxes = std::vector<MergeBox*>;
using KeyOf = std::function<std::string(const MergeBox&)>;

MergeState state_of(const OutlineBox& box) {
  if (box.unknown_state || box.letter) return MergeState::other;
  switch (box.state) {
    case core::BoxState::done:
      return MergeState::done;
    case core::BoxState::active:
      return MergeState::active;
    case core::BoxState::open:
      return MergeState::open;
  }
  return MergeState::open;
}

struct Name {
  std::string id;
  std::string phase;
  std::string phase_title;
  bool marked = false;
  bool numbered = false;
};

std::unordered_map<std::size_t, Name> names_of(const core::Plan& plan) {
  std::unordered_map<std::size_t, Name> names;
  const auto add = [&](const std::vector<core::Box>& boxes, const core::Phase& phase, const std::string& id,
                       bool marked, bool numbered) {
    for (const core::Box& box : boxes)
      names.try_emplace(box.offset, Name{id, phase.id.text, phase.title, marked, numbered});
  };
  for (const core::Phase& phase : plan.phases) {
    for (const core::Task& task : phase.tasks)
      add(task.boxes, phase, "t" + task.id.text, task.marked, task.id_in_text);
    for (const core::Criterion& criterion : phase.acceptance) {
      add(criterion.boxes, phase, "c" + criterion.id.text, true, false);
    }
  }
  return names;
}

// Numbers alone count places: what is "1.2" today was "1.3" yesterday. Or there is none.
bool only_counts(std::string_view number) {
  return number.find_first_not_of("0123456789.") == std::string_view::npos;
}

std::string written_id(std::string_view title) {
  std::string id = leading_id(title);
  return only_counts(id) ? std::string() : id;
}

std::size_t line_at(const SourceText& source, std::size_t offset) {
  return static_cast<std::size_t>(source.position(offset).line - 1);
}

// A title on one line as it is; of a longer one the first line's text, with its markers.
std::string first_line(const SourceText& source, const OutlineBox& item) {
  const std::size_t line = line_at(source, item.offset);
  if (item.text_end <= item.offset || line_at(source, item.text_end - 1) == line) return item.title;
  const std::string_view text = source.line(static_cast<std::int64_t>(line) + 1);
  const std::size_t box = item.offset - source.line_start(static_cast<std::int64_t>(line) + 1);
  const std::size_t begin = text.find("] ", box);
  if (begin == std::string_view::npos) return item.title;
  std::string_view words = text.substr(begin + 2);
  while (!words.empty() && (words.back() == ' ' || words.back() == '\r')) words.remove_suffix(1);
  return std::string(words);
}

void add_boxes(const SourceText& source, const core::Plan& plan, MergeVersion& version) {
  const auto names = names_of(plan);
  std::vector<int> place(version.outline.boxes.size(), -1);
  for (std::size_t i = 0; i < version.outline.boxes.size(); ++i) {
    const OutlineBox& item = version.outline.boxes[i];
    if (item.letter && !item.has_markers()) continue;
    MergeBox box;
    box.box = item.box;
    box.line = line_at(source, item.offset);
    std::size_t end = item.text_end;
    for (int at = item.first_marker; at >= 0;
         at = version.outline.markers[static_cast<std::size_t>(at)].next) {
      end = std::max(end, version.outline.markers[static_cast<std::size_t>(at)].end);
    }
    box.last_line = end > item.offset ? line_at(source, end - 1) : box.line;
    box.state = state_of(item);
    box.title = item.title;
    box.words = item.title;
    box.first_line = first_line(source, item);
    const auto name = names.find(item.box.offset);
    if (name != names.end()) {
      box.id = name->second.id;
      box.phase = name->second.phase;
      box.phase_title = name->second.phase_title;
      box.marked = name->second.marked;
      box.own_id = box.marked ? box.id : written_id(item.title);
      if (name->second.numbered) {
        // Its id may be that of before.
        box.number = leading_id(item.title);
        const core::WrittenNumber written = core::written_number(item.title, box.number);
        if (!written.words.empty()) box.words = written.words;
      }
    }
    for (int above = item.parent; above >= 0;
         above = version.outline.boxes[static_cast<std::size_t>(above)].parent) {
      const int around = place[static_cast<std::size_t>(above)];
      // A criterion is nobody's parent.
      if (around < 0 || version.boxes[static_cast<std::size_t>(around)].id.starts_with('c')) continue;
      box.above = around;
      break;
    }
    place[i] = static_cast<int>(version.boxes.size());
    version.boxes.push_back(std::move(box));
  }
}

class Pairing {
 public:
  Pairing(MergeVersion& old, MergeVersion& fresh) : old_(old), fresh_(fresh) {}

  /// Those of `olds` and `news` that are the same get the same identity and leave the lists.
  void pair(Boxes& olds, Boxes& news, bool both_new) {
    const auto once = [&](std::string MergeBox::*text) {
      by(
          olds, news, [text](const MergeBox& box) { return box.*text; }, true);
    };
    // Each side may have given an id to a new task of its own.
    const auto named = [both_new](const MergeBox& box, const std::string& id) {
      return !box.marked ? std::string() : both_new ? id + '\0' + box.words : id;
    };
    const auto in_phase = [&](const MergeBox& box) { return named(box, box.phase + '\0' + box.id); };
    by(olds, news, in_phase, false);
    by(
        olds, news, [&](const MergeBox& box) { return named(box, box.id); }, true);
    if (!both_new) by_number(olds, news);
    // Ids that are not written down are kept by likeness: what is the same to the letter comes first.
    if (!both_new) once(&MergeBox::title);
    if (!both_new) once(&MergeBox::first_line);
    if (!both_new) once(&MergeBox::id);
    below_the_same(olds, news);
    if (both_new) return;
    once(&MergeBox::title);
    once(&MergeBox::first_line);
    by_likeness(olds, news);
    below_the_same(olds, news);
  }

 private:
  // Their ids are those of the base by now (rules/match). Those that two phases have tell only with the
  // words.
  void by_number(Boxes& olds, Boxes& news) {
    const auto in_place = [](const MergeBox& box) {
      return box.number.empty() ? std::string() : box.phase + '\0' + box.id + '\0' + box.words;
    };
    by(olds, news, in_place, true);
    const auto anywhere = [](const MergeBox& box) { return box.number.empty() ? std::string() : box.id; };
    by(olds, news, anywhere, true);
  }

  // Boxes with the same key: the n-th to the n-th, or only where it stands once.
  static void by(Boxes& olds, Boxes& news, const KeyOf& key_of, bool once) {
    if (olds.empty() || news.empty()) return;
    std::unordered_map<std::string, std::pair<Boxes, Boxes>> groups;
    for (MergeBox* box : olds) {
      if (std::string key = key_of(*box); !key.empty()) groups[std::move(key)].first.push_back(box);
    }
    for (MergeBox* box : news) {
      if (std::string key = key_of(*box); !key.empty()) groups[std::move(key)].second.push_back(box);
    }
    bool any = false;
    for (auto& [key, group] : groups) {
      auto& [known, seen] = group;
      if (once && (known.size() != 1 || seen.size() != 1)) continue;
      for (std::size_t i = 0; i < std::min(known.size(), seen.size()); ++i) {
        seen[i]->identity = known[i]->identity;
        paired(known[i]);
        any = true;
      }
    }
    if (any) drop_paired(olds, news);
  }

  static void paired(MergeBox* old) { old->identity |= kPaired; }
  static void drop_paired(Boxes& olds, Boxes& news) {
    std::erase_if(olds, [](MergeBox* box) {
      const bool gone = (box->identity & kPaired) != 0;
      box->identity &= ~kPaired;
      return gone;
    });
    std::erase_if(news, [](const MergeBox* box) { return box->identity != 0; });
  }

  // A task that is paired may have boxes below it that can be paired now.
  void below_the_same(Boxes& olds, Boxes& news) {
    for (std::size_t left = 0, round = 0; left != news.size() && round < kMostRounds; ++round) {
      left = news.size();
      by(
          olds, news, [this](const MergeBox& box) { return key_below(box); }, false);
    }
  }

  // The task around it, where that is known on both sides; else none that another box could have.
  std::string above(const MergeBox& box) const {
    if (box.above < 0) return "in " + box.phase;
    const bool old = &box >= old_.boxes.data() && &box < old_.boxes.data() + old_.boxes.size();
    const MergeBox& around = (old ? old_ : fresh_).boxes[static_cast<std::size_t>(box.above)];
    const std::uint32_t identity = around.identity & ~kPaired;
    return identity == 0 ? std::string() : "below " + std::to_string(identity);
  }

  std::string key_below(const MergeBox& box) const {
    std::string key = above(box);
    if (key.empty() || box.title.empty()) return {};
    return std::move(key) + '\0' + box.title;
  }

  void by_likeness(Boxes& olds, Boxes& news) {
    std::unordered_map<std::string, std::pair<Boxes, Boxes>> groups;
    for (MergeBox* box : olds) {
      if (box->own_id.empty()) groups[above(*box)].first.push_back(box);
    }
    for (MergeBox* box : news) {
      if (box->own_id.empty()) groups[above(*box)].second.push_back(box);
    }
    groups.erase(std::string());
    struct Candidate {
      double score = 0;
      MergeBox* old = nullptr;
      MergeBox* fresh = nullptr;
    };
    for (auto& [task, group] : groups) {
      const auto& [known, seen] = group;
      if (known.size() * seen.size() > kMostPairs) continue;
      std::vector<Candidate> candidates;
      for (MergeBox* old : known) {
        for (MergeBox* fresh : seen) {
          const double score = core::similarity(old->title, fresh->title);
          if (score >= core::kSameTask) candidates.push_back({score, old, fresh});
        }
      }
      std::stable_sort(candidates.begin(), candidates.end(),
                       [](const Candidate& a, const Candidate& b) { return a.score > b.score; });
      for (const Candidate& candidate : candidates) {
        if ((candidate.old->identity & kPaired) != 0 || candidate.fresh->identity != 0) continue;
        candidate.fresh->identity = candidate.old->identity;
        paired(candidate.old);
      }
    }
    drop_paired(olds, news);
  }

  static constexpr std::uint32_t kPaired = 1U << 31U;
  static constexpr std::size_t kMostRounds = 64;  // deeper nesting is paired by what stands once only

  MergeVersion& old_;
  MergeVersion& fresh_;
};

Boxes all_of(MergeVersion& version) {
  Boxes boxes;
  boxes.reserve(version.boxes.size());
  for (MergeBox& box : version.boxes) boxes.push_back(&box);
  return boxes;
}

void give_identities(std::array<MergeVersion, 3>& versions) {
  auto& [base, ours, theirs] = versions;
  std::uint32_t next = 1;
  for (MergeBox& box : base.boxes) box.identity = next++;
  Boxes new_ours = all_of(ours);
  Boxes new_theirs = all_of(theirs);
  for (auto [side, news] : {std::pair(&ours, &new_ours), std::pair(&theirs, &new_theirs)}) {
    Boxes olds = all_of(base);
    Pairing(base, *side).pair(olds, *news, false);
  }
  for (MergeBox* box : new_ours) box->identity = next++;
  Pairing(ours, theirs).pair(new_ours, new_theirs, true);
  for (MergeBox* box : new_theirs) box->identity = next++;
}

// Of two tasks whose markers one side exchanged, a tick of the other side's is that of either.
void note_taken_ids(std::array<MergeVersion, 3>& versions) {
  std::unordered_map<std::string_view, const MergeBox*> then;  // by title; nullptr: several
  for (const MergeBox& box : versions[0].boxes) {
    const auto [known, is_new] = then.try_emplace(box.title, &box);
    if (!is_new) known->second = nullptr;
  }
  for (MergeVersion* side : {&versions[1], &versions[2]}) {
    for (MergeBox& box : side->boxes) {
      const auto known = box.marked && !box.title.empty() ? then.find(box.title) : then.end();
      box.took_id = known != then.end() && known->second != nullptr && known->second->marked &&
                    known->second->own_id != box.own_id;
    }
  }
}

base::Result<core::Plan> read(const SourceText& source, MergeVersion& version) {
  TRY_ASSIGN(core::Plan plan, parse_plan(source.bytes()));
  // A base that git merged from several may have conflict markers. Read as a plan, it would contain the tasks
  // of both halves.
  const auto& found = plan.diagnostics;
  const auto unresolved = [](const core::Diagnostic& one) {
    return one.code == core::DiagnosticCode::conflict_marker;
  };
  if (std::any_of(found.begin(), found.end(), unresolved))
    return base::fail(base::ErrorKind::conflict, "it has conflict markers");
  TRY_ASSIGN(version.outline, read_outline(source));
  version.is_plan = true;
  version.errors = core::error_lines(plan.diagnostics);
  return plan;
}

// Whether a task has another number than in another version.
bool numbered_anew(const std::array<MergeVersion, 3>& versions) {
  std::unordered_map<std::uint32_t, std::string_view> numbers;
  for (const MergeVersion& version : versions) {
    for (const MergeBox& box : version.boxes) {
      if (box.number.empty()) continue;
      if (numbers.try_emplace(box.identity, box.number).first->second != box.number) return true;
    }
  }
  return false;
}

void mark_twins(std::vector<MergeBox>& boxes) {
  std::unordered_map<std::string, int> times;
  const auto in_place = [](const MergeBox& box) { return std::to_string(box.above) + '\0' + box.words; };
  for (const MergeBox& box : boxes) {
    if (box.number.empty()) continue;
    ++times[box.words];
    if (box.above >= 0) ++times[in_place(box)];
  }
  for (MergeBox& box : boxes) {
    if (!box.number.empty()) box.has_twin = times[box.above < 0 ? box.words : in_place(box)] > 1;
  }
}

void forget_numbers(MergeVersion& version) {
  version.numbered_anew = true;
  for (MergeBox& box : version.boxes) {
    if (!box.marked) box.own_id.clear();
  }
  mark_twins(version.boxes);
}

// A name of a box that is the same in all versions: its id or words, and if others have the same words, the
// tasks or the heading above it. Numbers of headings are left out, because they change when a phase is added.
class BoxNames {
 public:
  void count(const MergeVersion& version) {
    std::unordered_map<std::string_view, int> times;
    for (const MergeBox& box : version.boxes) {
      if (++times[box.words] > 1) repeated_.insert(box.words);
    }
  }

  bool is_repeated(const MergeBox& box) const { return repeated_.contains(box.words); }

  std::string name(const MergeVersion& version, const MergeBox& box) const {
    if (!box.own_id.empty()) return "id " + box.own_id;
    std::string name = box.words;
    const MergeBox* at = &box;
    while (repeated_.contains(at->words)) {
      if (at->above < 0) return name + '\0' + std::string(base::without_number(at->phase_title));
      at = &version.boxes[static_cast<std::size_t>(at->above)];
      name += '\0' + (at->own_id.empty() ? std::string(base::without_number(at->words)) : at->own_id);
      if (!at->own_id.empty()) break;
    }
    return name;
  }

 private:
  std::unordered_set<std::string_view> repeated_;  // words that stand more than once in one version
};

}  // namespace

MergeVersion read_merged(const SourceText& source, bool numbered_anew) {
  MergeVersion version;
  const auto plan = read(source, version);
  if (plan) add_boxes(source, *plan, version);
  if (numbered_anew) forget_numbers(version);
  return version;
}

bool same_words(const MergeBox& a, const MergeBox& b) {
  const bool same_id = !a.own_id.empty() && a.own_id == b.own_id && !a.took_id && !b.took_id;
  if (same_id) return true;
  return a.words == b.words && !a.has_twin && !b.has_twin;
}

std::vector<const MergeBox*> find_false_ticks(const MergeVersion& merged,
                                              const std::array<MergeVersion, 3>& versions) {
  BoxNames names;
  names.count(merged);
  for (const MergeVersion& version : versions) names.count(version);
  std::unordered_set<std::string> ticked;
  std::unordered_set<std::string_view> words;
  for (const MergeVersion& version : versions) {
    for (const MergeBox& box : version.boxes) {
      if (box.state != MergeState::done) continue;
      ticked.insert(names.name(version, box));
      words.insert(box.words);
    }
  }
  std::vector<const MergeBox*> wrong;
  for (const MergeBox& box : merged.boxes) {
    if (box.state != MergeState::done || ticked.contains(names.name(merged, box))) continue;
    // An id that only one side has written is no other task: then the words decide.
    if (!words.contains(box.words) || names.is_repeated(box)) wrong.push_back(&box);
  }
  return wrong;
}

const MergeBox* find_number_given_twice(const MergeVersion& merged, const MergeVersion& ours,
                                        const MergeVersion& theirs) {
  const auto count = [](const MergeVersion& version) {
    std::unordered_map<std::string_view, int> times;
    for (const MergeBox& box : version.boxes) {
      if (!only_counts(box.number)) ++times[box.number];
    }
    return times;
  };
  auto in_ours = count(ours);
  auto in_theirs = count(theirs);
  std::unordered_map<std::string_view, int> times;
  const auto twice = [&](const MergeBox& box) {
    return !only_counts(box.number) &&
           ++times[box.number] > std::max({1, in_ours[box.number], in_theirs[box.number]});
  };
  const auto found = std::find_if(merged.boxes.begin(), merged.boxes.end(), twice);
  return found == merged.boxes.end() ? nullptr : &*found;
}

std::array<MergeVersion, 3> read_versions(const std::array<const SourceText*, 3>& sources) {
  std::array<MergeVersion, 3> versions;
  std::array<core::Plan, 3> plans;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    auto plan = read(*sources[i], versions[i]);
    // One that is no plan makes it a merge of texts.
    if (!plan) return {};
    plans[i] = std::move(*plan);
  }
  const core::State known = remembered(plans[0]);
  core::keep_identities(known, plans[1]);
  core::keep_identities(known, plans[2]);
  for (std::size_t i = 0; i < sources.size(); ++i) add_boxes(*sources[i], plans[i], versions[i]);
  give_identities(versions);
  note_taken_ids(versions);
  if (numbered_anew(versions)) {
    for (MergeVersion& version : versions) forget_numbers(version);
  }
  return versions;
}

}  // namespace plankeep::markdown

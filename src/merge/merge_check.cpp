#include "merge/merge_check.hpp"

#include <algorithm>
#include <unordered_map>

namespace plankeep::markdown {
namespace {

class HalfCheck {
 public:
  HalfCheck(const Half& half, const MergeReading& reading)
      : half_(half), versions_(reading.versions), decided_(reading.decided), by_record_(reading.by_record) {}

  Misreadings run() const {
    Misreadings all;
    std::vector<MergeConflict>& found = all.found;
    if (!versions_[kBase].is_plan) return all;
    const SourceText source(half_.text);
    const MergeVersion merged = read_merged(source, versions_[kBase].numbered_anew);
    if (!merged.is_plan) return {{{0, "the merged file cannot be read as a plan"}}, false, {}};
    std::unordered_map<std::size_t, const MergeBox*> read;
    for (const MergeBox& box : merged.boxes) read.emplace(box.box.offset, &box);
    for (const WrittenBox& box : half_.written) {
      const auto there = read.find(box.offset);
      const bool kept = there != read.end() && there->second->state == box.state;
      if (kept && in_its_phase(*there->second, box) && below_its_task(merged, *there->second, box)) continue;
      const std::int64_t line = source.position(box.offset).line;
      const std::string_view what =
          kept ? "would stand below another task or heading" : "is no longer a checkbox";
      found.push_back(
          {line, "this box " + std::string(what) + " after the merge: " + std::string(source.line(line))});
      break;
    }
    if (found.empty() && merged.boxes.size() != half_.written.size())
      found.push_back({0, "the merged plan has boxes that are on neither side"});
    if (const MergeBox* box = find_number_given_twice(merged, versions_[kOurs], versions_[kTheirs]))
      found.push_back({static_cast<std::int64_t>(box->line) + 1,
                       "each side gave the number " + box->number + " to a task of its own"});
    const std::vector<const MergeBox*> false_ticks = find_false_ticks(merged, versions_);
    if (!false_ticks.empty()) {
      const MergeBox& first = *false_ticks.front();
      all.false_tick = true;
      found.push_back({static_cast<std::int64_t>(first.line) + 1, ticked_nowhere(first)});
    }
    for (const MergeBox* const box : false_ticks) {
      const WrittenBox* const written = written_at(box->box.offset);
      if (written != nullptr && written->outside) all.ticked_outside.push_back(written->identity);
    }
    count_boxes(found);
    for (const std::string& error : merged.errors) {
      const auto in = [&](Side side) {
        return std::find(versions_[side].errors.begin(), versions_[side].errors.end(), error) !=
               versions_[side].errors.end();
      };
      if (!in(kOurs) && !in(kTheirs)) found.push_back({0, error});
    }
    return all;
  }

 private:
  const WrittenBox* written_at(std::size_t offset) const {
    const auto there =
        std::lower_bound(half_.written.begin(), half_.written.end(), offset,
                         [](const WrittenBox& one, std::size_t at) { return one.offset < at; });
    return there == half_.written.end() || there->offset != offset ? nullptr : &*there;
  }

  // A box that was put in beside a new phase belongs where its side has it. Where changes do not touch each
  // other, a phase that opens above takes over what stands below, as it would by hand.
  bool in_its_phase(const MergeBox& read, const WrittenBox& written) const {
    if (!by_record_) return true;
    for (const Side side : {kOurs, kTheirs}) {
      const MergeBox* box = decided_[written.identity].box[side];
      if (box != nullptr && box->phase == read.phase) return true;
    }
    return false;
  }

  // A box must stay below the task that it has on one of the sides.
  bool below_its_task(const MergeVersion& merged, const MergeBox& read, const WrittenBox& written) const {
    const auto around = [](const std::vector<MergeBox>& boxes, const MergeBox& box) {
      return box.above < 0 ? nullptr : &boxes[static_cast<std::size_t>(box.above)];
    };
    std::uint32_t now = 0;
    if (const MergeBox* task = around(merged.boxes, read)) {
      const WrittenBox* const there = written_at(task->box.offset);
      if (there == nullptr) return false;
      now = there->identity;
    }
    return std::any_of(kSides.begin() + 1, kSides.end(), [&](Side side) {
      const MergeBox* box = decided_[written.identity].box[side];
      if (box == nullptr) return false;
      const MergeBox* task = around(versions_[side].boxes, *box);
      return (task == nullptr ? 0 : task->identity) == now;
    });
  }

  // What both sides have has to be there once: two moves of one box may leave it out, or in both places.
  void count_boxes(std::vector<MergeConflict>& found) const {
    std::vector<int> times(decided_.size());
    for (const WrittenBox& box : half_.written) ++times[box.identity];
    for (std::size_t i = 0; i < decided_.size(); ++i) {
      const MergeBox* ours = decided_[i].box[kOurs];
      if (ours == nullptr || decided_[i].box[kTheirs] == nullptr || times[i] == 1) continue;
      const std::string_view what = times[i] == 0 ? "is on neither side" : "appears twice";
      found.push_back(
          {0, '"' + ours->title + "\" " + std::string(what) + ", although each side has it once"});
      return;
    }
  }

  const Half& half_;
  const std::array<MergeVersion, 3>& versions_;
  const std::vector<DecidedBox>& decided_;
  const bool by_record_;
};

}  // namespace

std::string ticked_nowhere(const MergeBox& box) {
  return '"' + box.title + "\" is ticked on neither side";
}

Misreadings misread_in(const Half& half, const MergeReading& reading) {
  return HalfCheck(half, reading).run();
}

}  // namespace plankeep::markdown

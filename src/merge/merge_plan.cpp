#include "merge/merge_plan.hpp"

#include <algorithm>
#include <array>
#include <deque>
#include <optional>
#include <unordered_map>

#include "merge/line_kinds.hpp"
#include "merge/line_merge.hpp"
#include "merge/merge_boxes.hpp"
#include "merge/merge_texts.hpp"
#include "merge/record_merge.hpp"

namespace plankeep::markdown {
namespace {

using core::LineRange;
using core::LineSymbol;
using core::MergePiece;
using core::RecordLine;
using PieceKind = core::MergePiece::Kind;

constexpr std::size_t kBinaryProbe = 8000;
// A box in a half: where it is and what it must read as.
struct WrittenBox {
  std::size_t offset = 0;
  MergeState state = MergeState::open;
  std::uint32_t identity = 0;
};

// The result as it reads when this side is chosen at every conflict. Without conflicts both are the result.
struct Half {
  std::string text;
  std::vector<WrittenBox> written;
};

struct Misreadings {
  std::vector<MergeConflict> found;
  bool false_tick = false;  // one of them
};

class Merger {
 public:
  Merger(const MergeTexts& texts, const MergeLabels& labels)
      : texts_(texts),
        labels_(labels),
        sources_{SourceText(texts.text[kBase]), SourceText(texts.text[kOurs]),
                 SourceText(texts.text[kTheirs])},
        versions_(read_versions({&sources_[kBase], &sources_[kOurs], &sources_[kTheirs]})) {
    find_boxes();
    read_lines();
    pieces_ = core::merge_lines(symbols_[kBase], symbols_[kOurs], symbols_[kTheirs]);
  }

  /// How conflicts are looked at first: thing by thing, with what one of the sides put in before the other's.
  /// Or as they are, with the ticks of both in the halves, or each half with its own.
  enum class Things { ours_first, theirs_first, left, left_with_own_ticks };

  MergedPlan merge(Things things) {
    result_ = {};
    halves_ = {};
    line_ = 1;
    by_record_ = false;
    own_ticks_ = things == Things::left_with_own_ticks;
    const bool one_by_one = things == Things::ours_first || things == Things::theirs_first;
    for (const MergePiece& piece : pieces_) {
      if (piece.kind != PieceKind::conflict) {
        take(piece);
        continue;
      }
      if (!one_by_one || !records(piece, things == Things::theirs_first)) conflict(piece);
    }
    return std::move(result_);
  }

  /// Whether anything was merged thing by thing.
  bool by_record() const { return by_record_; }

  /// What the result must read as and does not; nothing when these are no plans. Unless it is clean, its
  /// halves.
  Misreadings misreadings(bool clean) const {
    Misreadings found = misreadings(halves_[0]);
    if (clean || found.false_tick) return found;
    Misreadings more = misreadings(halves_[1]);
    return more.found.empty() ? found : more;
  }

 private:
  Misreadings misreadings(const Half& half) const {
    Misreadings all;
    std::vector<MergeConflict>& found = all.found;
    if (!versions_[kBase].is_plan) return all;
    const SourceText source(half.text);
    const MergeVersion merged = read_merged(source, versions_[kBase].numbered_anew);
    if (!merged.is_plan) return {{{0, "the merged file cannot be read as a plan"}}, false};
    std::unordered_map<std::size_t, const MergeBox*> read;
    for (const MergeBox& box : merged.boxes) read.emplace(box.box.offset, &box);
    for (const WrittenBox& box : half.written) {
      const auto there = read.find(box.offset);
      const bool kept = there != read.end() && there->second->state == box.state;
      if (kept && in_its_phase(*there->second, box) && below_its_task(half, merged, *there->second, box))
        continue;
      const std::int64_t line = source.position(box.offset).line;
      const std::string_view what =
          kept ? "would stand below another task or heading" : "is no longer a checkbox";
      found.push_back(
          {line, "this box " + std::string(what) + " after the merge: " + std::string(source.line(line))});
      break;
    }
    if (found.empty() && merged.boxes.size() != half.written.size())
      found.push_back({0, "the merged plan has boxes that are on neither side"});
    if (const MergeBox* box = find_number_given_twice(merged, versions_[kOurs], versions_[kTheirs]))
      found.push_back({static_cast<std::int64_t>(box->line) + 1,
                       "each side gave the number " + box->number + " to a task of its own"});
    if (const MergeBox* box = find_false_tick(merged, versions_)) {
      all.false_tick = true;
      found.push_back(
          {static_cast<std::int64_t>(box->line) + 1, '"' + box->title + "\" is ticked on neither side"});
    }
    count_boxes(half, found);
    for (const std::string& error : merged.errors) {
      const auto in = [&](Side side) {
        return std::find(versions_[side].errors.begin(), versions_[side].errors.end(), error) !=
               versions_[side].errors.end();
      };
      if (!in(kOurs) && !in(kTheirs)) found.push_back({0, error});
    }
    return all;
  }

  struct Decided {
    std::array<const MergeBox*, 3> box{};
    bool merged = false;  // both sides have it: its character is left out of comparisons
    Side from = kOurs;    // who decides
  };

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
  bool below_its_task(const Half& half, const MergeVersion& merged, const MergeBox& read,
                      const WrittenBox& written) const {
    const auto around = [](const std::vector<MergeBox>& boxes, const MergeBox& box) {
      return box.above < 0 ? nullptr : &boxes[static_cast<std::size_t>(box.above)];
    };
    std::uint32_t now = 0;
    if (const MergeBox* task = around(merged.boxes, read)) {
      const auto there =
          std::lower_bound(half.written.begin(), half.written.end(), task->box.offset,
                           [](const WrittenBox& one, std::size_t offset) { return one.offset < offset; });
      if (there == half.written.end() || there->offset != task->box.offset) return false;
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
  void count_boxes(const Half& half, std::vector<MergeConflict>& found) const {
    std::vector<int> times(decided_.size());
    for (const WrittenBox& box : half.written) ++times[box.identity];
    for (std::size_t i = 0; i < decided_.size(); ++i) {
      const MergeBox* ours = decided_[i].box[kOurs];
      if (ours == nullptr || decided_[i].box[kTheirs] == nullptr || times[i] == 1) continue;
      const std::string_view what = times[i] == 0 ? "is on neither side" : "appears twice";
      found.push_back(
          {0, '"' + ours->title + "\" " + std::string(what) + ", although each side has it once"});
      return;
    }
  }

  std::string_view character(Side side, const MergeBox& box) const {
    return sources_[side].bytes().substr(box.box.offset, box.box.length);
  }

  void find_boxes() {
    std::uint32_t most = 0;
    for (const Side side : kSides) {
      for (const MergeBox& box : versions_[side].boxes) most = std::max(most, box.identity);
    }
    decided_.resize(most + 1);
    for (const Side side : kSides) {
      for (const MergeBox& box : versions_[side].boxes) decided_[box.identity].box[side] = &box;
    }
    for (Decided& decided : decided_) {
      if (decided.box[kOurs] == nullptr || decided.box[kTheirs] == nullptr) continue;
      if (decided.box[kBase] != nullptr && decided.box[kBase]->has_twin) continue;
      if (!same_words(*decided.box[kOurs], *decided.box[kTheirs])) continue;
      decided.merged = true;
      decided.from = decide(decided);
    }
  }

  Side decide(const Decided& decided) const {
    const MergeBox& ours = *decided.box[kOurs];
    const MergeBox& theirs = *decided.box[kTheirs];
    const MergeBox* base = decided.box[kBase];
    if (ours.state == theirs.state) {
      // The same state, written "x" or "X": the change of the character, if any, is kept.
      const bool ours_kept = base != nullptr && character(kOurs, ours) == character(kBase, *base);
      return ours_kept ? kTheirs : kOurs;
    }
    if (base != nullptr && ours.state == base->state) return kTheirs;
    if (base != nullptr && theirs.state == base->state) return kOurs;
    return ours.state > theirs.state ? kOurs : kTheirs;
  }

  std::size_t line_count(Side side) const {
    return texts_.text[side].empty() ? 0 : static_cast<std::size_t>(sources_[side].line_count() - 1);
  }

  // With its line end.
  std::string_view whole_line(Side side, std::size_t line) const {
    const auto number = static_cast<std::int64_t>(line) + 1;
    const std::size_t begin = sources_[side].line_start(number);
    return sources_[side].bytes().substr(begin, sources_[side].line_start(number + 1) - begin);
  }

  void read_lines() {
    std::unordered_map<std::string_view, LineSymbol> symbols;
    for (const Side side : kSides) {
      const std::vector<MergeBox>& boxes = versions_[side].boxes;
      std::size_t next = 0;
      symbols_[side].reserve(line_count(side));
      lines_[side].resize(line_count(side));
      first_box_[side].resize(line_count(side) + 1);
      for (std::size_t line = 0; line < line_count(side); ++line) {
        std::string_view text = whole_line(side, line);
        RecordLine& record = lines_[side][line];
        if (is_blank(text)) {
          record.kind = RecordLine::Kind::blank;
        } else if (is_item(text)) {
          record.kind = RecordLine::Kind::head;
        }
        first_box_[side][line] = next;
        if (next < boxes.size() && boxes[next].line == line) text = comparable(side, line, next);
        record.symbol = symbols.try_emplace(text, static_cast<LineSymbol>(symbols.size())).first->second;
        symbols_[side].push_back(record.symbol);
      }
      first_box_[side][line_count(side)] = boxes.size();
      mark_records(side);
    }
  }

  // The text by which a line with boxes is compared: without the state characters, which are merged box by
  // box, and with the boxes' identities, because "- [ ] Commit" under one task is not the same line as under
  // another.
  std::string_view comparable(Side side, std::size_t line, std::size_t& next) {
    const std::vector<MergeBox>& boxes = versions_[side].boxes;
    const std::size_t begin = sources_[side].line_start(static_cast<std::int64_t>(line) + 1);
    std::string& text = compared_.emplace_back();
    std::size_t at = begin;
    std::string identities;
    for (; next < boxes.size() && boxes[next].line == line; ++next) {
      const MergeBox& box = boxes[next];
      identities += '\0' + std::to_string(box.identity);
      if (!decided_[box.identity].merged) continue;
      text += sources_[side].bytes().substr(at, box.box.offset - at);
      text += ' ';
      at = box.box.offset + box.box.length;
    }
    text += whole_line(side, line).substr(at - begin);
    text += identities;
    return text;
  }

  void mark_records(Side side) {
    std::vector<RecordLine>& lines = lines_[side];
    const auto line_of = [&](std::size_t offset) {
      return static_cast<std::size_t>(sources_[side].position(offset).line - 1);
    };
    const auto mark = [&](std::size_t first, std::size_t last, bool opens) {
      for (std::size_t line = first; line <= last && line < lines.size(); ++line) {
        lines[line].kind = line == first ? RecordLine::Kind::head : RecordLine::Kind::rest;
      }
      if (first >= lines.size()) return;
      lines[first].opens_phase = opens;
      lines[first].indent = whole_line(side, first).find_first_not_of(" \t");
    };
    for (const OutlineMarker& marker : versions_[side].outline.markers) {
      mark(line_of(marker.begin), line_of(marker.end - 1), marker.kind == MarkerKind::checkpoint);
    }
    for (const OutlineHeading& heading : versions_[side].outline.headings) {
      mark(static_cast<std::size_t>(heading.line - 1), static_cast<std::size_t>(heading.last_line - 1), true);
    }
    for (const MergeBox& box : versions_[side].boxes) {
      mark(box.line, box.last_line, false);
      if (box.line < lines.size()) lines[box.line].key = box.identity;
    }
  }

  enum class Into { both, ours, theirs };

  void write_line(Side side, std::size_t line, Into into) {
    Half merged;
    const std::string_view text = whole_line(side, line);
    std::size_t at = sources_[side].line_start(static_cast<std::int64_t>(line) + 1);
    const std::size_t end = at + text.size();
    for (std::size_t i = first_box_[side][line]; i < first_box_[side][line + 1]; ++i) {
      const MergeBox& box = versions_[side].boxes[i];
      const Decided& decided = decided_[box.identity];
      const bool own = !decided.merged || (own_ticks_ && into != Into::both);
      const Side from = own ? side : decided.from;
      merged.text += sources_[side].bytes().substr(at, box.box.offset - at);
      merged.written.push_back({merged.text.size(), decided.box[from]->state, box.identity});
      merged.text += character(from, *decided.box[from]);
      at = box.box.offset + box.box.length;
    }
    merged.text += sources_[side].bytes().substr(at, end - at);
    if (into != Into::theirs) append(halves_[0], merged);
    if (into != Into::ours) append(halves_[1], merged);
    result_.text += merged.text;
    ++line_;
  }

  static void append(Half& half, const Half& line) {
    for (const WrittenBox& box : line.written)
      half.written.push_back({half.text.size() + box.offset, box.state, box.identity});
    half.text += line.text;
  }

  void write(Side side, LineRange range, Into into = Into::both) {
    for (std::size_t line = range.begin; line < range.end; ++line) write_line(side, line, into);
  }

  // Whether the lines hold a box that the other side took out of the plan: it was moved here meanwhile, and
  // may be ticked or reworded. In its old place the same would be a conflict.
  bool brings_back(Side side, LineRange range) const {
    const Side other = side == kOurs ? kTheirs : kOurs;
    const std::vector<MergeBox>& boxes = versions_[side].boxes;
    for (std::size_t i = first_box_[side][range.begin]; i < first_box_[side][range.end]; ++i) {
      const Decided& decided = decided_[boxes[i].identity];
      if (decided.box[kBase] != nullptr && decided.box[other] == nullptr) return true;
    }
    return false;
  }

  void take(const MergePiece& piece) {
    const bool of_theirs = piece.kind == PieceKind::theirs;
    if (brings_back(of_theirs ? kTheirs : kOurs, of_theirs ? piece.theirs : piece.ours))
      return conflict(piece);
    if (piece.kind == PieceKind::theirs) {
      write(kTheirs, piece.theirs);
    } else {
      write(kOurs, piece.ours);
    }
  }

  bool records(const MergePiece& whole, bool theirs_first) {
    if (!versions_[kBase].is_plan) return false;
    const auto part = [&](Side side, LineRange range) {
      return std::span<const RecordLine>(lines_[side]).subspan(range.begin, range.size());
    };
    const auto pieces = core::merge_records(part(kBase, whole.base), part(kOurs, whole.ours),
                                            part(kTheirs, whole.theirs), theirs_first);
    if (!pieces) return false;
    by_record_ = true;
    const auto moved = [](LineRange range, std::size_t by) {
      return LineRange{range.begin + by, range.end + by};
    };
    for (MergePiece piece : *pieces) {
      piece.ours = moved(piece.ours, whole.ours.begin);
      piece.theirs = moved(piece.theirs, whole.theirs.begin);
      if (piece.kind == PieceKind::conflict) {
        conflict(piece);
      } else {
        take(piece);
      }
    }
    return true;
  }

  // Lines that both halves have stand outside of the markers, unless they are only blank lines and rules.
  void conflict(const MergePiece& piece) {
    const auto part = [&](Side side, LineRange range) {
      return std::span<const LineSymbol>(symbols_[side]).subspan(range.begin, range.size());
    };
    const auto partner = core::match_lines(part(kOurs, piece.ours), part(kTheirs, piece.theirs));
    std::size_t a = piece.ours.begin;
    std::size_t b = piece.theirs.begin;
    std::size_t i = 0;
    while (i < partner.size()) {
      std::size_t run = i;
      bool says = false;
      while (run < partner.size() && partner[run] != core::kNoLine &&
             (run == i || partner[run] == partner[run - 1] + 1)) {
        says = says || says_something(whole_line(kOurs, piece.ours.begin + run));
        ++run;
      }
      if (!says) {
        i = std::max(run, i + 1);
        continue;
      }
      halves({a, piece.ours.begin + i}, {b, piece.theirs.begin + partner[i]});
      write(kOurs, {piece.ours.begin + i, piece.ours.begin + run});
      b = piece.theirs.begin + partner[run - 1] + 1;
      a = piece.ours.begin + run;
      i = run;
    }
    halves({a, piece.ours.end}, {b, piece.theirs.end});
  }

  void halves(LineRange ours, LineRange theirs) {
    if (ours.empty() && theirs.empty()) return;
    result_.conflicts.push_back({line_, message(ours, theirs)});
    fence('<', labels_.ours);
    write(kOurs, ours, Into::ours);
    fence('=', {});
    write(kTheirs, theirs, Into::theirs);
    fence('>', labels_.theirs);
  }

  std::string message(LineRange ours, LineRange theirs) const {
    // The first task that stands in it says what it is about.
    for (const auto& [side, range] : {std::pair(kOurs, ours), std::pair(kTheirs, theirs)}) {
      const std::size_t first = first_box_[side][range.begin];
      if (first == first_box_[side][range.end]) continue;
      const MergeBox& box = versions_[side].boxes[first];
      const std::string name = box.id.empty() ? box.title : box.id.substr(1);
      const Side other = side == kOurs ? kTheirs : kOurs;
      if (decided_[box.identity].box[other] == nullptr && decided_[box.identity].box[kBase] != nullptr) {
        return "\"" + name + "\" was removed on one side and changed on the other";
      }
      return "both sides changed \"" + name + "\", or the text next to it";
    }
    return "both sides changed these lines";
  }

  void fence(char character, const std::string& label) {
    result_.text.append(labels_.marker_size, character);
    if (!label.empty()) result_.text += ' ' + label;
    result_.text += texts_.line_end;
    ++line_;
  }

  const MergeTexts& texts_;
  const MergeLabels& labels_;
  std::array<SourceText, 3> sources_;
  std::array<MergeVersion, 3> versions_;
  std::vector<Decided> decided_;      // by identity
  std::deque<std::string> compared_;  // lines with boxes, as they are compared
  std::array<std::vector<LineSymbol>, 3> symbols_;
  std::array<std::vector<RecordLine>, 3> lines_;
  std::array<std::vector<std::size_t>, 3> first_box_;  // of each line, and one behind
  std::vector<MergePiece> pieces_;
  MergedPlan result_;
  std::array<Half, 2> halves_;  // ours, theirs
  std::int64_t line_ = 1;
  bool by_record_ = false;
  bool own_ticks_ = false;
};

bool is_binary(std::string_view text) {
  return text.substr(0, kBinaryProbe).find('\0') != std::string_view::npos;
}

}  // namespace

MergedPlan merge_plans(std::string_view base, std::string_view ours, std::string_view theirs,
                       const MergeLabels& labels) {
  if (ours == theirs || theirs == base) return {std::string(ours), {}};
  if (ours == base) return {std::string(theirs), {}};
  if (is_binary(base) || is_binary(ours) || is_binary(theirs)) {
    return {std::string(ours), {{0, "binary files cannot be merged; ours was kept"}}};
  }
  const MergeTexts texts(base, ours, theirs);
  Merger merger(texts, labels);
  MergedPlan merged;
  Misreadings wrong;
  const auto merge = [&](Merger::Things things) {
    merged = merger.merge(things);
    wrong = merger.misreadings(merged.conflicts.empty());
    return wrong.found.empty() || !merger.by_record();
  };
  // A step of ours may have come below a task of theirs: what is clean for them is clean for us. If taking
  // things one by one led astray either way, a person has to.
  if (!merge(Merger::Things::ours_first) && !merge(Merger::Things::theirs_first)) merge(Merger::Things::left);
  if (!merged.conflicts.empty())
    return wrong.false_tick ? merger.merge(Merger::Things::left_with_own_ticks) : merged;
  texts.end_as_wanted(merged.text);
  merged.conflicts = std::move(wrong.found);
  return merged;
}

}  // namespace plankeep::markdown

#include "merge/merge_plan.hpp"

#include <algorithm>
#include <array>
#include <deque>
#include <optional>
#include <unordered_map>
#include <unordered_set>

#include "merge/line_kinds.hpp"
#include "merge/line_merge.hpp"
#include "merge/merge_boxes.hpp"
#include "merge/merge_check.hpp"
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
constexpr int kMostRounds = 8;

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
    const MergeReading reading{versions_, decided_, by_record_};
    Misreadings found = misread_in(halves_[0], reading);
    if (clean) return found;
    Misreadings more = misread_in(halves_[1], reading);
    found.false_tick = found.false_tick || more.false_tick;
    found.ticked_outside.insert(found.ticked_outside.end(), more.ticked_outside.begin(),
                                more.ticked_outside.end());
    if (found.found.empty()) found.found = std::move(more.found);
    return found;
  }

  /// Puts these boxes into conflicts from now on. False: they all are already.
  bool dispute(const std::vector<std::uint32_t>& boxes) {
    bool any = false;
    for (const std::uint32_t box : boxes) any = disputed_.insert(box).second || any;
    return any;
  }

 private:
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
    for (DecidedBox& decided : decided_) {
      if (decided.box[kOurs] == nullptr || decided.box[kTheirs] == nullptr) continue;
      if (decided.box[kBase] != nullptr && decided.box[kBase]->has_twin) continue;
      if (!same_words(*decided.box[kOurs], *decided.box[kTheirs])) continue;
      decided.merged = true;
      decided.from = decide(decided);
    }
  }

  Side decide(const DecidedBox& decided) const {
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

  // Whether the sides differ in the state of a box on this line of ours.
  bool has_own_tick(std::size_t line) const {
    for (std::size_t i = first_box_[kOurs][line]; i < first_box_[kOurs][line + 1]; ++i) {
      const DecidedBox& decided = decided_[versions_[kOurs].boxes[i].identity];
      if (decided.merged && decided.box[kOurs]->state != decided.box[kTheirs]->state) return true;
    }
    return false;
  }

  bool is_disputed(Side side, std::size_t line) const {
    for (std::size_t i = first_box_[side][line]; !disputed_.empty() && i < first_box_[side][line + 1]; ++i) {
      if (disputed_.contains(versions_[side].boxes[i].identity)) return true;
    }
    return false;
  }

  void write_line(Side side, std::size_t line, Into into) {
    if (into != Into::both || !is_disputed(side, line)) return write_boxes(side, line, into);
    const MergeBox& box = versions_[side].boxes[first_box_[side][line]];
    result_.conflicts.push_back({line_, ticked_nowhere(box)});
    fence('<', labels_.ours);
    write_boxes(side, line, Into::ours);
    fence('=', {});
    write_boxes(side, line, Into::theirs);
    fence('>', labels_.theirs);
  }

  // Which character a box gets that is written from this side, and the state that it means.
  std::pair<std::string_view, MergeState> state_for(Side side, const MergeBox& box, Into into) const {
    const DecidedBox& decided = decided_[box.identity];
    Side from = decided.merged ? decided.from : side;
    if (own_ticks_ && into != Into::both) from = side;
    if (into != Into::both && disputed_.contains(box.identity)) {
      const Side half = into == Into::ours ? kOurs : kTheirs;
      from = decided.merged ? half : side;
      const bool same = !decided.merged || decided.box[kOurs]->state == decided.box[kTheirs]->state;
      // Nobody ticked it as it stands here.
      if (same && half != side) return {" ", MergeState::open};
    }
    return {character(from, *decided.box[from]), decided.box[from]->state};
  }

  void write_boxes(Side side, std::size_t line, Into into) {
    Half merged;
    const std::string_view text = whole_line(side, line);
    std::size_t at = sources_[side].line_start(static_cast<std::int64_t>(line) + 1);
    const std::size_t end = at + text.size();
    for (std::size_t i = first_box_[side][line]; i < first_box_[side][line + 1]; ++i) {
      const MergeBox& box = versions_[side].boxes[i];
      const auto [character, state] = state_for(side, box, into);
      merged.text += sources_[side].bytes().substr(at, box.box.offset - at);
      merged.written.push_back({merged.text.size(), state, box.identity, into == Into::both});
      merged.text += character;
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
      half.written.push_back({half.text.size() + box.offset, box.state, box.identity, box.outside});
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
      const DecidedBox& decided = decided_[boxes[i].identity];
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
    auto partner = core::match_lines(part(kOurs, piece.ours), part(kTheirs, piece.theirs));
    for (std::size_t line = 0; own_ticks_ && line < partner.size(); ++line) {
      if (partner[line] != core::kNoLine && has_own_tick(piece.ours.begin + line))
        partner[line] = core::kNoLine;
    }
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
  std::vector<DecidedBox> decided_;  // by identity
  std::unordered_set<std::uint32_t> disputed_;
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
  Merger::Things last = Merger::Things::ours_first;
  if (!merge(last) && !merge(last = Merger::Things::theirs_first)) merge(last = Merger::Things::left);
  if (!merged.conflicts.empty() && wrong.false_tick) merge(last = Merger::Things::left_with_own_ticks);
  // A tick that no version has for these words is a conflict, wherever it stands.
  for (int round = 0; round < kMostRounds && merger.dispute(wrong.ticked_outside); ++round) merge(last);
  if (!merged.conflicts.empty()) return merged;
  texts.end_as_wanted(merged.text);
  merged.conflicts = std::move(wrong.found);
  return merged;
}

}  // namespace plankeep::markdown

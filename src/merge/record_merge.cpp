#include "merge/record_merge.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <tuple>

namespace plankeep::core {
namespace {

using Kind = RecordLine::Kind;
using Pieces = std::vector<MergePiece>;

struct Record {
  std::size_t name = 0;  // index into where_
  LineRange lines;
  Kind kind = Kind::text;
  bool opens_phase = false;
  std::size_t indent = 0;
};

enum Side : std::size_t { kBase, kOurs, kTheirs };

class Merger {
 public:
  Merger(std::span<const RecordLine> base, std::span<const RecordLine> ours,
         std::span<const RecordLine> theirs, bool theirs_first)
      : lines_{base, ours, theirs}, first_(theirs_first ? kTheirs : kOurs) {
    for (const Side side : {kBase, kOurs, kTheirs}) read(side);
  }

  std::optional<Pieces> merge() {
    if (!prose_is_one_sided() || !same_order(kBase, kOurs) || !same_order(kBase, kTheirs) ||
        !same_order(kOurs, kTheirs)) {
      return std::nullopt;
    }
    std::size_t base = 0;
    for (;;) {
      put_in();
      if (at_same_new_record()) {
        whole_record({});
      } else if (base < records_[kBase].size()) {
        if (!base_record(records_[kBase][base++])) return std::nullopt;
      } else {
        const bool over = at_[kOurs] == records_[kOurs].size() && at_[kTheirs] == records_[kTheirs].size();
        return over ? std::optional(std::move(pieces_)) : std::nullopt;
      }
    }
  }

 private:
  static constexpr std::size_t kAbsent = kNoLine;
  using Places = std::array<std::size_t, 3>;

  void read(Side side) {
    std::map<LineSymbol, std::size_t> seen;
    for (std::size_t i = 0; i < lines_[side].size(); ++i) {
      const RecordLine& line = lines_[side][i];
      std::vector<Record>& records = records_[side];
      if (line.kind == Kind::rest && !records.empty() && records.back().kind == Kind::head) {
        records.back().lines.end = i + 1;
        continue;
      }
      const std::size_t nth = line.key == 0 ? seen[line.symbol]++ : 0;
      const auto name = std::tuple(line.key, line.key == 0 ? line.symbol : 0, nth);
      const auto [known, fresh] = names_.try_emplace(name, where_.size());
      if (fresh) where_.push_back({kAbsent, kAbsent, kAbsent});
      where_[known->second][side] = records.size();
      const Kind kind = line.kind == Kind::rest ? Kind::text : line.kind;
      records.push_back({known->second, {i, i + 1}, kind, line.opens_phase, line.indent});
    }
  }

  bool stands(Side side, const Record& record) const { return where_[record.name][side] != kAbsent; }

  // Everything but blank lines and things with a key, which say themselves who they are.
  bool is_prose(Side side, const Record& record) const {
    return record.kind != Kind::blank && lines_[side][record.lines.begin].key == 0;
  }

  std::vector<std::size_t> prose(Side side) const {
    std::vector<std::size_t> names;
    for (const Record& record : records_[side]) {
      if (is_prose(side, record)) names.push_back(record.name);
    }
    return names;
  }

  // A line that was changed looks like one taken out and one put in. So where both sides changed such lines,
  // they may only have put some in, and only things.
  bool prose_is_one_sided() const {
    const auto base = prose(kBase);
    const auto ours = prose(kOurs);
    const auto theirs = prose(kTheirs);
    if (ours == base || theirs == base || ours == theirs) return true;
    for (const Record& record : records_[kBase]) {
      if (is_prose(kBase, record) && (!stands(kOurs, record) || !stands(kTheirs, record))) return false;
    }
    for (const Side side : {kOurs, kTheirs}) {
      for (const Record& record : records_[side]) {
        if (is_prose(side, record) && !stands(kBase, record) && record.kind != Kind::head) return false;
      }
    }
    return true;
  }

  bool same_order(Side one, Side other) const {
    std::size_t next = 0;
    for (const Record& record : records_[one]) {
      const std::size_t there = where_[record.name][other];
      if (there == kAbsent) continue;
      if (there < next) return false;
      next = there + 1;
    }
    return true;
  }

  // What only this side has here.
  std::vector<Record> own_run(Side side) {
    std::vector<Record> run;
    const Side other = side == kOurs ? kTheirs : kOurs;
    while (at_[side] < records_[side].size()) {
      const Record& record = records_[side][at_[side]];
      if (stands(kBase, record) || stands(other, record)) break;
      run.push_back(record);
      ++at_[side];
    }
    return run;
  }

  static bool has(const std::vector<Record>& run, Kind kind) {
    return std::any_of(run.begin(), run.end(), [&](const Record& record) { return record.kind == kind; });
  }

  static LineRange range_of(const std::vector<Record>& run) {
    return {run.front().lines.begin, run.back().lines.end};
  }

  void put_in() {
    const std::vector<Record> ours = own_run(kOurs);
    const std::vector<Record> theirs = own_run(kTheirs);
    const bool ours_text = has(ours, Kind::text);
    const bool theirs_text = has(theirs, Kind::text);
    if ((ours_text && (theirs_text || has(theirs, Kind::head))) || (theirs_text && has(ours, Kind::head))) {
      conflict({}, range_of(ours), range_of(theirs));
      return;
    }
    const std::size_t ours_phase = phase_begin(ours);
    const std::size_t theirs_phase = phase_begin(theirs);
    by_depth(ours, ours_phase, theirs, theirs_phase);
    take_both(ours, {ours_phase, ours.size()}, theirs, {theirs_phase, theirs.size()});
  }

  // The first side's, then the other's.
  void take_both(const std::vector<Record>& ours, LineRange in_ours, const std::vector<Record>& theirs,
                 LineRange in_theirs) {
    if (first_ == kTheirs) take(kTheirs, theirs, in_theirs.begin, in_theirs.end);
    take(kOurs, ours, in_ours.begin, in_ours.end);
    if (first_ == kOurs) take(kTheirs, theirs, in_theirs.begin, in_theirs.end);
  }

  // One after the other; but what either begins with that is indented deeper than others belongs to the tasks
  // above both, and stands before those others on whichever side they are.
  void by_depth(const std::vector<Record>& ours, std::size_t ours_end, const std::vector<Record>& theirs,
                std::size_t theirs_end) {
    std::vector<std::pair<std::size_t, std::size_t>> ends{{ours_end, theirs_end}};  // the deeper, the later
    while (ends.back().first > 0 && ends.back().second > 0) {
      const auto [in_ours, in_theirs] = ends.back();
      const std::size_t indent = std::min(least_indent(ours, in_ours), least_indent(theirs, in_theirs));
      ends.emplace_back(deeper_than(indent, ours, in_ours), deeper_than(indent, theirs, in_theirs));
    }
    std::size_t a = 0;
    std::size_t b = 0;
    for (auto end = ends.rbegin(); end != ends.rend(); ++end) {
      take_both(ours, {a, end->first}, theirs, {b, end->second});
      std::tie(a, b) = *end;
    }
  }

  static std::size_t least_indent(const std::vector<Record>& run, std::size_t end) {
    std::size_t least = kNoLine;
    for (std::size_t i = 0; i < end; ++i) {
      if (run[i].kind == Kind::head) least = std::min(least, run[i].indent);
    }
    return least;
  }

  // How many at the beginning are.
  static std::size_t deeper_than(std::size_t indent, const std::vector<Record>& run, std::size_t end) {
    std::size_t at = 0;
    while (at < end && run[at].kind == Kind::head && run[at].indent > indent) ++at;
    return at;
  }

  // Where the first phase opens, with the blank lines above it.
  static std::size_t phase_begin(const std::vector<Record>& run) {
    std::size_t at = 0;
    while (at < run.size() && !run[at].opens_phase) ++at;
    while (at < run.size() && at > 0 && run[at - 1].kind == Kind::blank) --at;
    return at;
  }

  void take(Side side, const std::vector<Record>& run, std::size_t begin, std::size_t end) {
    if (begin >= end) return;
    LineRange range{run[begin].lines.begin, run[end - 1].lines.end};
    // The blank line above it may have been one that both sides have, and stand somewhere else by now.
    const bool blank_above = range.begin > 0 && lines_[side][range.begin - 1].kind == Kind::blank;
    if (run[begin].opens_phase && blank_above && !blank_last_) --range.begin;
    take(side, range);
  }

  void take(Side side, LineRange range) {
    MergePiece piece;
    piece.kind = side == kOurs ? MergePiece::Kind::ours : MergePiece::Kind::theirs;
    (side == kOurs ? piece.ours : piece.theirs) = range;
    if (range.empty()) return;
    pieces_.push_back(piece);
    gone_ = {};
    blank_last_ = lines_[side][range.end - 1].kind == Kind::blank;
  }

  bool at_same_new_record() const {
    if (at_[kOurs] == records_[kOurs].size() || at_[kTheirs] == records_[kTheirs].size()) return false;
    const Record& ours = records_[kOurs][at_[kOurs]];
    return ours.name == records_[kTheirs][at_[kTheirs]].name && !stands(kBase, ours);
  }

  bool equal(Side one, LineRange in_one, Side other, LineRange in_other) const {
    const auto a = lines_[one].subspan(in_one.begin, in_one.size());
    const auto b = lines_[other].subspan(in_other.begin, in_other.size());
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](const RecordLine& x, const RecordLine& y) { return x.symbol == y.symbol; });
  }

  // Both sides stand at it.
  void whole_record(LineRange base) {
    const LineRange ours = records_[kOurs][at_[kOurs]++].lines;
    const LineRange theirs = records_[kTheirs][at_[kTheirs]++].lines;
    if (equal(kOurs, ours, kTheirs, theirs) || (!base.empty() && equal(kBase, base, kTheirs, theirs))) {
      take(kOurs, ours);
    } else if (!base.empty() && equal(kBase, base, kOurs, ours)) {
      take(kTheirs, theirs);
    } else {
      conflict(base, ours, theirs);
    }
  }

  // What one side took out right above it, or right below, may have gone into what it has here: two tasks
  // that became one. So the half of the other side still has it.
  void conflict(LineRange base, LineRange ours, LineRange theirs) {
    const auto with = [](LineRange gone, LineRange lines) {
      return gone.empty() ? lines : LineRange{gone.begin, lines.empty() ? gone.end : lines.end};
    };
    pieces_.push_back(
        {MergePiece::Kind::conflict, base, with(gone_[kOurs], ours), with(gone_[kTheirs], theirs)});
    gone_ = {};
    blank_last_ = false;
  }

  void taken_out(Side side, LineRange lines) {
    const bool below = !pieces_.empty() && pieces_.back().kind == MergePiece::Kind::conflict;
    LineRange& range = !below ? gone_[side] : side == kOurs ? pieces_.back().ours : pieces_.back().theirs;
    if (range.empty()) range.begin = lines.begin;
    range.end = lines.end;
  }

  bool is_next(Side side, const Record& record) const {
    return at_[side] < records_[side].size() && records_[side][at_[side]].name == record.name;
  }

  bool base_record(const Record& record) {
    const bool in_ours = stands(kOurs, record);
    const bool in_theirs = stands(kTheirs, record);
    if (!in_ours && !in_theirs) return true;
    if ((in_ours && !is_next(kOurs, record)) || (in_theirs && !is_next(kTheirs, record))) return false;
    if (in_ours && in_theirs) {
      whole_record(record.lines);
      return true;
    }
    const Side side = in_ours ? kOurs : kTheirs;
    const LineRange lines = records_[side][at_[side]++].lines;
    if (equal(kBase, record.lines, side, lines)) {
      taken_out(side, lines);
    } else {
      conflict(record.lines, in_ours ? lines : LineRange(), in_ours ? LineRange() : lines);
    }
    return true;
  }

  std::array<std::span<const RecordLine>, 3> lines_;
  Side first_;
  std::array<std::vector<Record>, 3> records_;
  std::map<std::tuple<std::uint32_t, LineSymbol, std::size_t>, std::size_t> names_;
  std::vector<Places> where_;  // of each name, the record on each side
  std::array<std::size_t, 3> at_{};
  Pieces pieces_;
  std::array<LineRange, 3> gone_{};  // by side: its lines that were just left out, with nothing taken since
  bool blank_last_ = true;           // what comes before the stretch is not known: nothing is put in for it
};

}  // namespace

std::optional<Pieces> merge_records(std::span<const RecordLine> base, std::span<const RecordLine> ours,
                                    std::span<const RecordLine> theirs, bool theirs_first) {
  return Merger(base, ours, theirs, theirs_first).merge();
}

}  // namespace plankeep::core

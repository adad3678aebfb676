#include "merge/line_merge.hpp"

#include <algorithm>
#include <unordered_map>

namespace plankeep::core {
namespace {

// Stretches are cut at lines that stand once in them, and what is between them again. Each cut looks at every
// line of the stretch, so their depth is what keeps the whole linear; deeper than this nothing real goes.
constexpr int kDeepestCut = 48;

using Symbols = std::span<const LineSymbol>;

class Matcher {
 public:
  Matcher(Symbols a, Symbols b) : a_(a), b_(b), partner_(a.size(), kNoLine) {}

  std::vector<std::size_t> match() {
    todo_.push_back({{0, a_.size()}, {0, b_.size()}, 0});
    while (!todo_.empty()) {
      const Stretch stretch = todo_.back();
      todo_.pop_back();
      match(stretch);
    }
    return std::move(partner_);
  }

 private:
  struct Stretch {
    LineRange a;
    LineRange b;
    int depth = 0;
  };
  struct Anchor {
    std::size_t a = 0;
    std::size_t b = 0;
  };

  void match(Stretch stretch) {
    auto& [a, b, depth] = stretch;
    while (!a.empty() && !b.empty() && a_[a.begin] == b_[b.begin]) partner_[a.begin++] = b.begin++;
    while (!a.empty() && !b.empty() && a_[a.end - 1] == b_[b.end - 1]) partner_[--a.end] = --b.end;
    if (a.empty() || b.empty()) return;
    const std::vector<Anchor> anchors = depth < kDeepestCut ? anchors_of(a, b) : std::vector<Anchor>();
    if (anchors.empty()) {
      shortest_edit(a, b);
      return;
    }
    LineRange left_a{a.begin, a.begin};
    LineRange left_b{b.begin, b.begin};
    for (const Anchor& anchor : anchors) {
      partner_[anchor.a] = anchor.b;
      left_a.end = anchor.a;
      left_b.end = anchor.b;
      todo_.push_back({left_a, left_b, depth + 1});
      left_a.begin = anchor.a + 1;
      left_b.begin = anchor.b + 1;
    }
    left_a.end = a.end;
    left_b.end = b.end;
    todo_.push_back({left_a, left_b, depth + 1});
  }

  // Lines that stand once in each, the longest run of them that rises on both sides.
  std::vector<Anchor> anchors_of(LineRange a, LineRange b) const {
    struct Seen {
      std::size_t in_a = 0;
      std::size_t in_b = 0;
      std::size_t at = 0;  // in b
    };
    std::unordered_map<LineSymbol, Seen> seen;
    seen.reserve(a.size());
    for (std::size_t i = a.begin; i < a.end; ++i) ++seen[a_[i]].in_a;
    for (std::size_t i = b.begin; i < b.end; ++i) {
      const auto found = seen.find(b_[i]);
      if (found == seen.end()) continue;
      ++found->second.in_b;
      found->second.at = i;
    }
    std::vector<Anchor> both;
    for (std::size_t i = a.begin; i < a.end; ++i) {
      const Seen& line = seen.find(a_[i])->second;
      if (line.in_a == 1 && line.in_b == 1) both.push_back({i, line.at});
    }
    return longest_rising(both);
  }

  static std::vector<Anchor> longest_rising(const std::vector<Anchor>& anchors) {
    std::vector<std::size_t> tops;  // the anchor that ends the best run of each length
    std::vector<std::size_t> before(anchors.size(), kNoLine);
    for (std::size_t i = 0; i < anchors.size(); ++i) {
      const auto place =
          std::lower_bound(tops.begin(), tops.end(), anchors[i].b,
                           [&](std::size_t top, std::size_t line) { return anchors[top].b < line; });
      if (place != tops.begin()) before[i] = *(place - 1);
      if (place == tops.end()) {
        tops.push_back(i);
      } else {
        *place = i;
      }
    }
    std::vector<Anchor> run(tops.size());
    std::size_t at = tops.empty() ? kNoLine : tops.back();
    for (std::size_t i = run.size(); i-- > 0; at = before[at]) run[i] = anchors[at];
    return run;
  }

  // Myers: for each number of edits the farthest line of `a` on each diagonal, kept to walk back.
  void shortest_edit(LineRange a, LineRange b) {
    const auto n = static_cast<std::ptrdiff_t>(a.size());
    const auto m = static_cast<std::ptrdiff_t>(b.size());
    const std::ptrdiff_t most = std::min<std::ptrdiff_t>(n + m, static_cast<std::ptrdiff_t>(kMostEdits));
    std::vector<std::vector<std::ptrdiff_t>> rounds;
    for (std::ptrdiff_t edits = 0; edits <= most; ++edits) {
      std::vector<std::ptrdiff_t> reach(static_cast<std::size_t>(edits) + 1);
      for (std::ptrdiff_t i = 0; i <= edits; ++i) {
        const std::ptrdiff_t diagonal = 2 * i - edits;
        std::ptrdiff_t x = edits == 0 ? 0 : step(rounds.back(), i, edits).from_x;
        std::ptrdiff_t y = x - diagonal;
        while (x < n && y >= 0 && y < m && same(a, b, x, y)) {
          ++x;
          ++y;
        }
        reach[static_cast<std::size_t>(i)] = x;
        if (x >= n && y >= m) {
          rounds.push_back(std::move(reach));
          walk_back(rounds, a, b, i);
          return;
        }
      }
      rounds.push_back(std::move(reach));
    }
  }

  bool same(LineRange a, LineRange b, std::ptrdiff_t x, std::ptrdiff_t y) const {
    return a_[a.begin + static_cast<std::size_t>(x)] == b_[b.begin + static_cast<std::size_t>(y)];
  }

  struct Step {
    std::ptrdiff_t from_x = 0;  // behind the edit, before the equal lines
    std::ptrdiff_t index = 0;   // of the diagonal it came from, in the round before
  };
  // Diagonal number i of this round lies between numbers i - 1 (a line of `a` is dropped) and i (one of `b`
  // is put in) of the round before.
  static Step step(const std::vector<std::ptrdiff_t>& before, std::ptrdiff_t i, std::ptrdiff_t edits) {
    const bool put_in = i == 0 || (i != edits && before[static_cast<std::size_t>(i - 1)] <
                                                     before[static_cast<std::size_t>(i)]);
    if (put_in) return {before[static_cast<std::size_t>(i)], i};
    return {before[static_cast<std::size_t>(i - 1)] + 1, i - 1};
  }

  void walk_back(const std::vector<std::vector<std::ptrdiff_t>>& rounds, LineRange a, LineRange b,
                 std::ptrdiff_t i) {
    for (auto edits = static_cast<std::ptrdiff_t>(rounds.size()) - 1; edits >= 0; --edits) {
      const std::ptrdiff_t diagonal = 2 * i - edits;
      const std::ptrdiff_t end = rounds[static_cast<std::size_t>(edits)][static_cast<std::size_t>(i)];
      const Step from = edits == 0 ? Step{} : step(rounds[static_cast<std::size_t>(edits - 1)], i, edits);
      for (std::ptrdiff_t x = end; x-- > from.from_x;) {
        partner_[a.begin + static_cast<std::size_t>(x)] = b.begin + static_cast<std::size_t>(x - diagonal);
      }
      i = from.index;
    }
  }

  Symbols a_;
  Symbols b_;
  std::vector<std::size_t> partner_;
  std::vector<Stretch> todo_;
};

bool equal(Symbols a, LineRange in_a, Symbols b, LineRange in_b) {
  return std::ranges::equal(a.subspan(in_a.begin, in_a.size()), b.subspan(in_b.begin, in_b.size()));
}

}  // namespace

std::vector<std::size_t> match_lines(Symbols a, Symbols b) {
  return Matcher(a, b).match();
}

std::vector<MergePiece> merge_lines(Symbols base, Symbols ours, Symbols theirs) {
  const std::vector<std::size_t> in_ours = match_lines(base, ours);
  const std::vector<std::size_t> in_theirs = match_lines(base, theirs);
  std::vector<MergePiece> pieces;
  std::size_t o = 0;
  std::size_t a = 0;
  std::size_t b = 0;
  const auto kind_of = [&](const MergePiece& piece) {
    const bool ours_same = equal(base, piece.base, ours, piece.ours);
    const bool theirs_same = equal(base, piece.base, theirs, piece.theirs);
    if (ours_same && theirs_same) return MergePiece::Kind::same;
    if (ours_same) return MergePiece::Kind::theirs;
    if (theirs_same) return MergePiece::Kind::ours;
    return equal(ours, piece.ours, theirs, piece.theirs) ? MergePiece::Kind::both
                                                         : MergePiece::Kind::conflict;
  };
  while (o < base.size() || a < ours.size() || b < theirs.size()) {
    MergePiece piece{MergePiece::Kind::same, {o, o}, {a, a}, {b, b}};
    while (o < base.size() && in_ours[o] == a && in_theirs[o] == b) {
      ++o;
      ++a;
      ++b;
    }
    if (o == piece.base.begin) {
      // Up to the next line that all three have.
      while (o < base.size() && (in_ours[o] == kNoLine || in_theirs[o] == kNoLine)) ++o;
      a = o < base.size() ? in_ours[o] : ours.size();
      b = o < base.size() ? in_theirs[o] : theirs.size();
    }
    piece.base.end = o;
    piece.ours.end = a;
    piece.theirs.end = b;
    piece.kind = kind_of(piece);
    pieces.push_back(piece);
  }
  return pieces;
}

}  // namespace plankeep::core

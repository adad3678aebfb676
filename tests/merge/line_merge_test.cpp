#include "merge/line_merge.hpp"

#include <rapidcheck.h>

#include <catch2/catch.hpp>
#include <string>

using namespace plankeep::core;

namespace {

using Lines = std::vector<LineSymbol>;

// One letter is one line.
Lines lines(std::string_view text) {
  return {text.begin(), text.end()};
}

std::string merged(std::string_view base, std::string_view ours, std::string_view theirs) {
  std::string result;
  for (const MergePiece& piece : merge_lines(lines(base), lines(ours), lines(theirs))) {
    const auto part = [](std::string_view text, LineRange range) {
      return std::string(text.substr(range.begin, range.size()));
    };
    if (piece.kind == MergePiece::Kind::conflict) {
      result += "<" + part(ours, piece.ours) + "=" + part(theirs, piece.theirs) + ">";
    } else {
      result += piece.kind == MergePiece::Kind::theirs ? part(theirs, piece.theirs) : part(ours, piece.ours);
    }
  }
  return result;
}

std::size_t matches(const Lines& a, const Lines& b) {
  std::size_t count = 0;
  for (const std::size_t partner : match_lines(a, b)) count += partner != kNoLine ? 1 : 0;
  return count;
}

std::size_t longest_common(const Lines& a, const Lines& b) {
  std::vector<std::vector<std::size_t>> best(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = a.size(); i-- > 0;) {
    for (std::size_t j = b.size(); j-- > 0;) {
      best[i][j] = a[i] == b[j] ? best[i + 1][j + 1] + 1 : std::max(best[i + 1][j], best[i][j + 1]);
    }
  }
  return best[0][0];
}

Lines some_lines() {
  return *rc::gen::container<Lines>(rc::gen::inRange<LineSymbol>(0, 6));
}

}  // namespace

TEST_CASE("changes of different places go together") {
  CHECK(merged("abcdef", "aBcdef", "abcdeF") == "aBcdeF");
  CHECK(merged("abcdef", "abcdefg", "0abcdef") == "0abcdefg");
  CHECK(merged("abcdef", "acdef", "abcdf") == "acdf");
}

TEST_CASE("the same change on both sides is one change") {
  CHECK(merged("abc", "aXc", "aXc") == "aXc");
  CHECK(merged("abc", "ac", "ac") == "ac");
}

TEST_CASE("different changes of one place are a conflict") {
  CHECK(merged("abc", "aXc", "aYc") == "a<X=Y>c");
  CHECK(merged("abc", "ac", "aYc") == "a<=Y>c");
  CHECK(merged("", "x", "y") == "<x=y>");
}

TEST_CASE("changes that touch each other are one piece") {
  CHECK(merged("abcd", "aXcd", "abYd") == "a<Xc=bY>d");
}

TEST_CASE("equal lines are partners, rising, and never fewer than a change of one place leaves") {
  CHECK(rc::check("partners", [] {
    const Lines a = some_lines();
    const Lines b = some_lines();
    const auto partner = match_lines(a, b);
    RC_ASSERT(partner.size() == a.size());
    std::size_t next = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
      if (partner[i] == kNoLine) continue;
      RC_ASSERT(partner[i] >= next);
      RC_ASSERT(partner[i] < b.size());
      RC_ASSERT(a[i] == b[partner[i]]);
      next = partner[i] + 1;
    }
  }));
  CHECK(rc::check("one edit", [] {
    const Lines a = some_lines();
    Lines b = a;
    b.insert(b.begin() + static_cast<std::ptrdiff_t>(*rc::gen::inRange<std::size_t>(0, a.size() + 1)), 7);
    RC_ASSERT(matches(a, b) == a.size());
  }));
  CHECK(rc::check("no more than there are", [] {
    const Lines a = some_lines();
    const Lines b = some_lines();
    RC_ASSERT(matches(a, b) <= longest_common(a, b));
  }));
}

TEST_CASE("lines that all stand more than once are matched by the shortest edit") {
  CHECK(matches(lines("abcabba"), lines("cbabac")) == 4);
  CHECK(matches(lines("aabbaabb"), lines("abababab")) == 6);
  CHECK(matches(lines("aaaa"), lines("aa")) == 2);
}

TEST_CASE("merging covers all three texts, and what nobody changed stays") {
  CHECK(rc::check("cover", [] {
    const Lines base = some_lines();
    const Lines ours = some_lines();
    const Lines theirs = some_lines();
    MergePiece last;
    for (const MergePiece& piece : merge_lines(base, ours, theirs)) {
      RC_ASSERT(piece.base.begin == last.base.end);
      RC_ASSERT(piece.ours.begin == last.ours.end);
      RC_ASSERT(piece.theirs.begin == last.theirs.end);
      RC_ASSERT(piece.base.size() + piece.ours.size() + piece.theirs.size() > 0);
      last = piece;
    }
    RC_ASSERT(last.base.end == base.size());
    RC_ASSERT(last.ours.end == ours.size());
    RC_ASSERT(last.theirs.end == theirs.size());
  }));
  CHECK(rc::check("one side only", [] {
    const Lines base = some_lines();
    const Lines side = some_lines();
    for (const MergePiece& piece : merge_lines(base, side, base)) {
      RC_ASSERT(piece.kind == MergePiece::Kind::same || piece.kind == MergePiece::Kind::ours);
    }
    for (const MergePiece& piece : merge_lines(base, base, side)) {
      RC_ASSERT(piece.kind == MergePiece::Kind::same || piece.kind == MergePiece::Kind::theirs);
    }
    for (const MergePiece& piece : merge_lines(base, side, side)) {
      RC_ASSERT(piece.kind == MergePiece::Kind::same || piece.kind == MergePiece::Kind::both);
    }
  }));
}

TEST_CASE("texts without anything in common, and long ones of one line, are compared in bounds") {
  Lines a(100'000, 1);
  Lines b(100'000, 2);
  CHECK(matches(a, b) == 0);
  for (std::size_t i = 0; i < a.size(); i += 3) a[i] = static_cast<LineSymbol>(i % 7);
  for (std::size_t i = 0; i < b.size(); i += 5) b[i] = static_cast<LineSymbol>(i % 7);
  CHECK(match_lines(a, b).size() == a.size());
  const Lines same(100'000, 3);
  CHECK(matches(same, same) == same.size());
}

// The length of the longest common subsequence, 64 lines of `a` at once (merge/line_merge.hpp).
#include <algorithm>
#include <bit>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "merge/line_merge.hpp"

namespace plankeep::core {
namespace {

constexpr std::size_t kWordBits = 64;

// One bit a line of `a`; those that are 0 count the length of what was found so far. A line of `b` changes
// the row as if it were one long number: row = (row + (row & mask)) | (row & ~mask), the mask being the
// places in `a` where the line stands. Words without such a place change only while a carry runs through
// them.
class Rows {
 public:
  explicit Rows(std::span<const LineSymbol> a)
      : row_((a.size() + kWordBits - 1) / kWordBits, ~std::uint64_t{0}) {
    for (std::size_t i = 0; i < a.size(); ++i) {
      std::vector<Mask>& masks = masks_[a[i]];
      if (masks.empty() || masks.back().word != i / kWordBits) masks.push_back({i / kWordBits, 0});
      masks.back().bits |= std::uint64_t{1} << (i % kWordBits);
    }
  }

  void add(LineSymbol line) {
    const auto found = masks_.find(line);
    if (found == masks_.end()) return;
    bool carry = false;
    std::size_t word = 0;
    for (const Mask& mask : found->second) {
      for (; carry && word < mask.word; ++word) carry = step(word, 0, carry);
      word = mask.word;
      carry = step(word++, mask.bits, carry);
    }
    for (; carry && word < row_.size(); ++word) carry = step(word, 0, carry);
  }

  std::size_t length(std::size_t lines) const {
    std::size_t ones = 0;
    for (std::size_t i = 0; i < lines / kWordBits; ++i)
      ones += static_cast<std::size_t>(std::popcount(row_[i]));
    if (const std::size_t rest = lines % kWordBits; rest != 0) {
      const std::uint64_t counted = (std::uint64_t{1} << rest) - 1;
      ones += static_cast<std::size_t>(std::popcount(row_[lines / kWordBits] & counted));
    }
    return lines - ones;
  }

 private:
  struct Mask {
    std::size_t word = 0;
    std::uint64_t bits = 0;
  };

  bool step(std::size_t word, std::uint64_t mask, bool carry) {
    const std::uint64_t row = row_[word];
    const std::uint64_t here = row & mask;
    const std::uint64_t sum = row + here;
    const std::uint64_t with_carry = sum + (carry ? 1 : 0);
    row_[word] = with_carry | (row & ~mask);
    return sum < row || with_carry < sum;
  }

  std::vector<std::uint64_t> row_;
  std::unordered_map<LineSymbol, std::vector<Mask>> masks_;
};

}  // namespace

std::size_t common_lines(std::span<const LineSymbol> a, std::span<const LineSymbol> b) {
  std::size_t same = 0;
  while (!a.empty() && !b.empty() && a.front() == b.front()) {
    a = a.subspan(1);
    b = b.subspan(1);
    ++same;
  }
  while (!a.empty() && !b.empty() && a.back() == b.back()) {
    a = a.first(a.size() - 1);
    b = b.first(b.size() - 1);
    ++same;
  }
  if (a.empty() || b.empty()) return same;
  if (a.size() / kWordBits + 1 > kMostLineSteps / b.size()) {
    for (const std::size_t partner : match_lines(a, b)) same += partner == kNoLine ? 0U : 1U;
    return same;
  }
  Rows rows(a);
  for (const LineSymbol line : b) rows.add(line);
  return same + rows.length(a.size());
}

}  // namespace plankeep::core

#include "rules/structure_hash.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <vector>

namespace plankeep::core {
namespace {

// Multiply and fold, eight bytes at a time; the constants are odd with bits all over (those of splitmix64).
class Mixer {
 public:
  void add(std::string_view piece) {
    while (piece.size() >= sizeof(std::uint64_t)) {
      std::uint64_t word = 0;
      std::memcpy(&word, piece.data(), sizeof word);
      mix(word);
      piece.remove_prefix(sizeof word);
    }
    std::uint64_t rest = 0;
    for (const char c : piece) rest = (rest << 8U) | static_cast<unsigned char>(c);
    // The length keeps pieces apart.
    mix(rest ^ (static_cast<std::uint64_t>(piece.size() + 1) << 56U));
  }

  std::string hex() const {
    static constexpr std::string_view kDigits = "0123456789abcdef";
    std::string text(16, '0');
    std::uint64_t rest = state_;
    for (std::size_t i = text.size(); i-- > 0; rest >>= 4U) text[i] = kDigits[rest & 15U];
    return text;
  }

 private:
  void mix(std::uint64_t word) {
    state_ = (state_ ^ word) * 0xBF58476D1CE4E5B9ULL;
    state_ ^= state_ >> 29U;
    state_ = state_ * 0x94D049BB133111EBULL + 1;
  }

  std::uint64_t state_ = 0x9E3779B97F4A7C15ULL;
};

}  // namespace

std::string structure_hash(std::string_view text, const Plan& plan) {
  std::vector<Box> boxes;
  for (const Phase& phase : plan.phases) {
    for (const Task& task : phase.tasks) boxes.insert(boxes.end(), task.boxes.begin(), task.boxes.end());
    for (const Criterion& criterion : phase.acceptance)
      boxes.insert(boxes.end(), criterion.boxes.begin(), criterion.boxes.end());
  }
  const auto earlier = [](const Box& a, const Box& b) { return a.offset < b.offset; };
  if (!std::is_sorted(boxes.begin(), boxes.end(), earlier)) std::sort(boxes.begin(), boxes.end(), earlier);
  Mixer mixer;
  std::size_t at = 0;
  for (const Box& box : boxes) {
    if (box.offset < at || box.offset + box.length > text.size()) continue;
    mixer.add(text.substr(at, box.offset - at));
    at = box.offset + box.length;
  }
  mixer.add(text.substr(at));
  return mixer.hex();
}

}  // namespace plankeep::core

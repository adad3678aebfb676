#include "base/text_change.hpp"

#include <algorithm>
#include <cstring>

namespace plankeep::base {
namespace {

constexpr std::size_t kBlock = 4096;  // the texts are compared in blocks of this many bytes

}  // namespace

TextChange change_between(std::string_view before, std::string_view after) {
  const std::size_t most = std::min(before.size(), after.size());
  std::size_t head = 0;
  while (head + kBlock <= most && std::memcmp(before.data() + head, after.data() + head, kBlock) == 0)
    head += kBlock;
  while (head < most && before[head] == after[head]) ++head;
  const std::size_t rest = most - head;
  const char* const old_end = before.data() + before.size();
  const char* const new_end = after.data() + after.size();
  std::size_t tail = 0;
  while (tail + kBlock <= rest && std::memcmp(old_end - tail - kBlock, new_end - tail - kBlock, kBlock) == 0)
    tail += kBlock;
  while (tail < rest && *(old_end - tail - 1) == *(new_end - tail - 1)) ++tail;
  return {head, before.size() - tail, after.size() - tail};
}

}  // namespace plankeep::base

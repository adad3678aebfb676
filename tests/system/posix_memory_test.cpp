#include "system/posix/posix_memory.hpp"

#include <catch2/catch.hpp>
#include <cstring>
#include <memory>
#include <thread>
#include <vector>

using plankeep::system::grow_heap_in_large_pages;

namespace {

// Of every size from some bytes to some megabytes, each with a content of its own.
bool memory_works() {
  std::vector<std::pair<std::unique_ptr<char[]>, std::size_t>> blocks;
  for (std::size_t size = 24; size < (std::size_t{24} << 20); size = size * 3 / 2) {
    blocks.emplace_back(std::make_unique<char[]>(size), size);
    std::memset(blocks.back().first.get(), static_cast<int>(blocks.size()), size);
  }
  for (std::size_t i = 0; i < blocks.size(); i += 2) blocks[i].first.reset();
  for (std::size_t i = 1; i < blocks.size(); i += 2) {
    const auto& [bytes, size] = blocks[i];
    const auto expected = static_cast<char>(i + 1);
    if (bytes[0] != expected || bytes[size / 2] != expected || bytes[size - 1] != expected) return false;
  }
  return true;
}

}  // namespace

TEST_CASE(
    "memory can be had, and given back, around the moment when the heap begins to grow in large pages") {
  const auto before = std::make_unique<std::vector<int>>(100'000, 7);
  CHECK(memory_works());
  bool beside = true;
  std::thread other([&beside] {
    for (int i = 0; i < 20; ++i) beside = beside && memory_works();
  });
  grow_heap_in_large_pages(std::size_t{4} << 20);
  CHECK(memory_works());
  grow_heap_in_large_pages(0);
  other.join();
  CHECK(beside);
  CHECK(memory_works());
  CHECK(before->back() == 7);
}

#pragma once
// Memory for one cmark-gfm document: allocated in slabs, given back all at once, and limited.
//
// cmark-gfm has no way to report that memory ran out: its allocators abort. The one here jumps out of the
// parser instead (longjmp over C frames only), so that a hostile plan becomes an error and not a crash. Its
// built-in arena is one for the whole process; this one belongs to the call. Parsing in an arena is also
// about twice as fast. What cmark gives back is used again for the next block of that size, since memory that
// was never touched before is the most expensive part of reading a large plan.
//
//   CmarkArena arena(limit);
//   if (!arena.run([&] { ... calls into cmark-gfm with arena.memory() ... })) -> the limit was reached
//
// What `run` calls must not own C++ objects with destructors: they would be skipped. After a jump the tree
// must not be touched. Outside `run` cmark may still allocate here (it copies a literal when it is asked for
// one); that is bounded by the text and not limited. One arena per thread at a time: the newest is the one
// cmark gets.

#include <cmark-gfm.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace plankeep::markdown {

class CmarkArena {
 public:
  explicit CmarkArena(std::size_t limit);
  ~CmarkArena();
  CmarkArena(const CmarkArena&) = delete;
  CmarkArena& operator=(const CmarkArena&) = delete;

  cmark_mem* memory();

  /// Calls work(context); false when the limit was reached in it.
  bool run(void (*work)(void* context), void* context);

  std::size_t limit() const { return limit_; }
  std::size_t used() const { return used_; }

 private:
  friend struct CmarkArenaCalls;
  void* allocate(std::size_t size);
  void give_back(void* block);

  // Small blocks that were given back, by size in units of the alignment: a list each, linked through the
  // blocks.
  static constexpr std::size_t kKept = 256;

  struct Free {
    bool large = false;  // aligned to a large page
    void operator()(unsigned char* bytes) const;
  };
  struct Slab {
    std::unique_ptr<unsigned char, Free> bytes;
    std::size_t size = 0;
    std::size_t filled = 0;
  };
  std::vector<Slab> slabs_;
  std::array<void*, kKept> given_back_{};
  std::size_t limit_ = 0;
  std::size_t used_ = 0;
  void* jump_ = nullptr;
  CmarkArena* before_ = nullptr;
};

}  // namespace plankeep::markdown

#include "system/posix/posix_memory.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdlib>

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace plankeep::system {

void advise_large_pages([[maybe_unused]] void* memory, [[maybe_unused]] std::size_t bytes) {
#ifdef MADV_HUGEPAGE
  (void)::madvise(memory, bytes, MADV_HUGEPAGE);
#endif
}

void grow_heap_in_large_pages([[maybe_unused]] std::size_t file) {
#if defined(__GLIBC__) && defined(MADV_HUGEPAGE)
  constexpr std::size_t kLargePage = std::size_t{2} << 20;
  constexpr std::size_t kLeast = std::size_t{16} << 20;
  constexpr std::size_t kMost = std::size_t{256} << 20;
  // Reading a plan takes so many times its size at most, where the ids come from titles. Address space that
  // is not used costs no memory.
  constexpr std::size_t kTimes = 48;
  constexpr int kLargestText = 32 << 20;  // the C library puts no larger block into the heap
  static std::atomic_flag done = ATOMIC_FLAG_INIT;
  if (done.test_and_set()) return;
  // Of one piece, since what the heap grows by later comes in small pages again.
  const std::size_t wanted = std::clamp(std::min(file, kMost) * kTimes, kLeast, kMost);
  const std::size_t heap = (wanted + kLargePage - 1) / kLargePage * kLargePage;
  // The C library takes the heap up by this much at once, keeps it, and puts large texts into it too.
  if (::mallopt(M_TOP_PAD, static_cast<int>(heap)) == 0 ||
      ::mallopt(M_TRIM_THRESHOLD, static_cast<int>(2 * heap)) == 0 ||
      ::mallopt(M_MMAP_THRESHOLD, std::min(static_cast<int>(heap), kLargestText)) == 0)
    return;
  // The new part of the heap begins at a large page.
  const auto end = reinterpret_cast<std::uintptr_t>(::sbrk(0));
  const std::size_t gap = (kLargePage - end % kLargePage) % kLargePage;
  if (::sbrk(static_cast<std::intptr_t>(gap)) == reinterpret_cast<void*>(-1)) return;
  // A large page cannot be had any more where a byte was written before. The C library writes before this
  // block and behind it, so it covers the first one and is kept. It is never written to: it takes address
  // space only.
  static const void* const kept = std::malloc(kLargePage - 4096);
  // From here on in the usual steps: a process with little address space must not fail for the large one.
  (void)::mallopt(M_TOP_PAD, static_cast<int>(kLeast));
  const std::uintptr_t begin = reinterpret_cast<std::uintptr_t>(kept) / kLargePage * kLargePage;
  if (begin != end + gap) return;
  advise_large_pages(reinterpret_cast<void*>(begin + kLargePage), heap - kLargePage);
#endif
}

}  // namespace plankeep::system

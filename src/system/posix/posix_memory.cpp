#include "system/posix/posix_memory.hpp"

#include <sys/mman.h>

namespace plankeep::system {

void advise_large_pages([[maybe_unused]] void* memory, [[maybe_unused]] std::size_t bytes) {
#ifdef MADV_HUGEPAGE
  (void)::madvise(memory, bytes, MADV_HUGEPAGE);
#endif
}

}  // namespace plankeep::system

#include "markdown/cmark_arena.hpp"

#include <algorithm>
#include <csetjmp>
#include <cstdlib>
#include <cstring>
#include <new>

#include "markdown/huge_page_hint.hpp"

namespace plankeep::markdown {
namespace {

thread_local CmarkArena* current_arena = nullptr;

constexpr std::size_t kAlignment = 8;  // cmark allocates pointers, integers and text
constexpr std::size_t kFirstSlab = std::size_t{64} << 10;
constexpr std::size_t kLargestSlab = std::size_t{32} << 20;
constexpr std::size_t kLargePage = std::size_t{2} << 20;

HugePageHint huge_page_hint = nullptr;

std::size_t aligned(std::size_t size) {
  return (size + kAlignment - 1) & ~(kAlignment - 1);
}

}  // namespace

struct CmarkArenaCalls {
  // Every block is preceded by its size, which realloc needs.
  static void* calloc(std::size_t count, std::size_t size) {
    if (size != 0 && count > SIZE_MAX / size) std::abort();
    return std::memset(current_arena->allocate(count * size), 0, count * size);
  }
  static void* realloc(void* old, std::size_t size) {
    if (old == nullptr) return current_arena->allocate(size);
    const std::size_t had = *reinterpret_cast<std::size_t*>(static_cast<unsigned char*>(old) - kAlignment);
    if (size <= had) return old;
    void* fresh = current_arena->allocate(size);
    std::memcpy(fresh, old, had);
    current_arena->give_back(old);
    return fresh;
  }
  static void free(void* block) {
    if (block != nullptr) current_arena->give_back(block);
  }
};

CmarkArena::CmarkArena(std::size_t limit) : limit_(limit), before_(current_arena) {
  current_arena = this;
}

CmarkArena::~CmarkArena() {
  current_arena = before_;
}

void CmarkArena::Free::operator()(unsigned char* bytes) const {
  if (large) {
    ::operator delete (bytes, std::align_val_t{kLargePage});
  } else {
    std::free(bytes);
  }
}

cmark_mem* CmarkArena::memory() {
  static cmark_mem calls{CmarkArenaCalls::calloc, CmarkArenaCalls::realloc, CmarkArenaCalls::free};
  return &calls;
}

namespace {

unsigned char* take_slab(std::size_t size) {
  if (size < kLargePage) return static_cast<unsigned char*>(std::malloc(size));
  // Not std::aligned_alloc, which Windows has not.
  void* slab = ::operator new ((size + kLargePage - 1) / kLargePage * kLargePage,
                               std::align_val_t{kLargePage}, std::nothrow);
  if (slab != nullptr && huge_page_hint != nullptr) huge_page_hint(slab, size);
  return static_cast<unsigned char*>(slab);
}

}  // namespace

void* CmarkArena::allocate(std::size_t size) {
  const std::size_t room = aligned(std::max<std::size_t>(size, 1));
  const std::size_t kind = room / kAlignment;
  if (kind < kKept && given_back_[kind] != nullptr) {
    void* block = given_back_[kind];
    std::memcpy(&given_back_[kind], block, sizeof(void*));
    return block;
  }
  const std::size_t needed = kAlignment + room;
  if (slabs_.empty() || slabs_.back().size - slabs_.back().filled < needed) {
    const std::size_t grown = slabs_.empty() ? kFirstSlab : std::min(slabs_.back().size * 2, kLargestSlab);
    const std::size_t slab = std::max(grown, needed);
    const bool limited = jump_ != nullptr;
    if (limited && (needed > limit_ || used_ + slab > limit_))
      std::longjmp(*static_cast<std::jmp_buf*>(jump_), 1);
    unsigned char* bytes = take_slab(slab);
    if (bytes == nullptr && !limited) std::abort();
    if (bytes == nullptr) std::longjmp(*static_cast<std::jmp_buf*>(jump_), 1);
    slabs_.push_back({std::unique_ptr<unsigned char, Free>(bytes, Free{slab >= kLargePage}), slab, 0});
    used_ += slab;
  }
  Slab& slab = slabs_.back();
  unsigned char* block = slab.bytes.get() + slab.filled;
  slab.filled += needed;
  *reinterpret_cast<std::size_t*>(block) = needed - kAlignment;
  return block + kAlignment;
}

void CmarkArena::give_back(void* block) {
  const std::size_t room = *reinterpret_cast<std::size_t*>(static_cast<unsigned char*>(block) - kAlignment);
  const std::size_t kind = room / kAlignment;
  if (kind >= kKept) return;
  std::memcpy(block, &given_back_[kind], sizeof(void*));
  given_back_[kind] = block;
}

bool CmarkArena::run(void (*work)(void* context), void* context) {
  std::jmp_buf jump;
  jump_ = &jump;
  if (setjmp(jump) == 0) {
    work(context);
    jump_ = nullptr;
    return true;
  }
  jump_ = nullptr;
  return false;
}

void set_huge_page_hint(HugePageHint advice) {
  huge_page_hint = advice;
}

}  // namespace plankeep::markdown

#pragma once
// A hint to the system about the memory that a large plan is parsed in.
//
// Parsing 10 MB takes some 280 MB for a moment, and a fifth of the time went into handing that out in pages
// of 4 KB. What to do about it is the system's business: the program gives a function here, once, before the
// first plan is parsed; without one nothing is advised. It must not change the content.

#include <cstddef>

namespace plankeep::markdown {

/// Called for each slab of 2 MiB or more, aligned to 2 MiB.
using HugePageHint = void (*)(void* slab, std::size_t bytes);

void set_huge_page_hint(HugePageHint advice);

}  // namespace plankeep::markdown

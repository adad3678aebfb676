#pragma once
// Memory in large pages, where the system has them.

#include <cstddef>

namespace plankeep::system {

/// Asks for large pages for this memory (Linux: transparent huge pages). A refusal changes nothing.
void advise_large_pages(void* memory, std::size_t bytes);

}  // namespace plankeep::system

#pragma once
// Where a history ends for those who read it and for the next append. Private to store; the rules are in
// journal.hpp.

#include <cstdint>
#include <string>

#include "base/result.hpp"
#include "system/file_system.hpp"

namespace plankeep::store {

struct JournalTail {
  std::uint64_t end = 0;         // behind the last line that counts; what follows is torn
  bool missing_newline = false;  // the last line that counts lacks only its LF
  std::string chain;             // of the last line that counts, where it has one and was read
};

/// The newest chain (model/chain) in the kilobytes before `end`; empty when there is none.
[[nodiscard]] base::Result<std::string> newest_chain(system::Folder& folder, std::uint64_t end);

/// Reads the last bytes of a history of `size` bytes, a few kilobytes as a rule.
[[nodiscard]] base::Result<JournalTail> find_tail(system::Folder& folder, std::uint64_t size);

}  // namespace plankeep::store

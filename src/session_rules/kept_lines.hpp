#pragma once
// Whose lines a commit adds, as far as that is known from texts, never from timing.
//
// Of the lines that the commit adds to a file, those count as an agent's whose text a tool call of the
// session put into that file (edits, written files, patches), each written line for one line of the commit;
// likewise a person's, where edits of theirs are known. A line that both wrote, and that stands in the commit
// less often than they wrote it, is nobody's: it is unknown, and so is every line that nobody is known to
// have written.

#include <cstdint>
#include <string_view>
#include <vector>

#include "rules/attribution.hpp"

namespace plankeep::core {

/// One file of a commit. The texts outlive the call.
struct CommittedFile {
  std::string_view parent;  // empty: the file is new
  std::string_view commit;
  std::vector<TextEdit> agent;   // what tool calls wrote into it, in order
  std::vector<TextEdit> person;  // what is known that people wrote
};

struct KeptLines {
  std::int64_t agent = 0;
  std::int64_t person = 0;
  std::int64_t unknown = 0;
  bool operator==(const KeptLines&) const = default;
};

/// Their sum is the number of lines that the commit adds. Binary files have none.
KeptLines kept_lines(const std::vector<CommittedFile>& files);

}  // namespace plankeep::core

#include "session_rules/kept_lines.hpp"

#include <algorithm>
#include <map>

#include "session_rules/line_changes.hpp"

namespace plankeep::core {
namespace {

struct LineWriters {
  std::int64_t committed = 0;
  std::int64_t agent = 0;
  std::int64_t person = 0;
};

// A last line without a line feed is the same line to whoever wrote it, and so is one whose CR LF git has
// made LF, or the other way round.
std::string_view without_feed(std::string_view line) {
  if (line.ends_with('\n')) line.remove_suffix(1);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

using Writers = std::map<std::string_view, LineWriters>;

void count_written(const std::vector<TextEdit>& edits, std::int64_t LineWriters::*who, Writers& writers) {
  for (const TextEdit& edit : edits) {
    for (const std::string_view line : added_lines(edit.before, edit.after)) {
      const auto found = writers.find(without_feed(line));
      if (found != writers.end()) ++(found->second.*who);
    }
  }
}

}  // namespace

KeptLines kept_lines(const std::vector<CommittedFile>& files) {
  KeptLines kept;
  for (const CommittedFile& file : files) {
    Writers writers;
    for (const std::string_view line : added_lines(file.parent, file.commit))
      ++writers[without_feed(line)].committed;
    count_written(file.agent, &LineWriters::agent, writers);
    count_written(file.person, &LineWriters::person, writers);
    for (const auto& [line, counts] : writers) {
      const std::int64_t agent = std::clamp<std::int64_t>(counts.committed - counts.person, 0, counts.agent);
      const std::int64_t person = std::clamp<std::int64_t>(counts.committed - counts.agent, 0, counts.person);
      kept.agent += agent;
      kept.person += person;
      kept.unknown += counts.committed - agent - person;
    }
  }
  return kept;
}

}  // namespace plankeep::core

#include "worktree/restore_journal.hpp"

#include "git/git_output.hpp"
#include "worktree/percent.hpp"

namespace plankeep::git {
namespace {

using base::ErrorKind;
using base::Result;

constexpr std::string_view kFirst = "plankeep-restore 1";

std::string text_of(const std::optional<FileFacts>& facts) {
  if (!facts) return "-";
  return std::to_string(facts->inode) + ":" + std::to_string(facts->size) + ":" +
         std::to_string(facts->mtime_ns);
}

bool read_facts(std::string_view text, std::optional<FileFacts>& facts) {
  if (text == "-") return true;
  FileFacts& read = facts.emplace();
  return read_number(take_until(text, ':'), read.inode) && read_number(take_until(text, ':'), read.size) &&
         read_number(text, read.mtime_ns);
}

bool read_move(std::string_view words, RestoreJournal& journal) {
  std::size_t number = 0;
  if (!read_number(take_until(words, ' '), number) || number != journal.operations.size()) return false;
  RestoreOperation& operation = journal.operations.emplace_back();
  operation.mode = std::string(take_until(words, ' '));
  if (operation.mode == "-") operation.mode.clear();
  if (!read_facts(take_until(words, ' '), operation.old_file)) return false;
  if (!read_facts(take_until(words, ' '), operation.new_file)) return false;
  operation.path = percent_decoded(words);
  return !operation.path.empty();
}

}  // namespace

std::string to_text(const RestoreJournal& journal) {
  std::string text = std::string(kFirst) + "\nnote " + percent_encoded(journal.note) + "\nstaging " +
                     (journal.beside ? "beside" : "git-dir") + "\n";
  for (const std::string& folder : journal.made) text += "made " + percent_encoded(folder) + "\n";
  for (const std::string& folder : journal.emptied) text += "emptied " + percent_encoded(folder) + "\n";
  for (std::size_t i = 0; i < journal.operations.size(); ++i) {
    const RestoreOperation& one = journal.operations[i];
    text += "move " + std::to_string(i) + " " + (one.mode.empty() ? "-" : one.mode) + " " +
            text_of(one.old_file) + " " + text_of(one.new_file) + " " + percent_encoded(one.path) + "\n";
  }
  return text + "end\n";
}

Result<RestoreJournal> restore_journal(std::string_view text) {
  RestoreJournal journal;
  const auto none = [] {
    return base::fail(ErrorKind::corrupt, "the journal of an unfinished rewind cannot be read");
  };
  if (take_until(text, '\n') != kFirst || !text.ends_with("end\n")) return none();
  while (!text.empty()) {
    std::string_view line = take_until(text, '\n');
    const std::string_view key = take_until(line, ' ');
    bool fine = true;
    if (key == "note") {
      journal.note = percent_decoded(line);
    } else if (key == "staging") {
      journal.beside = line == "beside";
    } else if (key == "made") {
      journal.made.push_back(percent_decoded(line));
    } else if (key == "emptied") {
      journal.emptied.push_back(percent_decoded(line));
    } else if (key == "move") {
      fine = read_move(line, journal);
    } else {
      fine = key == "end" && text.empty();
    }
    if (!fine) return none();
  }
  return journal;
}

}  // namespace plankeep::git

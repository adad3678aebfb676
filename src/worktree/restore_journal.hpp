#pragma once
// What a restore of the work tree is about to do, as text: <git-dir>/plankeep/rewind/journal. Private to
// git/.
//
//   plankeep-restore 1
//   note <any text>
//   staging git-dir | beside
//   made <folder>                                           each: is made, was not there
//   emptied <folder>                                        each: goes when nothing is left in it
//   move <number> <mode or -> <old> <new> <path>            each; <old>, <new>: - or inode:size:mtime_ns
//   end
//
// Texts and paths are percent-encoded. A journal without its last line, or with a line that is not one of
// these, is not a journal: one is written whole before it gets its name.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "system/file_system.hpp"

namespace plankeep::git {

/// By which a file is known again.
struct FileFacts {
  std::uint64_t inode = 0;
  std::uint64_t size = 0;
  std::int64_t mtime_ns = 0;
  bool operator==(const FileFacts&) const = default;
};

inline FileFacts facts_of(const system::FileInfo& info) {
  return {info.inode, info.size, info.mtime_ns};
}

struct RestoreOperation {
  std::string path;
  std::string mode;                   // of the new file; empty: none comes
  std::optional<FileFacts> old_file;  // what is moved away; nullopt: nothing is there
  std::optional<FileFacts> new_file;
  // Not in the journal: whose owner and permissions the new file gets, and the permissions, where they are
  // known.
  std::optional<system::FileInfo> like;
  std::optional<std::uint32_t> permissions;
  bool operator==(const RestoreOperation& other) const {
    return path == other.path && mode == other.mode && old_file == other.old_file &&
           new_file == other.new_file;
  }
};

struct RestoreJournal {
  std::string note;
  bool beside = false;                       // the staging is in the work tree's top
  std::vector<std::string> made;             // folders, outer ones first
  std::vector<std::string> emptied;          // folders, inner ones first
  std::vector<RestoreOperation> operations;  // each by its place: its files are new/<place> and old/<place>
  bool operator==(const RestoreJournal&) const = default;
};

std::string to_text(const RestoreJournal& journal);
/// corrupt when it is not a journal.
[[nodiscard]] base::Result<RestoreJournal> restore_journal(std::string_view text);

}  // namespace plankeep::git

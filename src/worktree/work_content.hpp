#pragma once
// What the files of a work tree hold, as one digest: what evidence is held against (spec 11).
//
//   git::WorkContent content(processes, files);
//   TRY_ASSIGN(auto digest, content.digest(folder, leave_out));   // nullopt: git has no work tree there
//   (void)content.remember();                          // so that later differences have names
//   auto changes = content.changes_since(*old_digest); // nullopt: not remembered
//
//   // A folder that is in no repository: the same by a git directory of ours, anywhere else.
//   TRY_ASSIGN(auto digest, content.digest_without_repository(folder, git_dir, leave_out));
//
// The digest covers every file that git tracks and every new one that it does not ignore: path, executable
// bit, and exact bytes (of a symbolic link its target). What git is told to overlook counts all the same:
// line ends and other filters, core.fileMode=false, assume-unchanged and skip-worktree all make no
// difference, and files in submodules count as files of the work tree. So staging or committing a file leaves
// the digest as it is. Not covered: what git ignores, `leave_out`, and repositories inside the work tree that
// are no submodules (linked work trees). A file that a sparse checkout leaves out counts as the index has
// it, a submodule that is not checked out by its commit. In a folder that is in no repository every file
// counts that git would not ignore there (.gitignore, core.excludesFile), and repositories inside count like
// submodules; a `git init` leaves the digest as it is where there are none inside.
//
// One listing by git and one stat a file, most of them while git is listing; only files that changed since
// the last look are read. <git-dir>/plankeep/files/last remembers the rest, by size, inode and times; a file
// that was modified less than two seconds before it was read is read again. The folder also keeps the
// eight newest looks that were remembered. These files are caches: lost or damaged ones cost time or names,
// and one that cannot be written is no error. Nothing else is written; no filter, hook or monitor is run.
//
// Errors: those of Git; busy when reading took longer than `budget` (what was read is kept, so the next look
// goes on there); io for a file that cannot be read. Then the contents of the work tree are unknown.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "git/folder_chain.hpp"
#include "git/git.hpp"
#include "system/file_system.hpp"
#include "system/processes.hpp"
#include "worktree/content_list.hpp"
#include "worktree/snapshot.hpp"

namespace plankeep::git {

struct ContentChange {
  enum class Kind { changed, added, removed };
  Kind kind = Kind::changed;
  std::string path;
  bool operator==(const ContentChange&) const = default;
};

class WorkContent {
 public:
  static constexpr std::chrono::milliseconds kBudget{20000};

  WorkContent(system::Processes& processes, system::FileSystem& files,
              std::chrono::milliseconds budget = kBudget);

  /// Tells of the files that digest() reads; may be null.
  void report_to(system::Progress* progress) { progress_ = progress; }

  /// 64 hexadecimal digits for what is there now; nullopt: no repository, or none with a work tree.
  [[nodiscard]] base::Result<std::optional<std::string>> digest(const std::string& folder,
                                                                const LeaveOut& leave_out);

  /// The same for a folder that is in no repository. `git_dir`, absolute, is a folder of ours, empty at
  /// first: a git directory without objects or commits is made of it, or put right.
  [[nodiscard]] base::Result<std::string> digest_without_repository(const std::string& folder,
                                                                    const std::string& git_dir,
                                                                    const LeaveOut& leave_out);

  /// The work tree's top, already known when `leave_out` is asked.
  const std::string& top() const { return place_.top; }

  /// Keeps the last look under its digest.
  [[nodiscard]] base::Status remember();
  /// What differs now (at the last look) from a look that was remembered; by path. nullopt: it was not, or is
  /// no more.
  std::optional<std::vector<ContentChange>> changes_since(const std::string& digest);

 private:
  struct Listed {
    std::string_view path;
    std::string_view mode;  // empty: not tracked
    std::string_view id;
    bool sparse = false;
  };
  // The files of the last look, and which of them a stat finds as they were.
  struct Before {
    KnownFiles files;
    std::vector<bool> unchanged;
  };

  struct Lister;
  void begin_look();
  [[nodiscard]] base::Result<std::string> finish_look(std::string listing, const Before& before,
                                                      const LeaveOut& leave_out);
  Before look_ahead();
  bool is_unchanged(const KnownFile& last, const system::FileInfo& info) const;
  [[nodiscard]] base::Status inspect_all(const std::vector<Listed>& listing, const Before& before);
  [[nodiscard]] base::Status inspect(const Listed& listed, const KnownFile* last);
  std::string_view keep(std::string text);
  [[nodiscard]] base::Result<std::string> read_id(system::Folder& folder, const std::string& path,
                                                  std::uint64_t size) const;
  [[nodiscard]] base::Status check_time() const;
  [[nodiscard]] base::Result<std::unique_ptr<system::Folder>> cache_folder();
  std::string read_cache(const std::string& name);
  [[nodiscard]] base::Status write_cache(const std::string& name);

  system::Processes& processes_;
  system::FileSystem& files_;
  Git git_;
  std::chrono::milliseconds budget_;
  system::Progress* progress_ = nullptr;
  std::chrono::steady_clock::time_point start_;
  std::int64_t reliable_before_ns_ = 0;  // what was modified later may change unnoticed
  SnapshotPlace place_;
  bool in_repository_ = true;
  std::unique_ptr<FolderChain> chain_;
  std::deque<std::string> texts_;  // what the views below point into
  KnownFiles now_;
  std::string digest_;
  bool read_some_ = false;  // the cache is behind
};

}  // namespace plankeep::git

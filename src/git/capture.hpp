#pragma once
// Filling the private index from the work tree: what git/snapshot calls capture. Private to git/.
//
// Three listings, made side by side, say what changed: of the user's index (what is tracked, and what a
// sparse checkout leaves out), of the private index together with the files in neither, and of what in the
// private index no longer is as it was (one stat a file). Then only what changed is looked at and stored.

#include <chrono>
#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "git/folder_chain.hpp"
#include "git/index_entries.hpp"
#include "git/snapshot.hpp"

namespace plankeep::git {

class Capture {
 public:
  Capture(Snapshots& snapshots, system::FileSystem& files, system::Folder& own, const LeaveOut& leave_out,
          const SnapshotLimits& limits);

  [[nodiscard]] base::Result<Captured> run();

 private:
  using Entry = IndexEntries::Entry;

  [[nodiscard]] base::Status prepare_view();
  [[nodiscard]] base::Status read_settings();
  [[nodiscard]] base::Result<std::string> view(const std::vector<std::string>& words,
                                               std::string_view input = {});
  [[nodiscard]] base::Result<GitRunning> start_view(const std::vector<std::string>& words,
                                                    std::string_view input = {});
  [[nodiscard]] base::Result<system::Finished> finish(GitRunning& running) const;
  [[nodiscard]] base::Status list_all();
  [[nodiscard]] base::Status read_lists();
  [[nodiscard]] base::Status sort_out_sparse();
  [[nodiscard]] base::Status sort_out_untracked();
  [[nodiscard]] base::Status look_at_candidates();
  [[nodiscard]] base::Status store();
  void remove(std::string_view path);
  void leave(std::string_view path, LeftOut::Why why);
  bool ours(std::string_view path) const {
    return path.starts_with(kStagingBeside) || (leave_out_ && leave_out_(path));
  }
  [[nodiscard]] base::Result<std::chrono::milliseconds> time_left() const;
  bool in_nested_repository(std::string_view path);

  Snapshots& snapshots_;
  system::FileSystem& files_;
  system::Folder& own_;
  const LeaveOut& leave_out_;
  const SnapshotLimits& limits_;
  std::chrono::steady_clock::time_point start_;
  FolderChain chain_;

  std::vector<std::string> settings_;  // "-c", "core.compression=1", ...
  std::string user_list_;
  std::string own_list_;
  std::string changed_list_;
  std::string ignored_list_;
  IndexEntries user_;                         // the user's index
  IndexEntries kept_;                         // the private one, as it was
  std::set<std::string_view> candidates_;     // to be looked at
  std::set<std::string_view> removed_;        // from the private index
  std::map<std::string_view, Entry> sparse_;  // to be entered as the user's index has them
  std::vector<std::pair<std::string_view, std::uint64_t>> stored_;  // paths to be stored, and their sizes
  std::map<std::string_view, bool> nested_;                         // folders
  Captured captured_;
};

}  // namespace plankeep::git

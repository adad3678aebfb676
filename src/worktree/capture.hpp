#pragma once
// Filling the private index from the work tree: what worktree/snapshot calls capture. Private to git/.
//
// Three listings, made side by side, say what changed: of the user's index (what is tracked, and what a
// sparse checkout leaves out), of the private index together with the files in neither, and of what in the
// private index is out of date (one stat per file). Then only what changed is read and stored.

#include <chrono>
#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.hpp"
#include "git/folder_chain.hpp"
#include "git/index_entries.hpp"
#include "worktree/scratch.hpp"
#include "worktree/snapshot.hpp"
#include "worktree/view.hpp"

namespace plankeep::git {

class Capture {
 public:
  /// `scratch`: for a look, which stores everything there; null for one that is kept.
  Capture(Snapshots& snapshots, system::FileSystem& files, system::Folder& own, const LeaveOut& leave_out,
          const SnapshotLimits& limits, const SafetyParts& parts, std::shared_ptr<Scratch> scratch);

  /// The text outlives run().
  Capture& with(const std::optional<TextThen>& text_then) {
    text_then_ = text_then ? &*text_then : nullptr;
    return *this;
  }

  [[nodiscard]] base::Result<Captured> run();

 private:
  using Entry = IndexEntries::Entry;

  [[nodiscard]] base::Result<std::string> view(const std::vector<std::string>& words,
                                               std::string_view input = {});
  [[nodiscard]] base::Result<GitRunning> start_view(const std::vector<std::string>& words,
                                                    std::string_view input = {});
  [[nodiscard]] base::Result<View::Use> use() const;
  [[nodiscard]] base::Result<system::Finished> finish(GitRunning& running) const;
  [[nodiscard]] base::Status list_all();
  [[nodiscard]] base::Status read_lists();
  [[nodiscard]] base::Status check_new_files() const;
  [[nodiscard]] base::Status sort_out_tracked();
  [[nodiscard]] base::Result<bool> there(std::string_view path);
  [[nodiscard]] base::Status sort_out_untracked();
  [[nodiscard]] base::Status inspect_candidates();
  void inspect_candidate(std::string_view path);
  bool is_left_as_secret(std::string_view path, std::string_view beginning) const;
  [[nodiscard]] base::Status read_permissions();
  [[nodiscard]] base::Status store();
  [[nodiscard]] base::Status store_text_then();
  [[nodiscard]] base::Status keep_head_and_index();
  void remove(std::string_view path);
  void leave(std::string_view path, LeftOut::Why why);
  bool ours(std::string_view path) const {
    return (staging_ && path.starts_with(kStagingBeside)) || (leave_out_ && leave_out_(path));
  }
  [[nodiscard]] base::Result<std::chrono::milliseconds> time_left() const;
  void find_nested_repositories();
  bool in_nested_repository(std::string_view path);

  Snapshots& snapshots_;
  system::FileSystem& files_;
  system::Folder& own_;
  const LeaveOut& leave_out_;
  const SnapshotLimits& limits_;
  const SafetyParts& parts_;
  std::shared_ptr<Scratch> scratch_;
  const TextThen* text_then_ = nullptr;
  std::optional<View> view_;
  std::chrono::steady_clock::time_point start_;
  FolderChain chain_;

  std::string user_list_;
  std::string own_list_;
  std::string changed_list_;
  std::string ignored_list_;
  IndexEntries user_;                         // the user's index
  IndexEntries kept_;                         // the private one, as it was
  bool staging_ = false;                      // .plankeep-rewind is ours
  std::set<std::string_view> also_;           // SafetyParts::also
  std::set<std::string_view> candidates_;     // to be examined
  std::set<std::string_view> removed_;        // from the private index
  std::map<std::string_view, Entry> sparse_;  // to be entered as the user's index has them
  std::vector<std::pair<std::string_view, system::FileInfo>> stored_;  // to be stored
  std::map<std::string_view, bool> nested_;  // folders: whether they are repositories
  std::set<std::string_view> repositories_;  // the folders that are, others in them too
  Captured captured_;
};

}  // namespace plankeep::git

#pragma once
// What hooks noted of the sessions that work in one work tree (session_rules/session_activity), on disk.
//
//   auto files = ActivityFiles::open(context, folder);      // nullopt: git-setup --sessions did not run here
//   if (files) files->append(session, touched_line(Touch::written, path));
//   ...
//   for (NotedSession& one : files->touching(staged)) ...   // while git makes a commit
//
// <git-dir>/plankeep, each work tree its own:
//
//   sessions/<session>         one file a session that runs
//   ended-sessions/<session>   of sessions that ended before all that they touched was committed
//   ended-paths/<2 hex>        lines "<session>" TAB "w <path>": which of those touched a path; a file for
//                              each first byte of the path's SHA-256
//   sessions.lock              held for each append and while a file is replaced or moved
//   sessions.tidied            empty; its time is when tidy() last did something
//
// So a commit reads all running sessions, but of the others only those that touched its paths, however many
// there are. A session that ended with nothing left to link leaves no file. Otherwise its file is kept for
// kKeptDays; then tidy() removes it.
//
// <git-common-dir>/plankeep/link-sessions marks a repository in which git-setup --sessions ran; it holds the
// layout for new session checkpoints ("refs", "branch"). Without it an edit costs a look for it, and nothing
// is read or written.
//
// Not synced: these are hints. A lost line leaves a commit without its session; a torn one is passed over.
// They hold paths, times and ids only, no private text. Files are 0600, folders 0700.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/instant.hpp"
#include "base/result.hpp"
#include "model/session_row.hpp"
#include "project/context.hpp"
#include "session_rules/session_activity.hpp"
#include "system/file_system.hpp"

namespace plankeep::app {

/// In <git-dir>/plankeep; there while they hold something, so that git's hooks see without the program
/// whether it has anything to do.
inline constexpr std::string_view kRunningSessions = "sessions";
inline constexpr std::string_view kEndedPaths = "ended-paths";

inline constexpr std::int64_t kKeptDays = 30;
/// doctor warns this many days before a session is removed.
inline constexpr std::int64_t kExpiryNoticeDays = 5;

struct NotedSession {
  std::string id;
  core::SessionActivity activity;
};

/// A session that ended with paths that no linked commit has.
struct WaitingSession {
  std::string id;
  std::size_t paths = 0;
  std::int64_t days_left = 0;  // until it is removed
};

class ActivityFiles {
 public:
  /// Of the innermost work tree around `folder`, which is absolute and free of links. Starts no git.
  static std::optional<ActivityFiles> open(const Context& context, const std::string& folder);

  /// Whether open() may find anything for a file in `folder`, which may be reached through links. Costs one
  /// look per folder up to the first .git, and one for the mark: nearly all edits end here.
  static bool possible(const Context& context, std::string folder);

  /// Of every work tree of the same repository, this one first: a session may have worked in several.
  std::vector<ActivityFiles> all_work_trees() const;

  const std::string& top() const { return top_; }
  const std::string& git_dir() const { return git_dir_; }
  const std::string& common_dir() const { return common_dir_; }
  /// The layout for new session checkpoints, from the mark.
  core::SessionLayout layout() const { return layout_; }
  /// <git-dir>/plankeep; made when missing.
  [[nodiscard]] base::Result<std::unique_ptr<system::Folder>> own_folder() const;

  /// Whether anything is noted of the session here, running or ended.
  bool knows(const std::string& session) const;
  /// One write. A session that had ended goes on. A file that grew over kLargestActivity is compacted.
  /// Errors: invalid_input for a session whose id can be no file name; busy; io.
  [[nodiscard]] base::Status append(const std::string& session, const std::string& lines) const;
  /// What is noted of it; nullopt: nothing.
  [[nodiscard]] base::Result<std::optional<core::SessionActivity>> read(const std::string& session) const;

  /// Whether touching() could find any session.
  bool any() const;
  /// The sessions that touched one of the paths and did not commit it yet. Files that cannot be read are
  /// passed over.
  std::vector<NotedSession> touching(const std::vector<std::string>& paths) const;

  /// The session is over: its file goes, or stands with those that wait for a commit.
  [[nodiscard]] base::Status end(const std::string& session, base::Instant now) const;
  /// Ends sessions that nobody ended and that noted nothing for a day, and removes what is older than
  /// kKeptDays. At most once a day; else it does nothing. One session that cannot be read does not stop it:
  /// the first such error is returned when all others are done.
  [[nodiscard]] base::Status tidy(base::Instant now) const;
  /// Oldest first.
  std::vector<WaitingSession> waiting(base::Instant now) const;

 private:
  explicit ActivityFiles(const Context& context) : context_(&context) {}
  [[nodiscard]] base::Status end_locked(system::Folder& own, const std::string& session) const;
  [[nodiscard]] base::Status forget_old(system::Folder& own, base::Instant now) const;

  const Context* context_;
  std::string top_;
  std::string git_dir_;
  std::string common_dir_;
  core::SessionLayout layout_ = core::SessionLayout::refs;
};

/// Marks the repository (git-setup --sessions), or takes the mark away (nullopt). Notes stay.
[[nodiscard]] base::Status mark_linking(const Context& context, const std::string& common_dir,
                                        std::optional<core::SessionLayout> layout);
/// <git-common-dir>/plankeep/link-sessions
std::string linking_mark_path(const std::string& common_dir);
/// nullopt: git-setup --sessions did not run here.
std::optional<core::SessionLayout> linking_mark(const Context& context, const std::string& common_dir);

}  // namespace plankeep::app

#pragma once
// What lists show of session checkpoints, kept in SQLite so that git is not asked for thousands of objects
// each time: sessions.db in a folder of ours inside the repository (spec 23.5).
//
//   TRY_ASSIGN(auto cache, records::SessionCache::open(folder));    // or in_memory(), where nothing can be
//   kept TRY_ASSIGN(const auto known, cache->known());                   // what it was made from
//   TRY(cache->update({.rows = ..., .gone = ..., .stamp = ...}));   // one transaction
//   TRY_ASSIGN(const auto rows, cache->list(query));
//
// Never a source of truth: a file that is damaged, somebody else's or of another version is deleted and made
// anew, empty. Opened as checkpoints.db is (checkpoint_db/sqlite_store): through the folder, following no
// link, running nothing that stands in the file. Killed at any moment it holds the updates that were
// complete. Errors: busy (another process writes; two seconds are waited), io.

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "model/session_row.hpp"
#include "system/file_system.hpp"

namespace plankeep::records {

inline constexpr std::string_view kSessionCacheName = "sessions.db";

struct SessionQuery {
  std::size_t limit = 20;
  std::optional<std::string> branch{};
  std::optional<std::string> agent{};  // of any of its sessions: "Gemini CLI", "gemini-cli", "gemini"
  std::optional<base::Instant> since{};
  std::optional<std::string> plan{};
};

struct SessionCacheUpdate {
  std::vector<core::SessionRow> rows{};  // new, or instead of those of the same id
  std::vector<std::string> gone{};       // ids
  std::vector<std::string> problems{};   // of the listing itself: all of them
  std::string stamp{};                   // what the listing was made from
};

struct SessionLinkUpdate {
  bool anew = false;  // forget all links first
  std::vector<core::SessionLink> links{};
  std::vector<std::string> tips{};  // commits whose history has been read; all of them
  std::string stamp{};
};

class SessionCache {
 public:
  virtual ~SessionCache() = default;

  [[nodiscard]] static base::Result<std::unique_ptr<SessionCache>> open(
      system::Folder& folder, const std::string& name = std::string(kSessionCacheName));
  /// The same with an empty one in its place, for a cache that turned out to be damaged. Close that one
  /// first.
  [[nodiscard]] static base::Result<std::unique_ptr<SessionCache>> anew(
      system::Folder& folder, const std::string& name = std::string(kSessionCacheName));
  [[nodiscard]] static base::Result<std::unique_ptr<SessionCache>> in_memory();

  /// As the last update set it; empty: there was none.
  [[nodiscard]] virtual base::Result<std::string> stamp() = 0;
  /// By id the ref and object that the row was made from: "<source> <object>".
  [[nodiscard]] virtual base::Result<std::map<std::string, std::string>> known() = 0;
  [[nodiscard]] virtual base::Status update(const SessionCacheUpdate& update) = 0;
  [[nodiscard]] virtual base::Result<std::vector<std::string>> problems() = 0;

  /// Newest first; those without a time last.
  [[nodiscard]] virtual base::Result<std::vector<core::SessionRow>> list(const SessionQuery& query) = 0;
  /// not_found.
  [[nodiscard]] virtual base::Result<core::SessionRow> get(const std::string& id) = 0;
  /// Ids that `typed` may mean (model/session), at most `most`.
  [[nodiscard]] virtual base::Result<std::vector<std::string>> meant_by(const std::string& typed,
                                                                        std::size_t most) = 0;
  /// Ids of the checkpoints with a session of the client's id, newest first.
  [[nodiscard]] virtual base::Result<std::vector<std::string>> of_session(const std::string& session) = 0;

  [[nodiscard]] virtual base::Result<std::string> link_stamp() = 0;
  [[nodiscard]] virtual base::Result<std::vector<std::string>> link_tips() = 0;
  [[nodiscard]] virtual base::Status update_links(const SessionLinkUpdate& update) = 0;
  /// The commits of a checkpoint, those that only mention it last; at most 100.
  [[nodiscard]] virtual base::Result<std::vector<core::SessionLink>> links_of(const std::string& id) = 0;
  /// The checkpoints that a commit names.
  [[nodiscard]] virtual base::Result<std::vector<core::SessionLink>> links_from(
      const std::string& commit) = 0;
};

}  // namespace plankeep::records

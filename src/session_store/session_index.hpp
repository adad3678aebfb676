#pragma once
// All session checkpoints of a repository as one list, from every place that has them, with the commits that
// name them.
//
//   TRY_ASSIGN(auto index, sessions::SessionIndex::open(git, files, folder));   // nullopt: no repository
//   TRY_ASSIGN(const auto rows, index->list(query));
//   TRY_ASSIGN(const auto id, index->resolve("a1b2"));
//   TRY_ASSIGN(const auto whole, index->read(id));
//
// Opening asks git for the refs and, where they are other than last time, reads what is new: two processes
// when nothing changed. What lists show is kept in <git-common-dir>/plankeep/sessions.db
// (checkpoint_db/session_cache); where that cannot be written it is read anew each time. Nothing else is
// written. What was fetched (side_repository) counts like what is in the repository itself; of the same id in
// several places the newest does (session_store, list_all).

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "checkpoint_db/session_cache.hpp"
#include "session_store/session_store.hpp"
#include "system/file_system.hpp"

namespace plankeep::sessions {

class SessionIndex {
 public:
  /// `elected`: as in SessionRepository.
  [[nodiscard]] static base::Result<std::unique_ptr<SessionIndex>> open(git::Git& git,
                                                                        system::FileSystem& files,
                                                                        const std::string& folder,
                                                                        const std::string& elected = {});

  [[nodiscard]] base::Result<std::vector<core::SessionRow>> list(const records::SessionQuery& query);
  [[nodiscard]] base::Result<std::vector<core::SessionLink>> links_of(const std::string& id);
  [[nodiscard]] base::Result<std::vector<core::SessionLink>> links_from(const std::string& commit);
  /// What is wrong with refs and folders that should hold session checkpoints.
  [[nodiscard]] base::Result<std::vector<std::string>> problems();

  /// Whether there are any at all.
  bool is_empty() const { return listing_.stamp.empty(); }

  /// The checkpoint that is meant: its id or as much of it as makes it unique; a commit (any revision of
  /// git's) that names one; a client's session, of which the newest. not_found; ambiguous, with those that
  /// are meant in the message.
  [[nodiscard]] base::Result<std::string> resolve(const std::string& text);
  /// The id of the commit that a revision names; nullopt: it names none. A process.
  [[nodiscard]] base::Result<std::optional<std::string>> commit_named(const std::string& revision);

  [[nodiscard]] base::Result<StoredCheckpoint> read(const std::string& id);
  [[nodiscard]] base::Result<SessionAuthor> author(const FoundSession& one);
  [[nodiscard]] base::Result<FoundSessions> all();

  [[nodiscard]] base::Result<std::vector<ShadowSession>> shadows() { return read_shadows(objects_); }

  SessionObjects& objects() { return objects_; }
  /// Why nothing is kept between calls; empty: it is.
  const std::string& not_cached() const { return not_cached_; }

 private:
  SessionIndex(git::Git& git, SessionRepository repository)
      : repository_(std::move(repository)), objects_(git, repository_) {}
  [[nodiscard]] base::Status open_cache(system::FileSystem& files);
  [[nodiscard]] base::Status refresh();
  [[nodiscard]] base::Status refresh_links();
  [[nodiscard]] base::Result<std::optional<std::string>> of_commit(const std::string& revision);

  SessionRepository repository_;
  SessionObjects objects_;
  RefListing listing_;
  // Of thousands of refs: made only when something is to be read.
  const SessionRefs& refs();
  std::vector<std::unique_ptr<SessionStore>>& stores();
  std::optional<SessionRefs> refs_;
  std::optional<std::vector<std::unique_ptr<SessionStore>>> stores_;
  std::unique_ptr<system::Folder> folder_;
  std::unique_ptr<records::SessionCache> cache_;
  std::string not_cached_;
};

}  // namespace plankeep::sessions

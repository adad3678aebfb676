#pragma once
// Where session checkpoints are kept in a repository: one contract, two engines (spec A.4, A.5), and reading
// them.
//
//   TRY_ASSIGN(auto repository, sessions::open_repository(git, folder));   // nullopt: no repository
//   SessionObjects objects(git, *repository);
//   TRY_ASSIGN(const SessionRefs refs, sessions::read_refs(objects));       // one process
//   for (auto& store : sessions::stores_of(objects, refs)) { TRY_ASSIGN(auto found, store->list()); ... }
//   TRY_ASSIGN(const auto rows, sessions::read_rows(objects, found));       // what a list shows
//   TRY_ASSIGN(const auto whole, sessions::read_checkpoint(objects, one));  // all but the transcripts
//   sessions::read_transcript(objects, whole.sessions[0], [](std::string_view part) { ... });
//
// Only reads: no ref, object, index or file of the repository changes, and nothing is fetched. What is broken
// is told beside what can be read (`problems`); an error means that git itself refused. All texts are a
// stranger's.

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "model/json/session_json.hpp"
#include "model/session_row.hpp"
#include "session_store/session_objects.hpp"

namespace plankeep::sessions {

/// nullopt: no repository around the folder (absolute).
[[nodiscard]] base::Result<std::optional<SessionRepository>> open_repository(git::Git& git,
                                                                             const std::string& folder);

/// A ref and the object that it leads to.
struct SessionRef {
  std::string name;  // "refs/..."
  std::string object;
};

/// The refs that matter, by what they are.
struct SessionRefs {
  std::vector<SessionRef> checkpoints;  // of the layout refs; names that are accepted only
  /// entire/checkpoints/v1: ours first, then the elected remote's, then origin's, then others'.
  std::vector<SessionRef> branches;
  std::vector<SessionRef> shadows;           // shadow branches
  std::vector<SessionRef> heads;             // the user's own branches
  std::vector<SessionRef> side_checkpoints;  // like `checkpoints` and `branches`, in the side repository
  std::vector<SessionRef> side_branches;
  std::vector<std::string> problems;  // refs below refs/entire/checkpoints/ that are none
};
[[nodiscard]] base::Result<SessionRefs> read_refs(SessionObjects& objects);

/// The same in two steps, for those who only want to know whether anything changed.
struct RefListing {
  std::string told;         // "<id> <ref>" a line, as git sorts them
  std::string stamp;        // other refs of checkpoints, other stamp; empty: there are none
  std::string heads_stamp;  // the same of the user's branches and HEAD
  std::string side_told;    // like `told`, of the side repository
};
[[nodiscard]] base::Result<RefListing> list_refs(SessionObjects& objects);
/// The commits that lead to all checkpoints.
std::vector<std::string> tips_of(const SessionRefs& refs);
// Both pure.
RefListing stamp_refs(std::string told, std::string_view head);
SessionRefs sort_refs(std::string_view told, std::string_view side_told = {}, std::string_view elected = {});

/// A session checkpoint that is there.
struct FoundSession {
  std::string id;
  core::SessionLayout layout = core::SessionLayout::refs;
  std::string source;  // the ref
  std::string object;  // as core::SessionRow::object
  std::string tree;    // how git is asked for its folder
  std::string tip;     // the commit of the ref
};

struct FoundSessions {
  std::vector<FoundSession> found;  // sorted by id, each id once
  std::vector<std::string> problems;
};

/// Who made a session checkpoint, by the commit that says so; empty where nothing says.
struct SessionAuthor {
  std::string name;
  std::string email;
  std::string commit;
};

/// What git says of the signature of a commit, by the keys and the signing program that it is configured
/// with.
struct CommitSignature {
  enum class Verdict {
    none,  // it has none
    good,
    untrusted,    // good, by a key that nothing is known of
    expired,      // good, and expired
    expired_key,  // good, by a key that has expired
    revoked_key,  // good, by a key that was revoked
    bad,
    unchecked,  // the key is missing, or the program
  };
  Verdict verdict = Verdict::none;
  std::string signer;  // both empty where it is not known; unsafe to print
  std::string key;
};
std::string_view name_of(CommitSignature::Verdict verdict);
/// Starts what git is configured to check signatures with. `none` also where git lacks the commit.
[[nodiscard]] base::Result<CommitSignature> signature_of(SessionObjects& objects, const std::string& commit);

class SessionStore {
 public:
  virtual ~SessionStore() = default;
  virtual core::SessionLayout layout() const = 0;
  /// All of them.
  [[nodiscard]] virtual base::Result<FoundSessions> list() = 0;
  /// nullopt: there is none of this id (which is valid).
  [[nodiscard]] virtual base::Result<std::optional<FoundSession>> find(const std::string& id) = 0;
  [[nodiscard]] virtual base::Result<SessionAuthor> author(const FoundSession& one) = 0;
  /// When it was written last: the commit's time, in seconds since 1970. A process.
  [[nodiscard]] virtual base::Result<std::int64_t> written_at(const FoundSession& one) = 0;
};

/// The engines over what there is, those that count more first: refs, each branch, then the side repository's
/// refs and branches.
std::vector<std::unique_ptr<SessionStore>> stores_of(SessionObjects& objects, const SessionRefs& refs);
/// Both engines by themselves (session_refs, session_branch).
std::unique_ptr<SessionStore> make_refs_store(SessionObjects& objects, std::vector<SessionRef> refs);
std::unique_ptr<SessionStore> make_branch_store(SessionObjects& objects, SessionRef branch);

/// Everything in all stores, each id once. A ref counts more than a branch. Of two in the same layout that
/// differ, the one written last counts, by the time of its commit. At most kMostCompared are compared in this
/// way; after that the first store counts.
inline constexpr std::size_t kMostCompared = 200;
[[nodiscard]] base::Result<FoundSessions> list_all(std::vector<std::unique_ptr<SessionStore>>& stores);

/// One of all stores, chosen in the same way.
struct StoredFound {
  FoundSession found;
  SessionStore* store = nullptr;
};
[[nodiscard]] base::Result<std::optional<StoredFound>> find_in(
    std::vector<std::unique_ptr<SessionStore>>& stores, const std::string& id);

/// Their metadata, in the same order. Six processes for a few thousand of them.
[[nodiscard]] base::Result<std::vector<core::SessionRow>> read_rows(SessionObjects& objects,
                                                                    const std::vector<FoundSession>& found);

/// One session of a checkpoint.
struct StoredSession {
  std::size_t slot = 0;
  std::optional<core::SessionMetadata> metadata;
  core::Strings prompts;
  std::string content_hash;  // the text of content_hash.txt; empty: there is none
  struct Part {
    std::size_t number = 0;
    std::string id;
    std::uint64_t size = 0;
  };
  std::vector<Part> transcript;  // in order; empty: there is none
  std::uint64_t transcript_bytes = 0;
  std::vector<std::string> unknown;   // names of files that the format does not have
  std::vector<std::string> problems;  // "0/metadata.json: ..."
};

struct StoredCheckpoint {
  FoundSession found;
  std::optional<core::SessionRoot> root;
  std::vector<StoredSession> sessions;  // by slot
  std::optional<core::PlanLink> plan;
  std::vector<std::string> unknown;
  std::vector<std::string> problems;
};
/// All but the transcripts.
[[nodiscard]] base::Result<StoredCheckpoint> read_checkpoint(SessionObjects& objects,
                                                             const FoundSession& one);

/// 1 GiB (spec 25.2).
inline constexpr std::uint64_t kLargestTranscript = std::uint64_t{1} << 30;

/// Hands over the transcript piece by piece, byte for byte; parts are joined by line feeds. Stops when `take`
/// fails. not_found: there is none; corrupt: a part is missing, and what was handed over ends there;
/// invalid_input: above the limit, nothing was handed over.
[[nodiscard]] base::Status read_transcript(SessionObjects& objects, const StoredSession& session,
                                           const std::function<base::Status(std::string_view)>& take);

/// What a running session has left on its shadow branch so far.
struct ShadowSession {
  std::string branch;                 // "entire/c720494-e3b0c4"
  core::ShadowBranch parts;           // which commit it began at, and in which work tree
  std::string tip;                    // its newest commit
  std::optional<base::Instant> time;  // of that commit
  std::string session_id;             // the client's; empty: the commit does not say
  std::string subject;
};
/// Newest first. One process.
[[nodiscard]] base::Result<std::vector<ShadowSession>> read_shadows(SessionObjects& objects);

/// The commits of these tips that name a session checkpoint, but not those that `known` tips lead to.
[[nodiscard]] base::Result<std::vector<core::SessionLink>> read_links(SessionObjects& objects,
                                                                      const std::vector<std::string>& tips,
                                                                      const std::vector<std::string>& known);

}  // namespace plankeep::sessions

#pragma once
// Shadow branches, where Entire's tools (0.5.1 to 0.11) keep what running sessions have not committed: the
// snapshots that we write onto them (spec A.3, 21.9), and whether a branch can go. Pure:
// sessions/export_pending and sessions/clean_sessions act on it.
//
//   TRY_ASSIGN(const ShadowMetadata metadata, shadow_metadata(record));
//   TRY_ASSIGN(const std::string tree, shadow_tree(work_tree, tip_tree, metadata, known, pack));
//   ... a commit of `tree` with metadata.message on the branch's tip, or without a parent ...
//
// A snapshot has the files of the work tree, as they are, and below .entire/metadata/<session>/ what was said
// so far, which comes in as secrets::Redacted.
//
// A branch goes only when it is certain that nothing on it is still needed. Others have lost work by
// cleaning: branches of the user's that were only called like shadow branches, and snapshots of sessions that
// had never been committed. So everything has to be known, and the first thing that speaks for the branch
// keeps it.

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.hpp"
#include "clients/transcripts/chunks.hpp"
#include "git_objects/tree_change.hpp"
#include "secrets/redactor.hpp"

namespace plankeep::core {

struct ShadowRecord {
  std::string session_id;                       // the client's (is_client_session)
  secrets::Redacted subject;                    // its first line is taken
  std::optional<secrets::Redacted> transcript;  // nullopt: there is none
  std::vector<secrets::Redacted> prompts;
};

struct ShadowMetadata {
  std::string session_id;
  std::map<std::string, std::string> files;  // name, content
  /// Likewise; views into the record's transcript, which has to outlive them.
  std::vector<std::pair<std::string, std::string_view>> transcript;
  std::string message;
};

/// invalid_input: an id that can be no name, or a line of the transcript that is longer than `largest_part`.
[[nodiscard]] base::Result<ShadowMetadata> shadow_metadata(
    const ShadowRecord& record, std::size_t largest_part = clients::kTranscriptChunk);
base::Result<ShadowMetadata> shadow_metadata(const ShadowRecord&&,
                                             std::size_t = 0) = delete;  // views into a record that is gone

/// The trees on the way to what is said of sessions, seen from the root of a snapshot.
inline constexpr std::string_view kEntireFolder = ".entire";
inline constexpr std::string_view kShadowFolder = ".entire/metadata";

/// The id of the snapshot's tree, with all that is new in `pack`. `work_tree`: of the files. Whatever it has
/// in .entire/metadata is left out: it is what another tool keeps there, unredacted. `tip`: the tree of the
/// branch's newest snapshot, whose other sessions stay; empty: there is none. `known`: both roots, and their
/// .entire and .entire/metadata as far as they exist. Errors as git::change_tree.
[[nodiscard]] base::Result<std::string> shadow_tree(const std::string& work_tree, const std::string& tip,
                                                    const ShadowMetadata& metadata,
                                                    const git::KnownTrees& known, git::Pack& pack);

/// Whether a commit's bytes are those of a snapshot, and not of a branch that is only called like one.
bool is_shadow_commit(std::string_view commit);

/// What is known of a branch whose name fits (model/session: shadow_branch).
struct ShadowFacts {
  bool only_snapshots = false;  // every commit is a snapshot of a session, from a root on, without merges
  bool checked_out = false;     // in some work tree
  bool running = false;         // one of its sessions runs, as far as the hooks have seen
  bool open_in_entire = false;  // Entire's own state has one of them as not ended
  bool old_enough = false;      // its newest snapshot is older than asked for
  /// Each of its sessions is in a session checkpoint that was made after its newest snapshot.
  bool recorded = false;
  /// Every file of its newest snapshot has its content in a commit of a branch, remote branch or tag.
  bool committed = false;
};

/// Why it stays, in one line; nullopt: it is finished.
std::optional<std::string> why_kept(const ShadowFacts& facts);

}  // namespace plankeep::core

#pragma once
// The files of a session checkpoint as we write them: from what is known of one session, and from what the
// checkpoint holds already, to the files that change. Pure: sessions/write_session puts them into git.
//
//   TRY_ASSIGN(const CheckpointFiles files, put_session(now, SessionLayout::refs, id, record));
//   ... blobs of files.files and files.transcript, paths relative to the checkpoint's folder, ...
//   ... a commit with files.message ...
//
// A session has one slot: where the checkpoint has the session already, its slot is written again, else the
// next number is taken. The root's numbers are the sums over all slots that can be read. What we do not know
// stays: keys of the metadata files at their places, other slots, other files and folders.
//
// What people, models and files said comes in as secrets::Redacted, so no unredacted text can reach git. The
// rest are our own names, numbers, and the client's id of the session.
//
// Layouts, file names, key order and messages: Entire 0.5.1 (branch) and 0.8.1 (refs); see model/session.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/instant.hpp"
#include "base/result.hpp"
#include "clients/transcripts/chunks.hpp"
#include "model/session.hpp"
#include "model/session_row.hpp"
#include "secrets/redactor.hpp"
#include "session_rules/compatible_attribution.hpp"

namespace plankeep::core {

/// One session's part in one commit.
struct SessionRecord {
  std::string cli_version;  // "plankeep/1.2.0"
  std::string session_id;   // the client's (is_client_session)
  base::Instant created_at;
  std::optional<secrets::Redacted> branch;  // nullopt: HEAD is detached
  std::int64_t checkpoints_count = 1;
  std::int64_t save_step_count = 0;  // refs alone has it; 0: not said
  std::vector<secrets::Redacted> files_touched;
  std::string agent;                       // clients::agent_name(); empty: not said
  std::optional<secrets::Redacted> model;  // nullopt: no such key, as versions before 0.5.4 wrote it
  std::string turn_id;                     // 12 digits in hex; empty: not known
  std::int64_t first_line = 0;             // of the transcript, from 0, that belongs to this checkpoint
  std::optional<TokenUsage> token_usage;   // nullopt: nobody counted
  std::optional<LineAttribution> attribution;
  std::optional<secrets::Redacted> transcript;  // nullopt: one that is stored already stays
  std::vector<secrets::Redacted> prompts;       // empty: likewise
  std::optional<secrets::Redacted> plan_link;   // the text of plankeep/plan.json
  std::string shadow_branch;                    // that held the session until now; empty: none
};

/// A slot as it is stored.
struct StoredSlot {
  std::optional<std::string> metadata;  // the text of metadata.json; nullopt: missing, or not to be read
  Strings names;                        // of the files in its folder
};

/// A checkpoint as it is stored; nothing of it: it is new.
struct CheckpointNow {
  std::optional<std::string> root;  // the text of metadata.json
  std::map<std::size_t, StoredSlot> slots;
  std::optional<std::string> plan_link;  // the text of plankeep/plan.json; empty: there, but not to be read

  bool is_new() const { return !root && slots.empty(); }
};

struct CheckpointFiles {
  std::size_t slot = 0;
  Strings removed;                           // files and folders, before the others are put
  std::map<std::string, std::string> files;  // path, content
  /// Likewise; views into the transcript that was given, which has to outlive them.
  std::vector<std::pair<std::string, std::string_view>> transcript;
  std::string message;
  /// What could not be read: unsafe to print. Slots stay as they are; a root is written anew.
  Strings problems;
};

/// Errors: invalid_input for an id that the layout cannot have (a ULID on the branch, hex for a new ref), an
/// invalid session id, an agent or shadow branch with control characters, a checkpoint without a free slot
/// number, and a transcript with a line of more than `largest_part` bytes (clients::transcript_chunks tells
/// that beforehand).
///
/// A checkpoint that Entire wrote, and that has no plan link, gets none. Of a plan link that is there already
/// the keys that we do not know stay, and so do the numbers of lines where the record has none, or
/// knows less of the same commit.
[[nodiscard]] base::Result<CheckpointFiles> put_session(const CheckpointNow& now, SessionLayout layout,
                                                        const std::string& id, const SessionRecord& record,
                                                        std::size_t largest_part = clients::kTranscriptChunk);

base::Result<CheckpointFiles> put_session(const CheckpointNow&, SessionLayout, const std::string&,
                                          const SessionRecord&&,
                                          std::size_t = 0) = delete;  // views into a record that is gone

/// Replaces what was known of the session's transcript when the commit was made by the whole transcript, and
/// the prompts, unless `prompts` is empty. A compact transcript by another writer is stale and is removed.
/// Where only a slice of it was stored, `first_line` says at which line of the whole the slice began. Nothing
/// else changes. `transcript` has to outlive the result. not_found: the checkpoint has no such
/// session; invalid_input: a line is longer than `largest_part`.
[[nodiscard]] base::Result<CheckpointFiles> finalise_session(
    const CheckpointNow& now, const std::string& id, const std::string& session_id,
    const secrets::Redacted& transcript, const std::vector<secrets::Redacted>& prompts,
    std::size_t largest_part = clients::kTranscriptChunk, std::optional<std::int64_t> first_line = {});

/// Metric 1 without the fields that came with the second.
LineAttribution stored_attribution(const CompatibleAttribution& lines, AttributionMetric metric,
                                   base::Instant calculated_at);

/// The content of prompt.txt.
std::string joined_prompts(const std::vector<secrets::Redacted>& prompts);

/// "2023-11-14T22:13:20Z", "2023-11-14T22:13:20.5Z": no zeros at the end, as Go writes it.
std::string session_time(base::Instant instant);

}  // namespace plankeep::core

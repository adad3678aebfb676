#pragma once
// The part of a client's session that belongs to one commit, and the redacted record of it. Pure.
//
//   const auto part = part_for_commit(transcript, {parent_time, commit_time, top, changed});
//   if (!part) ...                                      // nothing of it falls into that time
//   if (part->touches_commit) record = redacted_record(*part, session, redactor, TranscriptExtent::full);
//
// To a commit belongs what was said and done since its parent, by the times in the transcript's lines; a line
// without a time belongs to the line before it. git counts whole seconds, so what happens in the second of a
// commit belongs to that commit, and also to the next one: nobody knows which of them it was for, and what is
// told twice is not lost. Where plankeep saw the work before the commit in that second, the next one begins
// there (session_rules/work_moment). The transcript of a client that writes no times (Cursor) has no part in
// any commit: nothing is guessed.

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/instant.hpp"
#include "clients/transcripts/transcript_records.hpp"
#include "rules/attribution.hpp"
#include "secrets/redactor.hpp"
#include "session_rules/written_checkpoint.hpp"

namespace plankeep::core {

/// Folders that transcripts name through symbolic links, with what they really are; absolute
/// (sessions/linked_folders).
using RealFolders = std::map<std::string, std::string, std::less<>>;

/// Where in time and in the repository a commit stands.
struct CommitSpan {
  std::optional<base::Instant> parent;  // when its first parent was made; nullopt: it has none
  base::Instant commit;
  std::string top;                // of the work tree, absolute
  std::set<std::string> changed;  // relative to `top`
  /// The parent was made later than this, in its second; nullopt: not known.
  std::optional<base::Instant> before_parent{};
  /// Outlives the span. Null: no folder is named through a link.
  const RealFolders* real_folders = nullptr;
};

/// The last millisecond of the second that git says: what happens in it belongs to the commit.
base::Instant end_of_commit(base::Instant time);
/// What is later may be done for the commit; nullopt: it has no parent.
std::optional<base::Instant> last_before(const CommitSpan& span);

/// As the transcript has it: nothing of it is redacted yet.
struct SessionPart {
  std::string_view transcript;  // the session up to the commit; a document (one JSON value) is whole
  std::int64_t first_line = 0;  // of the part; of a document the message
  bool document = false;
  bool is_last = false;  // the transcript holds nothing from after the commit
  Strings prompts;       // what people typed in it
  /// The prompt of the turn that the part begins in, where that turn wrote files of the commit in it: it has
  /// made a commit before. Empty: the part begins with a prompt of its own.
  std::string begun_by;
  std::vector<std::optional<base::Instant>> prompt_times;  // one for each prompt; nullopt: not said
  /// That tools wrote in it, relative to the top; those outside of it are left out. A relative path of a call
  /// is taken as one from the top.
  std::set<std::string> files;
  bool touches_commit = false;  // one of them is changed by the commit
  /// What was written into each of `files`, in order.
  std::map<std::string, std::vector<TextEdit>> edits;
  std::optional<base::Instant> last_write;  // into one of `files`
  std::vector<base::Instant> writes;        // when it was written into them, as far as that is told
  bool writes_are_timed = true;             // false: of some write it is not known when it was made
  std::optional<clients::TokenUse> use;
  std::string model;
  std::string turn;  // the last one, by the client's own id or its place; empty: there is none
  std::uint64_t broken_lines = 0;
};

/// A path of a tool's call, relative to the top of the work tree; nullopt: it is outside, or may be
/// ("a/../b").
std::optional<std::string> path_in_repository(std::string_view path, std::string_view top);
/// The same below the top of the span, whatever link the path goes through.
std::optional<std::string> path_in_repository(std::string_view path, const CommitSpan& span);

/// nullopt: no line with a time between parent and commit.
std::optional<SessionPart> part_for_commit(std::string_view transcript, const CommitSpan& span);

/// The part of a session in which hooks saw the files `noted`, which the commit changes, being touched.
/// `part`: the result of part_for_commit. If that is nothing, or has no edit of the commit's files, they were
/// edited before its parent was made: the part then begins behind the newest commit of `earlier` (when those
/// before the parent were made, in any order) that is older than the last of these edits. If no edit is told
/// (made by a shell, or in a transcript without times), or no commit is older, the part is the session up to
/// the commit; if the transcript has no times, all of it.
SessionPart part_with_noted(std::optional<SessionPart> part, std::string_view transcript,
                            const CommitSpan& span, const std::set<std::string>& noted,
                            const std::vector<base::Instant>& earlier = {});

/// Leaves to the commit the files that it changes: what the session wrote beside them may be committed later.
void keep_changed_files(SessionPart& part, const std::set<std::string>& changed);

/// Whose part it is, and where it was made.
struct SessionOrigin {
  std::string session_id;             // the client's
  std::string client;                 // as we call it
  std::string written_by;             // "plankeep/1.2.0"
  base::Instant time;                 // of the commit
  std::optional<std::string> branch;  // nullopt: not known
};

/// The record, and what was taken out of it.
struct RedactedRecord {
  SessionRecord record;
  secrets::RedactionReport report;
  /// Why the record has no transcript though one was wanted; empty: it has.
  std::string transcript_left_out;
};
/// `extent`: `slice` keeps only the part's own lines, which then begin at line 0. A document cannot be cut
/// and is kept whole.
RedactedRecord redacted_record(const SessionPart& part, const SessionOrigin& origin,
                               const secrets::Redactor& redactor, TranscriptExtent extent,
                               std::size_t largest_part = clients::kTranscriptChunk);

}  // namespace plankeep::core

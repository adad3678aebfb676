#pragma once
// Session checkpoints made afterwards from plankeep's records and the clients' transcripts (spec 19).
//
//   TRY_ASSIGN(const ExportSources sources, export_sources(context, plan));
//   TRY_ASSIGN(const SessionExport done, export_sessions(context, plan, sources, request));
//
// For each commit the sessions count whose tools wrote a file that it changes, between its parent and itself
// (session_rules/session_part). The checkpoint is the one that the commit names in its trailers, else one
// whose id is made from the commit, so that a second export finds the first and changes nothing. A session
// whose transcript is gone, or whose client keeps none, gets a record without one, from plankeep's own
// checkpoints (session_rules/recorded_part).
//
// Nothing that was not redacted reaches git; where a rule of the settings does not compile nothing is
// written. Nothing is pushed, and no commit is changed. Killed: each session is whole in its checkpoint or
// not in it at all, and the next export goes on.

#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "git/git.hpp"
#include "model/session_row.hpp"
#include "project/context.hpp"
#include "project/plan_location.hpp"
#include "secrets/redactor.hpp"
#include "session_rules/kept_lines.hpp"
#include "session_rules/session_activity.hpp"
#include "sessions/export_sources.hpp"

namespace plankeep::app {

/// The layout for new session checkpoints of a repository (session_rules/session_layout). Starts git two or
/// three times.
[[nodiscard]] base::Result<core::SessionLayout> layout_here(const Context& context, git::Git& git,
                                                            const git::WorkTree& tree);

struct SessionExportRequest {
  std::vector<std::string> commits;             // revisions, as git takes them
  std::optional<base::Instant> since{};         // and all that HEAD comes from, since then
  std::vector<std::string> sessions{};          // only these of the clients; none: all
  std::optional<core::SessionLayout> layout{};  // nullopt: session_rules/session_layout decides
  bool with_transcript = true;                  // false: whatever the setting sessionTranscripts says
  bool dry_run = false;                         // all but the writing
  std::string version{};                        // ours: "0.1.0"
};

/// A commit that a session has a part in.
struct ExportedCommit {
  std::string commit;
  std::string subject;     // unsafe to print
  std::string checkpoint;  // its id
  core::SessionLayout layout = core::SessionLayout::refs;
  std::optional<core::KeptLines> lines;  // whose lines it has
  std::string no_lines;                  // why that is not known
};

struct ExportedSession {
  std::string commit;
  std::string checkpoint;  // its id
  core::SessionLayout layout = core::SessionLayout::refs;
  std::string session;
  std::string client;
  core::Strings files;  // redacted
  std::size_t prompts = 0;
  bool has_transcript = false;
  std::string transcript_left_out;         // why it has none; empty: it has, or none was wanted
  std::optional<double> agent_percentage;  // Entire's number (session_rules/compatible_attribution)
  std::string no_attribution;              // why there is none
  bool is_new = false;                     // git holds something that it did not before; dry_run: false
  secrets::RedactionReport redacted;
  core::TranscriptPosition until;  // how much of the transcript there was
};

/// A session that has a part in the commit and was not written.
struct LeftOutSession {
  std::string commit;
  std::string checkpoint;
  std::string session;
  std::string client;
  std::string reason;
};

struct SessionExport {
  std::size_t commits = 0;               // that were looked at
  std::vector<ExportedCommit> exported;  // those with a session, oldest first
  std::vector<ExportedSession> sessions;
  std::vector<LeftOutSession> left_out;
  std::vector<std::string> put_back;  // ids of records that another program had thrown away (lost_records)
  std::vector<std::string> warnings;  // unsafe to print: what is missing or could not be read
  bool dry_run = false;
};

/// The most commits that are taken.
inline constexpr std::size_t kMostExportedCommits = 10'000;

/// `plan` without a name: no plan is linked, and its folder is one in the work tree.
///
/// Errors: not_found, no repository, or no such commit; invalid_input, a rule of the settings; those of
/// app::SessionWriter. What was written before an error stays.
[[nodiscard]] base::Result<SessionExport> export_sessions(const Context& context, const PlanLocation& plan,
                                                          const ExportSources& sources,
                                                          const SessionExportRequest& request);

}  // namespace plankeep::app

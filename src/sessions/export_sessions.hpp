#pragma once
// Session checkpoints made afterwards from plankeep's records and the clients' transcripts (spec 19).
//
//   TRY_ASSIGN(const ExportSources sources, export_sources(context, plan));
//   TRY_ASSIGN(const SessionExport done, export_sessions(context, plan, sources, request));
//
// For each commit the sessions count whose tools wrote a file that it changes, between its parent and itself
// (session_rules/session_part). The checkpoint is the one that the commit names in its trailers, else one
// whose id is made from the commit, so that a second export finds the first and changes nothing.
//
// Nothing that was not redacted reaches git; where a rule of the settings does not compile nothing is
// written. Nothing is pushed, and no commit is changed. Killed: each session is whole in its checkpoint or
// not in it at all, and the next export goes on.

#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "model/event.hpp"
#include "model/session_row.hpp"
#include "model/sidecar.hpp"
#include "project/context.hpp"
#include "project/plan_location.hpp"
#include "secrets/redactor.hpp"

namespace plankeep::app {

/// A client's session that plankeep has seen.
struct RecordedSession {
  std::string id;
  std::string client;
  std::string transcript;  // absolute; empty: not known
  base::Instant started_at;
};

/// What the plan's records know of sessions and commits.
struct ExportSources {
  std::vector<RecordedSession> sessions;
  std::vector<core::Event> events;  // the whole history
  std::vector<core::Sidecar> sidecars;
};
/// not_found when the plan is not tracked.
[[nodiscard]] base::Result<ExportSources> export_sources(const Context& context, const PlanLocation& plan);

struct SessionExportRequest {
  std::vector<std::string> commits;             // revisions, as git takes them
  std::optional<base::Instant> since{};         // and all that HEAD comes from, since then
  std::optional<core::SessionLayout> layout{};  // nullopt: session_rules/session_layout decides
  bool with_transcript = true;
  bool dry_run = false;   // all but the writing
  std::string version{};  // ours: "0.1.0"
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
  std::string transcript_left_out;  // why it has none; empty: it has, or none was wanted
  bool is_new = false;              // git holds something that it did not before; dry_run: false
  secrets::RedactionReport redacted;
};

struct SessionExport {
  std::size_t commits = 0;  // that were looked at
  std::vector<ExportedSession> sessions;
  std::vector<std::string> warnings;  // unsafe to print
};

/// The most commits and the largest transcript that are taken.
inline constexpr std::size_t kMostExportedCommits = 10'000;
inline constexpr std::uint64_t kLargestExportedTranscript = std::uint64_t{256} << 20;

/// Errors: not_found, no repository, or no such commit; invalid_input, a rule of the settings; those of
/// app::SessionWriter. What was written before an error stays.
[[nodiscard]] base::Result<SessionExport> export_sessions(const Context& context, const PlanLocation& plan,
                                                          const ExportSources& sources,
                                                          const SessionExportRequest& request);

}  // namespace plankeep::app

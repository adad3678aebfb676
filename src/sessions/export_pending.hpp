#pragma once
// Running sessions put onto shadow branches, where Entire's tools (0.5.1 to 0.11) keep and look for what is
// not committed yet (`checkpoint export --to entire --pending`, spec 21.9).
//
//   TRY_ASSIGN(const ExportSources sources, export_sources(context, plan));
//   TRY_ASSIGN(const PendingExport done, export_pending(context, plan, sources, {}));
//
// The files are those of the newest checkpoint of the work that the session made since the last commit; the
// work tree is not looked at. So what its snapshot leaves out (ignored and large files, submodules, files
// that look like keys) is not on the branch. The transcript is the session's so far, redacted. Where nothing
// has changed since the last snapshot on the branch, nothing is written. No index, work tree, HEAD or
// configuration changes, and nothing is pushed; but it is a branch, so `git push --all` would take it along.
//
// Order of effects for each session: new objects, then the branch with compare-and-swap. Killed: the branch
// is what it was or has a whole snapshot more.

#include <string>
#include <vector>

#include "base/result.hpp"
#include "project/context.hpp"
#include "project/plan_location.hpp"
#include "secrets/redactor.hpp"
#include "sessions/export_sources.hpp"

namespace plankeep::app {

struct PendingExportRequest {
  std::vector<std::string> sessions{};  // the clients' ids; empty: all that run
  bool with_transcript = true;          // false: whatever the setting sessionTranscripts says
  bool dry_run = false;                 // all but the writing
};

struct PendingExport {
  struct Snapshot {
    std::string session;
    std::string client;
    std::string branch;      // "entire/c720494-e3b0c4"
    std::string checkpoint;  // of the work, whose files it has
    std::string commit;      // that was written; empty: the branch had it already, or dry_run
    std::string subject;     // unsafe to print
    std::size_t prompts = 0;
    bool has_transcript = false;
    std::string transcript_left_out;  // why it has none; empty: it has, or none was wanted
    secrets::RedactionReport redacted;
  };
  /// A session that has no snapshot to give.
  struct LeftOut {
    std::string session;
    std::string client;
    std::string reason;
  };
  std::vector<Snapshot> snapshots;
  std::vector<LeftOut> left_out;
  std::vector<std::string> warnings;  // unsafe to print
  bool dry_run = false;
};

/// Errors: not_found, no repository, or one without a commit; invalid_input, a rule of the settings;
/// conflict, a branch of the user's has the name, or it is checked out; busy, others wrote the branch each
/// time; io. What was written before an error stays.
[[nodiscard]] base::Result<PendingExport> export_pending(const Context& context, const PlanLocation& plan,
                                                         const ExportSources& sources,
                                                         const PendingExportRequest& request);

}  // namespace plankeep::app

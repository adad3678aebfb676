#pragma once
// The server's access to everything outside the editor: recorded state, and the command line's use cases. The
// protocol uses only this interface, so tests need no disk.
//
// Reading changes nothing on disk. Paths are absolute. A use case that refuses returns its error.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/instant.hpp"
#include "base/result.hpp"
#include "model/diagnostics.hpp"
#include "model/evidence.hpp"
#include "model/plan.hpp"
#include "model/state.hpp"
#include "rules/lease.hpp"
#include "system/processes.hpp"

namespace plankeep::lsp {

/// What is recorded of one file.
struct Records {
  bool plan_by_place = false;  // tracked, in a known layout, or named in the settings (spec 2.4)
  bool tracked = false;
  std::shared_ptr<const core::State> state;  // null: nothing is recorded, or it cannot be read
  std::vector<core::LeaseStatus> statuses;   // of the state's leases, in their order
  base::Instant now;
  std::uint64_t age = 0;  // another number whenever anything above but `now` and the statuses is different
};

/// The command of a criterion, before it runs.
struct CriterionCommand {
  std::string key;       // for run_command (model/item_key)
  std::string id;        // the criterion's id, for messages
  std::string command;   // safe to show unchanged: it has no invisible characters
  bool trusted = false;  // the user has already trusted this command in this repository
};

struct CriterionCommands {
  std::string folder;  // where the commands run
  std::vector<CriterionCommand> list;
};

/// The result of running a command.
struct CommandResult {
  std::string result;  // "passed", "failed", "timed_out", "interrupted" or "not_kept" (verify/verify)
  std::string text;    // for people; if the command failed, with its last lines of output
  bool passed = false;
  bool interrupted = false;  // nothing was recorded
};

inline constexpr std::size_t kMostPlans = 200;

class Desk {
 public:
  virtual ~Desk() = default;

  /// Cheap when nothing changed since the last call for this path.
  virtual Records records(const std::string& path) = 0;
  /// What looks like secrets in a plan's text.
  virtual std::vector<core::Diagnostic> secrets(const std::string& path, std::string_view text) = 0;
  /// What the files hold now, for evidence; starts git.
  virtual core::TreeNow tree(const std::string& path) = 0;
  /// `status --json` of the plan. `open`: it is open in the editor; then of its text there, held against the
  /// files as they were looked at for it. Otherwise looks, which may start git.
  struct OpenPlan {
    const std::string& text;
    const core::TreeNow& tree;
  };
  virtual base::Result<std::string> status(const std::string& path, const OpenPlan* open) = 0;
  virtual base::Instant now() = 0;

  /// The ids and titles that a task or criterion of a tracked plan had before, oldest first.
  struct EarlierNames {
    std::vector<std::string> ids;
    std::vector<std::string> titles;
  };
  virtual EarlierNames earlier_names(const std::string& path, const core::PhaseId& phase,
                                     const std::string& id, const std::string& title) = 0;

  /// For a buffer: its text with every marker (markdown/edits/annotate), ids as they are recorded.
  virtual base::Result<std::string> annotated(const std::string& path, const std::string& text) = 0;

  /// For a buffer: the ids of the tasks that `plankeep restore --lost` would put back into its text. Empty if
  /// the plan is not tracked.
  virtual std::vector<std::string> lost_tasks(const std::string& path, const std::string& text) = 0;
  /// For a buffer: its text with these tasks. Errors of app::with_lost_tasks.
  virtual base::Result<std::string> with_lost_tasks(const std::string& path, const std::string& text) = 0;

  /// The plans of the project around a folder, by path: those in its list and in known layouts (spec 2.3).
  /// At most kMostPlans; no tree is searched.
  virtual std::vector<std::string> plans_around(const std::string& folder) = 0;
  /// The text of a plan's file, or nullopt if the file has not changed since `stamp` was set. Sets `stamp`;
  /// an empty one matches no file. not_found, too_large, ...: the file cannot be read.
  virtual base::Result<std::optional<std::string>> text_of(const std::string& path, std::string& stamp) = 0;

  // On disk. Each gives a line for people.
  virtual base::Result<std::string> set_box(const std::string& path, const std::string& id,
                                            core::BoxState state) = 0;
  virtual base::Result<std::string> annotate(const std::string& path) = 0;
  virtual base::Result<std::string> restore_lost(const std::string& path) = 0;
  virtual base::Result<std::string> claim(const std::string& path, const std::string& id) = 0;

  /// The command of a criterion; for an empty id, those of all criteria. Reads only. `text`: the editor's
  /// text, if the plan is open. conflict: the file's text is another one; save first. not_found: no such
  /// criterion, or none has a command. invalid_input: the id is a task's, or a command cannot be shown
  /// unchanged.
  virtual base::Result<CriterionCommands> commands_of(const std::string& path, const std::string& id,
                                                      const std::string* text) = 0;
  /// Runs a command that the user has agreed to. Records the evidence and ticks or unticks the box in the
  /// file, in one step. `trust`: remember the command as trusted. conflict: the criterion now has another
  /// command; nothing was run.
  virtual base::Result<CommandResult> run_command(const std::string& path, const CriterionCommand& command,
                                                  bool trust, system::CommandWatch& watch) = 0;
  /// The editor has saved the file: records the changes of a tracked plan as the actor's; does nothing for
  /// other files. Gives a line for each task that is open again or gone since the last save, and for a phase
  /// that is open again: the editor's text may have been an old one. busy: another process holds the plan's
  /// lock; the next save or hook records the changes.
  virtual base::Result<std::vector<std::string>> saved(const std::string& path) = 0;

  /// The path of the installed docs/diagnostics.md; empty if it is not installed.
  virtual std::string diagnostics_page() = 0;

  /// Who we act for: "person".
  virtual const std::string& actor() const = 0;
};

}  // namespace plankeep::lsp

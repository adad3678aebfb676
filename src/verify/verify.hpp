#pragma once
// Proof before "done": running the `verify:` commands of criteria, and keeping what they showed (spec 11).
//
//   TRY_ASSIGN(auto verification, Verification::begin(context, plan, ids, Which::all));
//   ... show verification.commands(), get the user's consent ...
//   TRY_ASSIGN(auto verified, verification.run(command, patience, watch, "main"));   // one after the other
//
// Nothing here asks: whoever calls run() has the consent. Commands run in root() (tracking/project_tree),
// with /dev/null as input. No lock is held while one runs. Afterwards, under the lock, the plan is read
// again, and the evidence is recorded only if the criterion is still there and has the same command; then its
// box is ticked or unticked, byte for byte, as `done` and `reopen` do it.
//
// The evidence names what the files held *before* the command. If they hold something else when it ends,
// nobody can say which of the two was proven: the evidence is stale from the start (changed_files), and the
// command has to run again.
//
// On disk after a crash: nothing while the command ran. A box that was ticked or unticked before the process
// died, but whose evidence was not written, is recorded by the next sync as `external`, unproven. Evidence
// that was acknowledged stays.

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "model/evidence.hpp"
#include "project/context.hpp"
#include "project/plan_location.hpp"
#include "system/processes.hpp"
#include "tracking/outcome.hpp"
#include "tracking/project_tree.hpp"

namespace plankeep::app {

/// How long a command may run if nobody says otherwise.
inline constexpr std::chrono::seconds kVerifyTimeout{600};

/// A criterion that has a command.
struct VerifyCommand {
  core::PhaseId phase;
  core::CriterionId id;
  std::string title;
  std::int64_t line = 0;
  std::string command;
  bool met = false;
  core::Proof proof = core::Proof::unproven;  // as it was when we began
  std::string why;                            // core::why_not_fresh
  std::optional<core::Evidence> evidence;     // the last
};

struct Verified {
  enum class Result {
    passed,
    failed,
    timed_out,
    interrupted,  // nothing was recorded
    not_kept,     // the criterion is gone or has another command by now: nothing was recorded
  };
  Result result = Result::failed;
  core::Evidence evidence;
  std::string why;        // which files changed meanwhile (core::why_not_fresh)
  bool ticked = false;    // we did, just now
  bool unticked = false;  // likewise
  Outcome outcome;        // of recording it; empty when nothing was recorded
};

/// "passed", "failed", ... as it stands in --json output.
std::string_view name_of(Verified::Result result);

class Verification {
 public:
  /// Which of the plan's criteria with commands.
  enum class Which {
    all,
    not_fresh,  // unproven, stale, or failed: everything that is not proven now
  };

  /// `ids` as for `done`, criteria only; none: all of the plan. Reads only. not_found: no such id;
  /// invalid_input: a task, or a criterion without a command.
  [[nodiscard]] static base::Result<Verification> begin(const Context& context, const PlanLocation& plan,
                                                        const std::vector<std::string>& ids, Which which);

  const PlanLocation& plan() const { return plan_; }
  const std::string& root() const { return tree_.root(); }
  /// What the files held when they were looked at last: before the first command, after each.
  const core::TreeNow& now() const { return now_; }
  const std::vector<VerifyCommand>& commands() const { return commands_; }
  /// Why git could not be asked.
  const std::vector<std::string>& warnings() const { return warnings_; }
  /// What reading plan and records warned of (tracking/show). Running a command records what is told here, so
  /// it is for those who only look.
  const std::vector<std::string>& reading_warnings() const { return reading_warnings_; }

  /// invalid_input when one of the commands cannot be shown as it is (core::can_be_shown): nobody could
  /// agree to it. To be asked before the user is.
  [[nodiscard]] base::Status check_shown() const;

  /// Runs it and records what it showed. Errors: check_shown's for this command; those of running (not_found:
  /// no such folder); those of the plan, and `busy` when its lock was not had. What git cannot say is no
  /// error.
  [[nodiscard]] base::Result<Verified> run(const VerifyCommand& command, std::chrono::milliseconds timeout,
                                           system::CommandWatch& watch, const std::string& actor);

 private:
  Verification(const Context& context, PlanLocation plan);
  [[nodiscard]] base::Status choose(const core::Plan& plan, const core::State* state,
                                    const std::vector<std::string>& ids, Which which);
  [[nodiscard]] base::Status record(const VerifyCommand& command, const std::string& actor,
                                    Verified& verified);

  const Context* context_;
  PlanLocation plan_;
  ProjectTree tree_;
  core::TreeNow now_;  // as it was seen last
  bool looked_ = false;
  std::vector<VerifyCommand> commands_;
  std::vector<std::string> warnings_;
  std::vector<std::string> reading_warnings_;
};

}  // namespace plankeep::app

#pragma once
// A commit bound to a phase of the plan (spec 13): the record beside it, how well it was proven, which phase
// the next commit belongs to, and whether plan and last commit tell the same. Pure.
//
// A milestone is a phase's place in the plan, from 0. A sidecar stands in .checkpoint/commits/<sha>.json
// (store/sidecars; the codec is model/json/sidecar_json); a run is a line of commits that belong together, as
// a rule all of one plan: its id is the plan's.
//
// Where a plan has changed since, a checkpoint's phase is found by its id, and only where it names none by
// its number.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/instant.hpp"
#include "model/evidence.hpp"
#include "model/ids.hpp"
#include "model/plan.hpp"
#include "model/record_evidence.hpp"
#include "model/state.hpp"
#include "model/unknown_fields.hpp"

namespace plankeep::core {

/// tier0: nothing verified. tier1: the phase's criteria are. tier2: every criterion of the plan is.
enum class Tier { tier0, tier1, tier2 };
std::string_view name_of(Tier tier);
std::optional<Tier> tier_named(std::string_view name);

inline constexpr std::string_view kSidecarVersion = "1.0.0";

struct Sidecar {
  std::string version{kSidecarVersion};  // as it was read; 1.x is understood
  std::string sha;                       // the commit's full id
  std::string run;
  std::int64_t milestone = 0;
  std::string title;  // of the phase, as it was then
  base::Instant created_at;
  Tier tier = Tier::tier0;
  std::vector<std::string> commands;  // those that the tier rests on; empty for tier0
  std::string tree;                   // of the commit, full id; empty: not known
  std::string patch_id;               // `git patch-id --stable`; empty: none (a merge), or not known
  std::string plan_id;
  PhaseId phase;
  std::string plan_path{};               // of the plan in the repository; empty: not known
  std::optional<bool> phase_complete{};  // whether the phase was, as the plan stood; nullopt: not known
  std::string relinked_from;             // the commit that this one replaces or copies; empty: none
  std::string entire_checkpoint;  // the session checkpoint (model/session) that it names; of several the last
  UnknownFields unknown;
  bool operator==(const Sidecar&) const = default;
};

/// 40 or 64 hexadecimal digits in lower case.
bool is_commit_id(std::string_view text);

/// Whether a text can be a run's id: 1 to 200 bytes of UTF-8 on one line, no control characters, no white
/// space at its ends.
bool is_run_id(std::string_view text);
/// The run that a plan's commits belong to: its id, with what a run's id cannot hold replaced by "-".
std::string run_of_plan(std::string_view plan_id);

/// Which commits are asked for. A plan's own run goes by more than one name: the repository of a plan at its
/// top is renamed, cloned under another name, linked.
struct RunQuery {
  std::string run;
  std::vector<std::string> aliases{};  // names that the plan's own run may have had; none for a named run
  bool own = false;                    // the plan's own run
  std::string path{};                  // of the plan in the repository; empty: not known
};
bool names(const RunQuery& query, std::string_view run);
/// A sidecar of the plan's own tracking folder: by its run, or as one of a plan's own run at the same path.
bool answers(const RunQuery& query, const Sidecar& sidecar);

struct TierDecision {
  Tier tier = Tier::tier0;
  std::vector<std::string> commands;
  std::string reason{};  // for people, unsafe to print: why evidence counts for less; mostly empty
  bool operator==(const TierDecision&) const = default;
};

/// What evidence says of a commit. A criterion with a command is verified when its evidence is fresh and the
/// command passed; one without a command when it is met. Something has to have been run: criteria without any
/// command verify nothing. `now` is what the tracked files hold right behind the commit; `whole`: the commit
/// holds just that. What the commit leaves out, and what nobody looked at, proves nothing: tier0.
TierDecision decide_tier(const Plan& plan, std::size_t phase, const KnownEvidence& known, const TreeNow& now,
                         bool whole);

/// Where a checkpoint was found (spec 13), in the order in which it is looked for; none last.
enum class CheckpointSource { sidecar, git_log_run_specific, git_log_legacy, none };
std::string_view name_of(CheckpointSource source);

/// The last checkpoint of a run.
struct CommitCheckpoint {
  CheckpointSource source = CheckpointSource::none;
  std::string sha;
  std::int64_t milestone = 0;
  PhaseId phase;  // empty: not said
  std::string title;
  std::optional<base::Instant> created_at;
  std::optional<bool> phase_complete{};

  bool found() const { return source != CheckpointSource::none; }
  bool operator==(const CommitCheckpoint&) const = default;
};

CommitCheckpoint checkpoint_of(const Sidecar& sidecar);
/// As the history tells of it; it has a sidecar, as a rule.
CommitCheckpoint checkpoint_of(const SavedCommit& commit);

/// Its phase in this plan; nullopt: there is none such (any more).
std::optional<std::size_t> phase_of(const Plan& plan, const CommitCheckpoint& checkpoint);

/// When the phases of a plan were completed, by their index; nullopt: not completed, or nobody saw it.
using CompletionTimes = std::vector<std::optional<base::Instant>>;

/// The phase that a commit made now belongs to: the last completed one that is behind the last checkpoint's,
/// or was completed after it; else the current one (spec 7.9); else the last that is not empty. So work that
/// goes on in a phase is committed to it, and finishing it is worth a commit of its own. nullopt: the plan
/// has no phase that is not empty.
std::optional<std::size_t> milestone_to_commit(const Plan& plan, const CompletionTimes& completed,
                                               const CommitCheckpoint& last);

/// Plan and last checkpoint tell different things.
struct Drift {
  enum class Kind {
    behind,   // the checkpoint's phase is not completed: it was then, or one before it is not either
    ahead,    // a phase behind the checkpoint's is completed: its work was never committed. Any phase where
              // there is no checkpoint at all
    unknown,  // the plan has no such phase
  };
  Kind kind = Kind::behind;
  std::string plan;        // "milestone 1 (api)": where the plan is
  std::string checkpoint;  // what the checkpoint says
  CheckpointSource source = CheckpointSource::none;
  bool operator==(const Drift&) const = default;
};

/// nullopt: they agree. A checkpoint of a phase that was and is still worked on agrees, and so does a plan
/// without a completed phase that has no checkpoint.
std::optional<Drift> drift_between(const Plan& plan, const CommitCheckpoint& last);

}  // namespace plankeep::core

#include "model/sidecar.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "base/utf8.hpp"
#include "model/progress.hpp"

namespace plankeep::core {
namespace {

constexpr std::size_t kLongestRun = 200;
constexpr std::array kTiers{Tier::tier0, Tier::tier1, Tier::tier2};

// What a set of phases comes to.
struct Verified {
  bool all = true;
  std::vector<std::string> commands;

  bool holds() const { return all && !commands.empty(); }

  void add(const Phase& phase, const KnownEvidence& known, const TreeNow& now) {
    for (const Criterion& criterion : phase.acceptance) {
      if (criterion.verify.empty()) {
        all = all && criterion.met;
        continue;
      }
      const Proof proof = judge(known.find(phase.id, criterion.id), criterion.verify, now);
      all = all && proof == Proof::proven && criterion.met;
      commands.push_back(criterion.verify);
    }
  }
};

bool completed(const Phase& phase) {
  return status_of(phase) == PhaseStatus::completed;
}

std::string milestone_text(std::int64_t number, const std::string& phase) {
  return "milestone " + std::to_string(number) + (phase.empty() ? "" : " (" + phase + ")");
}

std::string milestone_text(const Plan& plan, std::size_t phase) {
  return milestone_text(static_cast<std::int64_t>(phase), plan.phases[phase].id.text);
}

// Whatever cannot stand in a run's id.
bool out_of_place(const base::CodePoint& c) {
  constexpr char32_t kDelete = 0x7F;
  constexpr char32_t kLastControl = 0x9F;
  const bool line_end = c.value == 0x2028 || c.value == 0x2029;
  return !c.valid || c.value < U' ' || (c.value >= kDelete && c.value <= kLastControl) || line_end;
}

}  // namespace

std::string_view name_of(Tier tier) {
  switch (tier) {
    case Tier::tier0:
      return "tier0";
    case Tier::tier1:
      return "tier1";
    case Tier::tier2:
      return "tier2";
  }
  return "tier0";
}

std::optional<Tier> tier_named(std::string_view name) {
  const auto* const found =
      std::find_if(kTiers.begin(), kTiers.end(), [name](Tier tier) { return name_of(tier) == name; });
  return found == kTiers.end() ? std::nullopt : std::optional(*found);
}

std::string_view name_of(CheckpointSource source) {
  switch (source) {
    case CheckpointSource::sidecar:
      return "sidecar";
    case CheckpointSource::git_log_run_specific:
      return "git_log_run_specific";
    case CheckpointSource::git_log_legacy:
      return "git_log_legacy";
    case CheckpointSource::none:
      return "none";
  }
  return "none";
}

bool is_commit_id(std::string_view text) {
  return (text.size() == 40 || text.size() == 64) &&
         text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

bool is_run_id(std::string_view text) {
  if (text.empty() || text.size() > kLongestRun) return false;
  for (std::size_t at = 0; at < text.size();) {
    const base::CodePoint c = base::decode_at(text, at);
    if (out_of_place(c)) return false;
    const bool at_an_end = at == 0 || at + c.length == text.size();
    if (at_an_end && base::is_space(c.value)) return false;
    at += c.length;
  }
  return true;
}

std::string run_of_plan(std::string_view plan_id) {
  if (is_run_id(plan_id)) return std::string(plan_id);
  std::string run;
  for (std::size_t at = 0; at < plan_id.size() && run.size() < kLongestRun;) {
    const base::CodePoint c = base::decode_at(plan_id, at);
    const bool kept = !out_of_place(c) && !base::is_space(c.value) && run.size() + c.length <= kLongestRun;
    run += kept ? plan_id.substr(at, c.length) : std::string_view("-");
    at += c.length;
  }
  return run.empty() ? "plan" : run;
}

bool names(const RunQuery& query, std::string_view run) {
  return run == query.run ||
         std::find(query.aliases.begin(), query.aliases.end(), run) != query.aliases.end();
}

bool answers(const RunQuery& query, const Sidecar& sidecar) {
  if (sidecar.run == query.run) return true;
  if (!query.own || sidecar.run != run_of_plan(sidecar.plan_id)) return false;
  return sidecar.plan_path.empty() || query.path.empty() || sidecar.plan_path == query.path;
}

TierDecision decide_tier(const Plan& plan, std::size_t phase, const KnownEvidence& known, const TreeNow& now,
                         bool whole) {
  if (!whole || now.kind != TreeNow::Kind::known) return {};
  Verified every;
  for (const Phase& one : plan.phases) every.add(one, known, now);
  if (every.holds()) return {Tier::tier2, std::move(every.commands)};
  Verified here;
  here.add(plan.phases[phase], known, now);
  if (here.holds()) return {Tier::tier1, std::move(here.commands)};
  return {};
}

CommitCheckpoint checkpoint_of(const Sidecar& sidecar) {
  return {CheckpointSource::sidecar, sidecar.sha,           sidecar.milestone, sidecar.phase, sidecar.title,
          sidecar.created_at,        sidecar.phase_complete};
}

CommitCheckpoint checkpoint_of(const SavedCommit& commit) {
  return {CheckpointSource::sidecar, commit.sha, commit.milestone, commit.phase, {}, commit.time,
          commit.phase_complete};
}

std::optional<std::size_t> phase_of(const Plan& plan, const CommitCheckpoint& checkpoint) {
  if (!checkpoint.found()) return std::nullopt;
  if (checkpoint.phase.empty()) {
    const auto number = static_cast<std::size_t>(checkpoint.milestone);
    return checkpoint.milestone >= 0 && number < plan.phases.size() ? std::optional(number) : std::nullopt;
  }
  const auto found = std::find_if(plan.phases.begin(), plan.phases.end(),
                                  [&checkpoint](const Phase& phase) { return phase.id == checkpoint.phase; });
  if (found == plan.phases.end()) return std::nullopt;
  return static_cast<std::size_t>(found - plan.phases.begin());
}

std::optional<std::size_t> milestone_to_commit(const Plan& plan, const CompletionTimes& times,
                                               const CommitCheckpoint& last) {
  const std::optional<std::size_t> committed = phase_of(plan, last);
  for (std::size_t i = plan.phases.size(); i-- > 0;) {
    if (!completed(plan.phases[i])) continue;
    if (!committed || i > *committed) return i;
    if (i < *committed) break;
    const std::optional<base::Instant> when = i < times.size() ? times[i] : std::nullopt;
    if (when && last.created_at && *when > *last.created_at) return i;
    break;
  }
  if (const Current current = current_of(plan); current.phase) return current.phase;
  for (std::size_t i = plan.phases.size(); i-- > 0;) {
    if (!is_empty(plan.phases[i])) return i;
  }
  return std::nullopt;
}

std::optional<Drift> drift_between(const Plan& plan, const CommitCheckpoint& last) {
  const Current current = current_of(plan);
  std::optional<std::size_t> newest;
  for (std::size_t i = 0; i < plan.phases.size(); ++i) {
    if (completed(plan.phases[i])) newest = i;
  }
  if (!last.found()) {
    if (!newest) return std::nullopt;
    return Drift{Drift::Kind::ahead, milestone_text(plan, *newest), "no checkpoint", last.source};
  }
  const std::string said = milestone_text(last.milestone, last.phase.text);
  const std::optional<std::size_t> committed = phase_of(plan, last);
  if (!committed) {
    const std::optional<std::size_t> at = newest ? newest : current.phase;
    return Drift{Drift::Kind::unknown, at ? milestone_text(plan, *at) : "no milestone", said, last.source};
  }
  if (newest && *newest > *committed)
    return Drift{Drift::Kind::ahead, milestone_text(plan, *newest), said, last.source};
  if (completed(plan.phases[*committed])) return std::nullopt;
  if (current.phase && *current.phase < *committed)
    return Drift{Drift::Kind::behind, milestone_text(plan, *current.phase), said, last.source};
  if (last.phase_complete.value_or(false)) {
    return Drift{Drift::Kind::behind, milestone_text(plan, *committed) + ", open again", said, last.source};
  }
  return std::nullopt;
}

}  // namespace plankeep::core

#pragma once
// The message of a commit that is a checkpoint (spec 13). Pure.
//
//   chore(plankeep): checkpoint auth milestone 1
//
//   API
//
//   - [x] Log in (login)
//   - [x] Log out (logout)
//
//   Plankeep-Phase: api
//
// The first line is what commits are found by. The trailers say which phase and, where the run has another
// name, which plan it was, so that a commit whose sidecar was never written can be linked (commits/relink).
// For a plan at the top of its repository "Plankeep-Path: plan.md" says so: its run is called after the
// repository, which may have another name in another clone.
//
// A commit that several were squashed into carries their messages in its own, indented or as a list (git
// merge --squash, forges): read_checkpoint_messages finds those too. The legacy pattern, "chore(runr):
// checkpoint … milestone <n>", is only read.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/ids.hpp"
#include "model/plan.hpp"
#include "model/sidecar.hpp"

namespace plankeep::core {

struct CheckpointMessage {
  std::string run;  // legacy: what stands in its place, may be empty
  std::int64_t milestone = 0;
  bool legacy = false;
  PhaseId phase;       // empty: not said
  std::string plan;    // likewise
  std::string path{};  // likewise: of the plan in the repository
  bool operator==(const CheckpointMessage&) const = default;
};

/// "chore(plankeep): checkpoint <run> milestone ": what the first line of each of the run's commits begins
/// with.
std::string message_start(std::string_view run);
/// The same of every run, of both patterns.
inline constexpr std::string_view kMessageStart = "chore(plankeep): checkpoint ";
inline constexpr std::string_view kLegacyStart = "chore(runr): checkpoint ";

/// `text`: what stands in place of the list of what was done; empty: the list. `done`: indices of the phase's
/// tasks that were done for it. Text of the plan is taken over safe to print, long lists and lines cut.
std::string checkpoint_message(const CheckpointMessage& message, const Phase& phase,
                               const std::vector<std::size_t>& done, std::string_view text);

/// nullopt when the first line is none of the two patterns.
std::optional<CheckpointMessage> read_checkpoint_message(std::string_view message);

/// That of the first line, and all that the text carries of other commits; in their order.
std::vector<CheckpointMessage> read_checkpoint_messages(std::string_view message);

/// Whether it is of the run that is asked for.
bool answers(const RunQuery& query, const CheckpointMessage& message);

}  // namespace plankeep::core

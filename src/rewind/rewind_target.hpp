#pragma once
// What a rewind goes back to: the checkpoint that was asked for, and what of it. Private to rewind/rewind*.

#include <cstdint>
#include <optional>
#include <string>

#include "base/result.hpp"
#include "model/checkpoint.hpp"
#include "model/event.hpp"
#include "project/context.hpp"
#include "project/plan_location.hpp"
#include "rewind/rewind.hpp"
#include "worktree/snapshot.hpp"

namespace plankeep::app {

struct RewindTarget {
  core::Checkpoint checkpoint;
  RewindWhat what = RewindWhat::all;  // as asked for; whether the checkpoint has it is not checked yet
  std::optional<std::string> text;    // the plan's; nullopt: the checkpoint holds none
  std::string behind;   // of an undo or redo the checkpoint of the step behind it; empty: there is none
  bool undoes = false;  // --redo returns

  core::PlanReading reading() const { return checkpoint.moment.plan_reading; }
  bool plan_was_missing() const { return reading() == core::PlanReading::missing; }
};

/// Reads only. not_found when there is no such checkpoint, or nothing to undo or redo; those of the
/// checkpoint store.
[[nodiscard]] base::Result<RewindTarget> find_target(const Context& context, const PlanLocation& plan,
                                                     const RewindRequest& request);

/// The permission bits of the plan (absolute, free of links) at that moment; nullopt where no snapshot holds
/// it: git ignores it, it lies outside of the work tree, or the snapshot is gone.
std::optional<std::uint32_t> plan_permissions(git::Snapshots& snapshots, const core::Moment& then,
                                              const std::string& plan);

/// The newest `rewound` of the history that went back to a checkpoint; its own safety copy is what --undo
/// wants. One that `restore` wrote names texts, not checkpoints. nullopt: nothing was rewound yet.
[[nodiscard]] base::Result<std::optional<core::Event>> last_rewound(const Context& context,
                                                                    const PlanLocation& plan);

}  // namespace plankeep::app

#pragma once
// Checkpoints of the work, for people and for programs.
//
// JSON: of create and show { plan {id, path}, checkpoint (model/json/checkpoint_json), recovery_instructions
// {finished[], standing[], steps[]}, warnings[] }; of list { plan, checkpoints[] (core::write_listed) }; of
// cleanup { plan, dry_run, deleted_count, freed_bytes, deleted[] (ids), dropped_snapshots, deleted_sidecars[]
// (commits), warnings[] }; of
// export one whole checkpoint a line.

#include <string>
#include <vector>

#include "base/instant.hpp"
#include "checkpoints/checkpoint.hpp"
#include "checkpoints/retention.hpp"
#include "model/checkpoint.hpp"
#include "render/style.hpp"

namespace plankeep::render {

/// What it is, then the instructions in plain words; without the warnings.
std::string checkpoint_text(const app::CheckpointAnswer& answer, base::Instant now, const Style& style);
std::string checkpoint_json(const app::PlanLocation& plan, const app::CheckpointAnswer& answer);
/// Only the instructions, for whoever goes on.
std::string instructions_text(const core::RecoveryInstructions& instructions, const Style& style);

/// The type as people read it: the snapshot before a prompt has a name of its own.
std::string_view type_words(const core::CheckpointHead& head);
/// "turn 3, 2 of 5 tasks, commit 1a2b3c4d5e, message 0f6f8c09: "first words of the prompt"", as far as it is
/// known; safe for a terminal.
std::string details_of(const core::ListedCheckpoint& one);

/// `listed`: newest first.
std::string checkpoint_list_text(const std::vector<core::ListedCheckpoint>& listed, base::Instant now,
                                 const Style& style);
std::string checkpoint_list_json(const app::PlanLocation& plan,
                                 const std::vector<core::ListedCheckpoint>& listed);

/// A checkpoint of another machine, as the fleet has it.
struct FleetListed {
  std::string replica;
  std::string login;
  std::string machine;
  core::ListedCheckpoint listed;
};
/// Ids as `plankeep fleet show` takes them: "cedacd24:cp_99bb88_002".
std::string fleet_list_text(const std::vector<FleetListed>& listed, base::Instant now, const Style& style);
/// { plan, fleet [ {replica, login, machine, checkpoint (core::write_listed)} ] }
std::string fleet_list_json(const app::PlanLocation& plan, const std::vector<FleetListed>& listed);

std::string clean_up_text(const app::CleanUpAnswer& answer, const Style& style);
std::string clean_up_json(const app::CleanUpAnswer& answer);

/// With its line feed.
std::string export_line(const core::Checkpoint& checkpoint);

}  // namespace plankeep::render

#pragma once
// Which plan and phase a session checkpoint without a plan link of its own belongs to: Entire's tools write
// none, so it stands in the records of the project's plans (spec 18.7).
//
//   RecordedLinks recorded(context);
//   auto link = recorded.of_commits(links);                 // by the sidecars of its commits
//   if (!link) link = recorded.in_history(id);              // by checkpoint_linked
//
// What cannot be read is taken as not recorded: doctor tells of it. Only reads, but as wherever the plans of
// a project are looked for, a tracking folder that came with a clone is set aside (project/project_plans).
// The context has to outlive it.

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/session_row.hpp"
#include "project/context.hpp"
#include "store/sidecars.hpp"
#include "system/file_system.hpp"

namespace plankeep::app {

class RecordedLinks {
 public:
  /// Opens the tracking folders of the plans of the project around the working directory.
  explicit RecordedLinks(const Context& context);

  /// Of the commits that have the checkpoint as their own; of several the first that has a sidecar. A look
  /// for a file for each commit and plan with sidecars.
  std::optional<core::PlanLink> of_commits(const std::vector<core::SessionLink>& links);
  /// The newest event about it. Reads histories from their ends, whole where they do not know the checkpoint.
  std::optional<core::PlanLink> in_history(const std::string& id);
  /// The checkpoints that a plan's history tells of, with the phase of the newest event about each; empty: of
  /// none. A commit may have done something for several plans, and its checkpoint has the link to one of
  /// them.
  std::map<std::string, core::PhaseId> linked_to(const std::string& plan);
  /// The checkpoint that was recorded for a commit whose message names none (it was rewritten): by its
  /// sidecar, else by its newest event.
  std::optional<std::string> checkpoint_of(const std::string& commit);

 private:
  struct TrackedPlan {
    std::string id;
    std::unique_ptr<system::Folder> tracking;
    std::unique_ptr<store::Sidecars> sidecars;  // null: it has none
  };
  std::vector<TrackedPlan> plans_;
};

}  // namespace plankeep::app

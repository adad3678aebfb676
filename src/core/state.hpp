#pragma once
// What the tracker believes (spec 3): the content of state.json, version 2.
//
// A cache: state = fold(plan, history), see core/replay. It knows no JSON; the codec is core/state_json.
// Fields of the file that this version does not know are kept as their JSON text in `unknown` and written
// back.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/instant.hpp"
#include "core/ids.hpp"
#include "core/plan.hpp"
#include "core/progress.hpp"

namespace plankeep::core {

struct UnknownField {
  std::string name;
  std::string json;
  bool operator==(const UnknownField&) const = default;
};
using UnknownFields = std::vector<UnknownField>;

struct TaskState {
  TaskId id;
  std::string title;
  bool done = false;
  bool optional = false;
  std::optional<base::Instant> completed_at;  // absent when nobody saw it happen
  std::string completed_by;                   // likewise empty
  UnknownFields unknown;
  bool operator==(const TaskState&) const = default;
};

struct CriterionState {
  CriterionId id;
  std::string title;
  bool met = false;
  std::optional<base::Instant> verified_at;
  UnknownFields unknown;
  bool operator==(const CriterionState&) const = default;
};

struct PhaseState {
  PhaseId id;
  std::string title;
  PhaseStatus status = PhaseStatus::pending;
  std::optional<base::Instant> started_at;
  std::optional<base::Instant> completed_at;
  std::vector<TaskState> tasks;            // document order
  std::vector<CriterionState> acceptance;  // document order
  UnknownFields unknown;
  bool operator==(const PhaseState&) const = default;
};

struct DecisionState {
  base::Instant time;  // first seen
  std::string decision;
  std::string reason;
  UnknownFields unknown;
  bool operator==(const DecisionState&) const = default;
};

struct AgentState {
  std::string id;
  std::string type;
  std::vector<TaskId> assigned_tasks;
  std::vector<TaskId> completed_tasks;
  base::Instant last_active;
  UnknownFields unknown;
  bool operator==(const AgentState&) const = default;
};

/// Enough to say "this is the file I read" without reading it.
struct PlanStamp {
  std::int64_t mtime_ns = 0;
  std::uint64_t size = 0;
  std::uint64_t inode = 0;
  bool operator==(const PlanStamp&) const = default;
};

struct State {
  std::string plan_id;
  std::string plan_path;          // absolute
  base::Instant last_checkpoint;  // time of the newest event
  std::string checksum;           // of the plan's bytes, base::short_checksum
  Progress progress;
  std::vector<PhaseState> phases;  // document order
  std::optional<PhaseId> current_phase;
  std::optional<TaskId> current_task;
  std::vector<std::string> blockers;
  std::vector<DecisionState> decisions;
  std::optional<std::string> session_notes;
  std::vector<AgentState> agents;
  std::int64_t revision = 0;         // saves so far
  std::uint64_t history_offset = 0;  // bytes of history.jsonl folded in
  std::optional<PlanStamp> plan_stamp;
  UnknownFields unknown;
  bool operator==(const State&) const = default;
};

}  // namespace plankeep::core

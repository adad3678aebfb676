#pragma once
// What a message claims, held against the plan that it is about (spec 10.4). Pure: hooks/ gathers the plans
// of the project and what the agent wrote and was told.
//
//   Claim claim{plans, agent, prompt, message, true};
//   const Verdict verdict = judge(claim);
//
// The plan that is asked is the one that the agent was given, wrote in or names. If that is not one plan,
// a claim by an id that only one plan has is about that plan; otherwise nobody is accused.

#include <cstddef>
#include <string>
#include <vector>

#include "audit/audit.hpp"
#include "model/state.hpp"

namespace plankeep::core {

/// A plan that a claim may be about.
struct AskedPlan {
  std::string path;   // absolute
  std::string below;  // its path below its project
  std::string id;
  std::string file;  // for a person or a model: the copy in the work tree where the call ran, if it has one
  const State* state = nullptr;
  std::vector<const State*> copies{};  // of the same plan in other work trees
  bool own = false;                    // it keeps the session's records
  bool written = false;                // the agent wrote in it; asked for where there are several plans
};

struct Claim {
  std::vector<AskedPlan> plans;       // the one that keeps the session's records first
  const AgentState* agent = nullptr;  // who says it; nullptr: the main thread, or a subagent not known
  std::string prompt{};               // that the agent was started with; empty: not known
  std::string message{};
  bool subagent = false;
  /// What it was sent back for, as AuditFinding has it: still claimed where the message does not take it
  /// back.
  std::vector<std::string> sent_back{};
  std::string sent_back_plan{};
};

struct Verdict {
  Audit audit;
  std::string plan{};  // the plan that was asked; empty: the one that keeps the session's records
  std::string file{};  // the same for a person or a model
};

Verdict judge(const Claim& claim);

/// The indices of the plans whose tasks judge(claim) needs. For the others, and for this call, states without
/// tasks are enough: a large plan is read only if a claim may be about it.
std::vector<std::size_t> plans_asked(const Claim& claim);

/// The one plan that a text is about; nullptr when it names none, or several.
const AskedPlan* plan_meant(const std::string& text, const std::vector<AskedPlan>& plans);
/// Whether plan_meant needs the tasks of the plans.
bool tasks_tell_plan(const std::string& text, const std::vector<AskedPlan>& plans);

/// The tasks as the audit needs them. `agent`: whose they are.
std::vector<AuditTask> audit_tasks(const State& state, const AgentState* agent);

}  // namespace plankeep::core

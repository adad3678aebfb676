#pragma once
// What the plan's records know of sessions and commits: the sources of sessions/export_sessions.

#include <set>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "model/event.hpp"
#include "model/sidecar.hpp"
#include "project/context.hpp"
#include "project/plan_location.hpp"
#include "session_rules/work_moment.hpp"

namespace plankeep::app {

/// A client's session that plankeep has seen.
struct RecordedSession {
  std::string id;
  std::string client;
  std::string transcript;  // absolute; empty: the client keeps none
  base::Instant started_at;
  bool ended = false;
  /// That hooks saw it touch, relative to the work tree's top. A commit of one of them has the session's
  /// record, also where the transcript tells of no such edit since the commit's parent, or is gone.
  std::set<std::string> touched{};
};

struct ExportSources {
  std::vector<RecordedSession> sessions;
  std::vector<core::Event> events;  // the whole history
  std::vector<core::Sidecar> sidecars;
  std::vector<core::WorkMoment> moments;  // the checkpoints of the work, oldest first
  std::vector<std::string> warnings;      // unsafe to print: what could not be read
};

/// not_found when the plan is not tracked. A store of checkpoints that cannot be read is a warning: sessions
/// are exported from their transcripts all the same.
[[nodiscard]] base::Result<ExportSources> export_sources(const Context& context, const PlanLocation& plan);

}  // namespace plankeep::app

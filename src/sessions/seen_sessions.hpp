#pragma once
// The clients' sessions that plankeep's hooks have seen in a project, whether git holds anything of them or
// not. Reads the states of the project's tracked plans; what cannot be read is passed over.

#include <optional>
#include <string>
#include <vector>

#include "base/instant.hpp"
#include "project/context.hpp"

namespace plankeep::app {

struct SeenSession {
  std::string id;          // the client's
  std::string client;      // "claude-code"
  std::string transcript;  // absolute; empty: not known
  std::string plan_id;     // of the plan that it was last seen with
  base::Instant started_at;
  base::Instant last_active;
  std::optional<base::Instant> ended_at;
  /// It has not ended, and its process still runs or cannot be asked about.
  bool running = false;
};

/// Of the project around the working directory, each once, those active last first.
std::vector<SeenSession> seen_sessions(const Context& context);

}  // namespace plankeep::app

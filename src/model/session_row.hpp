#pragma once
// A session checkpoint as a list shows it: what session_store/ read of its metadata, and the cache
// (checkpoint_db/session_cache) keeps. Texts are a stranger's.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/instant.hpp"
#include "model/session.hpp"

namespace plankeep::core {

enum class SessionLayout { refs, branch };
std::string_view name_of(SessionLayout layout);

/// One session of it.
struct ListedSession {
  std::int64_t slot = 0;
  std::string session_id;
  std::string agent;
  std::string model;
  bool operator==(const ListedSession&) const = default;
};

struct SessionRow {
  std::string id;
  SessionLayout layout = SessionLayout::refs;
  std::string source;  // the ref that it was found under
  std::string object;  // the commit (refs) or the folder's tree (branch): other content, other id
  std::optional<base::Instant> created;  // of its last session; else what the id says
  std::string branch;
  std::string cli_version;
  std::string strategy;
  std::int64_t checkpoints_count = 0;
  std::int64_t slots = 0;
  std::vector<ListedSession> sessions;  // those that could be read, the last 64 at most
  Strings files;
  std::optional<double> agent_percentage;
  std::optional<std::int64_t> tokens;
  std::string plan_id;  // of the plan link, as all that follows; empty: there is none
  std::string phase_id;
  std::string phase_title;
  Strings tasks_done;
  std::vector<std::string> problems;  // what could not be read
  bool operator==(const SessionRow&) const = default;
};

/// A commit that names a session checkpoint.
struct SessionLink {
  std::string id;
  std::string commit;
  bool mentioned = false;  // somewhere in the message, not in its final trailer block
  bool operator==(const SessionLink&) const = default;
};

}  // namespace plankeep::core

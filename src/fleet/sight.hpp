#pragma once
// What the fleet as a whole knows (spec 29.6). Reads only; a reader's login is enough.
//
// Every text in these answers came from some machine: whoever prints it passes it through
// render::safe_line().

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/instant.hpp"
#include "base/result.hpp"
#include "fleet/postgres.hpp"

namespace plankeep::fleet {

/// A replica, as people tell it from others.
struct ReplicaName {
  std::string id;
  std::string login;
  std::string machine;  // 16 hexadecimal digits
};

/// The newest word on a task: of its replicas the one with the newest event, by event time, then in the
/// server's order. A box that a replica has only seen open counts where no other word is there.
struct TaskWord {
  std::string task;
  std::string phase;
  std::string title;
  std::string state;  // "open", "active", "done", "removed"
  std::string by;
  base::Instant time;
  ReplicaName replica;
  std::int64_t replicas = 1;  // that say the same
  base::Instant at;           // when the server got it
  bool only_seen = false;     // open, as a replica met it
  /// Another state that replicas say: the one of them with the newest event, and how many they are.
  struct Other {
    std::string state;
    ReplicaName replica;
    base::Instant time;
    std::int64_t replicas = 1;
  };
  std::vector<Other> disagree;
};

struct FleetLease {
  std::string task;
  std::string holder;
  std::int64_t fence = 0;
  base::Instant since;
  base::Instant until;
  bool stands = true;  // by the server's clock
  ReplicaName replica;
};

struct PlanSight {
  std::int64_t id = 0;
  std::string project;
  std::string path;
  std::int64_t replicas = 0;
  std::int64_t lines = 0;  // of all replicas
  std::optional<base::Instant> last_push;
  std::vector<TaskWord> tasks;        // the newest words, without tasks that are removed
  std::vector<FleetLease> leases;     // of tasks that are not finished
  std::vector<std::string> blockers;  // raised, by the newest word

  std::int64_t done() const;
};

struct StatusQuery {
  std::string project;  // empty: every project
  std::string path;     // empty: every plan of it
  bool tasks = true;    // false: only numbers; `tasks` and `blockers` stay empty but for what is counted
};

struct FleetSight {
  base::Instant now;             // the server's clock
  std::vector<PlanSight> plans;  // by project and path
};
[[nodiscard]] base::Result<FleetSight> fleet_status(Connection& connection, const StatusQuery& query);

/// A place in the server's commit order: every push of a smaller one was seen.
struct LogPlace {
  std::string tx = "0";
};
struct LogLine {
  ReplicaName replica;
  std::int64_t line = 0;
  std::string body;  // JSON
};
/// The newest `count` lines of a plan, oldest first, in the server's order; `place` is set to where to go on.
[[nodiscard]] base::Result<std::vector<LogLine>> newest_lines(Connection& connection, std::int64_t plan,
                                                              std::size_t count, LogPlace& place);
/// Those that came since `place`, which is moved on. At most some ten thousand at once: empty means nothing
/// is left.
[[nodiscard]] base::Result<std::vector<LogLine>> lines_since(Connection& connection, std::int64_t plan,
                                                             LogPlace& place);

/// The server's number of a plan; nullopt: no machine has pushed it.
[[nodiscard]] base::Result<std::optional<std::int64_t>> plan_number(Connection& connection,
                                                                    const std::string& project,
                                                                    const std::string& path);

struct CheckpointSight {
  ReplicaName replica;
  std::string id;
  std::string type;
  base::Instant time;
  std::string phase;
  std::string body;  // JSON; empty where it was not asked for
};
/// Newest first. `count` 0: all of them.
[[nodiscard]] base::Result<std::vector<CheckpointSight>> fleet_checkpoints(Connection& connection,
                                                                           std::int64_t plan,
                                                                           std::size_t count, bool with_body);
/// By id, on every replica that has one of that name; `which` may be "REPLICA:ID", with the first digits of
/// the replica, with or without hyphens.
[[nodiscard]] base::Result<std::vector<CheckpointSight>> find_checkpoints(Connection& connection,
                                                                          std::int64_t plan,
                                                                          const std::string& which);

struct TextSight {
  ReplicaName replica;
  std::string text;
  base::Instant time;  // when the server got it
};
/// The newest text of the plan; nullopt: no machine has sent one.
[[nodiscard]] base::Result<std::optional<TextSight>> newest_text(Connection& connection, std::int64_t plan);

}  // namespace plankeep::fleet

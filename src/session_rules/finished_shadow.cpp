#include "session_rules/finished_shadow.hpp"

namespace plankeep::core {

std::optional<std::string> why_kept(const ShadowFacts& facts) {
  if (!facts.only_snapshots) return "it has commits that are not snapshots of a session";
  if (facts.checked_out) return "it is checked out";
  if (facts.running) return "its session is running";
  if (facts.open_in_entire) return "Entire lists its session as open";
  if (!facts.old_enough) return "it is not old enough";
  if (!facts.recorded) return "its session is in no session checkpoint made after it";
  if (!facts.committed) return "it has files that are in no commit";
  return std::nullopt;
}

}  // namespace plankeep::core

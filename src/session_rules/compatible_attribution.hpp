#pragma once
// How much of a commit is an agent's, by the formula of Entire's tools, so that the number means to their
// readers what their own means.
//
// Its idea: of the files that the session touched, what stands in the newest snapshot is the agent's work and
// the person's edits between prompts; what the commit has beyond the snapshot, and every other file, is the
// person's. It estimates; session_rules/kept_lines counts what is known. Two metrics: `added_lines` (Entire
// to 0.5.3) counts added lines, `changed_lines` (0.5.4 and later, metric_version 2) added and removed ones.
//
// There is no number where the inputs cannot give one (no touched file, no snapshot, a base that the commit
// does not follow), instead of one that says 0 or blows up: the caller knows, and does not ask.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "session_rules/line_changes.hpp"

namespace plankeep::core {

/// A file that the session touched; empty texts where it is not there. The texts outlive the call.
struct TouchedFile {
  std::string path;
  std::string_view base;      // where the session began
  std::string_view snapshot;  // the newest of the session
  std::string_view commit;
};

/// A file that the commit changes and no session touched; none of the clients' own files either.
struct UntouchedFile {
  std::string path;
  std::string_view base;    // where the session began, for the first metric
  std::string_view parent;  // of the commit, for the second; as `base` where there is none
  std::string_view commit;
};

/// What was found changed when a prompt came: the person's.
struct PromptEdits {
  std::int64_t checkpoint = 0;  // the one that comes next, from 1; of 1 it was there before the session began
  std::map<std::string, LineChanges> files;
};

enum class AttributionMetric { added_lines = 1, changed_lines = 2 };

struct CompatibleAttribution {
  std::int64_t agent_lines = 0;
  std::int64_t agent_removed = 0;  // second metric only
  std::int64_t human_added = 0;
  std::int64_t human_modified = 0;
  std::int64_t human_removed = 0;
  std::int64_t total_committed = 0;
  std::int64_t total_changed = 0;  // second metric only
  double agent_percentage = 0;     // 0 to 100
  bool operator==(const CompatibleAttribution&) const = default;
};

/// nullopt when no file was touched.
std::optional<CompatibleAttribution> compatible_attribution(const std::vector<TouchedFile>& touched,
                                                            const std::vector<UntouchedFile>& others,
                                                            const std::vector<PromptEdits>& edits,
                                                            AttributionMetric metric);

}  // namespace plankeep::core

#include "session_rules/compatible_attribution.hpp"

#include <algorithm>
#include <set>

namespace plankeep::core {
namespace {

using Count = std::int64_t;

struct TouchedSums {
  Count work = 0;
  Count post_added = 0;
  Count post_removed = 0;
  Count still_removed = 0;  // what the session took out and the commit has not back
  std::map<std::string_view, Count> post_removed_of;
};

TouchedSums sums_of(const std::vector<TouchedFile>& touched) {
  TouchedSums sums;
  for (const TouchedFile& file : touched) {
    const LineChanges work = line_changes(file.base, file.snapshot);
    const LineChanges post = line_changes(file.snapshot, file.commit);
    sums.work += work.added;
    sums.post_added += post.added;
    sums.post_removed += post.removed;
    sums.post_removed_of[file.path] += post.removed;
    sums.still_removed += std::min(work.removed, line_changes(file.base, file.commit).removed);
  }
  return sums;
}

struct EditSums {
  Count added_touched = 0;
  Count added_others = 0;
  // The same without what was there before the session began.
  Count own_touched = 0;
  Count own_others = 0;
  Count removed = 0;  // anywhere
  Count removed_touched = 0;
  Count removed_committed = 0;  // in touched files and those of the commit
  std::map<std::string_view, Count> added_of;
};

EditSums sums_of(const std::vector<PromptEdits>& edits, const std::set<std::string_view>& touched,
                 const std::set<std::string_view>& others) {
  EditSums sums;
  for (const PromptEdits& prompt : edits) {
    const bool of_session = prompt.checkpoint > 1;
    for (const auto& [path, changes] : prompt.files) {
      const bool is_touched = touched.contains(path);
      const bool is_other = !is_touched && others.contains(path);
      sums.added_of[path] += changes.added;
      sums.removed += changes.removed;
      if (is_touched || is_other) sums.removed_committed += changes.removed;
      if (is_touched) {
        sums.removed_touched += changes.removed;
        sums.added_touched += changes.added;
        if (of_session) sums.own_touched += changes.added;
      }
      if (is_other) {
        sums.added_others += changes.added;
        if (of_session) sums.own_others += changes.added;
      }
    }
  }
  return sums;
}

Count at_least_zero(Count count) {
  return std::max<Count>(0, count);
}

// As Entire rounds: the quotient first.
double percent_of(Count part, Count whole) {
  if (whole <= 0) return 0;
  return std::clamp(static_cast<double>(part) / static_cast<double>(whole) * 100, 0.0, 100.0);
}

}  // namespace

std::optional<CompatibleAttribution> compatible_attribution(const std::vector<TouchedFile>& touched,
                                                            const std::vector<UntouchedFile>& others,
                                                            const std::vector<PromptEdits>& edits,
                                                            AttributionMetric metric) {
  if (touched.empty()) return std::nullopt;
  const bool changed_lines = metric == AttributionMetric::changed_lines;
  std::set<std::string_view> touched_paths;
  for (const TouchedFile& file : touched) touched_paths.insert(file.path);
  std::set<std::string_view> other_paths;
  LineChanges other;
  for (const UntouchedFile& file : others) {
    other_paths.insert(file.path);
    const LineChanges changes = line_changes(changed_lines ? file.parent : file.base, file.commit);
    other.added += changes.added;
    other.removed += changes.removed;
  }
  const TouchedSums session = sums_of(touched);
  const EditSums person = sums_of(edits, touched_paths, other_paths);

  const Count agent_added = at_least_zero(session.work - person.added_touched);
  const Count before_prompts =
      changed_lines ? person.own_touched + person.own_others : person.added_touched + person.added_others;
  const Count user_added =
      before_prompts + session.post_added + at_least_zero(other.added - person.added_others);
  const Count user_removed =
      (changed_lines ? person.removed_committed : person.removed) + session.post_removed;
  // Who takes lines out takes their own first.
  Count own_modified = 0;
  for (const auto& [path, removed] : session.post_removed_of) {
    const auto added = person.added_of.find(path);
    if (added != person.added_of.end()) own_modified += std::min(removed, added->second);
  }

  CompatibleAttribution result;
  result.human_modified = std::min(user_added, user_removed);
  const Count agent_modified = at_least_zero(result.human_modified - own_modified);
  result.human_added = user_added - result.human_modified;
  result.human_removed = user_removed - result.human_modified;
  result.total_committed = agent_added + result.human_added - result.human_removed;
  if (result.total_committed <= 0) result.total_committed = agent_added;
  result.agent_lines = at_least_zero(agent_added - result.human_removed - agent_modified);
  if (!changed_lines) {
    result.agent_percentage = percent_of(result.agent_lines, result.total_committed);
    return result;
  }
  result.agent_removed = at_least_zero(session.still_removed - person.removed_touched);
  const Count agent_changed = result.agent_lines + result.agent_removed;
  result.total_changed =
      agent_changed + result.human_added + result.human_modified + result.human_removed + other.removed;
  result.agent_percentage = percent_of(agent_changed, result.total_changed);
  return result;
}

}  // namespace plankeep::core

#include "session_rules/work_moment.hpp"

#include <algorithm>

namespace plankeep::core {

WorkMoment work_moment(const Checkpoint& checkpoint) {
  WorkMoment moment;
  moment.id = checkpoint.head.id.text;
  moment.time = checkpoint.head.timestamp;
  moment.session = checkpoint.head.instance_id;
  moment.before_prompt = is_of_prompt(checkpoint.head);
  moment.late = checkpoint.head.metadata.trigger == kAfterPrompt;
  moment.turn_end = is_turn_end(checkpoint.head);
  moment.imported = checkpoint.head.metadata.trigger == kImported;
  moment.prompt = checkpoint.moment.prompt;
  moment.head = checkpoint.moment.commit_sha;
  if (checkpoint.moment.snapshot) {
    moment.tree = checkpoint.moment.snapshot->tree;
    moment.whole = checkpoint.moment.snapshot->left_out_count == 0;
  }
  moment.tools = checkpoint.work_state.last_commands;
  for (const FileChange& file : checkpoint.work_state.files_modified) moment.changed.push_back(file.path);
  return moment;
}

std::optional<base::Instant> seen_before_commit(const std::vector<WorkMoment>& moments,
                                                const std::string& commit,
                                                const std::vector<std::string>& parents, base::Instant time) {
  const std::int64_t second = time.milliseconds / base::kSecond;
  std::optional<base::Instant> found;
  for (const WorkMoment& moment : moments) {
    if (moment.imported || moment.time.milliseconds / base::kSecond != second) continue;
    if (moment.head == commit) break;
    if (std::find(parents.begin(), parents.end(), moment.head) != parents.end()) found = moment.time;
  }
  return found;
}

}  // namespace plankeep::core

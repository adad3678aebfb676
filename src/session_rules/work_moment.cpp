#include "session_rules/work_moment.hpp"

namespace plankeep::core {

WorkMoment work_moment(const Checkpoint& checkpoint) {
  WorkMoment moment;
  moment.id = checkpoint.head.id.text;
  moment.time = checkpoint.head.timestamp;
  moment.session = checkpoint.head.instance_id;
  moment.before_prompt = checkpoint.head.metadata.trigger == kBeforePrompt;
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

}  // namespace plankeep::core

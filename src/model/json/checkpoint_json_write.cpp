// Writing; checkpoint_json.cpp has the other half.
#include "base/json_writer.hpp"
#include "model/json/checkpoint_json.hpp"

namespace plankeep::core {
namespace {

using base::JsonWriter;

void text_or_null(JsonWriter& out, std::string_view key, const std::string& text) {
  out.key(key);
  if (text.empty()) {
    out.null();
  } else {
    out.value(text);
  }
}

void number_or_null(JsonWriter& out, std::string_view key, const std::optional<std::int64_t>& number) {
  out.key(key);
  if (number) {
    out.value(*number);
  } else {
    out.null();
  }
}

void time_or_null(JsonWriter& out, std::string_view key, const std::optional<base::Instant>& time) {
  out.key(key);
  if (time) {
    out.value(base::to_iso8601(*time));
  } else {
    out.null();
  }
}

void text_if_any(JsonWriter& out, std::string_view key, const std::string& text) {
  if (!text.empty()) out.key(key).value(text);
}

void write_epic(JsonWriter& out, const CurrentEpic& epic) {
  out.begin_object();
  out.key("epic_id").value(epic.epic_id);
  out.key("feature_name").value(epic.feature_name);
  out.key("status").value(epic.status);
  out.key("duration_hours");
  if (epic.duration_tenths_hours) {
    out.tenths(*epic.duration_tenths_hours);
  } else {
    out.null();
  }
  out.key("test_results").begin_object();
  const TestResults results = epic.test_results.value_or(TestResults{});
  out.key("passed").value(results.passed);
  out.key("failed").value(results.failed);
  if (results.coverage_tenths) out.key("coverage").tenths(*results.coverage_tenths);
  out.end_object();
  out.end_object();
}

void write_file(JsonWriter& out, const FileChange& file) {
  out.begin_object();
  out.key("path").value(file.path);
  out.key("status").value(file.status);
  number_or_null(out, "lines_changed", file.lines_changed);
  time_or_null(out, "last_modified", file.last_modified);
  out.end_object();
}

void write_command(JsonWriter& out, const CommandUsed& used) {
  out.begin_object();
  out.key("command_id").value(used.command_id);
  out.key("type").value(used.type);
  if (!used.target.empty()) {
    out.key("target").value(used.target);
  } else {
    out.key("message").value(used.message);
  }
  time_or_null(out, "timestamp", used.timestamp);
  out.end_object();
}

void write_git_status(JsonWriter& out, const GitStatus& git) {
  out.begin_object();
  text_or_null(out, "branch", git.branch);
  out.key("staged_files").value(git.staged_files);
  out.key("unstaged_files").value(git.unstaged_files);
  out.key("untracked_files").value(git.untracked_files);
  number_or_null(out, "commit_count", git.commit_count);
  out.end_object();
}

void write_work_state(JsonWriter& out, const WorkState& work) {
  out.begin_object();
  out.key("current_epic");
  write_epic(out, work.current_epic);
  out.key("files_modified").begin_array();
  for (const FileChange& file : work.files_modified) write_file(out, file);
  out.end_array();
  if (work.files_more > 0) out.key("files_modified_more").value(work.files_more);
  out.key("git_status");
  write_git_status(out, work.git_status);
  out.key("last_commands").begin_array();
  for (const CommandUsed& used : work.last_commands) write_command(out, used);
  out.end_array();
  if (work.commands_more > 0) out.key("last_commands_more").value(work.commands_more);
  if (!work.commits.empty() || work.commits_more > 0) {
    out.key("commits").begin_array();
    for (const CommitMade& commit : work.commits) {
      out.begin_object();
      out.key("sha").value(commit.sha);
      out.key("subject").value(commit.subject);
      out.end_object();
    }
    out.end_array();
    if (work.commits_more > 0) out.key("commits_more").value(work.commits_more);
  }
  out.key("prd_status").begin_object();
  out.key("version").value(work.prd_status.version);
  out.key("epic_status").value(work.prd_status.epic_status);
  text_or_null(out, "next_epic", work.prd_status.next_epic);
  out.key("last_updated").value(base::to_iso8601(work.prd_status.last_updated));
  out.end_object();
  out.key("environment").begin_object();
  out.key("project").value(work.environment.project);
  out.key("working_directory").value(work.environment.working_directory);
  out.key("hostname").value(work.environment.hostname);
  out.end_object();
  out.end_object();
}

void write_metadata(JsonWriter& out, const CheckpointMetadata& metadata) {
  out.begin_object();
  out.key("trigger").value(metadata.trigger);
  text_or_null(out, "event_id", metadata.event_id);
  out.key("manual").value(metadata.manual);
  out.key("size_bytes").value(metadata.size_bytes);
  text_if_any(out, "note", metadata.note);
  out.end_object();
}

void write_snapshot(JsonWriter& out, const Snapshot& snapshot) {
  out.begin_object();
  out.key("tree").value(snapshot.tree);
  out.key("commit").value(snapshot.commit);
  out.key("ref").value(snapshot.ref);
  out.key("leftOutCount").value(snapshot.left_out_count);
  out.key("leftOut").begin_array();
  for (const std::string& path : snapshot.left_out) out.value(path);
  out.end_array();
  out.end_object();
}

void write_todo(JsonWriter& out, const std::vector<TodoItem>& todo) {
  out.begin_array();
  for (const TodoItem& item : todo) {
    out.begin_object();
    out.key("phaseId").value(item.phase.text);
    out.key("id").value(item.id.text);
    out.key("title").value(item.title);
    out.key("state").value(name_of(item.state));
    if (item.optional) out.key("optional").value(true);
    out.end_object();
  }
  out.end_array();
}

// Without its braces.
void write_moment_fields(JsonWriter& out, const Moment& moment) {
  if (moment.turn > 0) out.key("turn").value(moment.turn);
  text_if_any(out, "messageId", moment.message_id);
  text_if_any(out, "prompt", moment.prompt);
  text_if_any(out, "planDigest", moment.plan_digest);
  if (moment.plan_reading != PlanReading::plan) out.key("planReading").value(name_of(moment.plan_reading));
  text_if_any(out, "commitSha", moment.commit_sha);
  out.key("workspaceState").value(name_of(moment.workspace_state));
  text_if_any(out, "workTree", moment.work_tree);
  if (moment.snapshot) {
    out.key("snapshot");
    write_snapshot(out, *moment.snapshot);
  }
  if (moment.knows_tasks()) {
    const TaskCount count = count_of(moment.todo_snapshot);
    out.key("tasks").value(count.tasks);
    out.key("tasksDone").value(count.done);
  }
  out.key("criteria").value(moment.criteria);
  out.key("criteriaMet").value(moment.criteria_met);
  out.key("blockers").begin_array();
  for (const std::string& blocker : moment.blockers) out.value(blocker);
  out.end_array();
  out.key("historyOffset").value(static_cast<std::int64_t>(moment.history_offset));
}

void write_head_fields(JsonWriter& out, const CheckpointHead& head) {
  out.key("checkpoint_id").value(head.id.text);
  out.key("instance_id").value(head.instance_id);
  out.key("checkpoint_type").value(name_of(head.type));
  out.key("sequence_num").value(head.sequence_num);
  out.key("context_window_percent");
  if (head.context_window_percent) {
    out.value(*head.context_window_percent);
  } else {
    out.null();
  }
  out.key("timestamp").value(base::to_iso8601(head.timestamp));
  text_or_null(out, "phase_id", head.phase.text);
  out.key("metadata");
  write_metadata(out, head.metadata);
}

template <class Write>
std::string compact(const Write& write) {
  JsonWriter out(JsonWriter::Layout::compact);
  write(out);
  std::string text = out.finish();
  while (text.ends_with('\n')) text.pop_back();
  return text;
}

}  // namespace

std::string encode_work_state(const WorkState& work_state) {
  return compact([&](JsonWriter& out) { write_work_state(out, work_state); });
}

std::string encode_metadata(const CheckpointMetadata& metadata) {
  return compact([&](JsonWriter& out) { write_metadata(out, metadata); });
}

std::string encode_moment(const Moment& moment) {
  return compact([&](JsonWriter& out) {
    out.begin_object();
    write_moment_fields(out, moment);
    out.end_object();
  });
}

std::string encode_todo(const std::vector<TodoItem>& todo) {
  return compact([&](JsonWriter& out) { write_todo(out, todo); });
}

void write_listed(JsonWriter& out, const ListedCheckpoint& listed) {
  const auto number = [](bool known, std::int64_t value) {
    return known ? std::optional(value) : std::nullopt;
  };
  const TaskCount count = listed.count.value_or(TaskCount{});
  out.begin_object();
  write_head_fields(out, listed.head);
  number_or_null(out, "turn", number(listed.turn > 0, listed.turn));
  text_or_null(out, "message_id", listed.message_id);
  text_or_null(out, "prompt", listed.prompt);
  text_or_null(out, "commit_sha", listed.commit_sha);
  out.key("snapshot").value(!listed.tree.empty());
  number_or_null(out, "tasks", number(listed.count.has_value(), count.tasks));
  number_or_null(out, "tasks_done", number(listed.count.has_value(), count.done));
  out.end_object();
}

void write_checkpoint(JsonWriter& out, const Checkpoint& checkpoint) {
  out.begin_object();
  write_head_fields(out, checkpoint.head);
  out.key("work_state");
  write_work_state(out, checkpoint.work_state);
  out.key("moment").begin_object();
  out.key("createdAt").value(base::to_iso8601(checkpoint.head.timestamp));
  write_moment_fields(out, checkpoint.moment);
  out.key("todoSnapshot");
  write_todo(out, checkpoint.moment.todo_snapshot);
  out.end_object();
  out.end_object();
}

}  // namespace plankeep::core

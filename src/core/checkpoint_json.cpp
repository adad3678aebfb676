#include "core/checkpoint_json.hpp"

#include <functional>
#include <limits>
#include <utility>

#include "base/json_reader.hpp"
#include "core/json_fields.hpp"

namespace plankeep::core {
namespace {

using base::JsonReader;
using base::JsonType;
using base::JsonWriter;
using base::Result;
using base::Status;

using Fields = std::function<Status(std::string_view key)>;

// --- writing -----------------------------------------------------------------------------------------------

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
  text_if_any(out, "planDigest", moment.plan_digest);
  text_if_any(out, "commitSha", moment.commit_sha);
  out.key("workspaceState").value(name_of(moment.workspace_state));
  text_if_any(out, "workTree", moment.work_tree);
  if (moment.snapshot) {
    out.key("snapshot");
    write_snapshot(out, *moment.snapshot);
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

// --- reading -----------------------------------------------------------------------------------------------

// Null leaves what stands there.
Status read_null(JsonReader& in, bool& null) {
  null = in.peek() == JsonType::null;
  return null ? in.skip() : Status{};
}

Status read_text_or_null(JsonReader& in, std::string& text) {
  bool present = false;
  return in.string_or_null(text, present);
}

Status read_count(JsonReader& in, std::int64_t& number) {
  TRY(in.integer(number));
  return number < 0 ? in.error("a number from 0") : Status{};
}

Status read_count_or_null(JsonReader& in, std::optional<std::int64_t>& number) {
  bool null = false;
  TRY(read_null(in, null));
  return null ? Status{} : read_count(in, number.emplace());
}

Status read_time_or_null(JsonReader& in, std::optional<base::Instant>& time) {
  bool null = false;
  TRY(read_null(in, null));
  return null ? Status{} : read_time(in, time.emplace());
}

// A number with at most one digit behind its point.
Status read_tenths(JsonReader& in, std::int64_t& tenths) {
  double number = 0;
  TRY(in.number(number));
  constexpr double kMost = 1e12;
  if (number < 0 || number > kMost) return in.error("a number from 0");
  tenths = static_cast<std::int64_t>(number * 10 + 0.5);
  return {};
}

Status read_strings(JsonReader& in, std::vector<std::string>& texts) {
  return in.array([&]() -> Status { return in.string(texts.emplace_back()); });
}

Status read_test_results(JsonReader& in, CurrentEpic& epic) {
  TestResults results;
  TRY(in.object([&](std::string_view key) -> Status {
    if (key == "passed") return read_count(in, results.passed);
    if (key == "failed") return read_count(in, results.failed);
    if (key == "coverage") return read_tenths(in, results.coverage_tenths.emplace());
    return in.skip();
  }));
  if (results != TestResults{}) epic.test_results = results;
  return {};
}

Status read_epic(JsonReader& in, CurrentEpic& epic) {
  return in.object([&](std::string_view key) -> Status {
    if (key == "epic_id") return in.string(epic.epic_id);
    if (key == "feature_name") return in.string(epic.feature_name);
    if (key == "status") return in.string(epic.status);
    if (key == "test_results") return read_test_results(in, epic);
    if (key != "duration_hours") return in.skip();
    bool null = false;
    TRY(read_null(in, null));
    return null ? Status{} : read_tenths(in, epic.duration_tenths_hours.emplace());
  });
}

Status read_file(JsonReader& in, FileChange& file) {
  return in.object([&](std::string_view key) -> Status {
    if (key == "path") return in.string(file.path);
    if (key == "status") return in.string(file.status);
    if (key == "lines_changed") return read_count_or_null(in, file.lines_changed);
    if (key == "last_modified") return read_time_or_null(in, file.last_modified);
    return in.skip();
  });
}

Status read_command(JsonReader& in, CommandUsed& used) {
  return in.object([&](std::string_view key) -> Status {
    if (key == "command_id") return in.string(used.command_id);
    if (key == "type") return in.string(used.type);
    if (key == "target") return in.string(used.target);
    if (key == "message") return in.string(used.message);
    if (key == "timestamp") return read_time_or_null(in, used.timestamp);
    return in.skip();
  });
}

Status read_git_status(JsonReader& in, GitStatus& git) {
  return in.object([&](std::string_view key) -> Status {
    if (key == "branch") return read_text_or_null(in, git.branch);
    if (key == "staged_files") return read_count(in, git.staged_files);
    if (key == "unstaged_files") return read_count(in, git.unstaged_files);
    if (key == "untracked_files") return read_count(in, git.untracked_files);
    if (key == "commit_count") return read_count_or_null(in, git.commit_count);
    return in.skip();
  });
}

Status read_prd_status(JsonReader& in, PrdStatus& prd) {
  return in.object([&](std::string_view key) -> Status {
    if (key == "version") return in.integer(prd.version);
    if (key == "epic_status") return in.string(prd.epic_status);
    if (key == "next_epic") return read_text_or_null(in, prd.next_epic);
    if (key == "last_updated") return read_time(in, prd.last_updated);
    return in.skip();
  });
}

Status read_environment(JsonReader& in, WorkEnvironment& environment) {
  return in.object([&](std::string_view key) -> Status {
    if (key == "project") return in.string(environment.project);
    if (key == "working_directory") return in.string(environment.working_directory);
    if (key == "hostname") return in.string(environment.hostname);
    return in.skip();
  });
}

Status read_work_state(JsonReader& in, WorkState& work) {
  return in.object([&](std::string_view key) -> Status {
    if (key == "current_epic") return read_epic(in, work.current_epic);
    if (key == "files_modified") {
      return in.array([&]() -> Status { return read_file(in, work.files_modified.emplace_back()); });
    }
    if (key == "files_modified_more") return read_count(in, work.files_more);
    if (key == "git_status") return read_git_status(in, work.git_status);
    if (key == "last_commands") {
      return in.array([&]() -> Status { return read_command(in, work.last_commands.emplace_back()); });
    }
    if (key == "last_commands_more") return read_count(in, work.commands_more);
    if (key == "prd_status") return read_prd_status(in, work.prd_status);
    if (key == "environment") return read_environment(in, work.environment);
    return in.skip();
  });
}

Status read_metadata(JsonReader& in, CheckpointMetadata& metadata) {
  return in.object([&](std::string_view key) -> Status {
    if (key == "trigger") return in.string(metadata.trigger);
    if (key == "event_id") return read_text_or_null(in, metadata.event_id);
    if (key == "manual") return in.boolean(metadata.manual);
    if (key == "size_bytes") return read_count(in, metadata.size_bytes);
    if (key == "note") return in.string(metadata.note);
    return in.skip();
  });
}

Status read_snapshot(JsonReader& in, Snapshot& snapshot) {
  return in.object([&](std::string_view key) -> Status {
    if (key == "tree") return in.string(snapshot.tree);
    if (key == "commit") return in.string(snapshot.commit);
    if (key == "ref") return in.string(snapshot.ref);
    if (key == "leftOutCount") return read_count(in, snapshot.left_out_count);
    if (key == "leftOut") return read_strings(in, snapshot.left_out);
    return in.skip();
  });
}

Status read_box(JsonReader& in, BoxState& box) {
  std::string name;
  TRY(in.string(name));
  for (const BoxState known : {BoxState::open, BoxState::active, BoxState::done}) {
    if (name != name_of(known)) continue;
    box = known;
    return {};
  }
  return in.error("open, active or done");
}

Status read_todo(JsonReader& in, std::vector<TodoItem>& todo) {
  return in.array([&]() -> Status {
    TodoItem& item = todo.emplace_back();
    return in.object([&](std::string_view key) -> Status {
      if (key == "phaseId") return in.string(item.phase.text);
      if (key == "id") return in.string(item.id.text);
      if (key == "title") return in.string(item.title);
      if (key == "state") return read_box(in, item.state);
      if (key == "optional") return in.boolean(item.optional);
      return in.skip();
    });
  });
}

Status read_moment(JsonReader& in, Moment& moment) {
  return in.object([&](std::string_view key) -> Status {
    if (key == "turn") return read_count(in, moment.turn);
    if (key == "messageId") return in.string(moment.message_id);
    if (key == "planDigest") return in.string(moment.plan_digest);
    if (key == "commitSha") return in.string(moment.commit_sha);
    if (key == "workTree") return in.string(moment.work_tree);
    if (key == "snapshot") return read_snapshot(in, moment.snapshot.emplace());
    if (key == "criteria") return read_count(in, moment.criteria);
    if (key == "criteriaMet") return read_count(in, moment.criteria_met);
    if (key == "blockers") return read_strings(in, moment.blockers);
    if (key == "historyOffset") return in.integer(moment.history_offset);
    if (key == "todoSnapshot") return read_todo(in, moment.todo_snapshot);
    if (key != "workspaceState") return in.skip();
    std::string name;
    TRY(in.string(name));
    const std::optional<WorkspaceState> state = workspace_state(name);
    if (!state) return in.error("none, clean or dirty");
    moment.workspace_state = *state;
    return {};
  });
}

Status read_type(JsonReader& in, CheckpointType& type) {
  std::string name;
  TRY(in.string(name));
  const std::optional<CheckpointType> known = checkpoint_type(name);
  if (!known) return in.error("a type of checkpoint");
  type = *known;
  return {};
}

Status read_percent(JsonReader& in, std::optional<int>& percent) {
  bool null = false;
  TRY(read_null(in, null));
  if (null) return {};
  std::int64_t number = 0;
  TRY(in.integer(number));
  constexpr std::int64_t kMost = 1000;  // a client may be wrong about its own window
  if (number < 0 || number > kMost) return in.error("a percentage");
  percent = static_cast<int>(number);
  return {};
}

Status read_checkpoint(JsonReader& in, Checkpoint& checkpoint) {
  CheckpointHead& head = checkpoint.head;
  return in.object([&](std::string_view key) -> Status {
    if (key == "checkpoint_id") return in.string(head.id.text);
    if (key == "instance_id") return in.string(head.instance_id);
    if (key == "checkpoint_type") return read_type(in, head.type);
    if (key == "sequence_num") return read_count(in, head.sequence_num);
    if (key == "context_window_percent") return read_percent(in, head.context_window_percent);
    if (key == "timestamp") return read_time(in, head.timestamp);
    if (key == "phase_id") return read_text_or_null(in, head.phase.text);
    if (key == "metadata") return read_metadata(in, head.metadata);
    if (key == "work_state") return read_work_state(in, checkpoint.work_state);
    if (key == "moment") return read_moment(in, checkpoint.moment);
    return in.skip();
  });
}

// A whole text that is one value.
template <class Value, class Read>
Result<Value> decode(std::string_view json, const Read& read) {
  JsonReader in(json);
  Value value;
  TRY(read(in, value));
  TRY(in.end());
  return value;
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

Result<WorkState> decode_work_state(std::string_view json) {
  return decode<WorkState>(json, read_work_state);
}

std::string encode_metadata(const CheckpointMetadata& metadata) {
  return compact([&](JsonWriter& out) { write_metadata(out, metadata); });
}

Result<CheckpointMetadata> decode_metadata(std::string_view json) {
  return decode<CheckpointMetadata>(json, read_metadata);
}

std::string encode_moment(const Moment& moment) {
  return compact([&](JsonWriter& out) {
    out.begin_object();
    write_moment_fields(out, moment);
    out.end_object();
  });
}

Result<Moment> decode_moment(std::string_view json) {
  return decode<Moment>(json, read_moment);
}

std::string encode_todo(const std::vector<TodoItem>& todo) {
  return compact([&](JsonWriter& out) { write_todo(out, todo); });
}

Result<std::vector<TodoItem>> decode_todo(std::string_view json) {
  return decode<std::vector<TodoItem>>(json, read_todo);
}

void write_checkpoint_head(JsonWriter& out, const CheckpointHead& head) {
  out.begin_object();
  write_head_fields(out, head);
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

Result<Checkpoint> decode_checkpoint(std::string_view json) {
  return decode<Checkpoint>(json, read_checkpoint);
}

}  // namespace plankeep::core

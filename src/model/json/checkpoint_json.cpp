// Reading; checkpoint_json_write.cpp has the other half.
#include "model/json/checkpoint_json.hpp"

#include <cmath>

#include "base/json_reader.hpp"
#include "model/json/json_fields.hpp"

namespace plankeep::core {
namespace {

using base::JsonReader;
using base::JsonType;
using base::Result;
using base::Status;

// Null leaves what stands there.
Status read_null(JsonReader& in, bool& null) {
  null = in.peek() == JsonType::null;
  return null ? in.skip() : Status{};
}

Status read_text_or_null(JsonReader& in, std::string& text) {
  bool present = false;
  return in.string_or_null(text, present);
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
  tenths = std::llround(number * 10);
  return {};
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
    if (key == "commits") {
      return in.array([&]() -> Status {
        CommitMade& commit = work.commits.emplace_back();
        return in.object([&](std::string_view name) -> Status {
          if (name == "sha") return in.string(commit.sha);
          if (name == "subject") return in.string(commit.subject);
          return in.skip();
        });
      });
    }
    if (key == "commits_more") return read_count(in, work.commits_more);
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
    if (key == "leftOut") return in.strings(snapshot.left_out);
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
    if (key == "prompt") return in.string(moment.prompt);
    if (key == "planDigest") return in.string(moment.plan_digest);
    if (key == "commitSha") return in.string(moment.commit_sha);
    if (key == "workTree") return in.string(moment.work_tree);
    if (key == "snapshot") return read_snapshot(in, moment.snapshot.emplace());
    if (key == "criteria") return read_count(in, moment.criteria);
    if (key == "criteriaMet") return read_count(in, moment.criteria_met);
    if (key == "blockers") return in.strings(moment.blockers);
    if (key == "historyOffset") return in.integer(moment.history_offset);
    if (key == "todoSnapshot") return read_todo(in, moment.todo_snapshot);
    if (key != "workspaceState" && key != "planReading") return in.skip();
    std::string name;
    TRY(in.string(name));
    if (key == "planReading") {
      const std::optional<PlanReading> reading = plan_reading(name);
      if (!reading) return in.error("plan, not_a_plan or missing");
      moment.plan_reading = *reading;
      return {};
    }
    const std::optional<WorkspaceState> state = workspace_state(name);
    if (!state) return in.error("none, clean or dirty");
    moment.workspace_state = *state;
    return {};
  });
}

Status read_listed(JsonReader& in, ListedCheckpoint& listed) {
  Snapshot snapshot;
  TRY(in.object([&](std::string_view key) -> Status {
    if (key == "turn") return read_count(in, listed.turn);
    if (key == "messageId") return in.string(listed.message_id);
    if (key == "prompt") return in.string(listed.prompt);
    if (key == "commitSha") return in.string(listed.commit_sha);
    if (key == "snapshot") return read_snapshot(in, snapshot);
    if (key != "tasks" && key != "tasksDone") return in.skip();
    if (!listed.count) listed.count.emplace();
    return read_count(in, key == "tasks" ? listed.count->tasks : listed.count->done);
  }));
  listed.tree = std::move(snapshot.tree);
  return {};
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

}  // namespace

Result<WorkState> decode_work_state(std::string_view json) {
  return decode<WorkState>(json, read_work_state);
}

Result<CheckpointMetadata> decode_metadata(std::string_view json) {
  return decode<CheckpointMetadata>(json, read_metadata);
}

Result<Moment> decode_moment(std::string_view json) {
  return decode<Moment>(json, read_moment);
}

Result<ListedCheckpoint> decode_listed(std::string_view moment_json) {
  return decode<ListedCheckpoint>(moment_json, read_listed);
}

Result<std::vector<TodoItem>> decode_todo(std::string_view json) {
  return decode<std::vector<TodoItem>>(json, read_todo);
}

Result<Checkpoint> decode_checkpoint(std::string_view json) {
  return decode<Checkpoint>(json, read_checkpoint);
}

}  // namespace plankeep::core

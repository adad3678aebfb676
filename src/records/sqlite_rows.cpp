#include "records/sqlite_rows.hpp"

#include "base/sha256.hpp"
#include "core/checkpoint_json.hpp"

namespace plankeep::records {
namespace {

using base::ErrorKind;
using base::Result;
using base::Status;
using core::Checkpoint;
using core::CheckpointHead;

constexpr int kHeadCount = 8;  // of columns

base::Error damaged(const Connection& connection, const base::Error& error) {
  base::Error told = base::with_context(error, connection.path());
  if (told.hint.empty()) told.hint = "plankeep doctor says more";
  return told;
}

Status head_of(const Use& use, CheckpointHead& head) {
  head.id.text = use.text(0);
  head.instance_id = use.text(1);
  const auto type = core::checkpoint_type(use.text(2));
  const auto time = base::parse_iso8601(use.text(5));
  if (!type || !time) return base::fail(ErrorKind::corrupt, head.id.text + ": no such type or time");
  head.type = *type;
  head.sequence_num = use.number(3);
  if (!use.is_null(4)) head.context_window_percent = static_cast<int>(use.number(4));
  head.timestamp = *time;
  head.phase.text = use.text(6);
  TRY_ASSIGN(head.metadata, core::decode_metadata(use.text(7)));
  return {};
}

}  // namespace

Status read_head(const Connection& connection, const Use& use, CheckpointHead& head) {
  const Status read = head_of(use, head);
  if (!read) return base::fail(damaged(connection, read.error()));
  return {};
}

Result<Checkpoint> read_checkpoint(const Connection& connection, const Use& use) {
  Checkpoint checkpoint;
  const auto read = [&]() -> Status {
    TRY(head_of(use, checkpoint.head));
    TRY_ASSIGN(checkpoint.moment, core::decode_moment(use.text(kHeadCount)));
    TRY_ASSIGN(checkpoint.work_state, core::decode_work_state(use.text(kHeadCount + 1)));
    TRY_ASSIGN(const std::string todo, text_of(connection, use.text(kHeadCount + 2)));
    TRY_ASSIGN(checkpoint.moment.todo_snapshot, core::decode_todo(todo));
    return {};
  };
  const Status done = read();
  if (done) return checkpoint;
  base::Error error = done.error();
  // What is missing or cannot be read inside a row is damage of the row.
  if (error.kind != ErrorKind::io && error.kind != ErrorKind::busy) error.kind = ErrorKind::corrupt;
  return base::fail(damaged(connection, base::with_context(error, checkpoint.head.id.text)));
}

Status insert_checkpoint(const Connection& connection, const Checkpoint& checkpoint,
                         std::string_view work_state, std::string_view todo_digest) {
  const CheckpointHead& head = checkpoint.head;
  const core::Moment& moment = checkpoint.moment;
  const std::string timestamp = base::to_iso8601(head.timestamp);
  const std::string metadata = core::encode_metadata(head.metadata);
  const std::string moment_text = core::encode_moment(moment);
  TRY_ASSIGN(const std::int64_t added, next_number(connection, "added"));
  TRY_ASSIGN(const Statement statement,
             connection.prepare(
                 "INSERT INTO checkpoints (checkpoint_id, added, instance_id, checkpoint_type, sequence_num, "
                 "context_window_percent, timestamp, phase_id, turn, message_id, snapshot_ref, plan_digest, "
                 "todo_digest, metadata, moment, work_state) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, "
                 "?, ?, ?)"));
  Use use(connection, statement);
  const auto text_or_null = [&use](int parameter, std::string_view text) {
    if (text.empty()) {
      use.bind_null(parameter);
    } else {
      use.bind(parameter, text);
    }
  };
  int at = 0;
  use.bind(++at, head.id.text);
  use.bind(++at, added);
  use.bind(++at, head.instance_id);
  use.bind(++at, core::name_of(head.type));
  use.bind(++at, head.sequence_num);
  ++at;
  if (head.context_window_percent) {
    use.bind(at, std::int64_t{*head.context_window_percent});
  } else {
    use.bind_null(at);
  }
  use.bind(++at, timestamp);
  use.bind(++at, head.phase.text);
  ++at;
  if (moment.turn > 0) {
    use.bind(at, moment.turn);
  } else {
    use.bind_null(at);
  }
  text_or_null(++at, moment.message_id);
  text_or_null(++at, moment.snapshot ? std::string_view(moment.snapshot->ref) : std::string_view());
  text_or_null(++at, moment.plan_digest);
  use.bind(++at, todo_digest);
  use.bind(++at, metadata);
  use.bind(++at, moment_text);
  use.bind(++at, work_state);
  return use.run();
}

Result<std::int64_t> next_number(const Connection& connection, std::string_view counter) {
  TRY_ASSIGN(const Statement upsert,
             connection.prepare("INSERT INTO counters (name, value) VALUES (?, 1) ON CONFLICT (name) DO "
                                "UPDATE SET value = counters.value + 1 RETURNING value"));
  Use use(connection, upsert);
  use.bind(1, counter);
  TRY_ASSIGN(const bool row, use.step());
  if (!row) return base::fail(ErrorKind::internal, "a counter gave no number");
  const std::int64_t number = use.number(0);
  TRY(use.run());
  return number;
}

Status keep_text(const Connection& connection, std::string_view digest, std::string_view content) {
  TRY_ASSIGN(const Statement insert,
             connection.prepare(
                 "INSERT INTO texts (digest, content) VALUES (?, ?) ON CONFLICT (digest) DO NOTHING"));
  Use use(connection, insert);
  use.bind(1, digest);
  use.bind_bytes(2, content);
  return use.run();
}

Result<std::string> text_of(const Connection& connection, std::string_view digest) {
  TRY_ASSIGN(const Statement select, connection.prepare("SELECT content FROM texts WHERE digest = ?"));
  Use use(connection, select);
  use.bind(1, digest);
  TRY_ASSIGN(const bool row, use.step());
  if (!row) return base::fail(ErrorKind::not_found, "no text has the digest " + std::string(digest));
  std::string text(use.text(0));
  if (base::sha256_hex(text) != digest) {
    return base::fail(
        damaged(connection, {ErrorKind::corrupt, "a text is not what its digest says", {}, {}}));
  }
  return text;
}

}  // namespace plankeep::records

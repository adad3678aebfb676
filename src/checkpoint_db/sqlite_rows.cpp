#include "checkpoint_db/sqlite_rows.hpp"

#include <algorithm>
#include <optional>

#include "base/sha256.hpp"
#include "model/json/checkpoint_json.hpp"

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
  if (told.hint.empty()) told.hint = "for details: plankeep doctor";
  return told;
}

Status head_of(const Use& use, CheckpointHead& head) {
  head.id.text = use.text(0);
  if (!core::is_checkpoint_id(head.id.text)) return base::fail(ErrorKind::corrupt, "a row has no valid id");
  head.instance_id = use.text(1);
  const auto type = core::checkpoint_type(use.text(2));
  const auto time = base::parse_iso8601(use.text(5));
  if (!type || !time) return base::fail(ErrorKind::corrupt, head.id.text + ": no such type or time");
  head.type = *type;
  head.sequence_num = use.number(3);
  if (!use.is_null(4)) {
    constexpr std::int64_t kFull = 100;
    head.context_window_percent = static_cast<int>(std::clamp<std::int64_t>(use.number(4), 0, kFull));
  }
  head.timestamp = *time;
  head.phase.text = use.text(6);
  TRY_ASSIGN(head.metadata, core::decode_metadata(use.text(7)));
  return {};
}

// What the shared text leaves out (shared_work_state); rows from version 1 have it in their text.
Status read_prd(const Use& use, core::PrdStatus& status) {
  constexpr int kVersion = kHeadCount + 3;
  if (use.is_null(kVersion)) return {};
  const auto updated = base::parse_iso8601(use.text(kVersion + 1));
  if (!updated) return base::fail(ErrorKind::corrupt, "no such time");
  status.version = use.number(kVersion);
  status.last_updated = *updated;
  return {};
}

}  // namespace

std::string shared_work_state(core::WorkState work_state) {
  work_state.prd_status.version = 0;
  work_state.prd_status.last_updated = base::Instant{0};
  return core::encode_work_state(work_state);
}

std::string checkpoint_columns(std::int64_t version) {
  const std::string work_state =
      version == 1 ? "work_state" : "(SELECT content FROM texts WHERE digest = work_digest)";
  const std::string of_the_moment = version == 1 ? ", NULL, NULL" : ", prd_version, prd_updated";
  return std::string(kHeadColumns) + ", " + work_state + ", todo_digest" + of_the_moment;
}

Status read_listed(const Connection& connection, const Use& use, core::ListedCheckpoint& listed) {
  CheckpointHead head;
  const auto read = [&]() -> Status {
    TRY(head_of(use, head));
    TRY_ASSIGN(listed, core::decode_listed(use.text(kHeadCount)));
    return {};
  };
  const Status done = read();
  if (!done) return base::fail(damaged(connection, done.error()));
  listed.head = std::move(head);
  return {};
}

Result<Checkpoint> read_checkpoint(const Connection& connection, const Use& use) {
  Checkpoint checkpoint;
  const auto read = [&]() -> Status {
    TRY(head_of(use, checkpoint.head));
    TRY_ASSIGN(checkpoint.moment, core::decode_moment(use.text(kHeadCount)));
    TRY_ASSIGN(checkpoint.work_state, core::decode_work_state(use.text(kHeadCount + 1)));
    TRY(read_prd(use, checkpoint.work_state.prd_status));
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
                         std::string_view work_digest, std::string_view todo_digest) {
  const CheckpointHead& head = checkpoint.head;
  const core::Moment& moment = checkpoint.moment;
  const auto text_or_null = [](const std::string& text) {
    return text.empty() ? std::nullopt : std::optional(text);
  };
  const auto number = [](std::int64_t value) { return std::optional(std::to_string(value)); };
  TRY_ASSIGN(const std::int64_t added, next_number(connection, "added"));
  const ChainedRow row{head.id.text,
                       number(added),
                       head.instance_id,
                       std::string(core::name_of(head.type)),
                       number(head.sequence_num),
                       head.context_window_percent ? number(*head.context_window_percent) : std::nullopt,
                       base::to_iso8601(head.timestamp),
                       head.phase.text,
                       moment.turn > 0 ? number(moment.turn) : std::nullopt,
                       text_or_null(moment.message_id),
                       moment.snapshot ? text_or_null(moment.snapshot->ref) : std::nullopt,
                       text_or_null(moment.plan_digest),
                       std::string(todo_digest),
                       std::string(work_digest),
                       number(checkpoint.work_state.prd_status.version),
                       base::to_iso8601(checkpoint.work_state.prd_status.last_updated),
                       core::encode_metadata(head.metadata),
                       core::encode_moment(moment)};
  TRY_ASSIGN(const std::string link, last_link(connection));
  return insert_row(connection, row, next_link(link, row));
}

Status insert_row(const Connection& connection, const ChainedRow& row, std::string_view link) {
  TRY_ASSIGN(const Statement statement,
             connection.prepare("INSERT INTO checkpoints (" + std::string(kChainedColumns) +
                                ", chain) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"));
  Use use(connection, statement);
  int parameter = 0;
  for (const std::optional<std::string>& column : row) {
    // Numbers too: the columns' types turn the text into what it says.
    if (column) {
      use.bind(++parameter, *column);
    } else {
      use.bind_null(++parameter);
    }
  }
  use.bind(++parameter, link);
  return use.run();
}

Result<std::int64_t> next_number(const Connection& connection, std::string_view counter) {
  TRY_ASSIGN(const Statement update,
             connection.prepare("UPDATE counters SET value = value + 1 WHERE name = ? "
                                "RETURNING value"));
  {
    Use use(connection, update);
    use.bind(1, counter);
    TRY_ASSIGN(const bool row, use.step());
    if (row) {
      const std::int64_t number = use.number(0);
      TRY(use.run());
      return number;
    }
  }
  TRY_ASSIGN(const Statement insert, connection.prepare("INSERT INTO counters (name, value) VALUES (?, 1)"));
  Use use(connection, insert);
  use.bind(1, counter);
  TRY(use.run());
  return std::int64_t{1};
}

Status raise_counter(const Connection& connection, std::string_view counter, std::int64_t least) {
  TRY_ASSIGN(const Statement update,
             connection.prepare("UPDATE counters SET value = ?2 WHERE name = ?1 AND value < ?2"));
  TRY_ASSIGN(const Statement insert,
             connection.prepare("INSERT INTO counters (name, value) SELECT ?1, ?2 WHERE NOT EXISTS (SELECT 1 "
                                "FROM counters WHERE name = ?1)"));
  TRY_ASSIGN(Transaction transaction, Transaction::begin(connection));
  for (const Statement* statement : {&update, &insert}) {
    Use use(connection, *statement);
    use.bind(1, counter);
    use.bind(2, least);
    TRY(use.run());
  }
  return transaction.commit();
}

Status keep_text(const Connection& connection, std::string_view digest, std::string_view content) {
  TRY_ASSIGN(const Statement insert,
             connection.prepare(
                 "INSERT INTO texts (digest, content) SELECT ?1, ?2 WHERE NOT EXISTS (SELECT 1 FROM texts "
                 "WHERE digest = ?1)"));
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
    return base::fail(damaged(connection, {ErrorKind::corrupt, "a text does not match its digest", {}, {}}));
  }
  return text;
}

}  // namespace plankeep::records

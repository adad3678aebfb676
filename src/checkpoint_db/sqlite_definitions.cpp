#include "checkpoint_db/sqlite_definitions.hpp"

#include <array>

namespace plankeep::records {
namespace {

constexpr std::array<std::string_view, 20> kVersion1{
    // Numbers that were given out: of each id's prefix, of turns, of rows. Never go back, also after a
    // cleanup.
    R"(CREATE TABLE counters (
  name TEXT NOT NULL PRIMARY KEY,
  value INTEGER NOT NULL
) STRICT)",
    // Plans and lists of tasks under the SHA-256 of their bytes.
    R"(CREATE TABLE texts (
  digest TEXT NOT NULL PRIMARY KEY,
  content BLOB NOT NULL
) STRICT)",
    // Has a row only inside the transaction of a cleanup.
    R"(CREATE TABLE cleaning (
  door INTEGER NOT NULL PRIMARY KEY
) STRICT)",
    // What lists want stands first, what is long last.
    R"(CREATE TABLE checkpoints (
  checkpoint_id TEXT NOT NULL PRIMARY KEY,
  added INTEGER NOT NULL UNIQUE,
  instance_id TEXT NOT NULL,
  checkpoint_type TEXT NOT NULL,
  sequence_num INTEGER NOT NULL,
  context_window_percent INTEGER,
  timestamp TEXT NOT NULL,
  phase_id TEXT NOT NULL,
  turn INTEGER UNIQUE,
  message_id TEXT,
  snapshot_ref TEXT,
  plan_digest TEXT REFERENCES texts (digest),
  todo_digest TEXT NOT NULL REFERENCES texts (digest),
  metadata TEXT NOT NULL,
  moment TEXT NOT NULL,
  work_state TEXT NOT NULL
) STRICT)",
    "CREATE INDEX checkpoints_by_time ON checkpoints (timestamp, added)",
    "CREATE INDEX checkpoints_by_type ON checkpoints (checkpoint_type, timestamp, added)",
    "CREATE INDEX checkpoints_by_phase ON checkpoints (phase_id, timestamp, added)",
    "CREATE INDEX checkpoints_by_instance ON checkpoints (instance_id, timestamp, added)",
    "CREATE INDEX checkpoints_by_message ON checkpoints (message_id, timestamp, added)",
    "CREATE INDEX checkpoints_by_snapshot ON checkpoints (snapshot_ref)",
    "CREATE INDEX checkpoints_by_plan ON checkpoints (plan_digest)",
    "CREATE INDEX checkpoints_by_todo ON checkpoints (todo_digest)",
    R"(CREATE TRIGGER checkpoints_never_change BEFORE UPDATE ON checkpoints
BEGIN
  SELECT RAISE(ABORT, 'checkpoints are immutable');
END)",
    R"(CREATE TRIGGER checkpoints_stay BEFORE DELETE ON checkpoints
WHEN NOT EXISTS (SELECT 1 FROM cleaning)
BEGIN
  SELECT RAISE(ABORT, 'checkpoints are deleted by a cleanup only');
END)",
    R"(CREATE TRIGGER texts_never_change BEFORE UPDATE ON texts
BEGIN
  SELECT RAISE(ABORT, 'texts are immutable');
END)",
    R"(CREATE TRIGGER texts_stay BEFORE DELETE ON texts
WHEN NOT EXISTS (SELECT 1 FROM cleaning)
BEGIN
  SELECT RAISE(ABORT, 'texts are deleted by a cleanup only');
END)",
    R"(CREATE TRIGGER counters_never_go_back BEFORE UPDATE ON counters
WHEN NEW.value <= OLD.value OR NEW.name <> OLD.name
BEGIN
  SELECT RAISE(ABORT, 'counters never go back');
END)",
    R"(CREATE TRIGGER counters_stay BEFORE DELETE ON counters
BEGIN
  SELECT RAISE(ABORT, 'counters stay');
END)",
    R"(CREATE TRIGGER cleaning_is_one BEFORE INSERT ON cleaning
WHEN EXISTS (SELECT 1 FROM cleaning)
BEGIN
  SELECT RAISE(ABORT, 'a cleanup is going on');
END)",
    R"(CREATE TRIGGER cleaning_never_changes BEFORE UPDATE ON cleaning
BEGIN
  SELECT RAISE(ABORT, 'the door is opened and closed only');
END)",
};

// Version 2: what a row says is checked, what was there is not replaced, and rows are chained
// (checkpoint_db/sqlite_chain). The work's state stands among the texts: turns that changed nothing share
// one.
constexpr std::array<std::string_view, 28> kVersion2{
    R"(CREATE TABLE counters (
  name TEXT NOT NULL PRIMARY KEY,
  value INTEGER NOT NULL
) STRICT)",
    R"(CREATE TABLE texts (
  digest TEXT NOT NULL PRIMARY KEY,
  content BLOB NOT NULL
) STRICT)",
    R"(CREATE TABLE cleaning (
  door INTEGER NOT NULL PRIMARY KEY
) STRICT)",
    // What is left of a row that a cleanup deleted, so that the chain goes on.
    R"(CREATE TABLE cleaned (
  added INTEGER NOT NULL PRIMARY KEY,
  checkpoint_id TEXT NOT NULL,
  chain TEXT NOT NULL
) STRICT)",
    R"(CREATE TABLE checkpoints (
  checkpoint_id TEXT NOT NULL PRIMARY KEY CHECK (
    checkpoint_id GLOB 'cp_[0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f]_[0-9][0-9][0-9]*'
    AND substr(checkpoint_id, 11) NOT GLOB '*[^0-9]*'
  ),
  added INTEGER NOT NULL UNIQUE CHECK (added > 0),
  instance_id TEXT NOT NULL,
  checkpoint_type TEXT NOT NULL CHECK (
    checkpoint_type IN ('context_window', 'epic_completion', 'manual', 'turn', 'pre_compact', 'session_end',
                        'pre_rewind')
  ),
  sequence_num INTEGER NOT NULL CHECK (sequence_num >= 0),
  context_window_percent INTEGER CHECK (context_window_percent BETWEEN 0 AND 100),
  timestamp TEXT NOT NULL CHECK (length(timestamp) = 24 AND timestamp GLOB '[0-9]*T*Z'),
  phase_id TEXT NOT NULL,
  turn INTEGER UNIQUE CHECK (turn > 0),
  message_id TEXT,
  snapshot_ref TEXT,
  plan_digest TEXT REFERENCES texts (digest),
  todo_digest TEXT NOT NULL REFERENCES texts (digest),
  work_digest TEXT NOT NULL REFERENCES texts (digest),
  prd_version INTEGER,
  prd_updated TEXT,
  chain TEXT NOT NULL CHECK (length(chain) = 64),
  metadata TEXT NOT NULL,
  moment TEXT NOT NULL
) STRICT)",
    "CREATE INDEX checkpoints_by_time ON checkpoints (timestamp, added)",
    "CREATE INDEX checkpoints_by_type ON checkpoints (checkpoint_type, timestamp, added)",
    "CREATE INDEX checkpoints_by_phase ON checkpoints (phase_id, timestamp, added)",
    "CREATE INDEX checkpoints_by_instance ON checkpoints (instance_id, timestamp, added)",
    "CREATE INDEX checkpoints_by_message ON checkpoints (message_id, timestamp, added)",
    "CREATE INDEX checkpoints_by_snapshot ON checkpoints (snapshot_ref)",
    "CREATE INDEX checkpoints_by_plan ON checkpoints (plan_digest)",
    "CREATE INDEX checkpoints_by_todo ON checkpoints (todo_digest)",
    "CREATE INDEX checkpoints_by_work ON checkpoints (work_digest)",
    R"(CREATE TRIGGER checkpoints_never_change BEFORE UPDATE ON checkpoints
BEGIN
  SELECT RAISE(ABORT, 'checkpoints are immutable');
END)",
    // INSERT OR REPLACE deletes what is in its way, and no trigger on deletion runs unless the connection
    // asks for it.
    R"(CREATE TRIGGER checkpoints_are_not_replaced BEFORE INSERT ON checkpoints
WHEN EXISTS (
  SELECT 1 FROM checkpoints
  WHERE checkpoint_id = NEW.checkpoint_id OR added = NEW.added OR turn = NEW.turn
)
BEGIN
  SELECT RAISE(ABORT, 'checkpoints are immutable');
END)",
    R"(CREATE TRIGGER checkpoints_stay BEFORE DELETE ON checkpoints
WHEN NOT EXISTS (SELECT 1 FROM cleaning) OR NOT EXISTS (SELECT 1 FROM cleaned WHERE added = OLD.added)
BEGIN
  SELECT RAISE(ABORT, 'checkpoints are deleted by a cleanup only');
END)",
    R"(CREATE TRIGGER cleaned_are_checkpoints BEFORE INSERT ON cleaned
WHEN NOT EXISTS (SELECT 1 FROM cleaning)
  OR NOT EXISTS (SELECT 1 FROM checkpoints WHERE added = NEW.added AND chain = NEW.chain)
BEGIN
  SELECT RAISE(ABORT, 'only a cleanup deletes checkpoints');
END)",
    R"(CREATE TRIGGER cleaned_never_change BEFORE UPDATE ON cleaned
BEGIN
  SELECT RAISE(ABORT, 'links of the chain are immutable');
END)",
    R"(CREATE TRIGGER cleaned_stay BEFORE DELETE ON cleaned
BEGIN
  SELECT RAISE(ABORT, 'links of the chain stay');
END)",
    R"(CREATE TRIGGER texts_never_change BEFORE UPDATE ON texts
BEGIN
  SELECT RAISE(ABORT, 'texts are immutable');
END)",
    R"(CREATE TRIGGER texts_are_not_replaced BEFORE INSERT ON texts
WHEN EXISTS (SELECT 1 FROM texts WHERE digest = NEW.digest)
BEGIN
  SELECT RAISE(ABORT, 'texts are immutable');
END)",
    R"(CREATE TRIGGER texts_stay BEFORE DELETE ON texts
WHEN NOT EXISTS (SELECT 1 FROM cleaning)
BEGIN
  SELECT RAISE(ABORT, 'texts are deleted by a cleanup only');
END)",
    R"(CREATE TRIGGER counters_never_go_back BEFORE UPDATE ON counters
WHEN NEW.value <= OLD.value OR NEW.name <> OLD.name
BEGIN
  SELECT RAISE(ABORT, 'counters never go back');
END)",
    R"(CREATE TRIGGER counters_are_not_replaced BEFORE INSERT ON counters
WHEN EXISTS (SELECT 1 FROM counters WHERE name = NEW.name)
BEGIN
  SELECT RAISE(ABORT, 'counters never go back');
END)",
    R"(CREATE TRIGGER counters_stay BEFORE DELETE ON counters
BEGIN
  SELECT RAISE(ABORT, 'counters stay');
END)",
    R"(CREATE TRIGGER cleaning_is_one BEFORE INSERT ON cleaning
WHEN EXISTS (SELECT 1 FROM cleaning)
BEGIN
  SELECT RAISE(ABORT, 'a cleanup is going on');
END)",
    R"(CREATE TRIGGER cleaning_never_changes BEFORE UPDATE ON cleaning
BEGIN
  SELECT RAISE(ABORT, 'the door is opened and closed only');
END)",
};

}  // namespace

std::span<const std::string_view> definitions_of(std::int64_t version) {
  return version == 1 ? std::span<const std::string_view>(kVersion1) : kVersion2;
}

}  // namespace plankeep::records

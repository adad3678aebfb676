// Rows that somebody else changed, put in or took out, rows that cannot be read, and the upgrade from
// version 1.

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "base/sha256.hpp"
#include "checkpoint_db/sqlite_definitions.hpp"
#include "checkpoint_db/sqlite_desk.hpp"
#include "checkpoint_db/sqlite_schema.hpp"
#include "model/json/checkpoint_json.hpp"

using namespace plankeep;
using base::ErrorKind;
using core::Checkpoint;
using core::CheckpointType;
using records::Access;
using test::Desk;
using test::some;

namespace {

// As plankeep 0.1 made it: two turns, of three rows the last cannot be read, and one was cleaned up.
void make_version_1(const Desk& desk) {
  std::string sql = "PRAGMA journal_mode = WAL;";
  for (const std::string_view text : records::definitions_of(1)) sql += std::string(text) + ";";
  sql += "PRAGMA application_id = " + std::to_string(records::kApplicationId) +
         "; PRAGMA user_version = 1; INSERT INTO counters VALUES ('added', 4), ('turn', 2);";
  Checkpoint checkpoint = some("s1", CheckpointType::turn);
  checkpoint.work_state.environment.project = "old";
  const std::string todo = core::encode_todo({});
  const std::string digest = base::sha256_hex(todo);
  sql += "INSERT INTO texts VALUES ('" + digest + "', CAST('" + todo + "' AS BLOB));";
  const std::vector<std::array<std::string, 4>> rows{{"cp_000000_001", "1", "'turn'", "1"},
                                                     {"cp_000000_002", "3", "'turn'", "2"},
                                                     {"cp_000000_003", "4", "'nonsense'", "NULL"}};
  for (const auto& [id, added, type, turn] : rows) {
    sql += "INSERT INTO checkpoints VALUES ('" + id + "', " + added + ", 's1', " + type +
           ", 0, NULL, '2025-01-01T00:00:00.000Z', 'build', " + turn + ", NULL, NULL, NULL, '" + digest +
           "', '" + core::encode_metadata(checkpoint.head.metadata) + "', '" +
           core::encode_moment(checkpoint.moment) + "', '" + core::encode_work_state(checkpoint.work_state) +
           "');";
  }
  REQUIRE(desk.by_hand(sql).empty());
}

}  // namespace

TEST_CASE("the database refuses a row that is no checkpoint") {
  Desk desk;
  { REQUIRE((*desk.open())->add(some(), {}).has_value()); }
  const auto refused = [&](const std::string& id, const std::string& type, const std::string& percent) {
    return desk
        .by_hand("INSERT INTO checkpoints SELECT " + id + ", 2, instance_id, " + type + ", 0, " + percent +
                 ", timestamp, phase_id, NULL, NULL, NULL, NULL, todo_digest, work_digest, prd_version, "
                 "prd_updated, chain, metadata, "
                 "moment FROM checkpoints")
        .starts_with("CHECK constraint failed");
  };
  CHECK(refused("'cp_000000_009'", "'nonsense'", "NULL"));
  CHECK(refused("'cp_000000_009'", "'manual'", "1000"));
  CHECK(refused("'cp_000000_009' || char(27)", "'manual'", "NULL"));
  CHECK(refused("'../../x'", "'manual'", "NULL"));
}

TEST_CASE("a row that cannot be read is passed over, named, and an error where it is asked for") {
  Desk desk;
  { REQUIRE((*desk.open())->add(some("s1", CheckpointType::turn), {}).has_value()); }
  // Newer than the other one.
  CHECK(
      desk.by_hand(
              "PRAGMA ignore_check_constraints = ON; INSERT INTO checkpoints SELECT 'cp_000000_009', 2, "
              "instance_id, 'nonsense', 0, 1000, '2099-01-01T00:00:00.000Z', phase_id, 2, 'm', NULL, NULL, "
              "todo_digest, work_digest, prd_version, prd_updated, chain, metadata, moment FROM checkpoints")
          .empty());
  const auto store = desk.open(Access::read);
  const auto said = [&] {
    const std::vector<std::string> warnings = (*store)->take_warnings();
    return warnings.size() == 1 &&
           warnings.front().starts_with("1 checkpoint cannot be read and is ignored: ") &&
           warnings.front().find("cp_000000_009") != std::string::npos;
  };
  CHECK((*store)->list({.limit = 1})->size() == 1);
  CHECK(said());
  CHECK((*store)->latest({})->value().head.type == CheckpointType::turn);
  CHECK(said());
  CHECK((*store)->by_message("m").error().kind == ErrorKind::not_found);
  CHECK(said());
  int seen = 0;
  CHECK((*store)->for_each([&](const Checkpoint&) { return ++seen > 0; }).has_value());
  CHECK(seen == 1);
  CHECK(said());
  CHECK((*store)->get(core::CheckpointId("cp_000000_009")).error().kind == ErrorKind::corrupt);
  CHECK((*store)->turn(2).error().kind == ErrorKind::corrupt);
  const auto examined = (*store)->examine();
  CHECK(examined->damage.empty());
  REQUIRE_FALSE(examined->changed.empty());
  CHECK(examined->changed.front().find("cp_000000_009") != std::string::npos);
}

TEST_CASE("a row that was changed, put in or taken out is found and named") {
  Desk desk;
  std::vector<std::string> ids;
  for (int i = 0; i < 4; ++i) ids.push_back((*desk.open())->add(some(), {})->head.id.text);
  const auto found = [&] { return (*desk.open(Access::read))->examine()->changed; };
  CHECK(found().empty());
  // As somebody does it who takes the triggers away for a moment.
  const auto unguarded = [&](const std::string& sql) {
    std::string drop;
    std::string make;
    for (const std::string_view text : records::definitions_of(records::kLatestVersion)) {
      if (!text.starts_with("CREATE TRIGGER ")) continue;
      const std::string_view name = text.substr(15, text.find(' ', 15) - 15);
      drop += "DROP TRIGGER " + std::string(name) + ";";
      make += std::string(text) + ";";
    }
    CHECK(desk.by_hand("BEGIN;" + drop + sql + ";" + make + "COMMIT").empty());
  };
  SECTION("rewritten") {
    unguarded("UPDATE checkpoints SET metadata = replace(metadata, 'false', 'true') WHERE checkpoint_id = '" +
              ids[1] + "'");
  }
  SECTION("dated back") {
    unguarded("UPDATE checkpoints SET timestamp = '2001-01-01T00:00:00.000Z' WHERE checkpoint_id = '" +
              ids[1] + "'");
  }
  SECTION("removed") {
    unguarded("DELETE FROM checkpoints WHERE checkpoint_id = '" + ids[2] + "'");
  }
  SECTION("put in") {
    unguarded(
        "UPDATE counters SET value = 5 WHERE name = 'added'; INSERT INTO checkpoints SELECT 'cp_000000_009', "
        "5, instance_id, checkpoint_type, 0, NULL, timestamp, phase_id, NULL, NULL, NULL, NULL, todo_digest, "
        "work_digest, prd_version, prd_updated, chain, metadata, moment FROM checkpoints WHERE checkpoint_id "
        "= '" +
        ids[1] + "'");
    ids[1] = "cp_000000_009";
  }
  SECTION("the newest removed") {
    unguarded("DELETE FROM checkpoints WHERE checkpoint_id = '" + ids[3] + "'");
    ids[1] = ids[2];
  }
  SECTION("a text changed") {
    unguarded(
        "UPDATE texts SET content = x'7b7d' WHERE digest = (SELECT work_digest FROM checkpoints WHERE "
        "checkpoint_id = '" +
        ids[1] + "')");
  }
  const std::vector<std::string> sentences = found();
  REQUIRE_FALSE(sentences.empty());
  CHECK(std::any_of(sentences.begin(), sentences.end(),
                    [&](const std::string& sentence) { return sentence.find(ids[1]) != std::string::npos; }));
  CHECK((*desk.open())->add(some(), {}).has_value());
}

TEST_CASE("a cleanup leaves a chain that holds") {
  Desk desk;
  const auto store = desk.open();
  for (int i = 0; i < 6; ++i) {
    Checkpoint checkpoint = some("s1", i % 2 == 0 ? CheckpointType::epic_completion : CheckpointType::turn);
    REQUIRE((*store)->add(checkpoint, {}).has_value());
  }
  CHECK((*store)->clean_up({base::Instant{4'000'000'000'000}}, false)->deleted_count == 3);
  CHECK((*store)->examine()->changed.empty());
  REQUIRE((*store)->add(some(), {}).has_value());
  CHECK((*store)->examine()->changed.empty());
  CHECK((*store)->clean_up({base::Instant{4'000'000'000'000}, {}}, false)->deleted_count == 4);
  REQUIRE((*store)->add(some(), {}).has_value());
  CHECK((*store)->examine()->changed.empty());
}

TEST_CASE("turns that changed nothing share what is long") {
  Desk desk;
  const auto store = desk.open();
  Checkpoint checkpoint = some("s1", CheckpointType::turn);
  for (int i = 0; i < 40; ++i)
    checkpoint.work_state.files_modified.push_back({std::string(80, 'f'), "modified", 1, {}});
  REQUIRE((*store)->add(checkpoint, {}).has_value());
  const std::int64_t texts = (*store)->stats()->texts;
  for (int i = 0; i < 10; ++i) {
    ++checkpoint.work_state.prd_status.version;
    checkpoint.work_state.prd_status.last_updated = base::Instant{1'763'000'000'000 + i};
    REQUIRE((*store)->add(checkpoint, {}).has_value());
  }
  CHECK((*store)->turn(11)->work_state.prd_status == checkpoint.work_state.prd_status);
  CHECK((*store)->stats()->texts == texts);
  CHECK((*store)->turn(7)->work_state.files_modified.size() ==
        (*store)->turn(1)->work_state.files_modified.size());
  CHECK((*store)->examine()->changed.empty());
}

TEST_CASE("a store of version 1 is read as it is, and upgraded whole by whoever writes") {
  Desk desk;
  make_version_1(desk);
  {
    const auto reader = desk.open(Access::read);
    REQUIRE(reader.has_value());
    CHECK((*reader)->list({})->size() == 2);
    CHECK((*reader)->take_warnings().size() == 1);
    CHECK((*reader)->turn(1)->work_state.environment.project == "old");
    CHECK(desk.by_hand("SELECT work_state FROM checkpoints").empty());
  }
  {
    const auto writer = desk.open();
    REQUIRE(writer.has_value());
    CHECK((*writer)->list({})->size() == 2);
    CHECK((*writer)->turn(1)->work_state.environment.project == "old");
    CHECK((*writer)->add(some("s1", CheckpointType::turn), {})->moment.turn == 3);
    // The row that cannot be read is there still.
    const auto examined = (*writer)->examine();
    CHECK(examined->damage.empty());
    REQUIRE(examined->changed.size() == 1);
    CHECK(examined->changed.front().find("cp_000000_003") != std::string::npos);
  }
  CHECK((*desk.open())->list({})->size() == 3);
}

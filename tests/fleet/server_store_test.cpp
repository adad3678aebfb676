// What the common suite does not test: logins, other connections, and rows that other programs wrote.

#include "fleet/checkpoints/server_store.hpp"

#include <algorithm>
#include <set>
#include <thread>

#include "base/sha256.hpp"
#include "fleet/server_engine.hpp"

using namespace plankeep;
using base::ErrorKind;
using core::Checkpoint;
using core::CheckpointType;

namespace {

Checkpoint turn_of(const std::string& session) {
  Checkpoint checkpoint;
  checkpoint.head.type = CheckpointType::turn;
  checkpoint.head.instance_id = session;
  checkpoint.head.timestamp = base::Instant{1'763'000'000'000};
  return checkpoint;
}

bool refused(fleet::Connection& connection, const std::string& statement,
             const std::vector<fleet::Value>& values) {
  return !connection.change(statement, values).has_value();
}

// As a stranger's program writes it.
void write_row(test::ServerEngine& engine, const std::string& id, const std::string& body) {
  REQUIRE(engine.connection->change(
      "INSERT INTO plankeep.checkpoint (replica, id, type, ts, phase, body) VALUES ($1::uuid, $2, "
      "'turn', now(), '', $3::jsonb)",
      {engine.replica, id, body}));
}

}  // namespace

TEST_CASE("a writer adds and reads, and what was recorded stays") {
  test::ServerEngine kim("kim");
  const std::string text = "# Plan\n";
  Checkpoint given = turn_of("s1");
  given.moment.plan_digest = base::sha256_hex(text);
  const auto added = kim.store().add(given, text);
  REQUIRE(added.has_value());
  const records::CleanUp all{base::Instant{4'000'000'000'000}, {}};
  CHECK(kim.store().clean_up(all, true)->deleted_count == 1);
  const auto cleaned = kim.store().clean_up(all, false);
  REQUIRE_FALSE(cleaned.has_value());
  CHECK(cleaned.error().kind == ErrorKind::io);
  CHECK(cleaned.error().hint.find("plankeep_admin") != std::string::npos);
  for (const char* const statement :
       {"DELETE FROM plankeep.checkpoint WHERE replica = $1::uuid",
        "UPDATE plankeep.checkpoint SET body = '{}' WHERE replica = $1::uuid",
        "UPDATE plankeep.checkpoint SET turn = 7 WHERE replica = $1::uuid",
        "DELETE FROM plankeep.checkpoint_text WHERE replica = $1::uuid",
        "UPDATE plankeep.checkpoint_text SET content = '' WHERE replica = $1::uuid",
        "INSERT INTO plankeep.checkpoint_number VALUES ($1::uuid, 'turn', 99)"}) {
    INFO(statement);
    CHECK(refused(*kim.connection, statement, {kim.replica}));
  }
  CHECK(kim.store().get(added->head.id).value() == *added);
  CHECK(kim.store().plan_text(given.moment.plan_digest).value() == text);
  CHECK(kim.store().add(turn_of("s1"), {})->moment.turn == 2);
}

TEST_CASE("every reader can read every store, but only add to its own") {
  test::ServerEngine kim("kim");
  const auto added = kim.store().add(turn_of("s1"), {});
  REQUIRE(added.has_value());
  for (const char* const login : {"ada", "eve"}) {
    const auto connection = test::connect_as(login);
    const auto store = fleet::open_server_store(*connection, kim.replica);
    REQUIRE(store.has_value());
    CHECK((*store)->get(added->head.id).value() == *added);
    CHECK((*store)->turn(1).value() == *added);
    CHECK((*store)->examine()->changed.empty());
    const auto forged = (*store)->add(turn_of("s1"), {});
    REQUIRE_FALSE(forged.has_value());
    CHECK(forged.error().kind == ErrorKind::io);
    // The connection is of use still: nothing is left open on it.
    CHECK((*store)->list({})->size() == 1);
  }
  CHECK(kim.store().list({})->size() == 1);
}

TEST_CASE("concurrent adds get different numbers") {
  const test::ServerEngine kim("kim");
  constexpr int kAdders = 4;
  constexpr int kEach = 12;
  std::vector<std::vector<Checkpoint>> made(kAdders);
  std::vector<std::thread> adders;
  std::vector<std::unique_ptr<fleet::Connection>> connections;
  for (int i = 0; i < kAdders; ++i) connections.push_back(test::connect_as("kim"));
  for (int i = 0; i < kAdders; ++i) {
    adders.emplace_back([&kim, &connections, &made, i] {
      const auto index = static_cast<std::size_t>(i);
      const auto store = fleet::open_server_store(*connections[index], kim.replica);
      for (int n = 0; store && n < kEach; ++n) {
        auto added = (*store)->add(turn_of(n % 2 == 0 ? "s1" : "s2"), {});
        if (added) made[index].push_back(std::move(*added));
      }
    });
  }
  for (std::thread& adder : adders) adder.join();
  std::set<std::string> ids;
  std::set<std::int64_t> turns;
  for (const auto& one : made) {
    CHECK(one.size() == kEach);
    for (const Checkpoint& checkpoint : one) {
      ids.insert(checkpoint.head.id.text);
      turns.insert(checkpoint.moment.turn);
    }
  }
  CHECK(ids.size() == kAdders * kEach);
  CHECK(turns.size() == kAdders * kEach);
  CHECK(*turns.rbegin() == kAdders * kEach);
}

TEST_CASE("a locked store is busy until the lock is released") {
  test::ServerEngine kim("kim");
  const auto other = test::connect_as("kim");
  REQUIRE(other->script("BEGIN"));
  REQUIRE(other->query("SELECT pg_advisory_xact_lock(hashtextextended('plankeep.checkpoint ' || $1, 0))",
                       {kim.replica}));
  const auto added = kim.store().add(turn_of("s1"), {});
  REQUIRE_FALSE(added.has_value());
  CHECK(added.error().kind == ErrorKind::busy);
  CHECK(kim.store().list({})->empty());
  REQUIRE(other->script("COMMIT"));
  CHECK(kim.store().add(turn_of("s1"), {})->moment.turn == 1);
}

TEST_CASE("a broken connection is busy, and stores nothing partially") {
  test::ServerEngine kim("kim");
  REQUIRE(kim.store().add(turn_of("s1"), {}));
  (void)kim.connection->script("SELECT pg_terminate_backend(pg_backend_pid())");
  CHECK(kim.store().add(turn_of("s1"), {}).error().kind == ErrorKind::busy);
  CHECK(kim.store().list({}).error().kind == ErrorKind::busy);
  const auto again = test::connect_as("kim");
  CHECK((*fleet::open_server_store(*again, kim.replica))->list({})->size() == 1);
}

TEST_CASE("a record that cannot be read is passed over, and corrupt when it is asked for") {
  test::ServerEngine kim("kim");
  const auto good = kim.store().add(turn_of("s1"), {});
  REQUIRE(good.has_value());
  write_row(kim, "cp_abcdef_001", R"({"moment":{"turn":9}})");
  write_row(kim, "cp_abcdef_002", R"("no record")");
  write_row(kim, "cp_abcdef_003", R"({"moment":{"turn":1e99}})");
  write_row(kim, "cp_abcdef_004", R"([1])");
  CHECK(kim.store().list({})->size() == 1);
  const auto warnings = kim.store().take_warnings();
  REQUIRE(warnings.size() == 1);
  CHECK(warnings.front().find("4 checkpoints cannot be read") == 0);
  CHECK(kim.store().take_warnings().empty());
  CHECK(kim.store().latest({}).value()->head.id == good->head.id);
  CHECK(kim.store().get(core::CheckpointId("cp_abcdef_002")).error().kind == ErrorKind::corrupt);
  CHECK(kim.store().turn(9).error().kind == ErrorKind::corrupt);
  CHECK(kim.store().examine()->changed.size() == 4);
  CHECK(kim.store().examine()->damage.empty());
}

TEST_CASE("columns that differ from the record are found") {
  test::ServerEngine kim("kim");
  const auto first = kim.store().add(turn_of("s1"), {});
  REQUIRE(first.has_value());
  REQUIRE(kim.connection->change(
      "INSERT INTO plankeep.checkpoint (replica, id, type, ts, phase, body) SELECT replica, "
      "'cp_abcdef_001', 'manual', now(), '', body || '{\"checkpoint_id\": \"cp_abcdef_001\"}' FROM "
      "plankeep.checkpoint WHERE replica = $1::uuid",
      {kim.replica}));
  const auto found = kim.store().examine()->changed;
  REQUIRE(found.size() == 2);
  CHECK(found[0].find("another type or time") != std::string::npos);
  CHECK(found[1].find("turn 1 is there twice") != std::string::npos);
}

TEST_CASE("checkpoints with a NUL are found, and told apart") {
  test::ServerEngine kim("kim");
  const std::string session(
      "s\0"
      "1",
      3);
  Checkpoint given = turn_of(session);
  given.moment.message_id = std::string("m\0", 2);
  const auto added = kim.store().add(given, {});
  REQUIRE(added.has_value());
  CHECK(kim.store().get(added->head.id).value() == *added);
  CHECK(kim.store().turn(1).value() == *added);
  CHECK(kim.store().list({.instance = session})->size() == 1);
  CHECK(kim.store()
            .list({.instance = "s\xef\xbf\xbd"
                               "1"})
            ->empty());
  CHECK(kim.store().by_message(given.moment.message_id).value() == *added);
  CHECK(kim.store().by_message("m\xef\xbf\xbd").error().kind == ErrorKind::not_found);
  CHECK(kim.store().get(core::CheckpointId(added->head.id.text + std::string("\0x", 2))).error().kind ==
        ErrorKind::not_found);
}

TEST_CASE("the server checks a text's digest, and keeps texts that checkpoints refer to") {
  test::ServerEngine keeper("keeper");
  const std::string text = "# Plan\n";
  CHECK(refused(*keeper.connection,
                "INSERT INTO plankeep.checkpoint_text (replica, digest, content) VALUES ($1::uuid, "
                "repeat('0', 64), 'x')",
                {keeper.replica}));
  Checkpoint given = turn_of("s1");
  given.moment.plan_digest = base::sha256_hex(text);
  REQUIRE(keeper.store().add(given, text));
  REQUIRE(keeper.connection->script("SET ROLE plankeep_admin"));
  CHECK(refused(*keeper.connection, "DELETE FROM plankeep.checkpoint_text WHERE replica = $1::uuid",
                {keeper.replica}));
  CHECK(refused(*keeper.connection,
                "UPDATE plankeep.checkpoint_text SET content = 'x' WHERE replica = $1::uuid",
                {keeper.replica}));
  REQUIRE(keeper.connection->script("RESET ROLE"));
  CHECK(keeper.store().plan_text(given.moment.plan_digest).value() == text);
}

TEST_CASE("a replica that is not there, and a schema that is newer, are refused") {
  test::ServerEngine keeper("keeper");
  for (const std::string& none : {std::string("00000000-0000-0000-0000-00000000dead"), std::string("x"),
                                  std::string("' OR true --"), std::string()}) {
    CHECK(fleet::open_server_store(*keeper.connection, none).error().kind == ErrorKind::not_found);
  }
  const auto as_owner = [&](const std::string& statement) {
    REQUIRE(keeper.connection->script("SET ROLE plankeep_admin; " + statement + "; RESET ROLE"));
  };
  as_owner("INSERT INTO plankeep.schema_version (version) VALUES (99)");
  CHECK(fleet::open_server_store(*keeper.connection, keeper.replica).error().kind == ErrorKind::conflict);
  as_owner("DELETE FROM plankeep.schema_version WHERE version = 99");
  CHECK(fleet::open_server_store(*keeper.connection, keeper.replica).has_value());
}

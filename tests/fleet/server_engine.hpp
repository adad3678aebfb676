#pragma once
// A replica of its own on the fleet's server that store_test.py has started. For the program
// fleet_store_tests, which that script runs: $PLANKEEP_TEST_SERVER is the address without a user.

#include <catch2/catch.hpp>
#include <cstdlib>
#include <memory>
#include <string>

#include "checkpoint_db/engines.hpp"
#include "fleet/checkpoints/server_store.hpp"
#include "fleet/postgres.hpp"
#include "system/posix/socket_wait.hpp"

namespace plankeep::test {

/// A connection as one of store_test.py's logins: "keeper" (plankeep_writer and plankeep_admin), "kim" and
/// "ada" (plankeep_writer), "eve" (plankeep_reader).
inline std::unique_ptr<fleet::Connection> connect_as(const std::string& login) {
  const char* const server = std::getenv("PLANKEEP_TEST_SERVER");
  REQUIRE(server != nullptr);
  const auto address =
      fleet::read_address(std::string(server) + " user=" + login + " password=" + login + "-secret");
  auto connection = fleet::Connection::open(
      address.value(), [](int socket, fleet::Direction direction, std::chrono::milliseconds time) {
        return system::wait_for_socket(socket, direction == fleet::Direction::write, time);
      });
  if (!connection) FAIL(connection.error().message);
  return std::move(*connection);
}

/// Makes a replica of that login; gives its id.
inline std::string new_replica(fleet::Connection& connection) {
  REQUIRE(connection.change("INSERT INTO plankeep.project (name) VALUES ('suite') ON CONFLICT DO NOTHING"));
  REQUIRE(connection.change(
      "INSERT INTO plankeep.plan (project, path) SELECT id, 'plan.md' FROM plankeep.project "
      "ON CONFLICT DO NOTHING"));
  const auto id = connection.query("SELECT gen_random_uuid()");
  REQUIRE(id);
  const std::string replica = id->front().front().value();
  REQUIRE(connection.change(
      "INSERT INTO plankeep.replica (id, plan, machine) SELECT $1::uuid, id, '0123456789abcdef' "
      "FROM plankeep.plan LIMIT 1",
      {replica}));
  return replica;
}

struct ServerEngine : Engine {
  explicit ServerEngine(const std::string& login) : connection(connect_as(login)) {}

  std::unique_ptr<fleet::Connection> connection;
  std::string replica = new_replica(*connection);
  std::unique_ptr<records::CheckpointStore> made = fleet::open_server_store(*connection, replica).value();
  records::CheckpointStore& store() override { return *made; }
};

}  // namespace plankeep::test

#pragma once
// The engines that checkpoint_store_test.cpp tests. Each test program that it is built into defines its own
// list: local_engines.cpp here, tests/fleet/server_engine.cpp for PostgreSQL.

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "checkpoint_db/checkpoint_store.hpp"

namespace plankeep::test {

/// An empty store, and what it needs.
struct Engine {
  virtual ~Engine() = default;
  virtual records::CheckpointStore& store() = 0;
};

struct EngineKind {
  std::string name;
  std::function<std::unique_ptr<Engine>()> make;
};

std::vector<EngineKind> engines();

}  // namespace plankeep::test

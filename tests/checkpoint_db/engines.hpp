#pragma once
// The engines of the checkpoint store that checkpoint_store_test.cpp runs over. Each program of tests that it
// is built into names its own: local_engines.cpp here, tests/fleet/server_engine.cpp for PostgreSQL.

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "checkpoint_db/checkpoint_store.hpp"

namespace plankeep::test {

/// An engine with nothing in it, and what it stands on.
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

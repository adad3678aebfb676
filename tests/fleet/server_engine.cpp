#include "fleet/server_engine.hpp"

namespace plankeep::test {

// As keeper: the suite cleans up too.
std::vector<EngineKind> engines() {
  return {{"PostgreSQL", [] { return std::make_unique<ServerEngine>("keeper"); }}};
}

}  // namespace plankeep::test

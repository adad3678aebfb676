#include "checkpoint_db/engines.hpp"
#include "checkpoint_db/memory_checkpoint_store.hpp"
#include "checkpoint_db/sqlite_store.hpp"
#include "support/temporary_folder.hpp"
#include "system/posix/posix_file_system.hpp"

namespace plankeep::test {
namespace {

struct MemoryEngine : Engine {
  MemoryCheckpointStore made;
  records::CheckpointStore& store() override { return made; }
};

struct SqliteEngine : Engine {
  TemporaryFolder place;
  system::PosixFileSystem files;
  std::unique_ptr<system::Folder> folder = files.open_folder(place.path()).value();
  std::unique_ptr<records::CheckpointStore> made =
      records::open_sqlite(*folder, "checkpoints.db", records::Access::write).value();
  records::CheckpointStore& store() override { return *made; }
};

}  // namespace

std::vector<EngineKind> engines() {
  return {{"in memory", [] { return std::make_unique<MemoryEngine>(); }},
          {"SQLite", [] { return std::make_unique<SqliteEngine>(); }}};
}

}  // namespace plankeep::test

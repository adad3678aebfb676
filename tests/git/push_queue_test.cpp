#include "git/push_queue.hpp"

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "support/temporary_folder.hpp"
#include "system/posix/posix_file_system.hpp"

using namespace plankeep;
using namespace plankeep::git;

namespace {

struct CommonDir {
  test::TemporaryFolder folder;
  system::PosixFileSystem files;
  PushQueue queue{files, folder.path()};
  WrittenRefs written{files, folder.path()};

  std::string text(const std::string& name) const {
    std::ifstream in(folder.path_of(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(folder.path_of(name), std::ios::binary) << text;
  }
};

const std::string kQueue = "entire-checkpoint-push-queue.jsonl";
const std::string kA = "refs/entire/checkpoints/09/01HF7YAT00000G40R40M30E209";
const std::string kB = "refs/entire/checkpoints/f6/a1b2c3d4e5f6";

template <class Value>
Value good(base::Result<Value> result) {
  if (!result) FAIL(result.error().message);
  return std::move(*result);
}

void good(const base::Status& status) {
  if (!status) FAIL(status.error().message);
}

}  // namespace

TEST_CASE("refs wait for a push as the lines that Entire reads and writes") {
  CommonDir dir;
  CHECK(good(dir.queue.refs()).empty());
  good(dir.queue.append({kA}));
  good(dir.queue.append({kB, kA}));
  CHECK(dir.text(kQueue) == "{\"ref\":\"" + kA + "\"}\n{\"ref\":\"" + kB + "\"}\n{\"ref\":\"" + kA + "\"}\n");
  CHECK(good(dir.queue.refs()) == std::vector{kA, kB});
  const auto mode = std::filesystem::status(dir.folder.path_of(kQueue)).permissions();
  CHECK(mode == (std::filesystem::perms::owner_read | std::filesystem::perms::owner_write));
}

TEST_CASE("a ref leaves the queue with all its lines, and nobody else's line does") {
  CommonDir dir;
  dir.write(kQueue, "{\"ref\":\"" + kA + "\"}\n{\"ref\": \"" + kB +
                        "\", \"new\": [1]}\nnonsense\n{\"ref\":\"" + kA + "\"}\n{\"ref\":\"refs/x");
  good(dir.queue.remove({kA}));
  CHECK(dir.text(kQueue) == "{\"ref\": \"" + kB + "\", \"new\": [1]}\nnonsense\n{\"ref\":\"refs/x\n");
  CHECK(good(dir.queue.refs()) == std::vector{kB});
}

TEST_CASE("a line that a killed process left torn does not swallow the next one") {
  CommonDir dir;
  dir.write(kQueue, "{\"ref\":\"refs/ent");
  good(dir.queue.append({kA}));
  CHECK(good(dir.queue.refs()) == std::vector{kA});
}

TEST_CASE("the queue waits for its lock and then says that it is busy") {
  CommonDir dir;
  const auto folder = good(dir.files.open_folder(dir.folder.path()));
  const auto lock = good(folder->lock("entire-checkpoint-push-queue.lock", std::chrono::milliseconds(100)));
  const auto done = dir.queue.append({kA});
  REQUIRE_FALSE(done);
  CHECK(done.error().kind == base::ErrorKind::busy);
  CHECK(good(dir.queue.refs()).empty());
}

TEST_CASE("a link in the place of the queue is not written through") {
  CommonDir dir;
  dir.write("elsewhere", "");
  std::filesystem::create_symlink(dir.folder.path_of("elsewhere"), dir.folder.path_of(kQueue));
  CHECK_FALSE(dir.queue.append({kA}));
  CHECK(dir.text("elsewhere").empty());
}

TEST_CASE("what we wrote is remembered until it is taken out") {
  CommonDir dir;
  CHECK(good(dir.written.all()).empty());
  const WrittenRef one{kA, std::string(40, '1')};
  const WrittenRef two{kB, std::string(64, '2')};
  good(dir.written.append({one, two}));
  CHECK(dir.text("plankeep/entire-written") ==
        "written " + kA + " " + one.commit + "\nwritten " + kB + " " + two.commit + "\n");
  CHECK(good(dir.written.all()) == std::vector{one, two});
  good(dir.written.remove({one}));
  CHECK(good(dir.written.all()) == std::vector{two});
  good(dir.written.remove({one}));
  dir.write("plankeep/entire-written", "written refs/x 12\nwritten heads/x " + one.commit + "\nsomething\n");
  CHECK(good(dir.written.all()).empty());
}

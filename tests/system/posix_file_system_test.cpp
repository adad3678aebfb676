// What only a real disk can show.

#include "system/posix/posix_file_system.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>

#include "support/temporary_folder.hpp"
#include "system/posix/posix_error.hpp"

namespace plankeep::system {
namespace {

using base::ErrorKind;

struct Here {
  test::TemporaryFolder temporary;
  PosixFileSystem files;
  std::unique_ptr<Folder> folder = files.open_folder(temporary.path()).value();
};

TEST_CASE("a sparse giant is refused before it is read, and its tail can be read") {
  Here here;
  const std::string path = here.temporary.path_of("state.json");
  REQUIRE(::close(::open(path.c_str(), O_CREAT | O_WRONLY, 0600)) == 0);
  constexpr std::uint64_t kGiant = 1ULL << 40;
  if (::truncate(path.c_str(), static_cast<off_t>(kGiant)) != 0)
    return;  // this file system has no room for it
  const auto read = here.folder->read("state.json", 256ULL << 20);
  REQUIRE_FALSE(read.has_value());
  CHECK(read.error().kind == ErrorKind::invalid_input);
  CHECK(read.error().message.find("too large") != std::string::npos);
  CHECK(here.folder->read_range("state.json", kGiant - 3, 100).value() == std::string(3, '\0'));
}

TEST_CASE("what root makes in somebody else's folder is theirs") {
  constexpr uid_t kNobody = 65534;
  Here here;
  // Only root can be root, and not everywhere can it give a file away.
  if (::geteuid() != 0 || ::chown(here.temporary.path().c_str(), kNobody, kNobody) != 0) return;
  const auto owner = [&here](const char* name) {
    struct stat status {};
    return ::lstat(here.temporary.path_of(name).c_str(), &status) == 0 ? status.st_uid : uid_t{1};
  };
  REQUIRE(here.folder->create("state.json"));
  REQUIRE(here.folder->open_append("history.jsonl"));
  REQUIRE(here.folder->lock("lock", std::chrono::milliseconds{0}));
  const auto below = here.folder->make_folder("below");
  REQUIRE(below);
  REQUIRE((*below)->create("inner"));
  for (const char* name : {"state.json", "history.jsonl", "lock", "below", "below/inner"}) {
    CAPTURE(name);
    CHECK(owner(name) == kNobody);
  }
  // A second name of another file.
  const std::string secret = here.temporary.path_of("below/secret");
  REQUIRE(::close(::open(secret.c_str(), O_CREAT | O_WRONLY, 0600)) == 0);
  REQUIRE(::link(secret.c_str(), here.temporary.path_of("errors.log").c_str()) == 0);
  REQUIRE(here.folder->open_append("errors.log"));
  CHECK(owner("below/secret") == 0);
}

TEST_CASE("a socket and a device in the place of a file are corrupt and named for what they are") {
  Here here;
  const int listener = ::socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::string path = here.temporary.path_of("socket");
  REQUIRE(path.size() < sizeof address.sun_path);
  std::memcpy(address.sun_path, path.c_str(), path.size());
  REQUIRE(::bind(listener, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
  const auto read = here.folder->read("socket", 10);
  REQUIRE_FALSE(read.has_value());
  CHECK(read.error().kind == ErrorKind::corrupt);
  CHECK(read.error().message == path + " is a socket, not a regular file");
  ::close(listener);

  auto devices = here.files.open_folder("/dev").value();
  const auto null = devices->read("null", 10);
  REQUIRE_FALSE(null.has_value());
  CHECK(null.error().kind == ErrorKind::corrupt);
  CHECK(null.error().message == "/dev/null is a device, not a regular file");
}

TEST_CASE("a folder that is swapped for a link after it was opened stays the folder that was opened") {
  Here here;
  auto tracking = here.folder->make_folder(".checkpoint").value();
  auto elsewhere = here.folder->make_folder("elsewhere").value();
  REQUIRE(here.folder->rename(".checkpoint", "moved"));
  std::filesystem::create_symlink("elsewhere", here.temporary.path_of(".checkpoint"));
  REQUIRE(tracking->create("state.json"));
  CHECK(elsewhere->list()->empty());
  CHECK(here.folder->open_folder("moved").value()->list().value() == std::vector<std::string>{"state.json"});
}

TEST_CASE("what is created is ours alone, whatever the umask allows") {
  Here here;
  const mode_t before = ::umask(0);
  REQUIRE(here.folder->create("file"));
  REQUIRE(here.folder->open_append("history"));
  REQUIRE(here.folder->make_folder("folder"));
  REQUIRE(here.folder->lock("lock", {}));
  ::umask(before);
  CHECK(here.folder->info("file")->mode == 0600);
  CHECK(here.folder->info("history")->mode == 0600);
  CHECK(here.folder->info("folder")->mode == 0700);
  CHECK(here.folder->info("lock")->mode == 0600);
}

TEST_CASE("a folder for a group is open to it and to nobody else, and a link is not taken for one") {
  Here here;
  const mode_t before = ::umask(022);
  const auto made = here.folder->make_group_folder("locks");
  (void)::umask(before);
  REQUIRE(made);
  struct stat status {};
  REQUIRE(::stat(here.temporary.path_of("locks").c_str(), &status) == 0);
  CHECK((status.st_mode & 07777U) == 0750);
  CHECK(here.folder->make_group_folder("locks"));
  std::filesystem::create_directory_symlink(here.temporary.path_of("locks"), here.temporary.path_of("link"));
  CHECK_FALSE(here.folder->make_group_folder("link"));
  CHECK_FALSE(here.folder->make_group_folder("../out"));
}

TEST_CASE("a write that hits the size limit is an error with the bytes before it written") {
  Here here;
  const auto old_handler = std::signal(SIGXFSZ, SIG_IGN);
  rlimit old_limit{};
  REQUIRE(::getrlimit(RLIMIT_FSIZE, &old_limit) == 0);
  rlimit limit = old_limit;
  limit.rlim_cur = 10;
  REQUIRE(::setrlimit(RLIMIT_FSIZE, &limit) == 0);
  auto file = here.folder->create("file").value();
  const base::Status written = file->write("0123456789abc");
  REQUIRE(::setrlimit(RLIMIT_FSIZE, &old_limit) == 0);
  std::signal(SIGXFSZ, old_handler);
  REQUIRE_FALSE(written.has_value());
  CHECK(written.error().kind == ErrorKind::io);
  CHECK(written.error().message.find("cannot write " + here.temporary.path_of("file")) == 0);
  CHECK(here.folder->read("file", 100).value() == "0123456789");
}

TEST_CASE("errors that people meet say what to do") {
  const base::Error full = system_error("write", "/p/history.jsonl", ENOSPC);
  CHECK(full.kind == ErrorKind::io);
  CHECK(full.message == "cannot write /p/history.jsonl: No space left on device");
  CHECK(full.hint == "free some disk space and run the command again; nothing was lost");
  for (const int error_number : {EACCES, EPERM, EROFS, EIO, EMFILE, EDQUOT}) {
    CHECK(system_error("read", "x", error_number).kind == ErrorKind::io);
    CHECK_FALSE(system_error("read", "x", error_number).hint.empty());
  }
  CHECK(system_error("read", "x", ENOENT).kind == ErrorKind::not_found);
}

TEST_CASE("no descriptor is left open, whatever is opened and refused") {
  Here here;
  REQUIRE(::mkfifo(here.temporary.path_of("fifo").c_str(), 0600) == 0);
  const auto lowest_free = [] {
    const int descriptor = ::dup(0);
    ::close(descriptor);
    return descriptor;
  };
  const int before = lowest_free();
  for (int i = 0; i < 50; ++i) {
    (void)here.folder->read("fifo", 10);
    (void)here.folder->open_folder("fifo");
    (void)here.folder->create("file");
    (void)here.folder->list();
    (void)here.folder->lock("lock", {});
    (void)here.folder->make_folder("sub");
    (void)here.files.open_folder(here.temporary.path());
  }
  CHECK(lowest_free() == before);
}

TEST_CASE("descriptors are closed on exec") {
  Here here;
  auto file = here.folder->create("file").value();
  auto lock = here.folder->lock("lock", {}).value();
  int open_ones = 0;
  for (int descriptor = 3; descriptor < 256; ++descriptor) {
    struct stat status {};
    struct stat wanted {};
    const int flags = ::fcntl(descriptor, F_GETFD);
    if (flags < 0 || ::fstat(descriptor, &status) != 0) continue;
    for (const char* name : {"file", "lock", "."}) {
      REQUIRE(::stat(here.temporary.path_of(name).c_str(), &wanted) == 0);
      if (status.st_ino != wanted.st_ino || status.st_dev != wanted.st_dev) continue;
      ++open_ones;
      CHECK((flags & FD_CLOEXEC) != 0);
    }
  }
  CHECK(open_ones == 3);
}

TEST_CASE("a time of modification is set to the nanosecond, of a link its own, in this folder only") {
  Here here;
  REQUIRE(here.folder->create("a"));
  REQUIRE(here.folder->create_link("link", "a"));
  constexpr std::int64_t kTime = 1'000'000'000'123'456'789;
  REQUIRE(here.folder->set_modified("a", kTime));
  CHECK(here.folder->info("a").value().mtime_ns == kTime);
  REQUIRE(here.folder->set_modified("link", kTime + 1));
  CHECK(here.folder->info("link").value().mtime_ns == kTime + 1);
  CHECK(here.folder->info("a").value().mtime_ns == kTime);
  CHECK(here.folder->set_modified("none", kTime).error().kind == ErrorKind::not_found);
  CHECK(here.folder->set_modified("../a", kTime).error().kind == ErrorKind::invalid_input);
}

TEST_CASE("an empty path and one with a NUL are refused") {
  PosixFileSystem files;
  for (const std::string& path : {std::string(), std::string("/tmp\0/x", 7)}) {
    CHECK(files.open_folder(path).error().kind == ErrorKind::invalid_input);
    CHECK(files.info(path).error().kind == ErrorKind::invalid_input);
    CHECK(files.real_path(path).error().kind == ErrorKind::invalid_input);
  }
}

}  // namespace
}  // namespace plankeep::system

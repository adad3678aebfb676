// What system/file_system.hpp promises, held by the real disk and by the model that the other tests run on.

#include <sys/stat.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <fstream>
#include <iterator>

#include "support/memory_file_system.hpp"
#include "support/temporary_folder.hpp"
#include "system/posix/posix_file_system.hpp"

namespace plankeep::test {
namespace {

using base::ErrorKind;
using system::FileKind;

class PosixWorld {
 public:
  system::FileSystem& files() { return files_; }
  std::string root() const { return folder_.path(); }
  void put(const std::string& name, const std::string& bytes) {
    std::ofstream(folder_.path_of(name), std::ios::binary) << bytes;
  }
  void put_folder(const std::string& name) { REQUIRE(::mkdir(folder_.path_of(name).c_str(), 0755) == 0); }
  void put_link(const std::string& name, const std::string& target) {
    REQUIRE(::symlink(target.c_str(), folder_.path_of(name).c_str()) == 0);
  }
  void put_other(const std::string& name) { REQUIRE(::mkfifo(folder_.path_of(name).c_str(), 0644) == 0); }
  std::string get(const std::string& name) {
    std::ifstream in(folder_.path_of(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }

 private:
  TemporaryFolder folder_;
  system::PosixFileSystem files_;
};

class MemoryWorld {
 public:
  MemoryWorld() { files_.disk().put_folder("/home/plan"); }
  system::FileSystem& files() { return files_; }
  std::string root() const { return "/home/plan"; }
  void put(const std::string& name, const std::string& bytes) {
    files_.disk().put(root() + "/" + name, bytes);
  }
  void put_folder(const std::string& name) { files_.disk().put_folder(root() + "/" + name); }
  void put_link(const std::string& name, const std::string& target) {
    files_.disk().put_link(root() + "/" + name, target);
  }
  void put_other(const std::string& name) { files_.disk().put_other(root() + "/" + name); }
  std::string get(const std::string& name) { return files_.disk().get(root() + "/" + name).value_or(""); }

 private:
  MemoryFileSystem files_;
};

template <class World>
struct Opened {
  World world;
  std::unique_ptr<system::Folder> folder = world.files().open_folder(world.root()).value();
};

template <class T>
ErrorKind kind_of(const base::Result<T>& result) {
  REQUIRE_FALSE(result.has_value());
  CHECK_FALSE(result.error().message.empty());
  return result.error().kind;
}

#define PLANKEEP_CONTRACT(sentence) TEMPLATE_TEST_CASE(sentence, "", PosixWorld, MemoryWorld)

PLANKEEP_CONTRACT("a created file holds what was written to it") {
  Opened<TestType> opened;
  {
    auto file = opened.folder->create("state.json").value();
    REQUIRE(file->write("one "));
    REQUIRE(file->write("two"));
    REQUIRE(file->sync_data());
    CHECK(file->size().value() == 7);
  }
  CHECK(opened.folder->read("state.json", 100).value() == "one two");
  CHECK(opened.folder->info("state.json")->mode == 0600);
  CHECK(opened.folder->info("state.json")->size == 7);
}

PLANKEEP_CONTRACT("create puts a new file in the place of an old one and never writes into it") {
  Opened<TestType> opened;
  opened.world.put("target", "precious");
  opened.world.put_link("temporary", "target");
  {
    auto file = opened.folder->create("temporary").value();
    REQUIRE(file->write("new"));
  }
  CHECK(opened.world.get("target") == "precious");
  CHECK(opened.folder->info("temporary")->kind == FileKind::regular);
  opened.world.put_other("fifo");
  REQUIRE(opened.folder->create("fifo"));
  CHECK(opened.folder->info("fifo")->kind == FileKind::regular);
}

PLANKEEP_CONTRACT("create refuses to take the place of a directory") {
  Opened<TestType> opened;
  opened.world.put_folder("here");
  CHECK(kind_of(opened.folder->create("here")) == ErrorKind::corrupt);
  CHECK(opened.folder->info("here")->kind == FileKind::directory);
}

PLANKEEP_CONTRACT("create_like keeps the mode of the file that it is like") {
  Opened<TestType> opened;
  opened.world.put("plan.md", "x");
  auto like = opened.folder->info("plan.md").value();
  like.mode = 0664;
  REQUIRE(opened.folder->create_like("copy", like));
  CHECK(opened.folder->info("copy")->mode == 0664);
  CHECK(opened.folder->info("copy")->owner == like.owner);
  CHECK(opened.folder->info("copy")->group == like.group);
}

PLANKEEP_CONTRACT("open_append makes a missing file and goes on at the end of one that is there") {
  Opened<TestType> opened;
  REQUIRE(opened.folder->open_append("history")->get()->write("a\n"));
  REQUIRE(opened.folder->open_append("history")->get()->write("b\n"));
  CHECK(opened.folder->read("history", 100).value() == "a\nb\n");
  REQUIRE(opened.folder->open_append("history")->get()->truncate(2));
  REQUIRE(opened.folder->open_append("history")->get()->write("c\n"));
  CHECK(opened.folder->read("history", 100).value() == "a\nc\n");
}

PLANKEEP_CONTRACT("a file over the limit is not read, one at the limit is") {
  Opened<TestType> opened;
  opened.world.put("file", "12345");
  CHECK(kind_of(opened.folder->read("file", 4)) == ErrorKind::invalid_input);
  CHECK(opened.folder->read("file", 5).value() == "12345");
}

PLANKEEP_CONTRACT("a range is cut at the end of the file") {
  Opened<TestType> opened;
  opened.world.put("file", "0123456789");
  CHECK(opened.folder->read_range("file", 3, 4).value() == "3456");
  CHECK(opened.folder->read_range("file", 8, 100).value() == "89");
  CHECK(opened.folder->read_range("file", 10, 1).value().empty());
  CHECK(opened.folder->read_range("file", 1'000'000'000'000, 1).value().empty());
  CHECK(opened.folder->read_range("file", 0, 0).value().empty());
}

PLANKEEP_CONTRACT("what is missing is not_found, and no error for info") {
  Opened<TestType> opened;
  CHECK(opened.folder->info("nothing")->kind == FileKind::missing);
  CHECK(kind_of(opened.folder->read("nothing", 1)) == ErrorKind::not_found);
  CHECK(kind_of(opened.folder->read_range("nothing", 0, 1)) == ErrorKind::not_found);
  CHECK(kind_of(opened.folder->open_folder("nothing")) == ErrorKind::not_found);
  CHECK(kind_of(opened.folder->rename("nothing", "something")) == ErrorKind::not_found);
  CHECK(kind_of(opened.folder->remove("nothing")) == ErrorKind::not_found);
  CHECK(kind_of(opened.folder->read_link("nothing")) == ErrorKind::not_found);
  CHECK(kind_of(opened.world.files().open_folder(opened.world.root() + "/nothing")) == ErrorKind::not_found);
  CHECK(kind_of(opened.world.files().real_path(opened.world.root() + "/nothing")) == ErrorKind::not_found);
  CHECK(opened.world.files().info(opened.world.root() + "/nothing/more")->kind == FileKind::missing);
}

PLANKEEP_CONTRACT("a name that is no single component is refused by every verb") {
  Opened<TestType> opened;
  opened.world.put_folder("sub");
  opened.world.put("sub/file", "x");
  for (const std::string& name : {std::string(), std::string("."), std::string(".."), std::string("sub/file"),
                                  std::string("/etc/passwd"), std::string("a\0b", 3)}) {
    CAPTURE(name);
    CHECK(kind_of(opened.folder->info(name)) == ErrorKind::invalid_input);
    CHECK(kind_of(opened.folder->read(name, 100)) == ErrorKind::invalid_input);
    CHECK(kind_of(opened.folder->read_range(name, 0, 1)) == ErrorKind::invalid_input);
    CHECK(kind_of(opened.folder->create(name)) == ErrorKind::invalid_input);
    CHECK(kind_of(opened.folder->create_like(name, {})) == ErrorKind::invalid_input);
    CHECK(kind_of(opened.folder->open_append(name)) == ErrorKind::invalid_input);
    CHECK(kind_of(opened.folder->rename(name, "x")) == ErrorKind::invalid_input);
    CHECK(kind_of(opened.folder->rename("sub", name)) == ErrorKind::invalid_input);
    CHECK(kind_of(opened.folder->remove(name)) == ErrorKind::invalid_input);
    CHECK(kind_of(opened.folder->open_folder(name)) == ErrorKind::invalid_input);
    CHECK(kind_of(opened.folder->make_folder(name)) == ErrorKind::invalid_input);
    CHECK(kind_of(opened.folder->read_link(name)) == ErrorKind::invalid_input);
    CHECK(kind_of(opened.folder->lock(name, {})) == ErrorKind::invalid_input);
  }
}

PLANKEEP_CONTRACT("a link, a directory or a FIFO in the place of a file is corrupt and never waited for") {
  Opened<TestType> opened;
  opened.world.put("real", "precious");
  opened.world.put_link("link", "real");
  opened.world.put_link("dangling", "made-through-the-link");
  opened.world.put_folder("folder");
  opened.world.put_other("fifo");
  for (const std::string name : {"link", "dangling", "folder", "fifo"}) {
    CAPTURE(name);
    CHECK(kind_of(opened.folder->read(name, 100)) == ErrorKind::corrupt);
    CHECK(kind_of(opened.folder->read_range(name, 0, 10)) == ErrorKind::corrupt);
    CHECK(kind_of(opened.folder->open_append(name)) == ErrorKind::corrupt);
    CHECK(kind_of(opened.folder->lock(name, {})) == ErrorKind::corrupt);
  }
  CHECK(opened.world.get("real") == "precious");
  CHECK(opened.folder->info("made-through-the-link")->kind == FileKind::missing);
  CHECK(opened.folder->info("link")->kind == FileKind::symlink);
  CHECK(opened.folder->info("folder")->kind == FileKind::directory);
  CHECK(opened.folder->info("fifo")->kind == FileKind::other);
}

PLANKEEP_CONTRACT("a link, a file or a FIFO in the place of a folder is corrupt") {
  Opened<TestType> opened;
  opened.world.put_folder("elsewhere");
  opened.world.put_link("link", "elsewhere");
  opened.world.put("file", "x");
  opened.world.put_other("fifo");
  for (const std::string name : {"link", "file", "fifo"}) {
    CAPTURE(name);
    CHECK(kind_of(opened.folder->open_folder(name)) == ErrorKind::corrupt);
    CHECK(kind_of(opened.folder->make_folder(name)) == ErrorKind::corrupt);
  }
  CHECK(opened.folder->open_folder("elsewhere").value()->list().value().empty());
}

PLANKEEP_CONTRACT("make_folder makes one and opens it, and opens it again when it is there") {
  Opened<TestType> opened;
  auto made = opened.folder->make_folder(".checkpoint").value();
  CHECK(made->path() == opened.world.root() + "/.checkpoint");
  REQUIRE(made->create("x"));
  auto again = opened.folder->make_folder(".checkpoint").value();
  CHECK(again->list().value() == std::vector<std::string>{"x"});
  CHECK(opened.folder->info(".checkpoint")->mode == 0700);
}

PLANKEEP_CONTRACT("rename replaces a file, and of a link the link itself") {
  Opened<TestType> opened;
  opened.world.put("new", "new");
  opened.world.put("old", "old");
  REQUIRE(opened.folder->rename("new", "old"));
  CHECK(opened.folder->read("old", 10).value() == "new");
  CHECK(opened.folder->info("new")->kind == FileKind::missing);
  opened.world.put_link("link", "old");
  opened.world.put("newer", "newer");
  REQUIRE(opened.folder->rename("newer", "link"));
  CHECK(opened.folder->read("link", 10).value() == "newer");
  CHECK(opened.folder->read("old", 10).value() == "new");
}

PLANKEEP_CONTRACT("rename refuses to replace a directory, and moves one to a free name") {
  Opened<TestType> opened;
  opened.world.put("file", "x");
  opened.world.put_folder("folder");
  CHECK(kind_of(opened.folder->rename("file", "folder")) == ErrorKind::corrupt);
  CHECK(opened.folder->read("file", 10).value() == "x");
  REQUIRE(opened.folder->rename("folder", "aside"));
  CHECK(opened.folder->info("aside")->kind == FileKind::directory);
}

PLANKEEP_CONTRACT("remove takes a link and not what it points to, and no directory") {
  Opened<TestType> opened;
  opened.world.put("file", "x");
  opened.world.put_link("link", "file");
  opened.world.put_folder("folder");
  REQUIRE(opened.folder->remove("link"));
  CHECK(opened.folder->read("file", 10).value() == "x");
  CHECK_FALSE(opened.folder->remove("folder"));
  CHECK(opened.folder->info("folder")->kind == FileKind::directory);
}

PLANKEEP_CONTRACT("the list is sorted and lacks the two dots") {
  Opened<TestType> opened;
  opened.world.put("b", "");
  opened.world.put(".a", "");
  opened.world.put_folder("c");
  const std::vector<std::string> expected{".a", "b", "c"};
  CHECK(opened.folder->list().value() == expected);
  CHECK(opened.folder->list().value() == expected);
}

PLANKEEP_CONTRACT("a lock keeps others out until it is let go") {
  Opened<TestType> opened;
  auto held = opened.folder->lock("lock", std::chrono::milliseconds(0)).value();
  auto other = opened.world.files().open_folder(opened.world.root()).value();
  CHECK(kind_of(other->lock("lock", std::chrono::milliseconds(3))) == ErrorKind::busy);
  held.reset();
  CHECK(other->lock("lock", std::chrono::milliseconds(0)).has_value());
}

PLANKEEP_CONTRACT("paths are resolved through links, and a link's text is given as it is") {
  Opened<TestType> opened;
  opened.world.put_folder("real");
  opened.world.put("real/plan.md", "x");
  opened.world.put_link("link", "real/../real");
  opened.world.put_link("plan.md", "link/plan.md");
  auto& files = opened.world.files();
  CHECK(files.real_path(opened.world.root() + "/plan.md").value() == opened.world.root() + "/real/plan.md");
  CHECK(files.info(opened.world.root() + "/plan.md")->kind == FileKind::regular);
  CHECK(files.open_folder(opened.world.root() + "/link").value()->list().value() ==
        std::vector<std::string>{"plan.md"});
  CHECK(opened.folder->read_link("plan.md").value() == "link/plan.md");
  CHECK(kind_of(opened.folder->read_link("real")) == ErrorKind::invalid_input);
  CHECK(kind_of(files.open_folder(opened.world.root() + "/real/plan.md")) == ErrorKind::invalid_input);
  opened.world.put_link("loop", "loop");
  CHECK_FALSE(files.real_path(opened.world.root() + "/loop").has_value());
}

PLANKEEP_CONTRACT("a stamp changes when the content does") {
  Opened<TestType> opened;
  opened.world.put("plan.md", "a");
  const auto before = opened.folder->info("plan.md").value();
  REQUIRE(opened.folder->create("new").value()->write("bb"));
  REQUIRE(opened.folder->rename("new", "plan.md"));
  const auto after = opened.folder->info("plan.md").value();
  CHECK(before.inode != after.inode);
  CHECK(before.size != after.size);
  CHECK(before.mtime_ns <= after.mtime_ns);
}

PLANKEEP_CONTRACT("syncing a folder works") {
  Opened<TestType> opened;
  CHECK(opened.folder->sync().has_value());
}

}  // namespace
}  // namespace plankeep::test

#include "git_objects/index_file.hpp"

#include <catch2/catch.hpp>
#include <string>

#include "git_objects/index_change.hpp"

using namespace plankeep::git;

namespace {

std::string number(std::uint32_t value, int bytes) {
  std::string text;
  for (int i = bytes - 1; i >= 0; --i) text += static_cast<char>(value >> (8 * i));
  return text;
}

const std::string kRawId(20, '\x11');

// An entry of version 2 or 3, padded.
std::string entry(const std::string& path, std::uint32_t mode = 0100644, std::uint32_t flags = 0,
                  std::uint32_t extended = 0) {
  std::string bytes(24, '\0');
  bytes += number(mode, 4) + std::string(12, '\0') + kRawId;
  bytes += number(flags | static_cast<std::uint32_t>(path.size()), 2);
  if ((flags & 0x4000U) != 0) bytes += number(extended, 2);
  bytes += path;
  return bytes + std::string(8 - bytes.size() % 8, '\0');
}

std::string index_with(const std::vector<std::string>& entries, const std::string& extensions = {},
                       std::uint32_t version = 3) {
  std::string bytes = "DIRC" + number(version, 4) + number(static_cast<std::uint32_t>(entries.size()), 4);
  for (const std::string& one : entries) bytes += one;
  return bytes + extensions + std::string(20, '\0');
}

std::string extension(const std::string& name, const std::string& content) {
  return name + number(static_cast<std::uint32_t>(content.size()), 4) + content;
}

std::optional<IndexFile> read(const std::string& bytes) {
  return read_index_file(ObjectFormat::sha1, bytes);
}

}  // namespace

TEST_CASE("an index's entries are read with paths of every length") {
  std::vector<std::string> entries;
  for (std::size_t length = 1; length < 20; ++length) entries.push_back(entry(std::string(length, 'a')));
  const std::string bytes = index_with(entries);
  const auto index = read(bytes);
  REQUIRE(index);
  REQUIRE(index->entries.size() == 19);
  for (std::size_t i = 0; i < 19; ++i) {
    CHECK(index->entries[i].path == std::string(i + 1, 'a'));
    CHECK(index->entries[i].raw_id == kRawId);
    CHECK(index->entries[i].mode == 0100644);
  }
}

TEST_CASE("the trees of an index say where their folder ends") {
  const std::string id = kRawId;
  const std::string trees = std::string("\0", 1) + "3 2\n" + id + "a" + std::string("\0", 1) + "-1 1\n" +
                            "x" + std::string("\0", 1) + "1 0\n" + id + "b" + std::string("\0", 1) + "1 0\n" +
                            id;
  const std::string bytes =
      index_with({entry("a/x/1"), entry("a/y"), entry("b/1")}, extension("TREE", trees));
  const auto index = read(bytes);
  REQUIRE(index);
  REQUIRE(index->trees.size() == 4);
  CHECK(index->trees[0].past == 4);
  CHECK(index->trees[1].name == "a");
  CHECK(index->trees[1].raw_id.empty());
  CHECK(index->trees[1].past == 3);
  CHECK(index->trees[2].past == 3);
  CHECK(index->trees[3].past == 4);
  const std::string more = std::string("\0", 1) + "3 2\n" + id;
  CHECK_FALSE(read(index_with({entry("a")}, extension("TREE", more))));
}

TEST_CASE("an index with its trees twice is left to git") {
  const std::string once = extension("TREE", std::string("\0", 1) + "1 0\n" + kRawId);
  CHECK(read(index_with({entry("a")}, once)));
  CHECK_FALSE(read(index_with({entry("a")}, once + once)));
  // The second one says how many folders stand in it, not the first.
  const std::string nested =
      extension("TREE", std::string("\0", 1) + "-1 1\n" + "a" + std::string("\0", 1) + "-1 0\n");
  CHECK_FALSE(read(index_with({entry("a/b")}, nested + once)));
}

TEST_CASE("an index with what is not understood is left to git") {
  CHECK(read(index_with({entry("a")}, extension("UNTR", "whatever"))));
  CHECK_FALSE(read(index_with({entry("a")}, extension("link", "whatever"))));
  CHECK_FALSE(read(index_with({entry("a")}, extension("sdir", ""))));
  CHECK_FALSE(read(index_with({entry("a", 0100644, 0x1000)})));  // not merged
  CHECK_FALSE(read(index_with({entry("a/", 0040000)})));         // a folder as a whole
  CHECK_FALSE(read(index_with({entry("b"), entry("a")})));       // out of order
  CHECK_FALSE(read(index_with({entry("a"), entry("a")})));       // twice
  CHECK_FALSE(read(index_with({entry("a")}, {}, 5)));
  CHECK_FALSE(read(index_with({entry("a", 0100644, 0x4000)}, {}, 2)));
  CHECK_FALSE(read(""));
}

TEST_CASE("what is only meant to be added is no change") {
  const std::string bytes = index_with({entry("a", 0100644, 0x4000, 0x2000), entry("b")});
  const auto index = read(bytes);
  REQUIRE(index);
  CHECK(index->entries[0].intent_to_add);
  const auto changes = index_changes(*index, "", [](const std::string&) { return std::nullopt; });
  REQUIRE(changes);
  CHECK(*changes == std::vector<std::string>{"b"});
}

TEST_CASE("a tree that cannot be had leaves the question to git, and one that is the same is not read") {
  const std::string trees = std::string("\0", 1) + "1 0\n" + kRawId;
  const std::string bytes = index_with({entry("a")}, extension("TREE", trees));
  const auto index = read(bytes);
  REQUIRE(index);
  const auto none = [](const std::string&) { return std::optional<Tree>(); };
  std::string same;
  for (int i = 0; i < 20; ++i) same += "11";
  CHECK(index_changes(*index, same, none) == std::vector<std::string>());
  CHECK_FALSE(index_changes(*index, std::string(40, '2'), none));
}

TEST_CASE("an index that is cut anywhere, or has any other byte, is read or left to git") {
  const std::string trees = std::string("\0", 1) + "2 0\n" + kRawId;
  const std::string whole =
      index_with({entry("a"), entry("b/c", 0100755, 0x4000, 0x4000)}, extension("TREE", trees));
  REQUIRE(read(whole));
  // Cut between two parts it may look whole: what is behind the last one is not looked at.
  const auto check = [](const std::string& bytes) {
    const auto index = read(bytes);
    if (index) CHECK(index->entries.size() <= 2);
  };
  for (std::size_t length = 0; length < whole.size(); ++length) check(whole.substr(0, length));
  for (std::size_t at = 0; at < whole.size(); ++at) {
    for (const int value : {0, 1, 0x7f, 0x80, 0xff}) {
      std::string damaged = whole;
      damaged[at] = static_cast<char>(value);
      check(damaged);
    }
  }
}

TEST_CASE("trees that are nested into billions of paths are left to git") {
  // Each holds the one below it ten times.
  std::size_t read = 0;
  const auto tree_of = [&read](const std::string& id) -> std::optional<Tree> {
    ++read;
    Tree tree;
    const int below = std::stoi(id) - 1;
    if (below < 0) return tree;
    for (char name = 'a'; name <= 'j'; ++name)
      put_entry(tree, {std::string(kTreeFolder), std::string(1, name), std::to_string(below)});
    return tree;
  };
  CHECK_FALSE(index_changes(IndexFile{}, "12", tree_of));
  CHECK(read <= 50'000);
  read = 0;
  CHECK(index_changes(IndexFile{}, "3", tree_of) == std::vector<std::string>{});
  CHECK(read == 1111);
}

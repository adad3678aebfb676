#include "git_objects/tree.hpp"

#include <rapidcheck.h>

#include <catch2/catch.hpp>

#include "support/hostile_text.hpp"

using namespace plankeep::git;

namespace {

const std::string kBlob = std::string(40, '1');

Tree any_tree() {
  Tree tree;
  const auto names = *rc::gen::container<std::vector<std::string>>(
      rc::gen::nonEmpty(rc::gen::container<std::string>(rc::gen::element('a', 'b', '.', '-', '0', '\xc3'))));
  for (const std::string& name : names) {
    if (!is_entry_name(name)) continue;
    put_entry(tree,
              {*rc::gen::element<std::string>("40000", "100644", "100755", "120000", "160000", "100664"),
               name, kBlob});
  }
  return tree;
}

}  // namespace

TEST_CASE("a folder sorts as if its name ended with a slash") {
  Tree tree;
  put_entry(tree, {"40000", "a", kBlob});
  put_entry(tree, {"100644", "a.b", kBlob});
  put_entry(tree, {"100644", "a0", kBlob});
  CHECK(tree[0].name == "a.b");
  CHECK(tree[1].name == "a");
  CHECK(tree[2].name == "a0");
  CHECK(find_entry(tree, "a") == &tree[1]);
  CHECK(find_entry(tree, "b") == nullptr);
}

TEST_CASE("an entry takes the place of one with its name, whatever that was") {
  Tree tree;
  put_entry(tree, {"40000", "a", kBlob});
  put_entry(tree, {"100644", "a.b", kBlob});
  put_entry(tree, {"100644", "a", kBlob});
  REQUIRE(tree.size() == 2);
  CHECK(tree[0] == TreeEntry{"100644", "a", kBlob});
  CHECK(remove_entry(tree, "a"));
  CHECK_FALSE(remove_entry(tree, "a"));
  CHECK(tree.size() == 1);
}

TEST_CASE("a tree is read as the entries that it was written from, with modes that nobody writes any more") {
  CHECK(rc::check([] {
    const Tree tree = any_tree();
    const auto read = read_tree(ObjectFormat::sha1, tree_bytes(tree));
    RC_ASSERT(read.has_value());
    RC_ASSERT(*read == tree);
  }));
}

TEST_CASE("whatever bytes are read as a tree are written as the same bytes") {
  CHECK(rc::check([] {
    std::string bytes = tree_bytes(any_tree());
    if (!bytes.empty()) {
      const auto at = *rc::gen::inRange<std::size_t>(0, bytes.size());
      bytes[at] = *rc::gen::arbitrary<char>();
    }
    if (const auto read = read_tree(ObjectFormat::sha1, bytes)) RC_ASSERT(tree_bytes(*read) == bytes);
  }));
}

TEST_CASE("a damaged tree is an error, never half a tree") {
  const std::string id(20, '\1');
  const auto entry = [&](const std::string& mode, const std::string& name) {
    return mode + " " + name + std::string(1, '\0') + id;
  };
  REQUIRE(read_tree(ObjectFormat::sha1, entry("100644", "a") + entry("100644", "b")));
  for (const std::string& bytes :
       {entry("100644", "b") + entry("100644", "a"), entry("100644", "a") + entry("40000", "a"),
        entry("100644", ""), entry("0644", "a"), entry("100648", "a"), entry("100644", "a/b"),
        entry("100644", "a").substr(0, 20), std::string("100644 a"), std::string("x"), entry("", "a")}) {
    const auto read = read_tree(ObjectFormat::sha1, bytes);
    REQUIRE_FALSE(read);
    CHECK(read.error().kind == plankeep::base::ErrorKind::corrupt);
  }
}

TEST_CASE("names that lead elsewhere are not written") {
  for (const char* name : {"", ".", "..", ".git", ".GIT", ".Git", "a/b"}) CHECK_FALSE(is_entry_name(name));
  CHECK_FALSE(is_entry_name(std::string_view("a\0b", 3)));
  for (const char* name : {".gitx", "git", "...", "a b", "\xc3\xa4"}) CHECK(is_entry_name(name));
}

#include "git_objects/tree_change.hpp"

#include <rapidcheck.h>

#include <catch2/catch.hpp>

using namespace plankeep;
using namespace plankeep::git;

namespace {

using Entry = TreeChanges::Entry;
using Files = std::map<std::string, Entry>;  // by path

// Trees made whole from all their files: the slow way, and the oracle.
struct Trees {
  explicit Trees(ObjectFormat wanted = ObjectFormat::sha1) : format(wanted) {}
  ObjectFormat format;
  KnownTrees known;

  std::string keep(const Tree& tree) {
    const std::string bytes = tree_bytes(tree);
    std::string id = object_id(format, ObjectKind::tree, bytes);
    known.emplace(id, bytes);
    return id;
  }

  std::string build(const Files& files) {
    Tree tree;
    std::map<std::string, Files> folders;
    for (const auto& [path, entry] : files) {
      const std::size_t slash = path.find('/');
      if (slash == std::string::npos)
        put_entry(tree, {entry.mode, path, entry.id});
      else
        folders[path.substr(0, slash)][path.substr(slash + 1)] = entry;
    }
    for (const auto& [name, inside] : folders) put_entry(tree, {"40000", name, build(inside)});
    return keep(tree);
  }
};

std::string some_id(ObjectFormat format = ObjectFormat::sha1) {
  return object_id(format, ObjectKind::blob, *rc::gen::container<std::string>(rc::gen::element('x', 'y')));
}

std::string some_path() {
  const auto names = *rc::gen::nonEmpty(rc::gen::container<std::vector<std::string>>(
      rc::gen::element<std::string>("a", "a.b", "a0", "b", "0")));
  std::string path;
  for (std::size_t i = 0; i < names.size() && i < 4; ++i) path += (i == 0 ? "" : "/") + names[i];
  return path;
}

bool is_inside(const std::string& path, const std::string& folder) {
  return path.starts_with(folder + "/");
}

void put(Files& files, const std::string& path, const Entry& entry) {
  std::erase_if(files, [&](const auto& file) {
    return file.first == path || is_inside(file.first, path) || is_inside(path, file.first);
  });
  files[path] = entry;
}

Files some_files(ObjectFormat format = ObjectFormat::sha1) {
  Files files;
  for (int count = *rc::gen::inRange(0, 12); count > 0; --count)
    put(files, some_path(), {*rc::gen::element<std::string>("100644", "100755", "120000"), some_id(format)});
  return files;
}

std::string changed(const std::string& root, const TreeChanges& changes, const KnownTrees& known,
                    ObjectFormat format = ObjectFormat::sha1) {
  Pack pack(format);
  const auto id = change_tree(root, changes, known, pack);
  if (!id) FAIL(id.error().message);
  return *id;
}

}  // namespace

TEST_CASE("surgery gives the tree that flattening and building again gives") {
  CHECK(rc::check([] {
    const ObjectFormat format = *rc::gen::element(ObjectFormat::sha1, ObjectFormat::sha256);
    Files files = some_files(format);
    Trees trees(format);
    const std::string root = trees.build(files);
    TreeChanges changes;
    // Paths that do not lead into each other: what the order of such changes means has its own test.
    std::vector<std::string> taken;
    for (int count = *rc::gen::inRange(1, 6); count > 0; --count) {
      const std::string path = some_path();
      if (std::any_of(taken.begin(), taken.end(), [&](const std::string& other) {
            return path == other || is_inside(path, other) || is_inside(other, path);
          }))
        continue;
      taken.push_back(path);
      if (*rc::gen::arbitrary<bool>()) {
        const Entry entry{"100644", some_id(format)};
        changes.put(path, entry);
        put(files, path, entry);
      } else {
        changes.remove(path);
        std::erase_if(files,
                      [&](const auto& file) { return file.first == path || is_inside(file.first, path); });
      }
    }
    RC_ASSERT(changed(root, changes, trees.known, format) == Trees(format).build(files));
  }));
}

TEST_CASE("files of two checkpoints may be put in either order") {
  CHECK(rc::check([] {
    const Files files = some_files();
    const std::map<std::string, Entry> paths[] = {{{"c1/x/0/prompt.txt", {"100644", some_id()}}},
                                                  {{"c1/y/metadata.json", {"100644", some_id()}}}};
    const auto written = [&](const Files& first, const Files& second) {
      Files tip_files = files;
      std::string tip = Trees().build(tip_files);
      for (const Files& written_files : {first, second}) {
        Trees trees;
        trees.build(tip_files);
        TreeChanges changes;
        for (const auto& [path, entry] : written_files) {
          changes.put(path, entry);
          put(tip_files, path, entry);
        }
        tip = changed(tip, changes, trees.known);
      }
      return tip;
    };
    RC_ASSERT(written(paths[0], paths[1]) == written(paths[1], paths[0]));
  }));
}

TEST_CASE("a change that changes nothing gives the same tree and no object") {
  Trees trees;
  const Entry file{"100644", std::string(40, 'a')};
  const std::string root = trees.build({{"a/b/c", file}, {"d", file}});
  TreeChanges changes;
  changes.put("a/b/c", file);
  changes.remove("a/x/y");
  changes.remove("nothing");
  changes.remove("d/inside/a/file");
  Pack pack(ObjectFormat::sha1);
  CHECK(change_tree(root, changes, trees.known, pack) == root);
  CHECK(pack.objects() == 0);
}

TEST_CASE("a folder is emptied before files are put into it, and goes when it stays empty") {
  Trees trees;
  const Entry old{"100644", std::string(40, 'a')};
  const Entry fresh{"100644", std::string(40, 'b')};
  const std::string root = trees.build({{"0/full.jsonl", old}, {"0/full.jsonl.001", old}, {"1/x", old}});
  TreeChanges changes;
  changes.put("0/full.jsonl", fresh);
  changes.remove("0");
  changes.remove("1/x");
  CHECK(changed(root, changes, trees.known) == Trees().build({{"0/full.jsonl", fresh}}));
}

TEST_CASE("the last file that goes leaves the empty tree") {
  Trees trees;
  const std::string root = trees.build({{"a/b", {"100644", std::string(40, 'a')}}});
  TreeChanges changes;
  changes.remove("a/b");
  CHECK(changed(root, changes, trees.known) == object_id(ObjectFormat::sha1, ObjectKind::tree, ""));
  CHECK(changed("", TreeChanges(), {}) == object_id(ObjectFormat::sha1, ObjectKind::tree, ""));
}

TEST_CASE("what others put into the trees stays: odd modes, links, submodules, empty folders") {
  Trees trees;
  Tree top;
  put_entry(top, {"100664", "old", std::string(40, '1')});
  put_entry(top, {"120000", "link", std::string(40, '2')});
  put_entry(top, {"160000", "module", std::string(40, '3')});
  put_entry(top, {"40000", "empty", trees.keep({})});
  put_entry(top, {"40000", "never-read", std::string(40, '4')});
  const std::string root = trees.keep(top);
  TreeChanges changes;
  changes.put_file("a1/b2/metadata.json", std::string(40, 'a'));
  changes.remove("empty/x");
  const std::string id = changed(root, changes, trees.known);
  Tree expected = top;
  Trees made;
  put_entry(expected, {"40000", "a1", made.build({{"b2/metadata.json", {"100644", std::string(40, 'a')}}})});
  CHECK(id == made.keep(expected));
}

TEST_CASE("a file gives way to a folder that is wanted in its place") {
  Trees trees;
  const Entry file{"100644", std::string(40, 'a')};
  const std::string root = trees.build({{"a1", file}});
  TreeChanges changes;
  changes.put("a1/b", file);
  CHECK(changed(root, changes, trees.known) == Trees().build({{"a1/b", file}}));
}

TEST_CASE("nothing is made when a tree is missing, damaged, or a path is no path") {
  Trees trees;
  const Entry file{"100644", std::string(40, 'a')};
  const std::string root = trees.build({{"a1/b", file}});
  TreeChanges changes;
  changes.put("0/new", file);
  changes.put("a1/c", file);
  KnownTrees partial{{root, trees.known.at(root)}};
  Pack pack(ObjectFormat::sha1);
  auto id = change_tree(root, changes, partial, pack);
  REQUIRE_FALSE(id);
  CHECK(id.error().kind == base::ErrorKind::not_found);

  partial[root] = "100644 x";
  id = change_tree(root, changes, partial, pack);
  REQUIRE_FALSE(id);
  CHECK(id.error().kind == base::ErrorKind::corrupt);

  for (const char* path : {"", "/a", "a/", "a//b", "a/../b", ".git/config", "a/.GIT/x"}) {
    INFO(path);
    TreeChanges bad;
    bad.put(path, file);
    id = change_tree(root, bad, trees.known, pack);
    REQUIRE_FALSE(id);
    CHECK(id.error().kind == base::ErrorKind::invalid_input);
  }
  CHECK(pack.objects() == 0);
}
